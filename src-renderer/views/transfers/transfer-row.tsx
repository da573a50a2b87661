// Renders the cells of a row. A row is a transfer, a fold of several transfers, or a placeholder for one that
// isn't in memory. Cells only display data and report events; the list positions the rows, and the view
// carries out actions.
import { ArrowUpToLine, Check, ChevronDown, Ellipsis, Link, Pause, Play, RotateCw, X } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { fileKind } from '../../../src-shared/file-kind.ts'
import { printable } from '../../../src-shared/format.ts'
import type { Reason, Transfer } from '../../../src-shared/model.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { KindTile } from '../../components/kind-tile.tsx'
import { Meter } from '../../components/meter.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { useAhead } from '../../hooks/use-ahead.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNowNear } from '../../hooks/use-now.ts'
import { directOrigin, originOf } from '../../lib/path-names.ts'
import { useApp } from '../../state/store.ts'
import type { Item } from './groups.ts'
import type { RowHandlers } from './list-handlers.ts'
import {
  foldSentence,
  hasFollowUp,
  isSaidAbove,
  progressSentence,
  rowDetail,
  rowSentence,
} from './sentences.ts'
import { type Action, buttonsOf } from './transfer-actions.ts'

const ICONS: Partial<Readonly<Record<Action, ReactNode>>> = {
  cancel: <X className="icon" />,
  'send-first': <ArrowUpToLine className="icon" />,
  pause: <Pause className="icon" />,
  resume: <Play className="icon" />,
}

function Origin({ transfer }: { readonly transfer: Transfer }): ReactNode {
  const { t } = useLanguage()
  const folders = useApp((state) => state.snapshot?.folders)
  const origin = originOf(transfer, folders ?? [])
  return (
    <span className="transfers-origin third small cut" title={printable(transfer.path)}>
      {origin === null ? directOrigin(transfer.path, t) : <bdi>{printable(origin.join(' / '))}</bdi>}
    </span>
  )
}

function Progress({ transfer }: { readonly transfer: Transfer }): ReactNode {
  const words = useLanguage()
  const sent = useApp((state) => state.live.get(transfer.id)?.sent ?? transfer.sent)
  const speed = useApp(
    (state) => state.snapshot?.progress.active.find((one) => one.id === transfer.id)?.speed ?? 0,
  )
  const text = progressSentence(words, transfer.size, sent, speed)
  return (
    <>
      <span className="transfers-progress-words second figures cut">
        <bdi>{text}</bdi>
      </span>
      <Meter
        role="progressbar"
        label={words.t.transfersView.progress(transfer.name)}
        value={transfer.size === 0 ? 1 : sent / transfer.size}
        words={text}
      />
    </>
  )
}

/** The buttons of a row. All transfers of a fold have the same as its first one, `transfer`. */
function Actions({
  transfer,
  rows,
  name,
  handlers,
}: {
  readonly transfer: Transfer
  readonly rows: readonly Transfer[]
  readonly name: string
  readonly handlers: RowHandlers
}): ReactNode {
  const { t } = useLanguage()
  const copied = useApp(
    (state) => transfer.fileId !== null && state.copied?.fileIds.has(transfer.fileId) === true,
  )
  const { shown, review } = buttonsOf(transfer)
  const own = t.transfersView
  return (
    <>
      {transfer.state === 'gone' ? null : (
        <IconButton
          label={own.moreOn(name)}
          aria-haspopup="menu"
          excludeFromTabOrder
          className="transfers-more"
          icon={<Ellipsis className="icon" />}
          onPress={(event) => handlers.menu(rows, event.target)}
        />
      )}
      {review === null ? null : <Review rows={rows} action={review} handlers={handlers} />}
      {shown.map((action) =>
        action === 'copy' ? (
          copied ? (
            <span key={action} className="transfers-copied good strong">
              <Check className="icon" aria-hidden="true" />
              {t.copied}
            </span>
          ) : (
            <Button
              key={action}
              size="small"
              excludeFromTabOrder
              icon={<Link className="icon" />}
              onPress={() => handlers.act(action, rows)}
            >
              {t.copy}
            </Button>
          )
        ) : ICONS[action] === undefined ? (
          <Button
            key={action}
            size="small"
            excludeFromTabOrder
            className={action === 'retry' ? 'transfers-retry' : ''}
            icon={action === 'retry' ? <RotateCw className="icon" /> : null}
            onPress={() => handlers.act(action, rows)}
          >
            {own.actions[action]}
          </Button>
        ) : (
          <IconButton
            key={action}
            label={own.actions[action]}
            icon={ICONS[action]}
            excludeFromTabOrder
            onPress={() => handlers.act(action, rows)}
          />
        ),
      )}
    </>
  )
}

function Review(props: {
  readonly rows: readonly Transfer[]
  readonly action: Action | 'menu'
  readonly handlers: RowHandlers
}): ReactNode {
  const own = useLanguage().t.transfersView
  const { rows, action, handlers } = props
  return (
    <Button
      size="small"
      excludeFromTabOrder
      aria-haspopup={action === 'menu' ? 'menu' : 'dialog'}
      onPress={(event) =>
        action === 'menu' ? handlers.menu(rows, event.target) : handlers.act(action, rows)
      }
    >
      {own.review}
    </Button>
  )
}

/** The cells of a single transfer. */
export const TransferCells = memo(function TransferCells(props: {
  readonly transfer: Transfer
  readonly handlers: RowHandlers
  readonly now: number
  readonly next: boolean
  readonly headReason: Reason | null
}): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const { transfer } = props
  const kind = fileKind(transfer.name)
  const followUp = useApp((state) => hasFollowUp(transfer, state.snapshot?.folders ?? []))
  const until = useAhead(transfer.until)
  const isCounted = transfer.reason === 'grace'
  const ticking = useNowNear(isCounted ? until : null)
  const now = isCounted ? ticking : props.now
  const sentence = rowSentence(words, { ...transfer, until }, { now, next: props.next, followUp })
  const detail = rowDetail(words, transfer)
  const isSaid = isSaidAbove(transfer, props.headReason, props)
  return (
    <>
      <div role="gridcell" className="transfers-file" data-file={transfer.fileId}>
        <KindTile kind={kind} transferId={transfer.state === 'gone' ? null : transfer.id} />
        <span className="hidden-text">{t.kinds[kind]}</span>
        <span className="transfers-names">
          <MiddleName name={transfer.name} className="strong" />
          <Origin transfer={transfer} />
        </span>
      </div>
      <div role="gridcell" className={`transfers-state ${sentence.tone}`}>
        {transfer.state === 'uploading' ? (
          <Progress transfer={transfer} />
        ) : (
          <span
            className={isSaid ? 'hidden-text' : 'cut figures'}
            title={detail === '' ? sentence.text : detail}
          >
            <bdi>{sentence.text}</bdi>
          </span>
        )}
      </div>
      <div role="gridcell" className="transfers-size second figures">
        <bdi>{f.bytes(transfer.size)}</bdi>
      </div>
      <div role="gridcell" className="transfers-actions">
        <Actions transfer={transfer} rows={[transfer]} name={transfer.name} handlers={props.handlers} />
      </div>
    </>
  )
})

/** Several transfers that need attention for the same reason, shown as one row. */
export function FoldCells({
  item,
  handlers,
}: {
  readonly item: Extract<Item, { kind: 'fold' }>
  readonly handlers: RowHandlers
}): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const own = t.transfersView
  const [first] = item.rows
  if (first === undefined) return null
  const title = own.foldTitle(item.rows.length, f.count(item.rows.length))
  return (
    <>
      <div role="gridcell" className="transfers-file">
        <KindTile kind={fileKind(first.name)} />
        <span className="transfers-names">
          {item.open ? (
            <span className="strong cut">{title}</span>
          ) : (
            <MiddleName name={first.name} className="strong" />
          )}
          <AriaButton
            className="transfers-fold small"
            excludeFromTabOrder
            aria-expanded={item.open}
            onPress={() => handlers.toggleFold(item.key)}
          >
            <span className="cut">
              {item.open ? own.foldClose : own.andMore(item.rows.length - 1, f.count(item.rows.length - 1))}
            </span>
            <ChevronDown className="icon" aria-hidden="true" />
          </AriaButton>
          <span className="transfers-fold-reason small problem cut">{foldSentence(words, item.reason)}</span>
        </span>
      </div>
      <div role="gridcell" className="transfers-state problem">
        <span className="cut">{foldSentence(words, item.reason)}</span>
      </div>
      <div role="gridcell" className="transfers-size second figures">
        <bdi>{f.bytes(item.rows.reduce((sum, row) => sum + row.size, 0))}</bdi>
      </div>
      <div role="gridcell" className="transfers-actions">
        <Actions transfer={first} rows={item.rows} name={title} handlers={handlers} />
      </div>
    </>
  )
}

export function GapCells(): ReactNode {
  const { t } = useLanguage()
  return (
    <div role="gridcell" className="transfers-file">
      <span className="transfers-ghost-tile" aria-hidden="true" />
      <span className="transfers-ghost" aria-hidden="true" />
      <span className="hidden-text">{t.transfersView.loading}</span>
    </div>
  )
}

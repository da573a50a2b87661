// The cells of each kind of item in the transfer list, and the buttons in its headings.
// transfer-row.tsx renders the rows of transfers.
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Transfer } from '../../../src-shared/model.ts'
import { Button } from '../../components/button.tsx'
import { useAhead } from '../../hooks/use-ahead.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { type Item, startOfDay } from './groups.ts'
import type { ListHandlers } from './list-handlers.ts'
import { resumePaused } from './run-actions.ts'
import { dayName, headDetail } from './sentences.ts'
import { FoldCells, GapCells, TransferCells } from './transfer-row.tsx'
import type { CopyToday } from './use-copy-today.ts'

/** What the buttons in the headings do (null while its heading has no button), and what needn't be said there. */
export interface HeadTools {
  readonly onFoldWaiting: (() => void) | null
  readonly today: CopyToday | null
  /** Whether a banner above the list says how the daily upload limit splits the files. */
  readonly isPlanSaid: boolean
}

/** Whether the arrow keys stop at an item. They stop at a heading only if it has a button. */
export function isStop(item: Item | undefined, tools: HeadTools): boolean {
  if (item?.kind !== 'head') return item !== undefined
  return item.group === 'today' ? tools.today !== null : isFolding(item) && tools.onFoldWaiting !== null
}

/** Whether the heading's group is collapsed while it has many rows. */
function isFolding({ group }: Item): boolean {
  return group === 'waiting' || group === 'paused'
}

export function Cells(props: {
  readonly item: Item
  readonly handlers: ListHandlers
  readonly tools: HeadTools
  readonly now: number
  readonly movedFirst: ReadonlySet<number>
}): ReactNode {
  const { item, handlers } = props
  switch (item.kind) {
    case 'head':
      return <Head item={item} tools={props.tools} now={props.now} />
    case 'row':
      return (
        <>
          <Highlight transfer={item.transfer} />
          <TransferCells
            transfer={item.transfer}
            handlers={handlers}
            now={props.now}
            next={props.movedFirst.has(item.transfer.id)}
            headReason={item.headReason ?? null}
          />
        </>
      )
    case 'fold':
      return <FoldCells item={item} handlers={handlers} />
    case 'gap':
    case 'tail':
      return <GapCells />
    case 'rest':
      return <Rest item={item} handlers={handlers} />
    default:
      return item satisfies never
  }
}

/** Highlights a row once when its upload has just finished. */
function Highlight({ transfer }: { readonly transfer: Transfer }): ReactNode {
  const fresh = useApp(
    (state) => transfer.state === 'done' && state.fresh.has(transfer.fileId ?? -transfer.id),
  )
  return fresh ? <span className="transfers-lit" role="presentation" /> : null
}

function Rest({
  item,
  handlers,
}: {
  readonly item: Extract<Item, { kind: 'rest' }>
  readonly handlers: ListHandlers
}): ReactNode {
  const { t, f } = useLanguage()
  const own = t.transfersView
  return (
    <div role="gridcell" className="transfers-wide">
      <Button size="small" variant="quiet" excludeFromTabOrder onPress={() => handlers.rest(item)}>
        {item.hidden === null ? own.showMore : own.showAll(item.hidden, f.count(item.hidden))}
      </Button>
    </div>
  )
}

function Head({
  item,
  tools,
  now,
}: {
  readonly item: Extract<Item, { kind: 'head' }>
  readonly tools: HeadTools
  readonly now: number
}): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const own = t.transfersView
  const name =
    item.group === 'today' || item.group === 'history'
      ? dayName(words, item.day ?? startOfDay(now), startOfDay(now))
      : own.groups[item.group]
  const until = useAhead(item.until)
  const areAllPaused = useApp((state) => state.snapshot?.paused === true)
  /** Uploads that the user has paused one by one, or has added to wait. A folder is resumed in the settings. */
  const isResumable = item.group === 'paused' && item.reason !== 'folder-paused' && !areAllPaused
  const reason = tools.isPlanSaid && item.reason === 'daily-uploads' ? null : item.reason
  const detail = headDetail(words, { ...item, reason, until }, now)
  const counted = item.count === 0 && detail !== '' ? null : own.groupCount(f.count(item.count), item.more)
  return (
    <div role="gridcell" className="transfers-head-line">
      <h2 className="strong">{name}</h2>
      <span className="transfers-head-detail second figures cut" title={detail}>
        <bdi>{counted === null ? detail : detail === '' ? counted : `${counted} · ${detail}`}</bdi>
      </span>
      {isResumable ? (
        <Button size="small" excludeFromTabOrder onPress={() => void resumePaused(words)}>
          {t.resume}
        </Button>
      ) : null}
      {!isFolding(item) || tools.onFoldWaiting === null ? null : (
        <Button size="small" variant="quiet" excludeFromTabOrder onPress={tools.onFoldWaiting}>
          {own.showFewer}
        </Button>
      )}
      {item.group !== 'today' || tools.today === null ? null : tools.today.copied === null ? (
        <Button
          size="small"
          variant="quiet"
          excludeFromTabOrder
          icon={<Copy className="icon" />}
          onPress={tools.today.run}
        >
          {tools.today.label}
        </Button>
      ) : (
        <span className="good strong transfers-head-copied">{tools.today.copied}</span>
      )}
    </div>
  )
}

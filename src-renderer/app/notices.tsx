// Notices. Those that stay until a problem is solved are in a bar between the view and the status bar, which
// has its own space. What just happened floats above the view as cards, which name the file and offer what
// can be done with it. Screen readers announce both. state/notices.ts decides which ones disappear
// automatically.
import { Check, CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import {
  Component,
  createRef,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { fileKind } from '../../src-shared/file-kind.ts'
import { printable } from '../../src-shared/format.ts'
import { Button, IconButton } from '../components/button.tsx'
import { ContextMenu, type MenuPoint } from '../components/context-menu.tsx'
import { useCopyAs } from '../components/copy-as.tsx'
import { KindTile } from '../components/kind-tile.tsx'
import { MiddleName } from '../components/middle-name.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNow, useNowNear } from '../hooks/use-now.ts'
import { IS_SHELF } from '../lib/page.ts'
import { isRowInSight } from '../lib/row-in-sight.ts'
import type { Words } from '../lib/words.ts'
import { call } from '../state/client.ts'
import { copyLinks } from '../state/copy-links.ts'
import { isKey, isTyping } from '../state/keyboard.ts'
import { announce, closeNotice, holdNotices, notify, notifyIn, valueOrNotice } from '../state/notices.ts'
import { type AppState, appStore, type Notice, type NoticeCard, revealFile, useApp } from '../state/store.ts'
import { undo } from '../state/undo.ts'
import { BATCH_TOPIC } from '../state/uploads.ts'
import './notices.css'

const ICONS = { info: Info, good: Check, warning: TriangleAlert, problem: CircleAlert } as const

/**
 * When a focused notice disappears, moves the focus to the field or list that the user was in, or else to where
 * it was before it entered the notices. Never to another notice, where the next key press would dismiss it.
 */
class FocusKeeper extends Component<{ readonly children: ReactNode }, object, HTMLElement | null> {
  readonly #root = createRef<HTMLDivElement>()
  #before: HTMLElement | null = null
  #isPointedAt = false

  /** The button that has the focus. */
  override getSnapshotBeforeUpdate(): HTMLElement | null {
    const { activeElement } = document
    return activeElement instanceof HTMLElement && this.#root.current?.contains(activeElement) === true
      ? activeElement
      : null
  }

  override componentDidUpdate(_props: unknown, _state: unknown, focused: HTMLElement | null): void {
    if (focused !== null && !focused.isConnected) this.#leave()
    // An element that is removed sends no event that it has lost the focus or the pointer.
    this.#isPointedAt &&= this.#root.current?.matches(':hover') === true
    this.#hold()
  }

  override componentWillUnmount(): void {
    holdNotices(false)
  }

  #leave(): void {
    const before = this.#before?.isConnected === true ? this.#before : null
    const list = document.querySelector<HTMLElement>('main [role=grid]')
    const home = isTyping(before) ? before : (list ?? before)
    ;(home ?? document.querySelector<HTMLElement>('main input, main button'))?.focus({ preventScroll: true })
  }

  #hold(): void {
    const root = this.#root.current
    // A menu that a notice has opened is outside of it.
    const hasMenu = root?.querySelector('[aria-expanded=true]') != null
    const hasFocus = root?.contains(document.activeElement) === true
    holdNotices(hasFocus || hasMenu || this.#isPointedAt)
  }

  readonly #onFocus = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof HTMLElement && this.#root.current?.contains(relatedTarget) !== true)
      this.#before = relatedTarget
    this.#hold()
  }

  readonly #onPointer = (isPointedAt: boolean) => (): void => {
    this.#isPointedAt = isPointedAt
    this.#hold()
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (!isKey(event, 'escape') || !(event.target instanceof Element)) return
    event.preventDefault()
    event.target.closest('.notice')?.querySelector<HTMLElement>('[data-close]')?.click()
    if (this.#root.current?.contains(document.activeElement) === true) this.#leave()
  }

  override render(): ReactNode {
    return (
      // Not atomic, so that a new notice is announced without repeating the others.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The buttons inside are interactive; these handlers only watch them.
      <div
        ref={this.#root}
        className="notices"
        role="status"
        aria-live="polite"
        aria-atomic="false"
        onFocus={this.#onFocus}
        onBlur={() => setTimeout(() => this.#hold())}
        onMouseEnter={this.#onPointer(true)}
        onMouseLeave={this.#onPointer(false)}
        onKeyDown={this.#onKeyDown}
      >
        {this.props.children}
      </div>
    )
  }
}

/**
 * Text that keeps changing, such as a countdown. Screen readers, which would read out every change, get only
 * the first text.
 */
function ChangingText({ className, text }: { readonly className: string; readonly text: string }): ReactNode {
  const [first] = useState(text)
  return (
    <>
      <span className={className} aria-hidden="true">
        {text}
      </span>
      <span className="hidden-text">{first}</span>
    </>
  )
}

/** Deletions of more files than this are shown even while connected, because they take a while. */
const FEW = 10

/** Cancels all queued deletions, and shows a warning if it is too late for some. */
async function keepAll(words: Words): Promise<void> {
  const kept = await valueOrNotice(words, call('keepFiles', { fileIds: null }))
  if (kept === null || kept.late === 0) return
  notifyIn(words, { level: 'warning' }, ({ t, f }) => ({
    title: t.keepTooLate(kept.late, f.count(kept.late)),
    hint: t.keepTooLateHint,
  }))
}

/**
 * A notice about queued deletions that take time, because they wait for a connection, for access or for the
 * rate limit, or because there are more than FEW. It shows the first file names and a button to keep the
 * files.
 */
function Deletions(): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const deleting = useApp((state) => state.snapshot?.deleting)
  const account = useApp((state) => state.snapshot?.account.state)
  const now = useNowNear(deleting?.until)
  const offline = account === 'offline'
  const blocked = account === 'none' || account === 'key-refused' || account === 'no-api'
  if (deleting === undefined || (!offline && !blocked && deleting.until === null && deleting.count <= FEW))
    return null
  const { count, names, until } = deleting
  const more = count - names.length
  const waits = offline
    ? t.deletesLater
    : blocked
      ? t.deletesBlocked
      : until !== null && until > now
        ? t.deletesAt(f.when(until, now))
        : null
  return (
    <div className="notice">
      <p className="notice-text">
        {waits === null ? (
          <ChangingText className="strong" text={t.deletesNow(count, f.count(count))} />
        ) : (
          <span className="strong">{waits}</span>
        )}
        <ChangingText className="second" text={t.deleteNames(names.map(printable), more, f.count(more))} />
      </p>
      <div className="notice-actions">
        <Button size="small" onPress={() => void keepAll(words)}>
          {t.keepFiles(count)}
        </Button>
      </div>
    </div>
  )
}

/** How long a row may take to appear after its upload, before a card is shown in its place. */
const ROW_MS = 1500
const LOOK_AGAIN_MS = 100

/**
 * Shows a card when links have been copied. A single link whose row is in sight is only announced, because the
 * row itself shows it. The card replaces the notice that files were added, unless that warns of anything.
 */
function useCopiedCard(): void {
  const words = useLanguage()
  const copied = useApp((state) => state.copied)
  const tell = useEffectEvent((isInSight: boolean): void => {
    if (copied === null) return
    if (isInSight) announce(words.t.copiedLinks(1, words.f.count(1)))
    else showCopied(words, copied)
  })
  useEffect(() => {
    if (copied === null) return undefined
    const id = copied.count === 1 ? copied.file.fileId : null
    const until = Date.now() + (copied.asked || id === null ? 0 : ROW_MS)
    let timer: ReturnType<typeof setTimeout>
    const look = (): void => {
      const isInSight = id !== null && isRowInSight(id)
      if (isInSight || Date.now() >= until || !canShowRow()) tell(isInSight)
      else timer = setTimeout(look, LOOK_AGAIN_MS)
    }
    look()
    return () => clearTimeout(timer)
  }, [copied])
}

/** Whether a list is in sight, even an empty one, which can still get the row. */
function canShowRow(): boolean {
  const { view } = appStore.getState()
  return !IS_SHELF && (view === 'files' || view === 'transfers')
}

function showCopied({ t, f }: Words, copied: NonNullable<AppState['copied']>): void {
  const { count, asked, fileIds, file } = copied
  const isWarned = appStore
    .getState()
    .notices.some(({ topic, level }) => topic === BATCH_TOPIC && level === 'warning')
  notify({
    ...(asked || isWarned ? {} : { topic: BATCH_TOPIC }),
    level: 'good',
    title: t.copiedLinks(count, f.count(count)),
    hint: null,
    card: { ...file, count, fileIds: fileIds.size === count ? [...fileIds] : [], undo: copied.undo },
  })
}

export function Notices(): ReactNode {
  const all = useApp((state) => state.notices)
  // The shelf has no room for them, and no Undo.
  const deletes = useApp((state) => (IS_SHELF ? NO_DELETES : state.deletes))
  // The countdown shows seconds.
  const now = useNow(deletes.length > 0 ? 1000 : 30_000)
  useCopiedCard()
  // The newest notice comes first. If there isn't enough space, the user can scroll to the older ones.
  const notices = all.toReversed()
  const isBrief = ({ level }: Notice): boolean => level === 'info' || level === 'good'
  return (
    <FocusKeeper>
      <div className="notice-bar">
        <Deletions />
        {notices
          .filter((notice) => !isBrief(notice))
          .map((notice) => (
            <NoticeLine key={notice.id} notice={notice} />
          ))}
      </div>
      <div className="notice-cards">
        {deletes
          .filter((one) => one.at > now)
          .map((one) => (
            <FileCard
              key={one.token}
              card={{ ...NO_FILE, name: one.name, count: one.count, undo: one.token }}
              // Use the current time: `now` may be up to a second old, and the countdown would begin a second
              // too high.
              what={<DeletesIn at={one.at} />}
            />
          ))}
        {notices
          .filter(isBrief)
          .map((notice) =>
            notice.card === undefined ? (
              <NoticeLine key={notice.id} notice={notice} />
            ) : (
              <FileCard
                key={notice.id}
                card={notice.card}
                what={<span className={notice.level}>{notice.title}</span>}
                close={<NoticeButtons notice={notice} />}
              />
            ),
          )}
      </div>
    </FocusKeeper>
  )
}

const NO_DELETES: AppState['deletes'] = []
const NO_FILE = { fileId: null, transferId: null, fileIds: [] } as const

function DeletesIn({ at }: { readonly at: number }): ReactNode {
  const { t, f } = useLanguage()
  return <ChangingText className="figures" text={t.deletesIn(f.duration(Math.max(1000, at - Date.now())))} />
}

function NoticeLine({ notice }: { readonly notice: Notice }): ReactNode {
  const words = useLanguage()
  const Icon = ICONS[notice.level]
  const { title, hint } = notice.say?.(words) ?? notice
  return (
    <div className={`notice notice-${notice.level}`}>
      <Icon className="icon" aria-hidden="true" />
      <p className="notice-text">
        <span className="strong">{title}</span>
        {hint === null ? null : <span className="second">{hint}</span>}
      </p>
      <div className="notice-actions">
        <NoticeButtons notice={notice} />
      </div>
    </div>
  )
}

function NoticeButtons({ notice: { id, action } }: { readonly notice: Notice }): ReactNode {
  const { t } = useLanguage()
  return (
    <>
      {action === null ? null : (
        <Button
          size="small"
          onPress={() => {
            action.run()
            closeNotice(id)
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        label={t.closeNotice}
        icon={<X className="icon" />}
        data-close=""
        onPress={() => closeNotice(id)}
      />
    </>
  )
}

/** A card about files. A click on its name opens the details of a single file. */
function FileCard({
  card,
  what,
  close = null,
}: {
  readonly card: NoticeCard
  /** What happened. */
  readonly what: ReactNode
  /** The buttons after those of the files. */
  readonly close?: ReactNode
}): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const { name, count, fileId, transferId, fileIds } = card
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null)
  const copyAs = useCopyAs(count, (style) => void copyLinks(words, { fileIds: [...fileIds] }, style), false)
  const named = (
    <>
      <KindTile kind={fileKind(name)} transferId={transferId} />
      <span className="notice-names">
        {name === '' ? (
          <span className="strong">{t.filesCount(count, f.count(count))}</span>
        ) : (
          <span className="notice-name strong">
            <MiddleName name={name} />
            {count === 1 ? null : <span>{t.andMore(f.count(count - 1))}</span>}
          </span>
        )}
        <span className="small second">{what}</span>
      </span>
    </>
  )
  return (
    <div className="notice notice-card">
      {fileId === null || count > 1 || IS_SHELF ? (
        <p className="notice-file">{named}</p>
      ) : (
        <button type="button" className="notice-file" onClick={() => revealFile({ fileId, name })}>
          {named}
        </button>
      )}
      <div className="notice-actions">
        {fileIds.length === 0 || IS_SHELF ? null : (
          <Button
            size="small"
            variant="quiet"
            aria-haspopup="menu"
            aria-expanded={menuAt !== null}
            onPress={({ target }) => {
              const box = target.getBoundingClientRect()
              setMenuAt({ x: box.left, y: box.top })
            }}
          >
            {t.copyAsMore}
          </Button>
        )}
        {card.undo === null || IS_SHELF ? null : (
          <Button size="small" onPress={() => void undo(words, card.undo)}>
            {t.undo}
          </Button>
        )}
        {close}
      </div>
      <ContextMenu label={t.copyAsMenu} at={menuAt} entries={copyAs} onClose={() => setMenuAt(null)} />
    </div>
  )
}

// Notices between the view and the status bar, some with an action, and pending deletions with a button to
// undo or stop them. They have their own space, so they cover nothing. Screen readers announce them.
// state/notices.ts decides which ones disappear automatically.
import { Check, CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { Component, createRef, type ReactNode, useState } from 'react'
import { printable } from '../../src-shared/format.ts'
import { Button, IconButton } from '../components/button.tsx'
import { useAsk } from '../hooks/use-ask.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNow, useNowNear } from '../hooks/use-now.ts'
import type { Words } from '../lib/words.ts'
import { call } from '../state/client.ts'
import { closeNotice, notifyIn, valueOrNotice } from '../state/notices.ts'
import { useApp } from '../state/store.ts'
import './notices.css'

const ICONS = { info: Info, good: Check, warning: TriangleAlert, problem: CircleAlert } as const

/**
 * When a focused notice disappears, moves the focus to the first button of the remaining notices, or else to
 * the view: its list, or its first field or button.
 */
class FocusKeeper extends Component<{ readonly children: ReactNode }, object, boolean> {
  readonly #root = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): boolean {
    return this.#root.current?.contains(document.activeElement) === true
  }

  override componentDidUpdate(_props: unknown, _state: unknown, hadFocus: boolean): void {
    if (!hadFocus || document.activeElement !== document.body) return
    const next = this.#root.current?.querySelector<HTMLElement>('button')
    const home =
      document.querySelector<HTMLElement>('main [role=grid]') ??
      document.querySelector<HTMLElement>('main input, main button')
    ;(next ?? home)?.focus({ preventScroll: true })
  }

  override render(): ReactNode {
    return (
      // Not atomic, so that a new notice is announced without repeating the others.
      <div ref={this.#root} className="notices" role="status" aria-live="polite" aria-atomic="false">
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

export function Notices(): ReactNode {
  const words = useLanguage()
  const ask = useAsk()
  const { t, f } = words
  const notices = useApp((state) => state.notices)
  const deletes = useApp((state) => state.deletes)
  // The countdown shows seconds.
  const now = useNow(deletes.length > 0 ? 1000 : 30_000)
  const undoable = deletes.filter((one) => one.at > now)
  return (
    <FocusKeeper>
      {undoable.map((one) => (
        <div key={one.token} className="notice">
          <p className="notice-text">
            <span className="strong">{t.deleting(one.count, f.count(one.count))}</span>
            {/* Use the current time: `now` may be up to a second old, and the countdown would begin a second too
                high. */}
            <ChangingText
              className="second figures"
              text={t.deletesIn(f.duration(Math.max(1000, one.at - Date.now())))}
            />
          </p>
          <div className="notice-actions">
            <Button size="small" onPress={() => void ask('undoDelete', { token: one.token })}>
              {t.undo}
            </Button>
          </div>
        </div>
      ))}
      <Deletions />
      {/* The newest notice comes first. If there isn't enough space, the user can scroll to the older ones. */}
      {notices.toReversed().map((notice) => {
        const Icon = ICONS[notice.level]
        const { action } = notice
        const { title, hint } = notice.say?.(words) ?? notice
        return (
          <div key={notice.id} className={`notice notice-${notice.level}`}>
            <Icon className="icon" aria-hidden="true" />
            <p className="notice-text">
              <span className="strong">{title}</span>
              {hint === null ? null : <span className="second">{hint}</span>}
            </p>
            <div className="notice-actions">
              {action === null ? null : (
                <Button
                  size="small"
                  onPress={() => {
                    action.run()
                    closeNotice(notice.id)
                  }}
                >
                  {action.label}
                </Button>
              )}
              <IconButton
                label={t.closeNotice}
                icon={<X className="icon" />}
                onPress={() => closeNotice(notice.id)}
              />
            </div>
          </div>
        )
      })}
    </FocusKeeper>
  )
}

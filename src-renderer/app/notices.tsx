// Messages that were not asked for, at the lower end of the window, each with what a person can do. They push nothing aside and go by
// themselves where they only inform; screen readers hear them.
import { Check, CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { Component, createRef, type ReactNode } from 'react'
import { Button, IconButton } from '../components/button.tsx'
import { call } from './client.ts'
import { useLanguage } from './language.tsx'
import { closeNotice, useApp } from './store.ts'
import { useNow } from './time.ts'
import './notices.css'

const ICONS = { info: Info, good: Check, warning: TriangleAlert, problem: CircleAlert } as const

/** A message that goes takes the focus of its button with it; it goes on to the next message, or back to what the view is about. */
class FocusKeeper extends Component<{ readonly children: ReactNode }, object, boolean> {
  readonly #root = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): boolean {
    return this.#root.current?.contains(document.activeElement) === true
  }

  override componentDidUpdate(_props: unknown, _state: unknown, hadFocus: boolean): void {
    if (!hadFocus || document.activeElement !== document.body) return
    const next = this.#root.current?.querySelector<HTMLElement>('button')
    const home = document.querySelector<HTMLElement>('main [role=grid]') ?? document.querySelector<HTMLElement>('main input, main button')
    ;(next ?? home)?.focus({ preventScroll: true })
  }

  override render(): ReactNode {
    return (
      <div ref={this.#root} className="notices" role="status" aria-live="polite">
        {this.props.children}
      </div>
    )
  }
}

export function Notices(): ReactNode {
  const { t, f } = useLanguage()
  const notices = useApp((state) => state.notices)
  const deletes = useApp((state) => state.deletes)
  const now = useNow(1000)
  const undoable = deletes.filter((one) => one.at > now)
  return (
    <FocusKeeper>
      {undoable.map((one) => (
        <div key={one.token} className="notice">
          <p className="notice-text">
            <span className="strong">{t.deleting(one.count, f.count(one.count))}</span>
            <span className="second figures">{t.deletesIn(f.duration(Math.max(1000, one.at - now)))}</span>
          </p>
          <Button size="small" onPress={() => void call('undoDelete', { token: one.token })}>
            {t.undo}
          </Button>
        </div>
      ))}
      {notices.map((notice) => {
        const Icon = ICONS[notice.level]
        const { action } = notice
        return (
          <div key={notice.id} className={`notice notice-${notice.level}`}>
            <Icon className="icon" aria-hidden="true" />
            <p className="notice-text">
              <span className="strong">{notice.title}</span>
              {notice.hint === null ? null : <span className="second">{notice.hint}</span>}
            </p>
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
            <IconButton label={t.closeNotice} icon={<X className="icon" />} onPress={() => closeNotice(notice.id)} />
          </div>
        )
      })}
    </FocusKeeper>
  )
}

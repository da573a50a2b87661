// Passes events to notices.ts, and shows the resulting notifications through notification-screen.ts.

import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { EngineEvent, NoticeAbout } from '../../../src-shared/events.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { Boot, CallName } from '../../../src-shared/window-contract.ts'
import type { NoticeEvent } from './notice-types.ts'
import { Notices } from './notices.ts'
import { createNotificationScreen, type ScreenOptions } from './notification-screen.ts'

export interface Notifier {
  take(event: EngineEvent): void
  snapshot(snapshot: Snapshot): void
  /** Says which files a drop has, which are reported together when it ends. `open`: those not finished. */
  dropStarted(batch: number, ids: readonly number[], open: readonly number[]): void
  dropEnded(batch: number, items: readonly Transfer[], copied: boolean): void
  /** Records that links to these files in watched folders were copied, so that their notification says so. */
  watchedCopied(ids: readonly number[]): void
  /**
   * Reports that a request from outside the window failed, or that the engine couldn't be started. `of`: see
   * `reportFailure` in app/app.ts.
   */
  failure(failure: Failure, of?: CallName | 'start'): void
  /**
   * Shows a notification at once, regardless of settings, snooze and focus. `title` and `hint` must be in the
   * user's language.
   */
  say(topic: string, title: string, hint: string | null): void
  woke(): void
  close(): void
}

export function createNotifier(
  options: ScreenOptions & {
    readonly platform: Boot['platform']
    readonly settings: () => AppSettings
    readonly focused: () => boolean
    readonly now: () => number
  },
): Notifier {
  const notices = new Notices()
  const screen = createNotificationScreen(options)
  let timer: ReturnType<typeof setTimeout> | undefined

  const feed = (event: NoticeEvent): void => {
    const { notify, snoozedUntil, linkStyle, copyStyles } = options.settings()
    const now = options.now()
    const answer = notices.take({
      event,
      now,
      policy: {
        notify,
        snoozedUntil,
        linkStyle,
        copyStyles,
        focused: options.focused(),
        platform: options.platform,
        ...options.language(),
      },
    })
    for (const cause of answer.over) screen.withdraw(cause)
    for (const notice of answer.notices) screen.show(notice)
    clearTimeout(timer)
    if (answer.wakeAt !== null)
      timer = setTimeout(
        () => feed({ kind: 'tick' }),
        Math.min(2 ** 31 - 1, Math.max(50, answer.wakeAt - now)),
      )
  }

  const say = (topic: string, title: string, hint: string | null): void => {
    screen.show({
      cause: topic,
      title,
      body: hint ?? '',
      urgent: false,
      click: { kind: 'show', view: 'transfers' },
      actions: [],
    })
  }

  const takeNotice = ({ what, name, count }: NoticeAbout): void => {
    if (what === 'first-download') feed({ kind: 'first-downloads', name, count })
    else if (what === 'journal' || what === 'disk' || what === 'near-limit') {
      const { noticeTitles, noticeHints } = options.language().window
      feed({
        kind: 'report',
        topic: what === 'near-limit' ? `${what} ${name}` : what,
        title: noticeTitles[what](name, count),
        body: noticeHints[what](name, count),
      })
    }
  }

  return {
    take: (event) => {
      if (event.kind === 'transfers') feed({ kind: 'transfers', items: event.items })
      else if (event.kind === 'state') feed({ kind: 'snapshot', snapshot: event.snapshot })
      else if (event.kind === 'notice' && event.about !== undefined) takeNotice(event.about)
    },
    snapshot: (snapshot) => feed({ kind: 'snapshot', snapshot }),
    dropStarted: (batch, ids, open) => feed({ kind: 'drop', batch, ids, open }),
    dropEnded: (batch, items, copied) => feed({ kind: 'drop-ended', batch, items, copied }),
    watchedCopied: (ids) => feed({ kind: 'watched-copied', ids }),
    failure: ({ code, tooLarge }, of) => {
      const { window, formats } = options.language()
      const { failures, failuresOf, clipboardTooLarge } = window
      if (tooLarge !== undefined) {
        say(
          'clipboard',
          clipboardTooLarge[tooLarge.what](formats.bytes(tooLarge.bytes)),
          clipboardTooLarge.hint,
        )
        return
      }
      const { title, hint } = (of === undefined ? undefined : failuresOf[of]?.[code]) ?? failures[code]
      say(`failure ${code}`, title, hint)
    },
    say,
    woke: () => feed({ kind: 'woke' }),
    close: () => {
      clearTimeout(timer)
      screen.close()
    },
  }
}

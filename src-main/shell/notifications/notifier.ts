// Shows notifications: passes events to notices.ts and shows what it decides, with buttons on systems that support them. Clicks are passed
// to `act`.
import { Notification } from 'electron'
import type { Boot, CallName } from '../../../src-shared/app.ts'
import type { Failure } from '../../../src-shared/contract.ts'
import type { EngineEvent, NoticeAbout } from '../../../src-shared/events.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { Language } from '../app/language.ts'
import { shownName } from './delivery-words.ts'
import type { Notice, NoticeAction, NoticeEvent } from './notice-types.ts'
import { Notices } from './notices.ts'

/** Maximum number of expired notifications that can still be clicked. Windows' notification centre keeps no more of one app. */
const EXPIRED_MAX = 20

export interface Notifier {
  take(event: EngineEvent): void
  snapshot(snapshot: Snapshot): void
  /** Adds the files of a drop, which are reported together. `copies`: their links may be copied; call `dropCopied` with the outcome. */
  batch(batch: number, items: readonly Transfer[], copies: boolean): void
  /** Notes whether the links of a drop were copied to the clipboard, so that its notification says so. */
  dropCopied(batch: number, copied: boolean): void
  /** Notes that the links of these files of watched folders were copied, so that their notification says so. */
  watchedCopied(ids: readonly number[]): void
  /**
   * Reports that a request from outside the window failed, or that the engine couldn't be started. `of`: see `reportFailure` in app/app.ts.
   */
  failure(failure: Failure, of?: CallName | 'start'): void
  /** Shows a notification at once, even if the window has the focus. `title` and `hint` must be in the user's language. */
  say(topic: string, title: string, hint: string | null): void
  woke(): void
  close(): void
}

/** Linux notification bodies are markup, so a file name with angle brackets could become a link or disappear. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function createNotifier(options: {
  readonly platform: Boot['platform']
  readonly language: () => Language
  readonly settings: () => AppSettings
  /** The name of the account that the notifications are about; null if there is only one. */
  readonly account: () => string | null
  readonly focused: () => boolean
  readonly now: () => number
  readonly act: (action: NoticeAction) => void
  readonly log: (event: string, fields: { readonly message: string }) => void
}): Notifier {
  const notices = new Notices()
  /** Holds references to open notifications, by cause. A garbage-collected one would no longer react to clicks. */
  const shown = new Map<string, Notification>()
  /**
   * Causes of the notifications that left the screen without the user, oldest first. On Windows, they can still be clicked in the
   * notification centre.
   */
  const expired = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const withdraw = (cause: string): void => {
    const native = shown.get(cause)
    shown.delete(cause)
    expired.delete(cause)
    native?.close()
  }

  const expire = (cause: string): void => {
    expired.add(cause)
    const [oldest] = expired
    if (oldest === undefined || expired.size <= EXPIRED_MAX) return
    expired.delete(oldest)
    shown.delete(oldest)
  }

  const show = (notice: Notice): void => {
    if (!Notification.isSupported()) return
    withdraw(notice.cause)
    const account = options.account()
    const native = new Notification({
      title: account === null ? notice.title : options.language().texts.notice.ofAccount(notice.title, shownName(account)),
      body: options.platform === 'linux' ? withoutMarkup(notice.body) : notice.body,
      urgency: notice.urgent ? 'critical' : 'normal',
      silent: !notice.urgent,
      actions: notice.actions.map(({ label }) => ({ type: 'button', text: label })),
    })
    native.on('click', () => options.act(notice.click))
    native.on('action', (details) => {
      const found = notice.actions[details.actionIndex]
      if (found !== undefined) options.act(found.action)
    })
    native.on('close', ({ reason }) => {
      if (shown.get(notice.cause) !== native) return
      if (reason === 'timedOut') expire(notice.cause)
      else shown.delete(notice.cause)
    })
    native.on('failed', (_event, error) => {
      options.log('notification.failed', { message: error })
      if (shown.get(notice.cause) === native) shown.delete(notice.cause)
    })
    shown.set(notice.cause, native)
    native.show()
  }

  const feed = (event: NoticeEvent): void => {
    const { notify, snoozedUntil } = options.settings()
    const now = options.now()
    const answer = notices.take({
      event,
      now,
      policy: {
        notify,
        snoozedUntil,
        focused: options.focused(),
        platform: options.platform,
        ...options.language(),
      },
    })
    for (const cause of answer.over) withdraw(cause)
    for (const notice of answer.notices) show(notice)
    clearTimeout(timer)
    if (answer.wakeAt !== null) timer = setTimeout(() => feed({ kind: 'tick' }), Math.min(2 ** 31 - 1, Math.max(50, answer.wakeAt - now)))
  }

  const say = (topic: string, title: string, hint: string | null): void => {
    show({ cause: topic, title, body: hint ?? '', urgent: false, click: { kind: 'show', view: 'transfers' }, actions: [] })
  }

  const takeNotice = ({ what, name, count }: NoticeAbout): void => {
    if (what === 'first-download') feed({ kind: 'first-downloads', name, count })
    else if (what === 'journal' || what === 'disk') {
      const { noticeTitles, noticeHints } = options.language().window
      feed({ kind: 'report', topic: what, title: noticeTitles[what](name, count), body: noticeHints[what](name, count) })
    }
  }

  return {
    take: (event) => {
      if (event.kind === 'transfers') feed({ kind: 'transfers', items: event.items })
      else if (event.kind === 'state') feed({ kind: 'snapshot', snapshot: event.snapshot })
      else if (event.kind === 'notice' && event.about !== undefined) takeNotice(event.about)
    },
    snapshot: (snapshot) => feed({ kind: 'snapshot', snapshot }),
    batch: (batch, items, copies) => feed({ kind: 'batch', batch, items, more: false, copies }),
    dropCopied: (batch, copied) => feed({ kind: 'drop-copied', batch, copied }),
    watchedCopied: (ids) => feed({ kind: 'watched-copied', ids }),
    failure: ({ code, tooLarge }, of) => {
      const { window, formats } = options.language()
      const { failures, failuresOf, clipboardTooLarge } = window
      if (tooLarge !== undefined) {
        say('clipboard', clipboardTooLarge[tooLarge.what](formats.bytes(tooLarge.bytes)), clipboardTooLarge.hint)
        return
      }
      const { title, hint } = (of === undefined ? undefined : failuresOf[of]?.[code]) ?? failures[code]
      say(`failure ${code}`, title, hint)
    },
    say,
    woke: () => feed({ kind: 'woke' }),
    close: () => {
      clearTimeout(timer)
      for (const cause of shown.keys()) withdraw(cause)
    },
  }
}

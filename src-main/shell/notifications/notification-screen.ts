// Shows, replaces and withdraws notifications by their cause, with buttons on systems that support them.
// Clicks are passed to `act`.
import { Notification } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'
import type { Language } from '../app/language.ts'
import { shownName } from './delivery-words.ts'
import type { Notice, NoticeAction } from './notice-types.ts'

/**
 * Maximum number of expired notifications that can still be clicked. Windows' notification centre keeps no
 * more per app.
 */
const EXPIRED_MAX = 20

export interface ScreenOptions {
  readonly platform: Boot['platform']
  readonly language: () => Language
  /**
   * The account name to show in the title; null to show none, for example because there is only one account.
   */
  readonly account: () => string | null
  readonly act: (action: NoticeAction) => void
  readonly log: (event: string, fields: { readonly message: string }) => void
}

export interface NotificationScreen {
  /**
   * Shows a notification, and withdraws an earlier one with the same cause. Does nothing on a system without
   * notifications.
   */
  show(notice: Notice): void
  withdraw(cause: string): void
  /** Withdraws all notifications. */
  close(): void
}

/**
 * Linux notification bodies are markup, so a file name with angle brackets could become a link or disappear.
 */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function createNotificationScreen(options: ScreenOptions): NotificationScreen {
  /**
   * Open notifications, by cause. Without a reference, a notification would be garbage-collected and would
   * ignore clicks.
   */
  const shown = new Map<string, Notification>()
  /**
   * Causes of the notifications that timed out on the screen, oldest first. On Windows, these can still be
   * clicked in the notification centre.
   */
  const expired = new Set<string>()

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
      title:
        account === null
          ? notice.title
          : options.language().texts.notice.ofAccount(notice.title, shownName(account)),
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

  return {
    show,
    withdraw,
    close: () => {
      for (const cause of shown.keys()) withdraw(cause)
    },
  }
}

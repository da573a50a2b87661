// Shows, replaces and withdraws notifications by their cause, with buttons on systems that support them.
// Clicks are passed to `act`.
import type { Language } from '../app/language.ts'
import type { Notice, NoticeAction } from './notice-types.ts'
import { shownName } from './report-words.ts'

/**
 * Maximum number of expired notifications that can still be clicked. Windows' notification centre keeps no
 * more per app.
 */
const EXPIRED_MAX = 20

export interface NotificationContent {
  readonly title: string
  /** Plain text. */
  readonly body: string
  readonly urgent: boolean
  /** What a click on the notification itself does, for systems that show it as a button. */
  readonly clickLabel: string
  /** Labels of the buttons. */
  readonly actions: readonly string[]
}

export interface NotificationListeners {
  /** `action`: index of the button, or null for a click on the notification itself. */
  readonly onAction: (action: number | null) => void
  /** `isExpired`: it timed out on the screen, and can still be clicked in the notification centre. */
  readonly onClose: (isExpired: boolean) => void
  readonly onFail: (message: string) => void
  /** The system takes long to show it, but may do so yet. */
  readonly onSlow: () => void
}

export interface ShownNotification {
  close(): void
}

/** The system's notifications, as all accounts use them. No function waits for another process. */
export interface NotificationSystem {
  isSupported(): boolean
  /** Shows a notification in place of `replaced`. Does nothing on a system without notifications. */
  show(
    content: NotificationContent,
    listeners: NotificationListeners,
    replaced: ShownNotification | null,
  ): ShownNotification
}

export interface ScreenOptions {
  readonly system: NotificationSystem
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

export function createNotificationScreen(options: ScreenOptions): NotificationScreen {
  /**
   * Open notifications, by cause. Without a reference, a notification would be garbage-collected and would
   * ignore clicks.
   */
  const shown = new Map<string, ShownNotification>()
  /**
   * Causes of the notifications that timed out on the screen, oldest first. On Windows, these can still be
   * clicked in the notification centre.
   */
  const expired = new Set<string>()

  const forget = (cause: string): ShownNotification | null => {
    const native = shown.get(cause) ?? null
    shown.delete(cause)
    expired.delete(cause)
    return native
  }

  const expire = (cause: string): void => {
    expired.add(cause)
    const [oldest] = expired
    if (oldest === undefined || expired.size <= EXPIRED_MAX) return
    expired.delete(oldest)
    shown.delete(oldest)
  }

  const show = (notice: Notice): void => {
    const { cause, title, body, urgent, click, actions } = notice
    const replaced = forget(cause)
    const account = options.account()
    const fail = (message: string): void => options.log('notification.failed', { message })
    let native: ShownNotification | null = null
    native = options.system.show(
      {
        title:
          account === null ? title : options.language().texts.notice.ofAccount(title, shownName(account)),
        body,
        urgent,
        clickLabel: actions.find(({ action }) => action === click)?.label ?? title,
        actions: actions.map(({ label }) => label),
      },
      {
        onAction: (at) => {
          const action = at === null ? click : actions[at]?.action
          if (action !== undefined) options.act(action)
        },
        onClose: (isExpired) => {
          if (shown.get(cause) !== native) return
          if (isExpired) expire(cause)
          else shown.delete(cause)
        },
        onFail: (message) => {
          fail(message)
          if (native !== null && shown.get(cause) === native) shown.delete(cause)
        },
        onSlow: () => fail('The notification server doesn’t answer.'),
      },
      replaced,
    )
    shown.set(cause, native)
  }

  return {
    show,
    withdraw: (cause) => forget(cause)?.close(),
    close: () => {
      for (const cause of shown.keys()) forget(cause)?.close()
    },
  }
}

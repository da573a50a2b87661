// Notifications made real: feeds notices.ts with what happens and shows what it decides, with buttons where the system has them. It decides
// nothing; what a click means is given to `act`.
import { Notification } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'
import type { EngineEvent, Failure } from '../../../src-shared/contract.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { Notice, NoticeAction, NoticeEvent } from './notice-types.ts'
import { Notices } from './notices.ts'

export interface Notifier {
  take(event: EngineEvent): void
  snapshot(snapshot: Snapshot): void
  /** What one drop took in; they are told together. */
  batch(batch: number, items: readonly Transfer[]): void
  /** Something that was asked for from outside the window could not be done. */
  failure(failure: Failure): void
  woke(): void
  close(): void
}

/** The body of a Linux notification is markup by its standard, so a name with brackets could be a link, or nothing at all. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function createNotifier(options: {
  readonly platform: Boot['platform']
  readonly language: () => { readonly texts: ShellTexts; readonly formats: Formats }
  readonly settings: () => AppSettings
  readonly focused: () => boolean
  readonly now: () => number
  readonly act: (action: NoticeAction) => void
}): Notifier {
  const notices = new Notices()
  /** Kept until they are gone: one that nobody holds may be collected, and its click is lost. */
  const shown = new Map<string, Notification>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = (notice: Notice): void => {
    if (!Notification.isSupported()) return
    shown.get(notice.cause)?.close()
    const native = new Notification({
      title: notice.title,
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
    native.on('close', () => {
      if (shown.get(notice.cause) === native) shown.delete(notice.cause)
    })
    shown.set(notice.cause, native)
    native.show()
  }

  const feed = (event: NoticeEvent): void => {
    const { notify, snoozedUntil, copyAfterDrop } = options.settings()
    const now = options.now()
    const answer = notices.take({
      event,
      now,
      policy: {
        notify,
        snoozedUntil,
        copies: copyAfterDrop,
        focused: options.focused(),
        platform: options.platform,
        ...options.language(),
      },
    })
    for (const notice of answer.notices) show(notice)
    clearTimeout(timer)
    if (answer.wakeAt !== null) timer = setTimeout(() => feed({ kind: 'tick' }), Math.min(2 ** 31 - 1, Math.max(50, answer.wakeAt - now)))
  }

  return {
    take: (event) => {
      if (event.kind === 'transfers') feed({ kind: 'transfers', items: event.items })
      else if (event.kind === 'state') feed({ kind: 'snapshot', snapshot: event.snapshot })
    },
    snapshot: (snapshot) => feed({ kind: 'snapshot', snapshot }),
    batch: (batch, items) => feed({ kind: 'batch', batch, items, more: false }),
    failure: (failure) => {
      show({
        cause: `failure ${failure.code}`,
        title: failure.title,
        body: failure.hint ?? '',
        urgent: false,
        click: { kind: 'show', view: 'transfers' },
        actions: [],
      })
    },
    woke: () => feed({ kind: 'woke' }),
    close: () => {
      clearTimeout(timer)
      for (const one of shown.values()) one.close()
    },
  }
}

// Decides which notifications are shown, and when. There is one per drop, one per burst of files from watched
// folders, and one per condition that stops uploads. First downloads, and problems with the journal or the
// disk, are also reported. None is shown while the window has the focus. The class has no clock: the caller
// passes in events and the time, in chronological order.
import type { Snapshot } from '../../../src-shared/model.ts'
import type { Notice, NoticeEvent, NoticePolicy, Show } from './notice-types.ts'
import { Outages } from './outages.ts'
import { plainNotice } from './plain-notice.ts'
import { Deliveries } from './report-groups.ts'
import { type Delivery, deliveryNotice, shownName } from './report-words.ts'

/**
 * Minimum interval between two notices with the same cause. It doesn't apply to a cause that
 * `NoticeSink.over` has ended with `again`.
 */
const AGAIN_MS = 10 * 60_000

interface Input {
  readonly event: NoticeEvent
  readonly now: number
  readonly policy: NoticePolicy
}

interface Answer {
  readonly notices: readonly Notice[]
  /** Causes that no longer apply. Their notifications are withdrawn. */
  readonly over: readonly string[]
  /** When to send a `tick` if no other event comes first; null if none is needed. */
  readonly wakeAt: number | null
}

export class Notices {
  #snapshot: Snapshot | null = null
  readonly #deliveries = new Deliveries()
  readonly #outages = new Outages()
  /** When each cause was last shown or suppressed. */
  readonly #causes = new Map<string, number>()
  #downloads = 0

  take({ event, now, policy }: Input): Answer {
    const notices: Notice[] = []
    const over: string[] = []
    this.#forgetOld(now)
    const show: Show = (notice, weight) => {
      if (this.#causes.has(notice.cause)) return false
      this.#causes.set(notice.cause, now)
      if (!isAllowed(weight, now, policy)) return false
      notices.push(notice)
      return true
    }
    this.#takeEvent(event, now, policy, show)
    const due = this.#deliveries.due(this.#snapshot, now)
    if (due.delivery !== null) showDelivery(due.delivery, policy, show)
    const end = (cause: string, again = false): void => {
      over.push(cause)
      if (again) this.#causes.delete(cause)
    }
    const outage =
      this.#snapshot === null ? null : this.#outages.check(this.#snapshot, now, policy, { show, over: end })
    const wakes = [due.wakeAt, outage].filter((at) => at !== null)
    return { notices, over, wakeAt: wakes.length === 0 ? null : Math.min(...wakes) }
  }

  #takeEvent(event: NoticeEvent, now: number, policy: NoticePolicy, show: Show): void {
    switch (event.kind) {
      case 'snapshot':
        this.#snapshot = event.snapshot
        return
      case 'transfers':
        for (const transfer of event.items) this.#deliveries.takeTransfer(transfer, now, policy.texts)
        return
      case 'drop':
        this.#deliveries.dropStarted(event.batch, event.ids, event.open)
        return
      case 'drop-ended':
        showDelivery(this.#deliveries.dropEnded(event, now, policy.texts), policy, show)
        return
      case 'watched-copied':
        this.#deliveries.watchedCopied(event.ids)
        return
      case 'first-downloads':
        this.#takeDownloads(event, policy, show)
        return
      case 'report':
        show(
          plainNotice(`report ${event.topic}`, event, 'transfers', policy.texts.notice.show),
          event.topic === 'disk' ? 'blocks' : 'problem',
        )
        return
      case 'woke':
        this.#outages.woke(now)
        return
      case 'tick':
        return
      default:
        event satisfies never
    }
  }

  #takeDownloads(
    { name, count }: Extract<NoticeEvent, { kind: 'first-downloads' }>,
    { texts, formats }: NoticePolicy,
    show: Show,
  ): void {
    const words = texts.notice
    const shown = shownName(name)
    const text =
      count === 1
        ? { title: words.firstDownload.title, body: words.firstDownload.body(shown) }
        : {
            title: words.firstDownloads(count, formats.count(count)),
            body: words.andMore(shown, formats.count(count - 1)),
          }
    show(plainNotice(`downloads ${++this.#downloads}`, text, 'files', words.show), 'news')
  }

  #forgetOld(now: number): void {
    this.#deliveries.forgetOld(now)
    for (const [cause, at] of this.#causes) if (now - at >= AGAIN_MS) this.#causes.delete(cause)
  }
}

function showDelivery(delivery: Delivery, policy: NoticePolicy, show: Show): void {
  const notice = deliveryNotice(delivery, policy)
  const isGood = [...delivery.ends.values()].every((end) => end.kind === 'done')
  if (notice !== null) show(notice, isGood ? 'news' : 'problem')
}

/**
 * `blocks` notices are shown even while notifications are snoozed, because nothing is uploaded until the user
 * acts. The notice about an unreachable service isn't one of them, because the service may recover by itself.
 * If it doesn't, the outage is reported after the snooze.
 */
function isAllowed(weight: Parameters<Show>[1], now: number, policy: NoticePolicy): boolean {
  if (policy.focused || policy.notify === 'none') return false
  if (policy.notify === 'problems' && weight === 'news') return false
  return policy.snoozedUntil === null || policy.snoozedUntil <= now || weight === 'blocks'
}

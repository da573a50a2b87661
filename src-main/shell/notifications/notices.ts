// Which notifications are shown, and when: one for each drop or burst of a watched folder, one for each thing that holds everything up.
// Never for what the person is looking at, never twice for one cause within ten minutes. Fed with events and the time, in the order in which
// they happened; it shows nothing and has no clock.
import type { Snapshot } from '../../../src-shared/model.ts'
import { Deliveries } from './deliveries.ts'
import { deliveryNotice, nameList, shownName } from './delivery-words.ts'
import type { EndedDrop, Notice, NoticeEvent, NoticePolicy, Show } from './notice-types.ts'
import { Outages } from './outages.ts'
import { plainNotice } from './plain-notice.ts'

/** One cause is shown once in this time. */
const AGAIN_MS = 10 * 60_000

interface Input {
  readonly event: NoticeEvent
  readonly now: number
  readonly policy: NoticePolicy
}

interface Answer {
  readonly notices: readonly Notice[]
  readonly ended: readonly EndedDrop[]
  /** When to come with a `tick` if nothing else happens before; null: no need. */
  readonly wakeAt: number | null
}

export class Notices {
  #snapshot: Snapshot | null = null
  readonly #deliveries = new Deliveries()
  readonly #outages = new Outages()
  /** When each cause was shown or suppressed last. */
  readonly #causes = new Map<string, number>()

  take({ event, now, policy }: Input): Answer {
    const notices: Notice[] = []
    this.#forgetOld(now)
    const show: Show = (notice, weight) => {
      if (this.#causes.has(notice.cause)) return false
      this.#causes.set(notice.cause, now)
      if (!isAllowed(weight, now, policy)) return false
      notices.push(notice)
      return true
    }
    this.#takeEvent(event, now, policy, show)
    const due = this.#deliveries.due(this.#snapshot, now, policy.copies)
    for (const delivery of due.deliveries) {
      const notice = deliveryNotice(delivery, policy)
      const isGood = [...delivery.ends.values()].every((end) => end.kind === 'done')
      if (notice !== null) show(notice, isGood ? 'news' : 'problem')
    }
    const outage = this.#snapshot === null ? null : this.#outages.check(this.#snapshot, now, policy, show)
    const wakes = [due.wakeAt, outage].filter((at) => at !== null)
    return { notices, ended: due.endedDrops, wakeAt: wakes.length === 0 ? null : Math.min(...wakes) }
  }

  #takeEvent(event: NoticeEvent, now: number, policy: NoticePolicy, show: Show): void {
    switch (event.kind) {
      case 'snapshot':
        this.#snapshot = event.snapshot
        return
      case 'transfers':
        for (const transfer of event.items) this.#deliveries.takeTransfer(transfer, now, policy.texts)
        return
      case 'batch':
        this.#deliveries.takeBatch(event, policy.texts)
        return
      case 'first-downloads':
        this.#takeDownloads(event.files, now, policy, show)
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
    downloaded: readonly { readonly fileId: number; readonly name: string }[],
    now: number,
    policy: NoticePolicy,
    show: Show,
  ): void {
    const words = policy.texts.notice
    const files = downloaded.filter(({ fileId }) => !this.#causes.has(`download ${fileId}`))
    const [first] = files
    for (const { fileId } of files) this.#causes.set(`download ${fileId}`, now)
    if (first === undefined) return
    const text =
      files.length === 1
        ? { title: words.firstDownload.title, body: words.firstDownload.body(shownName(first.name)) }
        : {
            title: words.firstDownloads(files.length, policy.formats.count(files.length)),
            body: nameList(
              files.map(({ name }) => name),
              policy,
            ),
          }
    show(plainNotice(`downloads ${first.fileId}`, text, 'files', words.show), 'news')
  }

  #forgetOld(now: number): void {
    this.#deliveries.forgetOld(now)
    for (const [cause, at] of this.#causes) if (now - at >= AGAIN_MS) this.#causes.delete(cause)
  }
}

/** `blocks` gets through a snooze: nothing at all is uploaded until a person acts. */
function isAllowed(weight: Parameters<Show>[1], now: number, policy: NoticePolicy): boolean {
  if (policy.focused || policy.notify === 'none') return false
  if (policy.notify === 'problems' && weight === 'news') return false
  return policy.snoozedUntil === null || policy.snoozedUntil <= now || weight === 'blocks'
}

// Keeps notices that arrive while the window has no page, for the next page to show. Warnings and problems
// are kept until resolved; informational notices, and reports of links copied without a request, only for as
// long as a page would show them. All other events are covered by the complete state that a page starts with.

import type { EngineEvent } from '../../../src-shared/events.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import { isSolved } from '../../../src-shared/solved.ts'
import type { WindowEvent } from '../../../src-shared/window-contract.ts'

/** Maximum number of events kept: as many notices as a page shows. */
const KEPT_MAX = 4
/** How long a page shows an informational notice. */
const INFORMS_MS = 6000

interface Missed {
  readonly event: WindowEvent
  /** When the event expires, in epoch ms; null if it is kept until its cause is resolved. */
  readonly until: number | null
}

function noticeOf(event: WindowEvent): Extract<EngineEvent, { kind: 'notice' }> | null {
  return event.kind === 'engine' && event.event.kind === 'notice' ? event.event : null
}

export class MissedEvents {
  readonly #now: () => number
  #missed: Missed[] = []
  #snapshot: Snapshot | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Keeps the event if the next page must show it. Returns whether it was kept. Call with every event while
   * there is no page.
   */
  take(event: WindowEvent): boolean {
    if (event.kind === 'switched') this.#missed = []
    if (event.kind === 'switched' || event.kind === 'engine-state') this.#see(event.snapshot)
    if (event.kind === 'engine' && event.event.kind === 'state') this.#see(event.event.snapshot)
    const notice = noticeOf(event)
    if (notice === null && (event.kind !== 'copied' || event.asked)) return false
    const until = notice === null || notice.level === 'info' ? this.#now() + INFORMS_MS : null
    const isReplaced = (one: WindowEvent): boolean =>
      notice === null ? one.kind === 'copied' : noticeOf(one)?.title === notice.title
    const kept = [
      ...this.#missed.filter((one) => this.#isDue(one) && !isReplaced(one.event)),
      { event, until },
    ]
    if (kept.length > KEPT_MAX) {
      // A problem must not make room for something that is shown only for a few seconds.
      const brief = kept.findIndex((one) => one.until !== null)
      kept.splice(Math.max(0, brief), 1)
    }
    this.#missed = kept
    return true
  }

  /** Returns the events that a new page has to show, oldest first, and forgets them. */
  due(): WindowEvent[] {
    const due = this.#missed.filter((one) => this.#isDue(one)).map(({ event }) => event)
    this.#missed = []
    this.#snapshot = null
    return due
  }

  #isDue({ until }: Missed): boolean {
    return until === null || this.#now() < until
  }

  #see(snapshot: Snapshot | null): void {
    if (snapshot === null) return
    const before = this.#snapshot
    this.#snapshot = snapshot
    this.#missed = this.#missed.filter(({ event }) => {
      const about = noticeOf(event)?.about
      return about === undefined || !isSolved(about.what, before, snapshot)
    })
  }
}

// What is said while the window has no page, for the next one: warnings and problems until they are solved, as a page keeps them; what only
// informs, for as long as a page would show it. Everything else is in the complete state that a page starts with.
import type { WindowEvent } from '../../../src-shared/app.ts'
import type { EngineEvent } from '../../../src-shared/contract.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import { isSolved } from '../../../src-shared/solved.ts'

/** As many as a page shows. */
const KEPT_MAX = 4
/** For this long a page shows a notice that only informs. */
const INFORMS_MS = 6000

interface Missed {
  readonly event: WindowEvent
  /** Epoch ms; null: it is kept until it is solved. */
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

  /** Called with every event while there is no page; true: it is kept. */
  take(event: WindowEvent): boolean {
    if (event.kind === 'switched') this.#missed = []
    if (event.kind === 'switched' || event.kind === 'engine-state') this.#see(event.snapshot)
    if (event.kind === 'engine' && event.event.kind === 'state') this.#see(event.event.snapshot)
    const notice = noticeOf(event)
    if (notice === null && (event.kind !== 'copied' || event.asked)) return false
    const until = notice === null || notice.level === 'info' ? this.#now() + INFORMS_MS : null
    const others = this.#missed.filter((one) => notice === null || noticeOf(one.event)?.title !== notice.title)
    this.#missed = [...others, { event, until }].slice(-KEPT_MAX)
    return true
  }

  /** What a new page has to show, oldest first. Forgets it. */
  due(): WindowEvent[] {
    const now = this.#now()
    const due = this.#missed.filter(({ until }) => until === null || now < until).map(({ event }) => event)
    this.#missed = []
    this.#snapshot = null
    return due
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

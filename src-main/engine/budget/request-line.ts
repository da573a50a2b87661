// Decides the order in which requests use the request budget: the user's latest actions, then watched files,
// then the list of remote files, then spare work. Only refused requests wait in line. A new request that
// isn't more urgent than the first in line is refused even if there is room; otherwise a long series of
// requests would use up all capacity as it becomes free. Counts no requests and sets no timer.
import type { Clock } from '../ports.ts'
import type { Priority } from './pacer-types.ts'

/** From most to least urgent. */
export const PRIORITIES: readonly Priority[] = ['person', 'watched', 'list', 'spare']

/**
 * Milliseconds in line after which a request counts as one class more urgent (first value), and as two
 * classes (second value), so that a backlog of more urgent requests doesn't starve it. The priority of spare
 * work never rises.
 */
const PATIENCE_MS: Readonly<Record<Priority, readonly number[]>> = {
  person: [],
  watched: [2000],
  list: [10_000, 30_000],
  spare: [],
}

export interface Place {
  /** The request's current priority, which may rise while it waits. */
  priority(): Priority
  /** Leaves the line and wakes the request that is first now. Calling it again does nothing. */
  leave(): void
}

interface Waiting extends Place {
  readonly wake: () => void
}

export class RequestLine {
  readonly #clock: Pick<Clock, 'mono'>
  /** In order of arrival. */
  readonly #waiting: Waiting[] = []

  constructor(clock: Pick<Clock, 'mono'>) {
    this.#clock = clock
  }

  /**
   * Joins the line. `wake`: called when there may be room and this request is first. `isPatient`: waiting
   * doesn't raise its priority.
   */
  enter(priority: Priority, wake: () => void, isPatient = false): Place {
    const since = this.#clock.mono()
    const steps = isPatient ? [] : PATIENCE_MS[priority]
    const place: Waiting = {
      priority: () => {
        const waited = this.#clock.mono() - since
        return PRIORITIES[rank(priority) - steps.filter((ms) => waited >= ms).length] ?? 'person'
      },
      wake,
      leave: () => {
        const at = this.#waiting.indexOf(place)
        if (at < 0) return
        this.#waiting.splice(at, 1)
        this.wakeNext()
      },
    }
    this.#waiting.push(place)
    return place
  }

  /**
   * Whether another request in line goes before the caller. `place`: the caller's place in line; null if it
   * isn't waiting yet.
   */
  isPreceded(priority: Priority, place: Place | null): boolean {
    const first = this.#first()
    if (first === null || first === place) return false
    return place !== null || rank(first.priority()) <= rank(priority)
  }

  wakeNext(): void {
    this.#first()?.wake()
  }

  #first(): Waiting | null {
    let first: Waiting | null = null
    for (const one of this.#waiting)
      if (first === null || rank(one.priority()) < rank(first.priority())) first = one
    return first
  }
}

/** 0 is the most urgent. */
export function rank(priority: Priority): number {
  return PRIORITIES.indexOf(priority)
}

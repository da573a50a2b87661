// Decides whether a file may be missing from a complete list only because the list is late. Ages derived from the wall clock aren't trusted
// for a while after it was set, because an upload that is seconds old may then look hours old.
import type { Facts } from '../journal/facts.ts'
import type { Clock } from '../ports.ts'

/** A file that was uploaded here this recently may be missing from the list although it exists. */
const LATE_LIST_MS = 10 * 60_000
/**
 * If the difference between the wall clock and the monotonic clock changes by more than this, the wall clock was set. Clock synchronization
 * causes smaller changes.
 */
const SET_MS = 60_000

export interface MissingFile {
  /** When the file was stored in the catalog, in epoch milliseconds. */
  readonly firstSeen: number
  /** Number of the last walk that found the file; 0 if no listing has contained it. */
  readonly walk: number
}

export class ListDelay {
  readonly #clock: Clock
  readonly #facts: Facts
  /** When this was created, in monotonic milliseconds. */
  readonly #startedAt: number
  /** The wall clock minus the monotonic clock when they were last compared. */
  #apart: number
  /** When the wall clock was last found to have been set, in monotonic milliseconds; null if that hasn't happened since the start. */
  #setAt: number | null = null

  constructor(clock: Clock, facts: Facts) {
    this.#clock = clock
    this.#facts = facts
    this.#startedAt = clock.mono()
    this.#apart = clock.now() - clock.mono()
  }

  /**
   * Returns a predicate that says whether a list that doesn't show an upload of ours may be late. `before`: when the walk of that list
   * began, in epoch milliseconds.
   */
  rule(before: number): (file: MissingFile) => boolean {
    const isSteady = this.#isSteady()
    return ({ firstSeen, walk }) => firstSeen >= before - LATE_LIST_MS || (walk === 0 && !isSteady)
  }

  /** Whether uploads that look older than LATE_LIST_MS really are. */
  #isSteady(): boolean {
    const mono = this.#clock.mono()
    const apart = this.#clock.now() - mono
    if (Math.abs(apart - this.#apart) > SET_MS) this.#setAt = mono
    this.#apart = apart
    const isDoubted = this.#facts.get('clock-set') !== null
    if (!isDoubted && this.#setAt === null) return true
    if (mono - (this.#setAt ?? this.#startedAt) < LATE_LIST_MS) return false
    this.#setAt = null
    if (isDoubted) this.#facts.set('clock-set', null)
    return true
  }
}

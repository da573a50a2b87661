// Learns from our uploads how late the service lists and stores files, and how it renames them. Stores the results in the journal, so that
// they survive a restart.
import type { Facts } from '../journal/facts.ts'
import { type ListLag, learnDelay, learnLag, NO_LAG } from './evidence.ts'
import { learnName, type NameHabits, NO_NAME_HABITS } from './naming.ts'

export class ServiceHabits {
  readonly #facts: Facts
  #lag: ListLag
  #delayMs: number
  #names: NameHabits

  constructor(facts: Facts) {
    this.#facts = facts
    this.#lag = facts.get('list-lag') ?? NO_LAG
    this.#delayMs = facts.get('store-delay') ?? 0
    this.#names = facts.get('names') ?? NO_NAME_HABITS
  }

  get lag(): ListLag {
    return this.#lag
  }

  get delayMs(): number {
    return this.#delayMs
  }

  get names(): NameHabits {
    return this.#names
  }

  /** Learns that a file sent as `sent` is shown as `shown`. */
  learnName(sent: string, shown: string | null): void {
    const next = learnName(this.#names, sent, shown)
    if (next !== this.#names) this.#facts.set('names', next)
    this.#names = next
  }

  /** Updates the lag of the list; see `learnLag` in evidence.ts. */
  learnLag(shown: readonly number[], late: readonly number[]): void {
    const next = learnLag(this.#lag, shown, late)
    if (next !== this.#lag) this.#facts.set('list-lag', next)
    this.#lag = next
  }

  /** Learns that a file was stored `seenMs` milliseconds after the answer to its upload was lost. */
  learnDelay(seenMs: number): void {
    const next = learnDelay(this.#delayMs, Math.round(seenMs))
    if (next !== this.#delayMs) this.#facts.set('store-delay', next)
    this.#delayMs = next
  }

  /** Forgets everything that was learned. Call when the account changes, because the new account may be on another service. */
  reset(): void {
    this.#lag = NO_LAG
    this.#delayMs = 0
    this.#names = NO_NAME_HABITS
    for (const key of ['list-lag', 'store-delay', 'names'] as const) this.#facts.set(key, null)
  }
}

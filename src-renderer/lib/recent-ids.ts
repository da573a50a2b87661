// Remembers IDs for a limited time, so that memory doesn't grow even if a window stays open for weeks.

export class RecentIds {
  readonly #keptMs: number
  /** When each ID was last added (epoch ms), oldest first. */
  readonly #addedAt = new Map<number, number>()

  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /**
   * Remembers the ID for at least the kept time from `now` (epoch ms), and forgets the IDs whose time has
   * passed.
   */
  add(id: number, now: number): void {
    this.#addedAt.delete(id)
    this.#addedAt.set(id, now)
    for (const [old, at] of this.#addedAt) {
      if (now - at <= this.#keptMs) return
      this.#addedAt.delete(old)
    }
  }

  has(id: number): boolean {
    return this.#addedAt.has(id)
  }

  clear(): void {
    this.#addedAt.clear()
  }

  get size(): number {
    return this.#addedAt.size
  }
}

// Implements a sliding window over settled requests: how many are in it, and when they leave. It works on the pacer's timeline, without
// limits, clock or storage. Adding nearly ordered requests and expiring them takes amortized constant time. Memory is bounded by the
// window's content, or by length / grain if requests share entries.

export interface SlidingWindowOptions {
  /** Length of the server's window in milliseconds. */
  readonly length: number
  /** Added to `length`, because clocks drift apart and the service may count in whole seconds. */
  readonly margin: number
  /**
   * Requests settled within this many milliseconds of each other may share an entry and leave with the last of them. If 0, only requests
   * settled at the same time share one.
   */
  readonly grain: number
}

export interface Release {
  readonly at: number
  readonly count: number
}

interface Entry {
  first: number
  last: number
  count: number
  /** Number of fences that were set before the entry was added. */
  readonly era: number
}

export interface SlidingWindow {
  /** Adds a request settled at `at`. It counts until `at` + length + margin, or up to `grain` longer. Input should be nearly in order. */
  add(at: number): void
  /** Drops requests that have left the window by `now`. */
  expire(now: number): void
  /** Number of settled requests in the window. */
  count(): number
  /** When at least `places` of the settled requests will have left; null if there are fewer. `places` >= 1. */
  freeAt(places: number): number | null
  /** Marks a gap in time: everything in the window was settled before it, and whatever is added later comes after it. */
  fence(): void
  /** How many requests would remain if everything before the last fence were older by `gap` than the timeline says. */
  countIfOlder(gap: number, now: number): number
  /** Moves everything added after the last fence by `step` milliseconds. Call when the timeline was moved. */
  shift(step: number): void
  /** When requests leave, in order, grouped into steps of `grain` milliseconds. */
  releases(grain: number): readonly Release[]
}

export function createSlidingWindow({ length, margin, grain }: SlidingWindowOptions): SlidingWindow {
  const hold = length + margin
  let entries: Entry[] = []
  let head = 0
  let total = 0
  let era = 0

  function compact(): void {
    if (head > 64 && head * 2 > entries.length) {
      entries = entries.slice(head)
      head = 0
    }
  }

  return {
    add(at) {
      total += 1
      // Searches from the end: input is in order, except after the few requests that failed without a response and were dated later.
      let i = entries.length
      while (i > head && (entries[i - 1]?.first ?? 0) > at) i -= 1
      const before = i > head ? entries[i - 1] : undefined
      if (before !== undefined && before.era === era && at - before.first <= grain) {
        before.count += 1
        if (at > before.last) before.last = at
        return
      }
      const entry: Entry = { first: at, last: at, count: 1, era }
      if (i === entries.length) entries.push(entry)
      else entries.splice(i, 0, entry)
    },

    expire(now) {
      for (let entry = entries[head]; entry !== undefined && entry.last + hold <= now; entry = entries[head]) {
        total -= entry.count
        head += 1
      }
      compact()
    },

    count: () => total,

    freeAt(places) {
      let left = places
      let at = -Infinity
      for (let i = head; i < entries.length; i += 1) {
        const entry = entries[i]
        if (entry === undefined) break
        // Entries leave in order, so a late one holds back those behind it.
        if (entry.last + hold > at) at = entry.last + hold
        left -= entry.count
        if (left <= 0) return at
      }
      return null
    },

    countIfOlder(gap, now) {
      let count = 0
      for (let i = head; i < entries.length; i += 1) {
        const entry = entries[i]
        if (entry === undefined) break
        const older = entry.era < era ? gap : 0
        if (entry.last - older + hold > now) count += entry.count
      }
      return count
    },

    fence() {
      era += 1
    },

    shift(step) {
      for (let i = head; i < entries.length; i += 1) {
        const entry = entries[i]
        if (entry === undefined || entry.era < era) continue
        entry.first += step
        entry.last += step
      }
    },

    releases(step) {
      const out: { at: number; count: number }[] = []
      for (let i = head; i < entries.length; i += 1) {
        const entry = entries[i]
        if (entry === undefined) break
        const at = entry.last + hold
        const last = out.at(-1)
        // A group is dated at its last release, so that nothing is promised too early.
        if (last !== undefined && Math.ceil(at / step) === Math.ceil(last.at / step)) {
          last.count += entry.count
          last.at = Math.max(last.at, at)
        } else out.push({ at, count: entry.count })
      }
      return out
    },
  }
}

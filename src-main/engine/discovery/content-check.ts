// Background job: files whose size and time are as they were sent, but whose inode changed since. Nearly always that was a chmod or a rename;
// sometimes other bytes were put under an old time. Each is hashed, one at a time and with pauses, before anything is decided about it.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { Clock, Disk, Entry, Hashing } from '../ports.ts'
import { hashFile, SMALL_FILE, sameVersion } from '../transfer/content.ts'

/** Files that may wait here, about 300 bytes each. More are left to the next rescan, which finds them again. */
const WAITING_MOST = 20_000
/** After a large file the job rests as long as it took, up to this: half of the disk's time is for others. */
const REST_MOST_MS = 2000
/** Before a file that was written to while it was read is looked at again. */
const CHANGED_MS = 1000

export interface Doubt {
  readonly dir: string
  readonly name: string
  readonly path: string
  /** As the scanner saw it. */
  readonly entry: Entry
  readonly transferId: number
  /** Of the bytes that were sent. */
  readonly sha256: string
}

/**
 * `same`: the bytes are the ones that were sent. `other`: they are not. `changed`: it was written to while it was read, look again.
 * `unreadable`: can't tell; a later rescan asks again.
 */
export type CheckVerdict = 'same' | 'other' | 'changed' | 'unreadable'

export interface ContentCheck {
  add(doubt: Doubt): void
  /** Files that wait or are being read. */
  size(): number
  /** Breaks off what is being read. Nothing is reported any more. */
  close(): void
}

export function createContentCheck(options: {
  readonly clock: Clock
  readonly disk: Disk
  readonly hashing: Hashing
  /** `entry` is as the file was when it was read. */
  readonly onVerdict: (doubt: Doubt, verdict: CheckVerdict, entry: Entry) => void
  /** Nothing waits any more; `missed`: some had no room and are still to be found, and a look at once would come further. */
  readonly onIdle: (missed: boolean) => void
}): ContentCheck {
  const { clock, disk, hashing } = options
  const stop = new AbortController()
  const waiting = new Map<string, Doubt>()
  let running = false
  let missed = false

  const check = async (doubt: Doubt): Promise<{ readonly verdict: CheckVerdict; readonly entry: Entry }> => {
    try {
      const hashed = await hashFile(disk, hashing, doubt.path, stop.signal)
      if (hashed !== null && sameVersion(hashed.entry, doubt.entry))
        return { verdict: hashed.sha256 === doubt.sha256 ? 'same' : 'other', entry: hashed.entry }
      await pause(CHANGED_MS)
      return { verdict: 'changed', entry: doubt.entry }
    } catch {
      return { verdict: 'unreadable', entry: doubt.entry }
    }
  }

  const run = async (): Promise<void> => {
    if (running) return
    running = true
    let decided = 0
    for (let next = first(waiting); next !== null; next = first(waiting)) {
      const began = clock.mono()
      const { verdict, entry } = await check(next)
      if (stop.signal.aborted) return
      // Told only if it was not asked for again, as something newer, while it was read.
      if (waiting.get(next.path) === next) {
        waiting.delete(next.path)
        if (verdict !== 'unreadable') decided++
        options.onVerdict(next, verdict, entry)
      }
      await yieldNow()
      const took = Math.min(REST_MOST_MS, clock.mono() - began)
      if (next.entry.size > SMALL_FILE && took > 0 && waiting.size > 0) await pause(took)
    }
    running = false
    // Those that can't be read would only fill all the room again.
    const had = missed && decided > 0
    missed = false
    options.onIdle(had)
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.after(ms, resolve)
      stop.signal.addEventListener('abort', () => resolve(), { once: true })
    })

  return {
    add: (doubt) => {
      if (stop.signal.aborted) return
      if (waiting.size >= WAITING_MOST && !waiting.has(doubt.path)) {
        missed = true
        return
      }
      waiting.set(doubt.path, doubt)
      void run()
    },
    size: () => waiting.size,
    close: () => {
      stop.abort()
      waiting.clear()
    },
  }
}

function first<T>(map: ReadonlyMap<string, T>): T | null {
  for (const value of map.values()) return value
  return null
}

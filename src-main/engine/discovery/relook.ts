// Looks again at files that changed a short while ago, a few times and less and less often. What is written through a memory mapping raises
// no event, and pages that are written twice before the system saves them don't even move the file's time. Bounded: the newest files only.
import type { Clock, Disk, Entry } from '../ports.ts'

/** From one look to the next. After the last one the rescan has to do. */
const STEPS_MS = [250, 1000, 3000, 10_000, 30_000, 120_000, 300_000] as const
/** To ask every process what it maps costs up to a tenth of a second, so it is asked at these looks, and later only where it was so before. */
const ASK_MAPS_AT: ReadonlySet<number> = new Set([0, 2, 4])
/** A file that stays mapped is followed for so many looks at the longest step. */
const MAPPED_LOOKS_MOST = 24
/** Files that are followed at a time. */
const FILES_MOST = 256
/** Looks that fall together are made together. */
const TOGETHER_MS = 200

interface Item {
  readonly path: string
  readonly entry: Entry
  step: number
  looks: number
  /** By the monotonic clock. */
  at: number
  mapped: boolean
}

export interface Relook {
  /** Follows a file from now on, as it was when it was last taken for finished. */
  watch(path: string, entry: Entry): void
  close(): void
}

export function createRelook(options: {
  readonly clock: Clock
  readonly disk: Disk
  /** Size, time or inode moved, and perhaps no event came. */
  readonly onMoved: (path: string) => void
  /** It was mapped for writing and is not any more, or has been for long: only its bytes can tell. */
  readonly onMapped: (path: string, entry: Entry) => void
}): Relook {
  const { clock, disk } = options
  const items = new Map<string, Item>()
  let cancel: (() => void) | null = null
  let timerAt = Number.POSITIVE_INFINITY
  let looking = false
  let closed = false

  const schedule = (): void => {
    if (closed || looking || items.size === 0) return
    let next = Number.POSITIVE_INFINITY
    for (const item of items.values()) if (item.at < next) next = item.at
    if (cancel !== null && timerAt <= next) return
    cancel?.()
    timerAt = next
    cancel = clock.after(Math.max(0, next - clock.mono()), () => {
      cancel = null
      timerAt = Number.POSITIVE_INFINITY
      void look()
    })
  }

  const look = async (): Promise<void> => {
    looking = true
    const until = clock.mono() + TOGETHER_MS
    const due = [...items.values()].filter((item) => item.at <= until)
    const stats = await disk.stat(due.map((item) => item.path))
    const asked = due.filter((item) => item.mapped || ASK_MAPS_AT.has(item.step))
    const mapped = asked.length === 0 ? null : await disk.mappedForWriting(asked.map((item) => item.path))
    looking = false
    if (closed) return
    for (const [i, item] of due.entries()) {
      if (items.get(item.path) !== item) continue
      const stat = stats[i]
      // Gone, or not to be looked at: events and rescans tell.
      if (stat == null || 'code' in stat) {
        items.delete(item.path)
        continue
      }
      if (!isSame(stat, item.entry)) {
        items.delete(item.path)
        options.onMoved(item.path)
        continue
      }
      const now = mapped?.has(item.path) === true
      if (item.mapped && mapped !== null && !now) options.onMapped(item.path, stat)
      if (mapped !== null && (now || item.mapped)) item.mapped = now
      advance(item)
    }
    schedule()
  }

  const advance = (item: Item): void => {
    item.looks++
    const step = STEPS_MS[item.step + 1] ?? (item.mapped ? STEPS_MS.at(-1) : undefined)
    if (step === undefined || item.looks > STEPS_MS.length + MAPPED_LOOKS_MOST) {
      items.delete(item.path)
      if (item.mapped) options.onMapped(item.path, item.entry)
      return
    }
    item.step = Math.min(item.step + 1, STEPS_MS.length - 1)
    item.at = clock.mono() + step
  }

  return {
    watch: (path, entry) => {
      if (closed) return
      const mapped = items.get(path)?.mapped ?? false
      items.delete(path)
      const at = clock.mono() + STEPS_MS[0]
      items.set(path, { path, entry, step: 0, looks: 0, at, mapped })
      for (const oldest of items.keys()) {
        if (items.size <= FILES_MOST) break
        items.delete(oldest)
      }
      if (cancel === null || timerAt > at) schedule()
    },
    close: () => {
      closed = true
      cancel?.()
      items.clear()
    },
  }
}

function isSame(a: Entry, b: Entry): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.ino === b.ino
}

// Decides when V8 should favour a small heap over speed: while the process is idle, and during a scan that
// uses a lot of memory. V8 collects garbage only when it needs space. By default, scanning a million files
// would accumulate hundreds of MiB of garbage, and an idle process could keep it for days.
import { setFlagsFromString } from 'node:v8'
import type { Time } from './time.ts'

const LOOK_MS = 2500
/** Fraction of one core below which the process counts as idle. */
const IDLE = 0.02
/** Number of consecutive idle samples before the process counts as calm. */
const LOOKS = 2
/**
 * Interval between memory samples while the process is busy. During a scan, memory use can grow by 50 MiB
 * within this time.
 */
const BUSY_LOOK_MS = 500
/**
 * Growth of the process in bytes since the start. During a scan, V8 favours a small heap once the growth
 * exceeds `LARGE_GROWTH`, until it no longer exceeds `SMALL_GROWTH`. This halves the memory needed to scan a
 * million files without slowing the scan down. It isn't done during uploads, because many small ones would
 * become 5 to 10 % slower.
 */
const LARGE_GROWTH = 112 * 1024 * 1024
const SMALL_GROWTH = 72 * 1024 * 1024

export interface CalmOptions {
  readonly time: Time
  /** CPU time used by this process, in microseconds. */
  readonly cpuMicros?: () => number
  /** Memory that this process uses (its resident set), in bytes. Null means that it's unknown. */
  readonly memoryBytes?: () => number | null
  /** Whether folders are being scanned. */
  readonly isScanning: () => boolean
  /** Favours a small heap over speed if called with true, and restores V8's default if called with false. */
  readonly favourMemory?: (yes: boolean) => void
  /** Called each time the process becomes calm. */
  readonly onCalm: () => void
}

function cpuMicrosNow(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Returns null if the value can't be read, as on Linux when this process has no file descriptors left. */
function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss()
  } catch {
    return null
  }
}

/**
 * Sets or clears the flag that makes V8 collect garbage a few seconds after the work ends and grow its heap
 * in small steps.
 */
const favour = (yes: boolean): void =>
  setFlagsFromString(yes ? '--optimize-for-size' : '--no-optimize-for-size')

/**
 * Samples CPU time and memory, and favours a small heap while the process is calm or a scan uses a lot of
 * memory. Returns a stop function.
 */
export function watchCalm(options: CalmOptions): () => void {
  const {
    time,
    isScanning,
    onCalm,
    cpuMicros = cpuMicrosNow,
    memoryBytes = residentBytes,
    favourMemory = favour,
  } = options
  const startBytes = memoryBytes() ?? 0
  let idleLooks = 0
  let large = false
  let favoursMemory = false
  let closed = false
  let cancel: () => void = () => undefined
  const apply = (): void => {
    large = isScanning() && (memoryBytes() ?? startBytes) - startBytes > (large ? SMALL_GROWTH : LARGE_GROWTH)
    const wanted = large || idleLooks >= LOOKS
    if (wanted === favoursMemory) return
    favoursMemory = wanted
    favourMemory(wanted)
  }
  const look = (cpuBefore: number, at: number): void => {
    cancel = time.after(idleLooks > 0 ? LOOK_MS : BUSY_LOOK_MS, () => {
      if (closed) return
      const now = time.now()
      // After a clock rollback, assume that a whole interval has passed.
      const elapsedMs = now >= at ? now - at : LOOK_MS
      if (elapsedMs < LOOK_MS) {
        apply()
        look(cpuBefore, at)
        return
      }
      const cpu = cpuMicros()
      idleLooks = (cpu - cpuBefore) / 1000 / elapsedMs < IDLE ? idleLooks + 1 : 0
      apply()
      if (idleLooks === LOOKS) onCalm()
      look(cpu, now)
    })
  }
  look(cpuMicros(), time.now())
  return () => {
    closed = true
    cancel()
    if (favoursMemory) favourMemory(false)
  }
}

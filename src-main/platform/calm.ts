// Detects that the process has been idle for a while, and then returns memory to the system. After the initial scan of a large folder,
// about two thirds of the heap is garbage. V8 collects it only when it needs space, so an idle process would keep it for days.
import { setFlagsFromString } from 'node:v8'
import type { Time } from './time.ts'

const LOOK_MS = 2500
/** Fraction of one core below which the process counts as idle. */
const IDLE = 0.02
/** Number of consecutive idle samples before the process counts as calm. */
const LOOKS = 2

export interface CalmOptions {
  readonly time: Time
  /** CPU time used by this process, in microseconds. */
  readonly cpuMicros?: () => number
  /** Favours a small heap over speed if called with true, and restores V8's default if called with false. */
  readonly favourMemory?: (yes: boolean) => void
  /** Called each time the process becomes calm. */
  readonly onCalm: () => void
}

function cpuMicrosNow(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Sets or clears the flag that makes V8 collect garbage a few seconds after the work ends and grow its heap in small steps. */
const favour = (yes: boolean): void => setFlagsFromString(yes ? '--optimize-for-size' : '--no-optimize-for-size')

/** While the process is calm, favours memory over speed. Samples CPU use every `LOOK_MS` until the returned function is called. */
export function watchCalm(options: CalmOptions): () => void {
  const { time, onCalm, cpuMicros = cpuMicrosNow, favourMemory = favour } = options
  let idleLooks = 0
  let calm = false
  let closed = false
  let cancel: () => void = () => undefined
  const look = (cpuBefore: number, at: number): void => {
    cancel = time.after(LOOK_MS, () => {
      if (closed) return
      const cpu = cpuMicros()
      const now = time.now()
      // After a clock rollback, assume that the timer fired on time.
      const elapsedMs = now > at ? now - at : LOOK_MS
      idleLooks = (cpu - cpuBefore) / 1000 / elapsedMs < IDLE ? idleLooks + 1 : 0
      if (calm !== idleLooks >= LOOKS) {
        calm = !calm
        favourMemory(calm)
        if (calm) onCalm()
      }
      look(cpu, now)
    })
  }
  look(cpuMicros(), time.now())
  return () => {
    closed = true
    cancel()
    if (calm) favourMemory(false)
  }
}

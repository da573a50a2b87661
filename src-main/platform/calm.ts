// Notices that the process has had next to nothing to do for a while, and gives memory back then: after a first look at a large folder two
// thirds of it is garbage that V8 collects when it needs room, so a program that only waits would keep it for days. It stops no work.
import { setFlagsFromString } from 'node:v8'
import type { Time } from './time.ts'

const LOOK_MS = 2500
/** Share of one core below which the process counts as idle. */
const IDLE = 0.02
/** Looks in a row that must find it idle. */
const LOOKS = 2

export interface CalmOptions {
  readonly time: Time
  /** Processor time that this process has used, in microseconds. */
  readonly cpuMicros?: () => number
  /** true: collect garbage for room, at the price of time; false: the other way round. */
  readonly favourMemory?: (yes: boolean) => void
  /** Each time it has become calm. */
  readonly onCalm: () => void
}

function cpuMicrosNow(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** While this is set, V8 collects what is left over some seconds after the work has ended, and lets its heap grow in small steps. */
const favour = (yes: boolean): void => setFlagsFromString(yes ? '--optimize-for-size' : '--no-optimize-for-size')

/** Looks every few seconds until the returned function is called. */
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
      // A clock that was set meanwhile tells nothing; then the planned time counts.
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

// Lets a spec skip time in every thread of the app, so that it needn't wait for a time limit in real time.
// Loaded by bin/electron before anything else, and by Node in each thread, if SLIPWAY_STAND_IN_TIME is set.
// Pages have Playwright's clock instead. What reads the time in another way (`new Date()`, intervals, other
// processes) isn't affected.
import { BroadcastChannel } from 'node:worker_threads'

/** A message on this channel is the number of milliseconds to skip. */
const CHANNEL = 'slipway-stand-in-time'

interface Pending {
  /** On the clock of `performance.now()`. */
  readonly due: number
  readonly call: () => void
  /** The timer that is running now. Another one than the program has, once time has been skipped. */
  timer: NodeJS.Timeout
}

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis
const realNow = performance.now.bind(performance)
const realDate = Date.now
const pending = new Map<NodeJS.Timeout, Pending>()
let skippedMs = 0

const now = (): number => realNow() + skippedMs

const later = (call: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout => {
  const fire = (): void => {
    pending.delete(timer)
    call(...args)
  }
  const timer = startTimer(fire, ms)
  pending.set(timer, { due: now() + ms, call: fire, timer })
  return timer
}

const cancel: typeof clearTimeout = (given) => {
  const found = typeof given === 'object' && given !== null ? pending.get(given) : undefined
  if (found !== undefined) {
    pending.delete(given as NodeJS.Timeout)
    stopTimer(found.timer)
  }
  stopTimer(given as NodeJS.Timeout)
}

function skip(ms: number): void {
  skippedMs += ms
  const all = [...pending.values()].toSorted((a, b) => a.due - b.due)
  for (const one of all) {
    const isReferenced = one.timer.hasRef()
    stopTimer(one.timer)
    one.timer = startTimer(one.call, Math.max(0, one.due - now()))
    if (!isReferenced) one.timer.unref()
  }
}

globalThis.setTimeout = Object.assign(later, startTimer)
globalThis.clearTimeout = cancel
performance.now = now
Date.now = () => realDate() + Math.round(skippedMs)

const channel = new BroadcastChannel(CHANNEL)
channel.addEventListener('message', (event) => skip(Number((event as MessageEvent).data)))
channel.unref()

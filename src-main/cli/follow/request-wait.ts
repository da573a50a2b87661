// Prints a note that says why a request to the service is taking so long: because it can't be sent yet, or
// because the service is slow.
import type { Gate, Snapshot, WaitReason } from '../../../src-shared/model.ts'
import type { Time } from '../../platform/time.ts'
import { type Ctx, note, type Output } from '../context.ts'
import { reasonText } from '../output/reason-text.ts'

/** A request that takes longer than this may be waiting. */
const LATE_MS = 2000
/** After this long without a known reason, a note says that the command is still waiting. */
export const SLOW_MS = 10_000

export const STILL_WAITING = 'Still waiting for the service.'

/** The reasons that hold back every request. All others hold back only uploads. */
const OF_REQUESTS: ReadonlySet<string> = new Set<WaitReason>([
  'rate-minute',
  'rate-day',
  'server-pause',
  'offline',
])

/**
 * Resolves like `call`, a call to the engine. If that takes a while, prints one note that says what the call
 * waits for.
 */
export async function notingWait<T>(ctx: Ctx, call: Promise<T>): Promise<T> {
  const begun = ctx.time.now()
  let isOver = false
  let cancel: () => void = () => undefined
  const look = async (): Promise<void> => {
    const snapshot = await ctx.client.call('snapshot', {})
    if (isOver) return
    const now = ctx.time.now()
    const wait = snapshot.ok ? requestWait(snapshot.value, now) : null
    if (wait !== null) note(ctx, `${reasonText(wait.reason, wait.until, now)}.`)
    else if (now - begun >= SLOW_MS) note(ctx, STILL_WAITING)
    else cancel = ctx.time.after(LATE_MS, () => void look())
  }
  cancel = ctx.time.after(LATE_MS, () => void look())
  try {
    return await call
  } finally {
    isOver = true
    cancel()
  }
}

/**
 * Resolves like `call`, a request that is sent at once. Prints one note if the service is slow to respond.
 */
export async function notingSlowness<T>(output: Output, time: Time, call: Promise<T>): Promise<T> {
  const cancel = time.after(SLOW_MS, () => note(output, STILL_WAITING))
  try {
    return await call
  } finally {
    cancel()
  }
}

function requestWait({ gate, minute, day }: Snapshot, now: number): Pick<Gate, 'reason' | 'until'> | null {
  if (gate !== null && OF_REQUESTS.has(gate.reason)) return gate
  if (day.nextAt !== null && day.nextAt > now) return { reason: 'rate-day', until: day.nextAt }
  return minute.nextAt !== null && minute.nextAt > now
    ? { reason: 'rate-minute', until: minute.nextAt }
    : null
}

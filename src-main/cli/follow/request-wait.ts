// Says what a request to the service waits for, if its answer takes long because the request can't be sent yet.
import type { Gate, Snapshot, WaitReason } from '../../../src-shared/model.ts'
import { type Ctx, note } from '../context.ts'
import { reasonText } from '../output/reason-text.ts'

/** A request that takes longer than this may be waiting. */
const LATE_MS = 2000

/** The reasons that hold back every request. All others hold back only uploads. */
const OF_REQUESTS: ReadonlySet<string> = new Set<WaitReason>(['rate-minute', 'rate-day', 'server-pause', 'offline'])

/** Waits for a call of the engine, and notes once what it waits for, if that is known. */
export async function notingWait<T>(ctx: Ctx, call: Promise<T>): Promise<T> {
  let isOver = false
  let cancel: () => void = () => undefined
  const look = async (): Promise<void> => {
    const snapshot = await ctx.client.call('snapshot', {})
    if (isOver) return
    const now = ctx.time.now()
    const wait = snapshot.ok ? requestWait(snapshot.value, now) : null
    if (wait === null) cancel = ctx.time.after(LATE_MS, () => void look())
    else note(ctx, `${reasonText(wait.reason, wait.until, now)}.`)
  }
  cancel = ctx.time.after(LATE_MS, () => void look())
  try {
    return await call
  } finally {
    isOver = true
    cancel()
  }
}

function requestWait({ gate, minute, day }: Snapshot, now: number): Pick<Gate, 'reason' | 'until'> | null {
  if (gate !== null && OF_REQUESTS.has(gate.reason)) return gate
  if (day.nextAt !== null && day.nextAt > now) return { reason: 'rate-day', until: day.nextAt }
  return minute.nextAt !== null && minute.nextAt > now ? { reason: 'rate-minute', until: minute.nextAt } : null
}

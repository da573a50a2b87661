// What the request pacer keeps across restarts in addition to its request rows: the plan and its rates, the limits learned from responses,
// the state of the back-off after refusals, and the timeline. Stored as JSON. An unreadable member counts as missing; without a readable
// version and timeline, nothing is restored.
import { z } from 'zod'
import type { LearnedLimit } from './rate-learning.ts'
import type { StatedRates } from './rate-limits.ts'
import type { TimebaseState } from './server-clock.ts'

/** Journals store these member names, so they must not change when the code's names do. */
export interface PacerState {
  readonly v: 1
  readonly time: TimebaseState
  readonly plan: string | null
  readonly toldRates: StatedRates
  readonly header: { readonly minute: number | null; readonly day: number | null }
  readonly learned: { readonly minute: LearnedLimit | null; readonly day: LearnedLimit | null }
  readonly pausedUntil: number
  readonly level: number
  readonly probing: boolean
  /** Times of the refusals of the last day. */
  readonly refusals: readonly number[]
}

const none = { minute: null, day: null }
const learned = z.object({ limit: z.number(), proven: z.number(), raiseAt: z.number() }).nullable()
const anchor = z.object({ lo: z.number(), hi: z.number(), at: z.number(), streak: z.number() })
const schema = z.object({
  v: z.literal(1),
  time: z.object({ t: z.number(), wallMinusT: z.number(), anchor: anchor.nullable().catch(null) }),
  plan: z.string().nullable().catch(null),
  toldRates: z.object({ perMinute: z.number().nullable(), perDay: z.number().nullable() }).catch({ perMinute: null, perDay: null }),
  header: z.object({ minute: z.number().nullable(), day: z.number().nullable() }).catch(none),
  learned: z.object({ minute: learned, day: learned }).catch(none),
  pausedUntil: z.number().catch(0),
  level: z.number().catch(0),
  probing: z.boolean().catch(false),
  refusals: z.array(z.number()).catch([]),
})

export function parsePacerState(json: string | null): PacerState | null {
  if (json === null) return null
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null
  } catch {
    return null
  }
}

// The faults: what can go wrong between a client and the service, at which point, and on which request. The
// choice is a pure function of seed, endpoint and request number, so runs are repeatable. service.ts carries
// the faults out.
import { z } from 'zod'

const ms = (value: number) => z.number().min(0).default(value)

const endpoint = z.enum(['upload', 'list', 'get', 'delete', 'stats', 'download'])
export type Endpoint = z.infer<typeof endpoint>

/**
 * The pages of `answers.ts` that something else than the service answers with: `refused-…` in the form of the
 * service's own errors.
 */
export const interceptPages = [
  'nginx-404',
  'json-404',
  'json-410',
  'blocked-403',
  'address-403',
  'basic-401',
  'proxy-413',
  'portal-200',
  'program-200',
  'maintenance-503',
  'maintenance-503-retry',
  'refused-403',
  'refused-404',
  'refused-405',
  'refused-413',
  'refused-421',
  'refused-425',
] as const

/**
 * Something in front of the service (a proxy, a portal, another program) that answers in its place, while the
 * service itself lives.
 */
export const interceptSchema = z.strictObject({
  page: z.enum(interceptPages),
  /** Default: everything but downloads. */
  on: z.array(endpoint).readonly().optional(),
  /** The fraction of requests that it answers. */
  share: z.number().min(0).max(1).default(1),
  /** By the service's clock. Default: until it is replaced. */
  forMs: z.number().min(0).optional(),
})
export type Intercept = Readonly<z.input<typeof interceptSchema>>

/**
 * "store" means the point at which the service does what was requested: stores the file, deletes it, or reads
 * what it responds with. Times are real milliseconds, with two exceptions that follow the service's clock:
 * `forMs` of key, plan and intercept, and, if the service was given timers, the delays of late storing.
 */
const fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cut-before-body') }),
  z.strictObject({ kind: z.literal('cut-in-body'), fraction: z.number().min(0).max(1).default(0.5) }),
  /**
   * A half-open connection: it stays open, but nothing reads from it. A stall with `forMs` ends with a cut
   * after that time.
   */
  z.strictObject({
    kind: z.literal('stall-in-body'),
    fraction: z.number().min(0).max(1).default(0.5),
    forMs: z.number().min(0).optional(),
  }),
  z.strictObject({ kind: z.literal('cut-after-body') }),
  z.strictObject({ kind: z.literal('cut-after-store') }),
  z.strictObject({ kind: z.literal('answer-truncated'), fraction: z.number().min(0).max(1).default(0.5) }),
  z.strictObject({ kind: z.literal('answer-slow'), ms: ms(300) }),
  z.strictObject({ kind: z.literal('answer-late'), ms: ms(300) }),
  z.strictObject({ kind: z.literal('stall-before-store'), forMs: z.number().min(0).optional() }),
  z.strictObject({ kind: z.literal('stall-after-store'), forMs: z.number().min(0).optional() }),
  /**
   * The connection is cut after the last byte, and the file is stored `ms` later, or at a random time between
   * `ms` and `mostMs`.
   */
  z.strictObject({ kind: z.literal('late-store-cut'), ms: ms(300), mostMs: z.number().optional() }),
  /** An error is returned after the last byte, and the file is stored later. */
  z.strictObject({
    kind: z.literal('late-store-error'),
    ms: ms(300),
    mostMs: z.number().optional(),
    status: z.number().default(504),
  }),
  z.strictObject({ kind: z.literal('error-before-body'), status: z.number().default(503) }),
  z.strictObject({ kind: z.literal('error-before-store'), status: z.number().default(500) }),
  z.strictObject({ kind: z.literal('error-after-store'), status: z.number().default(502) }),
  z.strictObject({
    kind: z.literal('rate-limited'),
    retryAfter: z.enum(['seconds', 'date', 'none']).default('seconds'),
    seconds: z.number().default(1),
  }),
  z.strictObject({
    kind: z.literal('garbage-before-store'),
    form: z.enum(['html', 'bytes', 'json', 'empty']).default('html'),
  }),
  z.strictObject({
    kind: z.literal('garbage-after-store'),
    form: z.enum(['html', 'bytes', 'json', 'empty']).default('html'),
  }),
  z.strictObject({
    kind: z.literal('redirect'),
    status: z
      .union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)])
      .default(307),
    to: z.enum(['other-origin', 'same-origin', 'itself']).default('other-origin'),
  }),
  /** The listener closes and all connections are cut; it opens again `ms` later. */
  z.strictObject({ kind: z.literal('go-away'), ms: ms(300) }),
  z.strictObject({ kind: z.literal('revoke-key'), forMs: ms(1000) }),
  z.strictObject({ kind: z.literal('downgrade'), forMs: ms(1000), plan: z.string().default('free') }),
  z.strictObject({
    kind: z.literal('lower-limit'),
    perMinute: z.number().min(0).default(10),
    perDay: z.number().min(0).optional(),
  }),
  /**
   * An upload is stored and answered, then deleted. Before any other call, the file that it names, or else
   * the newest, is deleted.
   */
  z.strictObject({ kind: z.literal('vanish') }),
  /**
   * The upload is answered with a receipt of zeros and blanks, as after a failed insert, and nothing is
   * stored.
   */
  z.strictObject({ kind: z.literal('receipt-of-nothing') }),
  /** The upload is answered with the receipt of the newest other upload. No fault if there is none. */
  z.strictObject({ kind: z.literal('receipt-of-another'), isStored: z.boolean().default(true) }),
  /** From this request on, something else answers. */
  z.strictObject({ kind: z.literal('intercepted'), ...interceptSchema.shape }),
])

export type Fault = Readonly<z.infer<typeof fault>>
export type FaultKind = Fault['kind']

export const faultKinds: readonly FaultKind[] = fault.options.map((option) => option.shape.kind.value)

const kindName = z.custom<FaultKind>((value) => faultKinds.some((kind) => kind === value), {
  error: 'not a kind of fault',
})

const rule = z.strictObject({
  /** The endpoints that the rule applies to; by default all but downloads. */
  on: z.union([endpoint, z.array(endpoint).readonly()]).optional(),
  /** The fraction of requests that the rule applies to, 0 to 1. */
  rate: z.number().min(0).max(1).optional(),
  /**
   * The numbers of the requests that the rule applies to, counted from 1 for each endpoint since the plan was
   * set.
   */
  nth: z.union([z.int().min(1), z.array(z.int().min(1)).readonly()]).optional(),
  /** One of these is chosen at random. A name means the fault with its default values. */
  kinds: z.union([kindName, fault, z.array(z.union([kindName, fault])).readonly()]),
})

export const faultPlanSchema = z.strictObject({
  seed: z.number().optional(),
  rules: z.array(rule).readonly(),
})

/**
 * A plan as written in a test: rules in order, of which the first matching one applies. Only requests that
 * passed the checks of key, rate limit and plan are counted.
 */
export type FaultPlan = Readonly<z.input<typeof faultPlanSchema>>

/** A uniformly distributed number between 0 and 1, derived from a seed and words. */
export function draw(seed: number, ...words: readonly (string | number)[]): number {
  let h = 2166136261 ^ seed
  for (const char of words.join('|')) h = Math.imul(h ^ char.charCodeAt(0), 16777619)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

export type FaultChooser = (at: Endpoint) => Fault | null

export function createFaultChooser(plan: FaultPlan | null, defaultSeed: number): FaultChooser {
  const read = faultPlanSchema.parse(plan ?? { rules: [] })
  const seed = read.seed ?? defaultSeed
  const counts = new Map<Endpoint, number>()
  const rules = read.rules.map(({ on, rate, nth, kinds }) => ({
    on: on === undefined ? null : typeof on === 'string' ? [on] : on,
    rate: rate ?? (nth === undefined ? 1 : 0),
    nth: new Set(nth === undefined ? [] : typeof nth === 'number' ? [nth] : nth),
    kinds: (Array.isArray(kinds)
      ? (kinds as readonly (Fault | FaultKind)[])
      : [kinds as Fault | FaultKind]
    ).map((one) => fault.parse(typeof one === 'string' ? { kind: one } : one)),
  }))
  return (at) => {
    const no = (counts.get(at) ?? 0) + 1
    counts.set(at, no)
    for (const [index, one] of rules.entries()) {
      if (one.on === null ? at === 'download' : !one.on.includes(at)) continue
      if (!one.nth.has(no) && !(draw(seed, 'strike', index, at, no) < one.rate)) continue
      return one.kinds[Math.floor(draw(seed, 'kind', index, at, no) * one.kinds.length)] ?? null
    }
    return null
  }
}

// How an upload of many files would run under the plan: how many now, how many later, until when. Pure arithmetic over limits that are
// believed; what is not known limits nothing.

export interface ForecastInput {
  readonly sizes: readonly number[]
  readonly now: number
  readonly sizeLimit: number | null
  readonly minuteLimit: number | null
  readonly minuteUsed: number
  readonly dayLimit: number | null
  readonly dayUsed: number
  readonly dailyLimit: number | null
  readonly dailyUsed: number
  /** When today's allowance is back: the oldest of today's uploads plus a day, or a day from now. */
  readonly dailyResetAt: number
  /** Bytes per second seen lately; null: not known. */
  readonly speed: number | null
}

export interface Forecast {
  readonly now: number
  readonly later: number
  readonly tooBig: number
  readonly bytes: number
  readonly doneAt: number | null
  readonly steps: readonly { readonly at: number; readonly count: number }[]
  readonly limitedBy: string | null
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** How an upload of these files would run under the plan. `now`: within what is left of today's allowance. */
export function forecast(input: ForecastInput): Forecast {
  const fits = input.sizes.filter((size) => input.sizeLimit === null || size <= input.sizeLimit)
  const bytes = fits.reduce((sum, size) => sum + size, 0)
  const tooBig = input.sizes.length - fits.length
  const perDay = Math.min(input.dayLimit ?? Number.POSITIVE_INFINITY, input.dailyLimit ?? Number.POSITIVE_INFINITY)
  const left = Math.max(
    0,
    Math.min(
      (input.dayLimit ?? Number.POSITIVE_INFINITY) - input.dayUsed,
      (input.dailyLimit ?? Number.POSITIVE_INFINITY) - input.dailyUsed,
    ),
  )
  const first = Math.min(fits.length, left)
  const steps: { at: number; count: number }[] = []
  if (first > 0) steps.push({ at: input.now, count: first })
  let rest = fits.length - first
  const later = rest
  for (let at = input.dailyResetAt; rest > 0 && perDay > 0 && steps.length < 1000; at += DAY_MS) {
    const part = Math.min(rest, perDay)
    steps.push({ at, count: part })
    rest -= part
  }
  const lastStep = steps.at(-1)
  let doneAt: number | null = null
  if (lastStep !== undefined && rest === 0) {
    const room = Math.max(0, (input.minuteLimit ?? Number.POSITIVE_INFINITY) - (steps.length === 1 ? input.minuteUsed : 0))
    const minutes = input.minuteLimit === null || lastStep.count <= room ? 0 : Math.ceil((lastStep.count - room) / input.minuteLimit)
    const byBytes = input.speed !== null && input.speed > 0 ? (bytes / input.speed) * 1000 : 0
    doneAt = Math.round(lastStep.at + Math.max(minutes * MINUTE_MS, steps.length === 1 ? byBytes : 0))
  }
  const daily = input.dailyLimit !== null && input.dailyLimit <= (input.dayLimit ?? Number.POSITIVE_INFINITY)
  const limitedBy =
    later > 0
      ? daily
        ? `${input.dailyLimit} uploads a day`
        : `${input.dayLimit} requests a day`
      : input.minuteLimit !== null && first > input.minuteLimit - input.minuteUsed
        ? `${input.minuteLimit} requests a minute`
        : null
  return { now: first, later, tooBig, bytes, doneAt, steps, limitedBy }
}

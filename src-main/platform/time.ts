// Current time and timers for the code around the engine. The engine itself uses the Clock in ports.ts.

export interface Time {
  now(): number
  /** Calls `call` once after `ms` milliseconds. The returned function cancels the call. */
  after(ms: number, call: () => void): () => void
}

/**
 * `Time.after` for waits of up to 24 days, the limit of `setTimeout`. The clock in clock.ts can wait longer.
 */
export function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}

/** Resolves like `work`, or to null once `ms` milliseconds have passed. */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  timer: Time['after'] = after,
): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const cancel = timer(ms, () => late.resolve(null))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    cancel()
  }
}

/**
 * Runs `run` at most once per `everyMs`: at once if the last run is long enough ago, otherwise when it is. `now`
 * is monotonic.
 */
export class Throttle {
  readonly #everyMs: number
  readonly #run: () => void
  readonly #time: Time
  #ranAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null

  constructor(everyMs: number, run: () => void, time: Time = { now: () => performance.now(), after }) {
    this.#everyMs = everyMs
    this.#run = run
    this.#time = time
  }

  request(): void {
    const left = this.#ranAt + this.#everyMs - this.#time.now()
    if (left <= 0) this.runNow()
    else this.#cancel ??= this.#time.after(left, () => this.runNow())
  }

  runNow(): void {
    this.cancel()
    this.#ranAt = this.#time.now()
    this.#run()
  }

  /** Cancels a run that was requested and isn't due yet. */
  cancel(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}

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

// The time as the rooms around the engine need it: now, and a call later.
// The engine has a clock of its own in ports.ts.

export interface Time {
  now(): number
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, call: () => void): () => void
}

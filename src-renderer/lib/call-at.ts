// A timer for a point in time, however far away. After the computer has slept, it is late by at most
// `CHECK_MS`. Hooks use it to hide times that have passed.

/**
 * Timers stop while the computer sleeps, and a delay of more than 24.8 days overflows. So the clock is
 * checked at least this often.
 */
const CHECK_MS = 30_000

/**
 * Calls `call` once the time is `at` (epoch ms) or later, but never before `callAt` returns. Returns a
 * function that cancels the call.
 */
export function callAt(at: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = (): void => {
    timer = setTimeout(
      () => (Date.now() < at ? wait() : call()),
      Math.min(Math.max(0, at - Date.now()), CHECK_MS),
    )
  }
  wait()
  return () => clearTimeout(timer)
}

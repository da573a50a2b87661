// A timer for a point in time, however far away. After the computer has slept, it is late by at most `CHECK_MS`.
// Hooks use it to hide times that have passed.

/** A timer stops while the computer sleeps, and one of more than 24.8 days fires at once. So the clock is checked at least this often. */
const CHECK_MS = 30_000

/** Calls `call` once the clock shows `at` (epoch ms) or later, but never before `callAt` returns. The result cancels the call. */
export function callAt(at: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = (): void => {
    timer = setTimeout(() => (Date.now() < at ? wait() : call()), Math.min(Math.max(0, at - Date.now()), CHECK_MS))
  }
  wait()
  return () => clearTimeout(timer)
}

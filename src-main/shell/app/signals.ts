// Signals that end the app. A sender of a signal doesn't wait for an answer, and often kills what is left soon.

/**
 * Calls `end` at the first signal of each kind; a second one ends the process at once. Call after the app is
 * ready: Electron's own listeners, which would ask, replace any that were added earlier.
 */
export function onSignals(end: () => void): void {
  if (process.platform === 'win32') return
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
}

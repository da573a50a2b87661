// Starts another program when this process ends, such as the new version after an update. Normally, Electron's `quit` event triggers the
// start. A process that has to be killed doesn't get this event, so `startPending` is called before the kill.
import { app } from 'electron'

let pending: (() => void) | null = null

/** Calls `start` once, when the process ends. */
export function startAtEnd(start: () => void): void {
  pending = start
  app.once('quit', startPending)
}

export function startPending(): void {
  const start = pending
  pending = null
  start?.()
}

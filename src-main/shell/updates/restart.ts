// Starts another program when this process ends, such as the new version after an update. Normally,
// Electron's `quit` event triggers the start. A process that has to be killed doesn't get this event, so
// `startPending` is called before the kill.
import { spawn } from 'node:child_process'
import { app } from 'electron'

/** Variables that the running AppImage has set for itself. */
const OF_APPIMAGE = ['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD']

/** `isForced`: whether the process is about to be killed. */
type Start = (isForced: boolean) => void

let pending: readonly Start[] = []
let isInstallers = false

/**
 * Call before an installer that replaces the app's files starts the new version itself (Windows, macOS). If
 * the app were also started in another way, the old version would run while its files are being replaced.
 */
export function leaveToInstaller(): void {
  isInstallers = true
}

/** Whether an installer starts the app next. */
export function isLeftToInstaller(): boolean {
  return isInstallers
}

/** Calls `start` once, when the process ends. */
export function startAtEnd(start: Start): void {
  if (pending.length === 0) app.once('quit', () => startPending(false))
  pending = [...pending, start]
}

export function startPending(isForced: boolean): void {
  const starts = pending
  pending = []
  for (const start of starts) start(isForced)
}

/** Starts a program that keeps running when this process ends. */
export function startProgram(program: string, args: readonly string[]): void {
  // Release the lock first, because a new instance of the app would find this one running and quit.
  app.releaseSingleInstanceLock()
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_APPIMAGE.includes(name)))
  const child = spawn(program, [...args], { detached: true, stdio: 'ignore', env })
  child.on('error', () => undefined)
  child.unref()
}

// Quits the app: asks for confirmation if uploads would be interrupted, saves what is being typed, closes the
// app's parts, and gives the engines time to finish. The `will-quit` event is cancelled until the engines
// have closed. Then the app quits again. With an engine stuck in native code, the process would never exit
// and would keep its single-instance lock, so the process is killed. It is also killed if closing the engines
// fails, or if Electron's own end takes too long.
import { spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { app, BrowserWindow, dialog, globalShortcut, powerMonitor } from 'electron'
import { startPending } from '../updates/restart.ts'
import type { App } from './app.ts'
import { quitWords } from './quit-words.ts'
import { onSignals } from './signals.ts'

/**
 * Shutdown grace period for uploads under way. The next start checks whether interrupted uploads reached the
 * service.
 */
const GRACE_MS = 3000
/** The same after a signal, whose sender may soon end the process by force. */
const SIGNAL_GRACE_MS = 500
/** When the process ends after a signal, whatever hangs. Until then, it quits without asking. */
const SIGNAL_MS = 1500

/** Handles Electron's quit events and system shutdowns. `close` is called before the engines are closed. */
export function handleQuit(slipway: App, close: () => void): void {
  /** Whether the confirmation dialog is open. Further attempts to quit are ignored until the user answers. */
  let isAsking = false
  let isClosed = false
  let graceMs = GRACE_MS
  let overdue: ReturnType<typeof setTimeout> | undefined
  /** Runs a step of quitting. Resolves to null if it fails, because the app has to exit even then. */
  const step = async <T>(run: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await run()
    } catch (error) {
      slipway.log.warn('quit.failed', { message: error instanceof Error ? error.message : String(error) })
      return null
    }
  }
  const quit = (): void => {
    slipway.isQuitting = true
    void step(() => slipway.release.saveTyped()).then(() => app.quit())
  }
  /** Closes everything. Resolves to false if the engines may still be running. */
  const end = async (): Promise<boolean> => {
    void step(close)
    const hasEnded = await step(() => slipway.accounts.close(graceMs))
    await step(() => slipway.trial.close())
    return hasEnded === true
  }
  app.on('before-quit', (event) => {
    if (slipway.isQuitting) return
    if (isAsking) {
      event.preventDefault()
      return
    }
    const { texts, formats } = slipway.language()
    const words = quitWords({ accounts: slipway.running(), isTrial: slipway.trial.isOn(), texts, formats })
    event.preventDefault()
    if (words === null) return quit()
    isAsking = true
    const buttons = [words.quit, words.stay]
    // Quitting deletes a trial, which can't be undone, so an accidental Enter doesn't quit.
    const defaultId = slipway.trial.isOn() ? 1 : 0
    const box = {
      type: 'question',
      message: words.title,
      detail: words.detail,
      buttons,
      defaultId,
      cancelId: 1,
    } as const
    // While this dialog is open, no other question is asked. It is shown even if another one is open, so that
    // the user can always quit.
    void slipway.desk
      .whileAsking(dialog.showMessageBox(box))
      .finally(() => {
        isAsking = false
      })
      .then(({ response }) => {
        // A signal or a system shutdown may have quit the app while the dialog was open.
        if (slipway.isQuitting) return
        if (response === 0) quit()
        // The user may have tried to quit by closing the last window. With neither a window nor a tray icon,
        // the app couldn't be reached. On macOS, the dock icon opens a window.
        else if (process.platform !== 'darwin' && slipway.window.native() === null && !slipway.hasTray())
          slipway.show(null)
      })
  })
  onSignals(() => {
    graceMs = SIGNAL_GRACE_MS
    quit()
    overdue = setTimeout(endByForce, SIGNAL_MS)
  })
  app.on('will-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    globalShortcut.unregisterAll()
    void end().then((hasEnded) => {
      isClosed = true
      clearTimeout(overdue)
      if (!hasEnded) slipway.log.warn('quit.forced', {})
      slipway.log.close()
      if (!hasEnded) return endByForce()
      if (process.platform === 'linux') killLater(process.pid)
      app.quit()
    })
  })
  powerMonitor.on('shutdown', (event?: { readonly preventDefault: () => void }) => {
    // Delay the system shutdown while the engines close. Otherwise, uploads in progress would be cut off at
    // once.
    event?.preventDefault()
    quit()
  })
  quitAtSessionEnd({
    isUploading: () => slipway.running().some(({ snapshot }) => (snapshot?.counts.uploading ?? 0) > 0),
    quit: () => {
      if (!slipway.isQuitting) quit()
    },
  })
}

/** How long Electron's own end may take, in seconds. By then, the app has written everything. */
const END_S = 2

/**
 * Kills the process if it still runs later. At its end, Electron waits for programs that it has asked something
 * over D-Bus: 25 seconds for a portal, for good for a bus. No thread of this process is there any more to stop
 * that. Linux only.
 */
export function killLater(pid: number): void {
  // The number may have become another program's.
  const script = 'sleep "$1"; [ "$(readlink "/proc/$2/exe")" = "$3" ] && kill -KILL "$2"'
  const args = [String(END_S), String(pid), readlinkSync(`/proc/${pid}/exe`)]
  spawn('sh', ['-c', script, 'sh', ...args], { cwd: '/', detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref()
}

/**
 * Kills the process, because a regular exit would wait for the stuck thread. The journal survives this as it
 * survives a crash.
 */
function endByForce(): void {
  app.releaseSingleInstanceLock()
  try {
    startPending(true)
  } catch {
    // The failure can't be logged, because the log is already closed.
  }
  process.kill(process.pid, 'SIGKILL')
}

// Quits the app when a Windows session ends: at a sign-out, a restart or a shutdown, or if an installer needs
// the app's files. Electron reports this only through window events, and it doesn't emit `before-quit`. On
// other systems, `powerMonitor` reports a shutdown.

/**
 * `quit` may be called more than once. If the app has no window, Windows ends it without notice, as in a
 * crash, and the next start recovers.
 */
function quitAtSessionEnd({
  isUploading,
  quit,
}: {
  readonly isUploading: () => boolean
  readonly quit: () => void
}): void {
  const follow = (window: BrowserWindow): void => {
    window.on('query-session-end', (event) => {
      // Another app may still stop the session from ending, so quit now only if uploads would be cut off.
      // Windows waits for an app that prevents the default, unless its window is hidden.
      if (!isUploading()) return
      event.preventDefault()
      quit()
    })
    window.on('session-end', quit)
  }
  for (const window of BrowserWindow.getAllWindows()) follow(window)
  app.on('browser-window-created', (_event, window) => follow(window))
}

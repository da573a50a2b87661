// Quits the app. It asks for confirmation if uploads would be interrupted, closes the parts of the app, and gives the engines time to
// finish. The `will-quit` event is cancelled until the engines have closed; then the app quits again. If an engine is stuck in native code,
// the process would never exit and would keep its single-instance lock, so it is killed.
import { app, dialog, globalShortcut, powerMonitor } from 'electron'
import type { App } from './app.ts'
import { quitWords } from './quit-words.ts'

/** Shutdown grace period for uploads under way. The next start checks what became of interrupted ones. */
const GRACE_MS = 3000

/** Handles Electron's quit events and the system's shutdown. `close` is called before the engines are closed. */
export function handleQuit(slipway: App, close: () => void): void {
  let isAsked = false
  let isClosed = false
  app.on('before-quit', (event) => {
    if (slipway.isQuitting) return
    const { texts, formats } = slipway.language()
    const words = isAsked ? null : quitWords({ accounts: slipway.running(), isTrial: slipway.trial.isOn(), texts, formats })
    if (words === null) {
      slipway.isQuitting = true
      return
    }
    event.preventDefault()
    isAsked = true
    const buttons = [words.quit, words.stay]
    // Quitting deletes a trial, which can't be undone, so an accidental Enter doesn't quit.
    const defaultId = slipway.trial.isOn() ? 1 : 0
    const box = { type: 'question', message: words.title, detail: words.detail, buttons, defaultId, cancelId: 1 } as const
    void dialog.showMessageBox(box).then(({ response }) => {
      isAsked = response === 0
      if (isAsked) app.quit()
    })
  })
  app.on('will-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    globalShortcut.unregisterAll()
    close()
    void slipway.accounts.close(GRACE_MS).then(async (hasEnded) => {
      await slipway.trial.close()
      isClosed = true
      if (!hasEnded) slipway.log.warn('quit.forced', {})
      slipway.log.close()
      if (hasEnded) app.quit()
      else endByForce()
    })
  })
  powerMonitor.on('shutdown', (event?: { readonly preventDefault: () => void }) => {
    // Delays the system's shutdown while the engine closes; otherwise uploads in progress would be cut off.
    event?.preventDefault()
    slipway.isQuitting = true
    app.quit()
  })
}

/** Kills the process, because a regular exit would wait for the stuck thread. The journal survives this as it survives a crash. */
function endByForce(): void {
  app.releaseSingleInstanceLock()
  process.kill(process.pid, 'SIGKILL')
}

// The end of the app: asks once if uploads would be cut off, closes what has a listener, and gives the engine time to finish.
// Electron's events come in this order: before-quit, will-quit, and will-quit again once the engine has closed.
import { app, dialog, globalShortcut, powerMonitor } from 'electron'
import type { App } from './app.ts'
import { quitWords } from './quit-words.ts'

/** Uploads in progress get this long to finish; what is cut off is looked up at the next start. */
const GRACE_MS = 3000

/** Connects Electron's quit events. `close` releases everything but the engine. */
export function handleQuit(slipway: App, close: () => void): void {
  let isAsked = false
  let isClosed = false
  app.on('before-quit', (event) => {
    if (slipway.isQuitting) return
    const { texts, formats } = slipway.language()
    const words = isAsked ? null : quitWords({ snapshot: slipway.store.snapshot(), by: 'person', texts, formats })
    if (words === null) {
      slipway.isQuitting = true
      return
    }
    event.preventDefault()
    isAsked = true
    const buttons = [words.quit, words.stay]
    const box = { type: 'question', message: words.title, detail: words.detail, buttons, defaultId: 0, cancelId: 1 } as const
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
    void slipway.link.close(GRACE_MS).then(() => {
      isClosed = true
      slipway.log.close()
      app.quit()
    })
  })
  powerMonitor.on('shutdown', () => {
    slipway.isQuitting = true
    app.quit()
  })
}

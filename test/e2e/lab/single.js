// Takes the single-instance lock. Later starts exit at once, and the first one is notified.
// The first keeps the notifications in `globalThis.lab` for specs.
// oxlint-disable-next-line no-restricted-imports -- a separate small app
import { app, BrowserWindow } from 'electron'

globalThis.lab = { seconds: [] }
if (app.requestSingleInstanceLock({ from: process.argv.at(-1) })) {
  app.on('second-instance', (_event, argv, cwd, data) => globalThis.lab.seconds.push({ argv, cwd, data }))
  void app.whenReady().then(() => new BrowserWindow().loadURL('about:blank'))
} else {
  app.quit()
}

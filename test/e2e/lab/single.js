// Takes the lock of a single instance; later starts leave at once and are told to the first.
// The first keeps what it was told in `globalThis.lab`, where a spec reads it.
// oxlint-disable-next-line no-restricted-imports -- an app of its own, small as it is
import { app, BrowserWindow } from 'electron'

globalThis.lab = { seconds: [] }
if (app.requestSingleInstanceLock({ from: process.argv.at(-1) })) {
  app.on('second-instance', (_event, argv, cwd, data) => globalThis.lab.seconds.push({ argv, cwd, data }))
  void app.whenReady().then(() => new BrowserWindow().loadURL('about:blank'))
} else {
  app.quit()
}

// Awaits readiness at its top level. `ready` comes only after the main module has been evaluated, so this waits forever, as in Electron.
// A spec verifies that it hangs here, too.
// oxlint-disable-next-line no-restricted-imports -- a separate small app
import { app, BrowserWindow } from 'electron'

globalThis.lab = { state: 'waiting' }
await app.whenReady()
globalThis.lab.state = 'ready'
await new BrowserWindow().loadURL('about:blank')

// Awaits readiness at its top level. `ready` comes only after the main module has been evaluated, so this waits for itself, in Electron too.
// A spec sees that it hangs here as well.
// oxlint-disable-next-line no-restricted-imports -- an app of its own, small as it is
import { app, BrowserWindow } from 'electron'

globalThis.lab = 'waiting'
await app.whenReady()
globalThis.lab = 'ready'
await new BrowserWindow().loadURL('about:blank')

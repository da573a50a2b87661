// Does everything at the wrong time: before the app is ready what requires readiness, and afterwards what must come before.
// The errors are kept in `globalThis.lab` for specs.
// oxlint-disable-next-line no-restricted-imports -- a separate small app
import { app, BrowserWindow, globalShortcut, protocol, safeStorage, session, shell, Tray } from 'electron'

const attempt = (task) => {
  try {
    task()
    return 'nothing was thrown'
  } catch (error) {
    return error.message
  }
}

const lab = {
  window: attempt(() => new BrowserWindow()),
  tray: attempt(() => new Tray('nowhere.png')),
  session: attempt(() => session.defaultSession),
  handle: attempt(() => protocol.handle('late', () => new Response(''))),
  shortcut: attempt(() => globalShortcut.register('Ctrl+K', () => undefined)),
  early: app.isReady(),
}
globalThis.lab = lab

app.on('window-all-closed', () => undefined)
void app.whenReady().then(() => {
  lab.late = attempt(() => protocol.registerSchemesAsPrivileged([{ scheme: 'late' }]))
  lab.unknownScheme = attempt(() => protocol.handle('late', () => new Response('')))
  lab.missing = [
    attempt(() => safeStorage.isEncryptionAvailable()),
    attempt(() => shell.readShortcutLink('x')),
    attempt(() => app.importCertificate({}, () => undefined)),
  ]
  lab.unsafe = [
    { sandbox: false },
    { contextIsolation: false },
    { nodeIntegration: true },
    { preload: 'preload.cjs' },
  ].map((webPreferences) => attempt(() => new BrowserWindow({ webPreferences })))
  lab.emptyTray = attempt(() => new Tray('nowhere.png'))
  lab.ready = true
})

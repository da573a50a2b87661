// `electron [switches] <app> [arguments]` without Electron: runs a built main module in this Node and its
// windows in Chromium. The order at the start is Electron's: preloads from `-r`, the complete main module,
// then `ready`. Nothing keeps running afterwards.
import { readFileSync, statSync } from 'node:fs'
import inspector from 'node:inspector'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import './asar.ts'

const here = import.meta.dirname
/** Copied before the app can change it, because Electron forks its first processes earlier, too. */
const firstEnvironment = { ...process.env }
const NAMES = ['electron', 'electron/main', 'electron/common']
/** The Chromium version of Electron 45, as in `process.versions.chrome`. */
const CHROME = '156.0.0.0'
/**
 * A main module that never finishes (because it awaits `whenReady`) must not keep the browser from starting.
 */
const SLOW_MAIN_MS = 2000

registerHooks({
  resolve: (name, context, next) =>
    NAMES.includes(name)
      ? {
          url: pathToFileURL(join(here, 'electron.ts')).href,
          format: 'module-typescript',
          shortCircuit: true,
        }
      : next(name, context),
})
const { version } = JSON.parse(
  readFileSync(join(here, '../../node_modules/electron/package.json'), 'utf8'),
) as { version: string }
Object.defineProperties(process, {
  type: { value: 'browser', enumerable: true },
  resourcesPath: { value: join(here, 'resources'), enumerable: true },
  defaultApp: { value: true, enumerable: true },
  execPath: { value: join(here, 'bin/electron'), enumerable: true },
})
Object.defineProperties(process.versions, {
  electron: { value: version, enumerable: true },
  chrome: { value: CHROME, enumerable: true },
})

const { app, language } = await import('./app.ts')
const { desk } = await import('./desk.ts')
const { startChromium } = await import('./chromium.ts')
const { serveSchemes } = await import('./schemes.ts')
const { followChromium } = await import('./web-contents.ts')
await import('./electron.ts')

// Switches come first, then the app, then the app's own arguments.
const argv = process.argv.slice(2)
const preloads: string[] = []
let target = '.'
for (let at = 0; at < argv.length; at++) {
  const arg = argv[at] ?? ''
  if (arg === '-r' || arg === '--require') preloads.push(argv[++at] ?? '')
  else if (!arg.startsWith('-')) {
    target = arg
    break
  }
}
for (const arg of argv) {
  const [, name, value = ''] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
  if (name !== undefined) desk.switches.set(name.toLowerCase(), value)
}
process.argv = [process.execPath, ...argv]

const entry = resolve(target)
const isFolder = statSync(entry).isDirectory()
desk.appPath = isFolder ? entry : dirname(entry)
if (isFolder)
  desk.package = JSON.parse(readFileSync(join(entry, 'package.json'), 'utf8')) as typeof desk.package
const main = isFolder ? join(entry, desk.package.main ?? 'index.js') : entry

// Like Electron, show uncaught exceptions unless the app has its own listener.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return
  const text = error.stack ?? error.message
  process.stderr.write(`${text}\n`)
  // Electron would show a dialog. Before the app is ready, the process ends instead; later, the dialog is
  // recorded.
  if (!desk.ready) process.exit(1)
  desk.calls.push({
    api: 'dialog.showErrorBox',
    args: ['A JavaScript error occurred in the main process', text],
  })
})

let stopBrowser: () => Promise<void> = () => Promise.resolve()
let stopping = false
desk.stop = (code) => {
  if (stopping) return
  stopping = true
  void stopBrowser().finally(() => process.exit(code))
}
// As in Electron, a listener that the app adds once it is ready replaces this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) app.quit()
  })

if (desk.switches.has('inspect')) inspector.open(Number(desk.switches.get('inspect')), '127.0.0.1')
const require = createRequire(import.meta.url)
for (const preload of preloads) require(preload)

const evaluated = import(pathToFileURL(main).href).then(() => true)
// A failure during the browser's start is reported below and must not count as an unhandled rejection.
evaluated.catch(() => undefined)
await Promise.race([evaluated, setTimeout(SLOW_MAIN_MS)])
if (!stopping) {
  const options = { schemePort: await serveSchemes(), language: language(), environment: firstEnvironment }
  const chromium = await startChromium(options).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
  stopBrowser = chromium.stop
  if (stopping) await chromium.stop()
  desk.cdp = chromium.cdp
  desk.profile = chromium.profile
  followChromium()
  // The test tool recognizes by this line that its own preload has run.
  if (desk.switches.has('remote-debugging-port'))
    process.stderr.write(`\nDevTools listening on ${chromium.url}\n`)
  await evaluated
  if (!stopping) app.becomeReady()
}

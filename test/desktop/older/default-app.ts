// Starts the app that is named on the command line, as Electron's own `default_app.asar` does, for a binary that
// comes without one: `electron [-r module] [switches] app [arguments]`. For CommonJS only.
import { existsSync, readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { app } from 'electron'

interface Manifest {
  readonly name?: string
  readonly productName?: string
  readonly version?: string
  readonly main?: string
  readonly desktopName?: string
}

interface Loader {
  readonly _load: (file: string, parent: unknown, isMain: boolean) => unknown
  readonly _preloadModules: (files: readonly string[]) => void
}

/** What Electron has for its own default app. */
interface Named {
  setAppPath(path: string): void
  setVersion(version: string): void
}
const own = app as typeof app & Named

const { _load: load, _preloadModules: preload } = Module as unknown as Loader

const first: string[] = []
let named: string | null = null
for (const args = process.argv.slice(1); named === null && args.length > 0; ) {
  const arg = args.shift() ?? ''
  if (arg === '-r' || arg === '--require') first.push(args.shift() ?? '')
  else if (!arg.startsWith('-')) named = arg
}

function start(path: string): void {
  Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true })
  const manifest = join(path, 'package.json')
  if (!existsSync(manifest)) {
    own.setAppPath(dirname(path))
    load(path, null, true)
    return
  }
  const { name, productName, version, main, desktopName } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  ) as Manifest
  if (version !== undefined) own.setVersion(version)
  app.setName(productName ?? name ?? 'Electron')
  app.setDesktopName(desktopName ?? `${app.getName()}.desktop`)
  own.setAppPath(path)
  load(createRequire(manifest).resolve(join(path, main ?? 'index.js')), null, true)
}

preload(first)
if (named === null) {
  process.stderr.write('No app is named.\n')
  app.exit(1)
} else start(resolve(named))

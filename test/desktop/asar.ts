// Installs Electron's handling of `*.asar` files (test/world/asar-shim.ts) in the main thread and in every
// thread started from it, at any depth. The app's own archive isn't imitated.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import '../world/asar-shim.ts'

const threads = createRequire(import.meta.url)('node:worker_threads') as {
  Worker: typeof import('node:worker_threads').Worker
}
const { Worker } = threads

threads.Worker = class extends Worker {
  constructor(file: string | URL, options: ConstructorParameters<typeof Worker>[1] = {}) {
    super(file, { ...options, execArgv: [...(options.execArgv ?? []), '--import', import.meta.url] })
  }
}
syncBuiltinESMExports()

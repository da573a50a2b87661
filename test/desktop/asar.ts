// Electron's handling of `*.asar` files in the main thread and all threads it starts, including nested ones.
// test/world/asar-shim.ts implements it. The app's own archive isn't imitated.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import '../world/asar-shim.ts'

const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof import('node:worker_threads').Worker }
const { Worker } = threads

threads.Worker = class extends Worker {
  constructor(file: string | URL, options: ConstructorParameters<typeof Worker>[1] = {}) {
    super(file, { ...options, execArgv: [...(options.execArgv ?? []), '--import', import.meta.url] })
  }
}
syncBuiltinESMExports()

// Electron's handling of `*.asar` files in the main thread and in every thread that it starts, each of which starts others in the same way.
// What is handled is in test/world/asar-shim.ts; the app's own archive is not imitated.
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

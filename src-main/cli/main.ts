// Entry point of the command line, both from source and in the one-file build. Ensures the right version of Node first. Loads the program
// itself only on the main thread, because worker threads don't need it.
import './bootstrap.ts'
import '../platform/disk/no-asar.ts'
import { runAsWorker } from '../platform/worker/worker-roles.ts'

if (!runAsWorker()) {
  const { run } = await import('./run.ts')
  await run()
}

// Entry point of the command line, from source and as the one-file build. Ensures the right Node first. The program itself is loaded only
// if this isn't a worker thread, which doesn't need it.
import './bootstrap.ts'
import '../platform/disk/no-asar.ts'
import { runAsWorker } from '../platform/worker/worker-roles.ts'

if (!runAsWorker()) {
  const { run } = await import('./run.ts')
  await run()
}

// Entry of the command line, from source and as the one-file build. First the right Node, then: is this a worker thread of our own? Only
// then is the program itself loaded, so a worker carries none of it.
import './bootstrap.ts'
import '../platform/no-asar.ts'
import { runAsWorker } from '../platform/worker-roles.ts'

if (!runAsWorker()) {
  const { run } = await import('./run.ts')
  await run()
}

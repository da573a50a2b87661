// Entry point of the installed command line, an executable that holds Node 24 and this program. Unlike main.ts it needn't look for a Node.
// CommonJS after the build, so nothing is awaited here.
import '../platform/disk/no-asar.ts'
import { runAsWorker } from '../platform/worker/worker-roles.ts'

if (!runAsWorker()) void import('./run.ts').then(({ run }) => run())

// Entry point of the worker threads when Slipway runs from source (tests, benchmarks, development).
// A built program starts itself instead.
import '../disk/no-asar.ts'
import { runAsWorker } from './worker-roles.ts'

runAsWorker()

// Entry point of the worker threads. Serves the role for which spawn-worker.ts started the thread.
import '../disk/no-asar.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { serveDisk } from '../disk/disk-worker.ts'
import { serveHash } from '../disk/hash-worker.ts'
import { serveInspect } from '../disk/inspect-worker.ts'
import { serveWatch } from '../watch/watch-worker.ts'

const SERVE = { disk: serveDisk, hash: serveHash, inspect: serveInspect, watch: serveWatch } as const

export type WorkerRole = keyof typeof SERVE

const { slipwayRole } = workerData as { readonly slipwayRole: WorkerRole }
if (parentPort !== null) SERVE[slipwayRole](parentPort)

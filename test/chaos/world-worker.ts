// A thread that plays its share of the seeds of the simulated matrix and sends each report as it ends. A run
// waits for the disk and for its own connections half of the time, so two threads for each core are of use.
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { worldRun } from './world-run.ts'

const { seeds, only } = z.object({ seeds: z.array(z.int()), only: z.array(z.string()) }).parse(workerData)

for (const seed of seeds) parentPort?.postMessage(await worldRun(seed, { only }))

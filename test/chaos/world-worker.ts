// A thread that plays its share of the seeds of the simulated matrix and sends each report as it ends. The runs need the processor all the
// time, so more of them at once only take as many threads as there are cores.
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { worldRun } from './world-run.ts'

const { seeds, only } = z.object({ seeds: z.array(z.int()), only: z.array(z.string()) }).parse(workerData)

for (const seed of seeds) parentPort?.postMessage(await worldRun(seed, { only }))

// S7: watches an idle folder. Measures CPU time and memory of the whole process, all threads included, as reported by the system. No client
// is connected during the measurement, so queries aren't measured.
import { pause, processFigures } from '../measure.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { mib, percent, plain } from '../table.ts'

/** Time for clean-up work after the start. */
const CALM_MS = 10_000
const EVERY_MS = 1000

export async function idle(room: Room): Promise<RowResult> {
  const known = await room.known()
  const seconds = room.sizes.idleSeconds
  const since = Date.now()
  const process = known.start()
  try {
    const look = await known.look(process)
    await look.scanned(since)
    await look.close()
    await pause(Math.min(CALM_MS, seconds * 1000))
    const began = performance.now()
    const before = processFigures(process.pid)
    const samples = [before]
    while (performance.now() - began < seconds * 1000) {
      await pause(EVERY_MS)
      samples.push(processFigures(process.pid))
    }
    const after = samples.at(-1) ?? before
    const share = ((after.cpuS - before.cpuS) / ((performance.now() - began) / 1000)) * 100
    const memory = Math.max(...samples.map((sample) => sample.rssMiB))
    return {
      row: 'S7',
      work: `idle for ${plain(seconds)} s, ${plain(known.files)} files watched`,
      slipway: [`${percent(share)} of one core, ${mib(memory)}`],
      peers: [],
      goals: [atMost('CPU 0.05 %', share, 0.05, percent), atMost('memory 120 MiB', memory, 120, mib)],
      notes: ['one run'],
      failure: null,
      raw: { samples },
    }
  } finally {
    await process.stop()
  }
}

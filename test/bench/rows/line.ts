// LINE: uploads one file over a long, lossy line (slow-line.ts), beside curl over the same line. Tests that
// nothing of Slipway's own (blocks, waits, time limits, the hash) makes a line slower than it is.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Measured, NODE, type Running, running, type ServiceProcess, withService } from '../measure.ts'
import { against, cpu, curlOne, newPeer, peak, runInto, tell, wall } from '../peers.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { mib, seconds, times } from '../table.ts'

/**
 * Starts the line to `service`. Resolves to the service as it is reached over the line, and the process to
 * stop.
 */
function overLine(
  service: ServiceProcess,
): Promise<{ readonly far: ServiceProcess; readonly line: Running }> {
  const child = spawn(NODE, [join(import.meta.dirname, '../slow-line.ts'), new URL(service.origin).port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = running(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the line ended')))
    child.stdout.setEncoding('utf8').once('data', (text: string) => {
      const through = (url: string): string => Object.assign(new URL(url), { port: text.trim() }).href
      resolve({
        far: {
          ...service,
          origin: new URL(through(service.origin)).origin,
          uploadUrl: through(service.uploadUrl),
        },
        line,
      })
    })
  })
}

export async function slowLine(room: Room): Promise<RowResult> {
  const path = join(room.home, 'over-the-line.bin')
  writeFileSync(path, randomBytes(room.sizes.lineMiB * 1024 * 1024))
  const ours: Measured[] = []
  const curl = newPeer('curl -F')
  for (let i = 0; i < room.longRuns; i++)
    await withService(async (service) => {
      const { far, line } = await overLine(service)
      try {
        ours.push(await room.upload(path, far))
        await runInto(curl, 'curl', () => curlOne(path, far))
      } finally {
        await line.stop()
      }
    })
  rmSync(path)
  return {
    row: 'LINE',
    work: `one file of ${room.sizes.lineMiB} MiB over a line with 50 ms there and back and 1 % loss`,
    slipway: [`${seconds(wall(ours))}, ${seconds(cpu(ours))} CPU, ${mib(peak(ours))}`],
    peers: [tell(curl)],
    goals: [atMost('at most 1.05 x curl', against(ours, curl), 1.05, times)],
    notes: ['loss and delay simulated between two connections, from a fixed seed'],
    failure: null,
    raw: { ours, curl: curl.runs },
  }
}

// S2: uploads many small files, including journal and SHA-256. Compared with bare-many.ts, curl --parallel
// (which records nothing), and common alternatives. The chaos runs (row F5) check that the journal survives
// `kill -9` at any moment.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Measured, settleDisk, withService } from '../measure.ts'
import {
  against,
  bareMany,
  cpu,
  curlParallel,
  newPeer,
  peak,
  runInto,
  startRclone,
  tell,
  wall,
  xargsCurl,
} from '../peers.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { mib, plain, seconds, times } from '../table.ts'

export function smallFiles(room: Room): Promise<RowResult> {
  return withService(async (service) => {
    const { smallFiles: count, xargsSample } = room.sizes
    const folder = join(room.home, 'small')
    mkdirSync(folder)
    const names = Array.from({ length: count }, (_, i) => join(folder, `file-${i}.bin`))
    for (const [i, name] of names.entries()) writeFileSync(name, Buffer.alloc(10_240, `${i} `))
    settleDisk()
    const scale = count / xargsSample
    const sample = names.slice(0, xargsSample)
    const ours: Measured[] = []
    const bare = newPeer('bare Node (8), two SQLite rows a file')
    const curl = newPeer('curl --parallel (8)')
    const xargs = newPeer(`xargs -P8 curl (${plain(xargsSample)} files, times ${plain(scale)})`)
    const rclone = newPeer('rclone (8) to its own SFTP')
    const target = await startRclone('sftp', join(room.home, 'sftp'))
    try {
      for (let i = 0; i < room.runs; i++) {
        // With a new data folder, Slipway first compares the files with those in the account. So each run has
        // an empty account.
        ours.push(await withService((empty) => room.upload(folder, empty)))
        bare.runs.push(await bareMany(folder, service, join(room.home, `bare-${i}.db`)))
        await runInto(curl, 'curl', () => curlParallel(names, service, join(room.home, 'curl.txt')))
        if (i >= room.longRuns) continue
        await runInto(xargs, 'curl', () => xargsCurl(sample, service, join(room.home, 'sample.txt')))
        if (target !== null) rclone.runs.push(await target.copy(folder))
        settleDisk()
      }
    } finally {
      await target?.stop()
      rmSync(folder, { recursive: true })
    }
    return {
      row: 'S2',
      work: `${plain(count)} files of 10 KB`,
      slipway: [`${seconds(wall(ours))}, ${seconds(cpu(ours))} CPU, ${mib(peak(ours))}`],
      peers: [tell(bare), tell(curl), tell(xargs, scale), tell(rclone)],
      goals: [
        atMost('at most 1.5 x bare Node', against(ours, bare), 1.5, times),
        atMost('at most 0.5 x rclone', against(ours, rclone), 0.5, times),
        atMost('at most 0.1 x xargs', against(ours, xargs, scale), 0.1, times),
      ],
      notes: ['journal and sha-256 included'],
      failure: null,
      raw: {
        ours,
        bare: bare.runs,
        curl: curl.runs,
        xargs: xargs.runs,
        xargsScale: scale,
        rclone: rclone.runs,
      },
    }
  })
}

// S1: uploads one big file, including SHA-256, journal and fingerprint. Compared with curl alone, curl with
// sha256sum, rclone, and bare.ts. BIG uploads a sparse file of many times the size, to check that memory use
// doesn't grow with it.
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Measured, settleDisk, withService } from '../measure.ts'
import {
  against,
  bareNode,
  cpu,
  curlAndHash,
  curlOne,
  newPeer,
  peak,
  runInto,
  startRclone,
  tell,
  wall,
} from '../peers.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { mib, seconds, times } from '../table.ts'

const BLOCK_MIB = 64

export function bigFile(room: Room): Promise<RowResult> {
  return withService(async (service) => {
    const path = join(room.home, 'big.bin')
    const block = Buffer.alloc(BLOCK_MIB * 1024 * 1024, 'slipway bench ')
    writeFileSync(path, '')
    for (let written = 0; written < room.sizes.bigMiB; written += BLOCK_MIB)
      writeFileSync(path, block, { flag: 'a' })
    settleDisk()
    const ours: Measured[] = []
    const curl = newPeer('curl -F')
    const both = newPeer('curl with sha256sum beside')
    const bare = newPeer('bare Node with sha-256 beside')
    const rclone = newPeer('rclone to its own WebDAV')
    const target = await startRclone('webdav', join(room.home, 'webdav'))
    try {
      for (let i = 0; i < room.runs; i++) {
        // With a new data folder, Slipway first compares the file with those in the account. So each run has
        // an empty account.
        ours.push(await withService((empty) => room.upload(path, empty)))
        await runInto(curl, 'curl', () => curlOne(path, service))
        await runInto(both, 'curl', () => curlAndHash(path, service))
        bare.runs.push(await bareNode(path, service))
        if (target !== null && i < room.longRuns) {
          rclone.runs.push(await target.copy(path))
          settleDisk()
        }
      }
    } finally {
      await target?.stop()
      rmSync(path)
    }
    return {
      row: 'S1',
      work: `one file of ${room.sizes.bigMiB} MiB`,
      slipway: [`${seconds(wall(ours))}, ${seconds(cpu(ours))} CPU, ${mib(peak(ours))}`],
      peers: [curl, both, bare, rclone].map((peer) => tell(peer)),
      goals: [
        atMost('at most 1.0 x bare Node', against(ours, bare), 1, times),
        atMost('at most 1.2 x curl with sha256sum', against(ours, both), 1.2, times),
        atMost('peak memory 150 MiB', Math.max(...ours.map((run) => run.peakMiB)), 150, mib),
      ],
      notes: ['sha-256 included'],
      failure: null,
      raw: { ours, curl: curl.runs, both: both.runs, bare: bare.runs, rclone: rclone.runs },
    }
  })
}

export function sparseFile(room: Room): Promise<RowResult> {
  return withService(async (service) => {
    const path = join(room.home, 'sparse.bin')
    writeFileSync(path, '')
    truncateSync(path, room.sizes.sparseGiB * 1024 ** 3)
    const ours = await room.upload(path, service)
    rmSync(path)
    return {
      row: 'BIG',
      work: `one sparse file of ${room.sizes.sparseGiB} GiB`,
      slipway: [`${seconds(ours.wallS)}, ${seconds(ours.cpuS)} CPU, ${mib(ours.peakMiB)}`],
      peers: [],
      goals: [atMost('peak memory 150 MiB', ours.peakMiB, 150, mib)],
      notes: ['one run'],
      failure: null,
      raw: { ours },
    }
  })
}

// S5: the first scan of a large folder: when all of it is known, when it is journalled, how free the thread stays, how much memory it takes.
// Beside it programs that only walk and remember nothing.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { measure, NODE, pause } from '../measure.ts'
import { newPeer, runInto, tell, wall } from '../peers.ts'
import { plantTree } from '../plant.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { median, ratio } from '../statistics.ts'
import { mib, millis, plain, seconds, times } from '../table.ts'

const Scan = z.object({ knownMs: z.number(), journalledMs: z.number(), p99Ms: z.number(), maxMs: z.number(), peakMiB: z.number() })
type Scan = z.infer<typeof Scan>

/** Goals are for this many files; more are allowed as much longer. */
const GOAL_FILES = 100_000
/** Older than this, files need no observation, as in any folder that was there before. */
const OLD_MS = 2500

export async function firstScan(room: Room): Promise<RowResult> {
  const { scanFolders, scanPerFolder } = room.sizes
  const files = scanFolders * scanPerFolder
  const folder = join(room.home, 'tree')
  plantTree(folder, scanFolders, scanPerFolder)
  await pause(OLD_MS)
  const ours: Scan[] = []
  const find = newPeer('find -printf')
  const rclone = newPeer('rclone lsf -R')
  for (let i = 0; i < room.runs; i++) {
    const script = join(import.meta.dirname, '../scan.ts')
    const scanned = await measure('the scan', [NODE, script, folder, String(files)])
    ours.push(Scan.parse(JSON.parse(scanned.out)))
    await runInto(find, 'find', () => measure('find', ['find', folder, '-printf', '']))
    await runInto(rclone, 'rclone', () => measure('rclone lsf', ['rclone', 'lsf', '-R', '--files-only', '--config', '/dev/null', folder]))
  }
  rmSync(folder, { recursive: true })
  const of = (pick: (scan: Scan) => number): number => median(ours.map(pick))
  const known = of((o) => o.knownMs) / 1000
  const journalled = of((o) => o.journalledMs) / 1000
  const memory = of((o) => o.peakMiB)
  const loop = of((o) => o.p99Ms)
  const more = Math.max(1, files / GOAL_FILES)
  const behind = ratio(journalled, wall(find.runs))
  return {
    row: 'S5',
    work: `first scan of ${plain(files)} files in ${plain(scanFolders)} folders, warm`,
    slipway: [
      `known ${seconds(known)}, journalled ${seconds(journalled)}${behind === null ? '' : ` (${times(behind)} find)`}`,
      `${mib(memory)}, event loop p99 ${millis(loop)}, worst ${millis(of((o) => o.maxMs))}`,
    ],
    peers: [tell(find), tell(rclone)],
    goals: [
      atMost(`known ${0.8 * more} s`, known, 0.8 * more, seconds),
      atMost(`journalled ${3 * more} s`, journalled, 3 * more, seconds),
      atMost('peak memory 250 MiB', memory, 250, mib),
      atMost('event loop p99 20 ms', loop, 20, millis),
    ],
    notes: [],
    failure: null,
    raw: { files, ours, find: find.runs, rclone: rclone.runs },
  }
}

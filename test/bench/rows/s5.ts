// S5: scans a large folder for the first time, and again. Measures when everything is listed and journalled,
// how long a rescan of known files takes, how responsive the thread stays, and how much memory is used.
// Compared with programs that only traverse the folder.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { measure, NODE, pause } from '../measure.ts'
import { newPeer, type Peer, runInto, tell, wall } from '../peers.ts'
import { plantTree } from '../plant.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { median, ratio } from '../statistics.ts'
import { mib, millis, plain, seconds, times } from '../table.ts'

const Scan = z.object({
  listedMs: z.number(),
  journalledMs: z.number(),
  knownMs: z.number(),
  p99Ms: z.number(),
  maxMs: z.number(),
  peakMiB: z.number(),
})
type Scan = z.infer<typeof Scan>

/** Files older than this aren't observed for changes, as in any existing folder. */
const OLD_MS = 2500
/**
 * With ten times as many files, each may take this many times as long: an index gets one level deeper, but
 * nothing else grows.
 */
const LINEAR = 1.25

interface Scans {
  readonly files: number
  readonly ours: readonly Scan[]
  readonly find: Peer
  readonly rclone: Peer
}

async function scans(room: Room, perFolder: number, runs: number): Promise<Scans> {
  const folders = room.sizes.scanFolders
  const files = folders * perFolder
  const folder = join(room.home, `tree-${perFolder}`)
  plantTree(folder, folders, perFolder)
  await pause(OLD_MS)
  const ours: Scan[] = []
  const find = newPeer('find -printf')
  const rclone = newPeer('rclone lsf -R')
  for (let i = 0; i < runs; i++) {
    const script = join(import.meta.dirname, '../scan.ts')
    const scanned = await measure('the scan', [NODE, script, folder, String(files)])
    ours.push(Scan.parse(JSON.parse(scanned.out)))
    await runInto(find, 'find', () => measure('find', ['find', folder, '-printf', '']))
    await runInto(rclone, 'rclone', () =>
      measure('rclone lsf', ['rclone', 'lsf', '-R', '--files-only', '--config', '/dev/null', folder]),
    )
  }
  rmSync(folder, { recursive: true })
  return { files, ours, find, rclone }
}

const of = ({ ours }: Scans, pick: (scan: Scan) => number): number => median(ours.map(pick))

function words(all: Scans): readonly string[] {
  const journalled = of(all, (o) => o.journalledMs) / 1000
  const behind = ratio(journalled, wall(all.find.runs))
  return [
    `listed ${seconds(of(all, (o) => o.listedMs) / 1000)}, journalled ${seconds(journalled)}${behind === null ? '' : ` (${times(behind)} find)`}`,
    `rescan of known files ${seconds(of(all, (o) => o.knownMs) / 1000)}`,
    `${mib(of(all, (o) => o.peakMiB))}, event loop p99 ${millis(of(all, (o) => o.p99Ms))}, worst ${millis(of(all, (o) => o.maxMs))}`,
  ]
}

export async function firstScan(room: Room): Promise<RowResult> {
  const { scanPerFolder, scanAlsoPerFolder } = room.sizes
  const usual = await scans(room, scanPerFolder, room.runs)
  const more = scanAlsoPerFolder === 0 ? null : await scans(room, scanAlsoPerFolder, room.longRuns)
  const growth = (all: Scans, pick: (scan: Scan) => number): number =>
    of(all, pick) / all.files / (of(usual, pick) / usual.files)
  return {
    row: 'S5',
    work: `first scan of ${plain(usual.files)} files in ${plain(room.sizes.scanFolders)} folders, warm`,
    slipway: [...words(usual), ...(more === null ? [] : [`${plain(more.files)} files:`, ...words(more)])],
    peers: [
      tell(usual.find),
      tell(usual.rclone),
      ...(more === null ? [] : [`${plain(more.files)} files:`, tell(more.find), tell(more.rclone)]),
    ],
    goals: [
      atMost('known 0.7 s', of(usual, (o) => o.knownMs) / 1000, 0.7, seconds),
      atMost('journalled 2.5 s', of(usual, (o) => o.journalledMs) / 1000, 2.5, seconds),
      atMost(
        'peak memory 200 MiB',
        of(usual, (o) => o.peakMiB),
        200,
        mib,
      ),
      atMost(
        'event loop p99 20 ms',
        of(usual, (o) => o.p99Ms),
        20,
        millis,
      ),
      ...(more === null
        ? []
        : [
            atMost('known 8 s', of(more, (o) => o.knownMs) / 1000, 8, seconds),
            atMost('journalled 35 s', of(more, (o) => o.journalledMs) / 1000, 35, seconds),
            atMost(
              'peak memory 350 MiB',
              of(more, (o) => o.peakMiB),
              350,
              mib,
            ),
            atMost(
              `known, linear: ${LINEAR} x the time a file`,
              growth(more, (o) => o.knownMs),
              LINEAR,
              times,
            ),
            atMost(
              `journalled, linear: ${LINEAR} x the time a file`,
              growth(more, (o) => o.journalledMs),
              LINEAR,
              times,
            ),
          ]),
    ],
    notes: [],
    failure: null,
    raw: [usual, ...(more === null ? [] : [more])].map(({ files, ours, find, rclone }) => ({
      files,
      ours,
      find: find.runs,
      rclone: rclone.runs,
    })),
  }
}

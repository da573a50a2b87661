// Runs one first scan of a folder with the real engine, without an account, so that nothing is sent. Measures
// when everything is listed and journalled, how long a rescan of known files takes, the event loop delay, and
// peak memory. rows/s5.ts runs it in a separate process; it prints one JSON line.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openEngine } from '../../src-main/engine/engine.ts'
import type { Disk } from '../../src-main/engine/ports.ts'
import { createClock } from '../../src-main/platform/clock.ts'
import { journalFiles } from '../../src-main/platform/data/journal-files.ts'
import { createDisk } from '../../src-main/platform/disk/disk.ts'
import { createHashing } from '../../src-main/platform/disk/hashing.ts'
import { createInspection } from '../../src-main/platform/disk/inspection.ts'
import { createMover } from '../../src-main/platform/disk/mover.ts'
import { watchCalm } from '../../src-main/platform/heap-policy.ts'
import { createWatch } from '../../src-main/platform/watch/watch.ts'
import { spawnWorker } from '../../src-main/platform/worker/spawn-worker.ts'
import type { Snapshot } from '../../src-shared/model.ts'

const [folder, expected] = [process.argv[2] ?? '', Number(process.argv[3])]
const alive = setInterval(() => undefined, 1000)
const home = mkdtempSync(join(tmpdir(), 'slipway-bench-'))
const realDisk = createDisk({ spawn: spawnWorker })
let listed = 0
let listedAt = 0
/** Counts the files that the thread listing directories has reported. */
const disk: Disk = {
  ...realDisk,
  list: async (dirs) => {
    const listings = await realDisk.list(dirs)
    for (const { kinds } of listings) for (const kind of kinds) if (kind === 'f') listed++
    if (listed >= expected && listedAt === 0) listedAt = performance.now()
    return listings
  },
}
const hashing = createHashing({ spawn: spawnWorker })
const inspection = createInspection({ spawn: spawnWorker })
const watch = createWatch({ spawn: spawnWorker })
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const clock = createClock()
const engine = await openEngine({
  ports: { clock, random: Math.random, disk, watch, hashing, inspection, mover: createMover(), log: silent },
  journal: join(home, 'journal.db'),
  files: journalFiles,
  seal: null,
  version: 'bench',
  createApi: () => {
    throw new Error('no account, no calls')
  },
  identity: async () => ({ ok: false, failure: { code: 'no-key', title: 'none', hint: null } }),
  wireName: (name) => name,
  own: { dirs: [], pasted: null },
})
// As the app and the command line do (engine-host.ts).
const stopCalm = watchCalm({
  time: clock,
  isScanning: () => engine.isScanning(),
  onCalm: () => engine.rest(),
})
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const began = performance.now()
const watched = await engine.handlers.watch({
  path: folder,
  existing: 'upload',
  onChange: 'new-link',
  ignore: [],
  keep: false,
})
if (!watched.ok) throw new Error(watched.failure.title)
const until = async (isThere: (snapshot: Snapshot) => boolean): Promise<void> => {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    const snapshot = await engine.handlers.snapshot({})
    if (snapshot.ok && isThere(snapshot.value)) return
  }
}
await until(
  ({ folders, counts }) =>
    (folders[0]?.lastScanAt ?? null) !== null &&
    counts.queued + counts.settling >= expected &&
    folders[0]?.state === 'watching',
)
const journalledMs = performance.now() - began
const listedMs = listedAt === 0 ? journalledMs : listedAt - began
// Once all watches are in place, the folder is read again. A requested rescan waits for that.
await until(({ folders }) => folders[0]?.watching === 'events')
await engine.handlers.rescan({ folderId: watched.value.id })
const rescanAt = performance.now()
await engine.handlers.rescan({ folderId: watched.value.id })
const knownMs = performance.now() - rescanAt
delay.disable()
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024
process.stdout.write(
  `${JSON.stringify({ listedMs, journalledMs, knownMs, p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6, peakMiB: peak })}\n`,
)
stopCalm()
await engine.close(0)
await Promise.all([realDisk.close(), hashing.close(), inspection.close(), watch.close()])
clearInterval(alive)
rmSync(home, { recursive: true, force: true })

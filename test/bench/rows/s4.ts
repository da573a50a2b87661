// S4: the time from closing a file until the server has all of it, for files that arrive one by one, are
// moved in, or come in a burst. Measures `slipway watch` in a separate process, then a typical watcher
// script. The service runs in this process, so that both times come from the same clock.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createService, type Service } from '../../service/service.ts'
import { verdictOf, type Wanted } from '../delivery.ts'
import { isInstalled, KEY, pause, preciseNow, type Running, running, startCli, until } from '../measure.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { percentile } from '../statistics.ts'
import { millis, plain } from '../table.ts'

const PATIENCE_MS = 20_000
/** Pause between two files, so that the previous one has been processed completely. */
const REST_MS = 30
/** After this time a file counts as old, that is, finished long before it was moved in. */
const OLD_MS = 2500
const SIZE = 10_240

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

type Way = 'written' | 'moved' | 'written and moved'

interface Series {
  readonly way: Way | 'burst'
  readonly latencies: readonly number[]
  readonly torn: number
  readonly lost: number
  readonly twice: number
}

interface Watched {
  readonly service: Service
  readonly folder: string
  readonly outside: string
}

const contentOf = (name: string): Buffer => Buffer.alloc(SIZE, `${name} `)

function put(watched: Watched, name: string, way: Way): Wanted {
  const inside = join(watched.folder, name)
  if (way === 'written') writeFileSync(inside, contentOf(name))
  else {
    const outside = join(watched.outside, name)
    if (way === 'written and moved') writeFileSync(outside, contentOf(name))
    renameSync(outside, inside)
  }
  return { name, sha256: sha256(contentOf(name)), closedAt: preciseNow() }
}

const arrived = (watched: Watched, name: string): boolean =>
  watched.service.ledger.files().some((file) => file.filename === name)

async function series(watched: Watched, way: Way | 'burst', count: number): Promise<Series> {
  const names = Array.from({ length: count }, (_, i) => `${way.replaceAll(' ', '-')}-${i}.bin`)
  if (way === 'moved') {
    for (const name of names) writeFileSync(join(watched.outside, name), contentOf(name))
    await pause(OLD_MS)
  }
  const wanted: Wanted[] = []
  if (way === 'burst') for (const name of names) wanted.push(put(watched, name, 'written'))
  else
    for (const name of names) {
      wanted.push(put(watched, name, way))
      await until(() => arrived(watched, name), PATIENCE_MS)
      await pause(REST_MS)
    }
  await until(() => names.every((name) => arrived(watched, name)), PATIENCE_MS)
  // A second upload of the same file may arrive later than the first.
  await pause(way === 'burst' ? 1500 : 500)
  return { way, ...verdictOf(wanted, watched.service.ledger.files()) }
}

/**
 * The usual script, with both events that can signal a finished file. If it isn't stopped, it ends after a
 * minute without events.
 */
function startScript(watched: Watched): Running {
  const script = `inotifywait -m -q -t 60 -e close_write -e moved_to --format '%w%f' "$1" | while IFS= read -r file; do
    curl -sf -o /dev/null -H "Authorization: Bearer $2" -F "file=@$file" "$3"; done`
  const child = spawn(
    'sh',
    ['-c', script, 'sh', watched.folder, KEY, `${watched.service.url}/files/upload`],
    {
      stdio: 'ignore',
      detached: true,
    },
  )
  const whole = running(child)
  return {
    ...whole,
    stop: async () => {
      // The process group contains only this script.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await whole.stop()
    },
  }
}

async function watchedBy(
  room: Room,
  name: string,
  start: (watched: Watched) => Running,
  ways: readonly (readonly [Way | 'burst', number])[],
): Promise<readonly Series[]> {
  const home = join(room.home, `latency-${name}`)
  const watched: Watched = {
    folder: join(home, 'Share'),
    outside: join(home, 'Outside'),
    service: await createService({
      plan: 'enterprise',
      key: KEY,
      storage: 'discard',
      now: preciseNow,
      limits: { perMinute: 1e8, perDay: 1e9, dailyUploads: 1e9 },
    }),
  }
  mkdirSync(watched.folder, { recursive: true })
  mkdirSync(watched.outside)
  const program = start(watched)
  try {
    // Once such a file arrives, the program is watching. A script that wasn't ready yet misses the file, so
    // write another one.
    for (let i = 0; !watched.service.ledger.files().some((file) => file.filename.startsWith('first-')); i++) {
      if (i === 20 || program.ended()) throw new Error(`${name} does not upload`)
      put(watched, `first-${i}.bin`, 'written')
      await until(() => arrived(watched, `first-${i}.bin`), 1000)
    }
    await pause(1000)
    const done: Series[] = []
    for (const [way, count] of ways) done.push(await series(watched, way, count))
    return done
  } finally {
    await program.stop()
    await watched.service.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const tell = (one: Series): string =>
  `${one.way}: ${millis(percentile(one.latencies, 50))} p50, ${millis(percentile(one.latencies, 99))} p99, ${millis(Math.max(0, ...one.latencies))} last`

const faults = (all: readonly Series[]): string => {
  const sum = (pick: (one: Series) => number): number => all.reduce((total, one) => total + pick(one), 0)
  return `${sum((one) => one.torn)} torn, ${sum((one) => one.lost)} lost, ${sum((one) => one.twice)} twice`
}

export async function latency(room: Room): Promise<RowResult> {
  const count = room.sizes.latencyFiles
  const ways = [
    ['written', count],
    ['moved', count],
    ['written and moved', Math.ceil(count / 4)],
    ['burst', count],
  ] as const
  const ours = await watchedBy(
    room,
    'slipway',
    (watched) =>
      startCli(['watch', watched.folder, '--quiet'], {
        SLIPWAY_BASE_URL: watched.service.url,
        SLIPWAY_API_KEY: KEY,
        SLIPWAY_DATA_DIR: join(room.home, 'latency-data'),
      }),
    ways,
  )
  const peer =
    isInstalled('inotifywait') && isInstalled('curl')
      ? await watchedBy(room, 'script', startScript, ways)
      : null
  const at = (way: Series['way'], percent: number): number =>
    percentile(ours.find((one) => one.way === way)?.latencies ?? [], percent)
  const broken = ours.reduce((total, one) => total + one.torn + one.lost + one.twice, 0)
  return {
    row: 'S4',
    work: `from closing a file to the server having it, ${plain(count)} files`,
    slipway: [...ours.map(tell), faults(ours)],
    peers:
      peer === null
        ? ['inotifywait and curl: not installed']
        : ['inotifywait and curl:', ...peer.map(tell), faults(peer)],
    goals: [
      atMost('one by one p50 120 ms', at('written', 50), 120, millis),
      atMost('p99 500 ms', at('written', 99), 500, millis),
      atMost('moved in whole p50 60 ms', at('moved', 50), 60, millis),
      atMost('burst: last one 1.2 s', at('burst', 100), 1200, millis),
      atMost('0 torn, 0 lost, 0 twice', broken, 0, () => faults(ours)),
    ],
    notes: ['moved: written over 2 s before; written and moved: renamed at once'],
    failure: null,
    raw: { ours, peer },
  }
}

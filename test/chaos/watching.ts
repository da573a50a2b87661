// Goal F2: compares Slipway with a script based on inotifywait, and counts what each gets wrong: with files
// that are moved in, a tree that appears at once, files overwritten while they are sent, files written in two
// steps, and odd names.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256 } from '../scenario/cli-process.ts'
import { createService, type Service } from '../service/service.ts'
import { createPlace, type Place } from './process.ts'

export interface WatchFigures {
  /** Files that were never uploaded, out of 200 that are moved in. */
  readonly movedLost: number
  /** Files that were never uploaded, out of 1,000 in a tree that is written as fast as possible. */
  readonly treeLost: number
  /** Remote files that match no version of any file, after 20 files were overwritten 200 times in all. */
  readonly torn: number
  /** Uploads in excess of one for each of 200 files that are written in two steps. */
  readonly extra: number
  /** Files that were never uploaded, out of 20 with unusual names. */
  readonly oddLost: number
}

const ODD = [
  ' lead',
  'trail ',
  'two\nlines',
  'tab\there',
  'quote"s',
  "apo'strophe",
  'back\\slash',
  'semi;colon',
  'comma,name',
  '-rf',
  '$HOME',
  '`id`',
  'a&b',
  'emoji 🚀',
  'ünï',
  '%41',
  '*',
  'type=x',
  '@at',
  '...',
] as const

export async function watchFaults(who: 'slipway' | 'inotifywait'): Promise<WatchFigures> {
  const moved = await trial(who, async (at) => {
    mkdirSync(at.aside)
    for (let i = 0; i < 200; i++) at.put(join(at.aside, `moved ${i}`), `moved ${i}`)
    for (let i = 0; i < 200; i++) renameSync(join(at.aside, `moved ${i}`), join(at.folder, `moved ${i}`))
  })
  const tree = await trial(who, async (at) => {
    for (let d = 0; d < 50; d++) {
      mkdirSync(join(at.folder, `a${d % 5}/b${d}`), { recursive: true })
      for (let i = 0; i < 20; i++) at.put(join(at.folder, `a${d % 5}/b${d}/file ${i}`), `tree ${d} ${i}`)
    }
  })
  const torn = await trial(who, async (at) => {
    const half = 300_000
    for (let i = 0; i < 200; i++) at.put(join(at.folder, `over ${i % 20}`), `before ${i} `.repeat(half / 8))
    for (let i = 0; i < 200; i++) {
      // In place and in two parts, as a naive program saves.
      const [one, two] = [`first half ${i} `.repeat(half / 16), `second half ${i} `.repeat(half / 16)]
      const file = openSync(join(at.folder, `over ${i % 20}`), 'w')
      writeSync(file, one)
      await delay(15)
      writeSync(file, two)
      closeSync(file)
      at.versions.add(sha256(one + two))
    }
  })
  const steps = await trial(who, async (at) => {
    for (let i = 0; i < 200; i++) {
      const path = join(at.folder, `step ${i}`)
      writeFileSync(path, `head ${i}`)
      await delay(5)
      appendFileSync(path, ` and body ${i}`)
      at.versions.add(sha256(`head ${i} and body ${i}`))
      await delay(5)
    }
  })
  const odd = await trial(who, async (at) => {
    for (const name of ODD) at.put(join(at.folder, name), `odd ${name}`)
  })
  return {
    movedLost: moved.lost,
    treeLost: tree.lost,
    torn: torn.wrong,
    extra: Math.max(0, steps.uploads - 200),
    oddLost: odd.lost,
  }
}

interface At {
  readonly folder: string
  /** On the same disk, but not watched. */
  readonly aside: string
  readonly versions: Set<string>
  put(path: string, content: string): void
}

async function trial(
  who: 'slipway' | 'inotifywait',
  work: (at: At) => Promise<void>,
): Promise<{ readonly lost: number; readonly wrong: number; readonly uploads: number }> {
  const place = createPlace({ program: 'built', asNobody: false, preload: {}, env: {}, mostMs: 300_000 })
  const service = await createService({
    plan: 'custom',
    key: place.key,
    limits: { perMinute: 1e8, perDay: 1e9, dailyUploads: 1e9 },
    uploadBytesPerSecond: 20_000_000,
  })
  const versions = new Set<string>()
  const child =
    who === 'slipway'
      ? place.start(['watch', place.folder, '--json'], service.url).child
      : byInotify(place, service.url)
  await delay(1500)
  await work({
    folder: place.folder,
    aside: join(place.home, 'aside'),
    versions,
    put: (path, content) => {
      writeFileSync(path, content)
      versions.add(sha256(content))
    },
  })
  await still(service)
  // The script is a process group. Slipway is a single process that shuts down on its own.
  if (who === 'inotifywait' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  else child.kill('SIGTERM')
  // Overwritten versions may be missing. Callers ask only for files that were never overwritten.
  const live = service.ledger.live()
  const there = new Set(live.map((file) => file.sha256))
  const uploads = service.ledger.files().length
  const figures = {
    lost: [...versions].filter((hash) => !there.has(hash)).length,
    wrong: live.filter((file) => !versions.has(file.sha256)).length,
    uploads,
  }
  await new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(null)
    else child.once('close', resolve)
  })
  await service.close()
  place.remove()
  return figures
}

function byInotify(place: Place, url: string): ChildProcess {
  const script = `inotifywait -q -m -r -e close_write --format %w%f "$FOLDER" | while read -r file; do
    curl -sS -f -o /dev/null -H "Authorization: Bearer $KEY" -F "file=@\\"$file\\"" "$URL/files/upload" 2>/dev/null; done`
  return spawn('sh', ['-c', script], {
    stdio: 'ignore',
    detached: true,
    env: { PATH: process.env['PATH'], URL: url, KEY: place.key, FOLDER: place.folder },
  })
}

/** Resolves once nothing has arrived for three seconds. */
async function still(service: Service): Promise<void> {
  for (let last = -1, since = Date.now(); Date.now() - since < 3000; await delay(100)) {
    const now = service.requests.list().length
    if (now !== last) since = Date.now()
    last = now
  }
}

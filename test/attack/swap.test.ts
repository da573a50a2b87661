// Somebody with write access to a watched folder swaps a folder, or a file, with a link to private files of
// the same name, size and time. No byte of these may be read for an upload, whichever way a file is opened.
// An ignore file that is swapped may stop no upload.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DiskError, type Entry, type OpenFile } from '../../src-main/engine/ports.ts'
import { createDisk, type NodeDisk } from '../../src-main/platform/disk/disk.ts'
import { createInspection } from '../../src-main/platform/disk/inspection.ts'
import { smallTextSync } from '../../src-main/platform/disk/small-text.ts'
import { spawnWorker } from '../../src-main/platform/worker/spawn-worker.ts'
import { share } from '../tools/share.ts'
import type { Swap } from './swapper.ts'

const PRIVATE = 'AKIA'.padEnd(20, 'Q7')
const HARMLESS = '-'.repeat(PRIVATE.length)
const TIME = 1_700_000_000
/** Number of requests that are made at once, so that several small files are read in one step. */
const AT_ONCE = 8

let home = ''
let disk: NodeDisk
let swappers: Worker[] = []
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-attack-')))
  for (const [dir, text] of [
    ['private', PRIVATE],
    ['share/sub', HARMLESS],
  ] as const) {
    mkdirSync(join(home, dir), { recursive: true })
    write(join(home, dir, 'id.txt'), text)
  }
  disk = createDisk({ spawn: spawnWorker })
})
afterEach(async () => {
  await Promise.all(swappers.map((one) => one.terminate()))
  swappers = []
  await disk.close()
  rmSync(home, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  writeFileSync(path, text)
  utimesSync(path, TIME, TIME)
}

/** `place`: creates, at a path, what takes the place of the file or folder. */
function swap(name: string, place: (other: string) => void): void {
  const path = join(home, 'share', name)
  const workerData: Swap = { path, other: join(home, 'other'), aside: join(home, 'aside') }
  place(workerData.other)
  const worker = new Worker(new URL('swapper.ts', import.meta.url), { workerData })
  // After a test, a rename may fail because the folder is gone.
  worker.on('error', () => undefined)
  swappers.push(worker)
}

async function textOf(open: () => Promise<OpenFile>): Promise<string | null> {
  let file: OpenFile
  try {
    file = await open()
  } catch (error) {
    if (error instanceof DiskError) return null
    throw error
  }
  const into = Buffer.alloc(PRIVATE.length)
  await file.read(into, 0)
  await file.close()
  return into.toString()
}

/**
 * The answers, until `work` has been answered `count` times with the harmless file, and once by the place
 * that takes its turn: otherwise, the attack would prove nothing.
 */
async function tally(count: number, work: () => Promise<string | null>): Promise<ReadonlySet<string | null>> {
  const answers = new Map<string | null, number>()
  while ((answers.get(HARMLESS) ?? 0) < count || !answers.has(null))
    for (const answer of await Promise.all(Array.from({ length: AT_ONCE }, work)))
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
  return new Set(answers.keys())
}

describe.each([
  ['a folder', 'sub', 'private'],
  ['a file', 'sub/id.txt', 'private/id.txt'],
])('%s that is swapped with a link', (_what, name, target) => {
  const path = (): string => join(home, 'share/sub/id.txt')

  it.each([
    ['alone', 0],
    ['with others, in the disk thread', 1000],
  ])('lets no private byte out when its file is read %s', async (_how, wholeUpTo) => {
    await disk.list([home])
    swap(name, (other) => symlinkSync(join(home, target), other))
    const answers = await tally(share(300, 300_000), () =>
      textOf(async () => (await disk.openWhole?.(path(), wholeUpTo)) ?? disk.open(path())),
    )
    expect(answers).toEqual(new Set([HARMLESS, null]))
  })

  it('has no private file searched in its place', async () => {
    const inspection = createInspection({ spawn: spawnWorker })
    const [expected] = await disk.stat([join(home, 'private/id.txt')])
    swap(name, (other) => symlinkSync(join(home, target), other))
    const answers = await tally(share(100, 30_000), async () => {
      try {
        const found = await inspection.inspect(path(), expected as Entry, null)
        return found === 'changed' ? HARMLESS : PRIVATE
      } catch (error) {
        if (error instanceof DiskError) return null
        throw error
      }
    })
    await inspection.close()
    expect(answers).toEqual(new Set([HARMLESS, null]))
  })
})

describe.each<[string, (other: string) => void]>([
  ['a pipe', (other) => execFileSync('mkfifo', [other])],
  ['a device', (other) => symlinkSync('/dev/zero', other)],
  [
    'a huge file',
    (other) => {
      writeFileSync(other, '')
      truncateSync(other, 3 * 1024 ** 3)
    },
  ],
])('an ignore file that is swapped with %s', (_what, place) => {
  it.each<[string, (path: string) => string | null | Promise<string | null>]>([
    ['for the rules', (path) => disk.text(path)],
    ['for the watcher', smallTextSync],
  ])('is read %s, or counts as unreadable, without waiting', async (_reader, read) => {
    const path = join(home, 'share/.slipwayignore')
    write(path, '*.tmp')
    swap('.slipwayignore', place)
    const answers = new Set<string | null>()
    for (let n = 0; n < 300 || answers.size < 2; n++) answers.add(await read(path))
    expect(answers).toEqual(new Set(['*.tmp', null]))
  })
})

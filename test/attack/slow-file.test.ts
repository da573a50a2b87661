// A file made so that searching it for secrets takes forever, or all memory. It is held with that reason, and
// delays no other file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Entry, OpenFile } from '../../src-main/engine/ports.ts'
import { isLater } from '../../src-main/engine/rules/guard.ts'
import { createDisk } from '../../src-main/platform/disk/disk.ts'
import { createInspection, type NodeInspection } from '../../src-main/platform/disk/inspection.ts'
import { type SpawnWorker, spawnWorker } from '../../src-main/platform/worker/spawn-worker.ts'
import { inWorld } from '../scenario/cli-process.ts'

const KEY = '-----BEGIN RSA PRIVATE KEY-----'
const OTHERS = Array.from({ length: 20 }, (_, i) => `${i}.txt`)

/** As in spawn-worker.ts. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }
const spawn: SpawnWorker = (role) => {
  const url = new URL('../world/slow-search-worker.ts', import.meta.url)
  const worker = new Worker(url, {
    workerData: { slipwayRole: role, endless: 'endless', greedy: 'greedy' },
    resourceLimits,
  })
  worker.unref()
  return worker
}

describe.each(['endless', 'greedy'])('a file whose search is %s', (word) => {
  let dir = ''
  let inspection: NodeInspection
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'slipway-slow-'))
    for (const name of OTHERS) writeFileSync(join(dir, name), 'ordinary')
    writeFileSync(join(dir, 'slow.txt'), `${word} jdbc:mysql://${KEY}`)
    inspection = createInspection({ spawn })
  })
  afterEach(async () => {
    await inspection.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('is given up, and those behind it are searched before', async () => {
    const disk = createDisk({ spawn })
    const names = ['slow.txt', ...OTHERS]
    const entries = await disk.stat(names.map((name) => join(dir, name)))
    await disk.close()
    const answered: string[] = []
    const answers = await Promise.all(
      names.map(async (name, i) => {
        const entry = entries[i]
        if (entry === null || entry === undefined || 'code' in entry) throw new Error(`${name} is missing`)
        const found = await inspection.inspect(join(dir, name), entry, null)
        const last = isLater(found) ? await found.later : found
        answered.push(name)
        return last
      }),
    )
    expect(answers).toEqual(['unsearched', ...OTHERS.map(() => null)])
    // An endless search goes on until it has used up its time; one that needs too much memory ends soon.
    if (word === 'endless') expect(answered.at(-1)).toBe('slow.txt')
  })

  it('is read without its search, and so are those with it', async () => {
    const disk = createDisk({ spawn })
    await disk.list([dir])
    const open = async (name: string): Promise<OpenFile | null | undefined> =>
      disk.openWhole?.(join(dir, name), 1000)
    const files = await Promise.all(['slow.txt', ...OTHERS].map(open))
    expect(files[0]?.whole?.secret).toBeUndefined()
    // Afterwards, a thread searches again. On a busy machine, it may be idle for too long before it is asked, or give up.
    const again = async (): Promise<unknown> => {
      await disk.list([dir])
      return (await open('0.txt'))?.whole?.secret
    }
    await expect.poll(again).toBeNull()
    await disk.close()
  })
})

/** Takes longer to search than the first attempt may. */
const SLOW = 'password='.repeat(1 << 17)

it('many files that take long to search hold up no other search, and take up one thread', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-slow-'))
  const slow = ['1', '2', '3', '4', '5'].map((name) => `slow${name}`)
  for (const name of slow) writeFileSync(join(dir, name), SLOW)
  for (const name of OTHERS) writeFileSync(join(dir, name), 'ordinary '.repeat(10_000))
  const names = [...slow, ...OTHERS]
  let threads = 0
  const inspection = createInspection({ spawn: (role) => (threads++, spawnWorker(role)) })
  const disk = createDisk({ spawn: spawnWorker })
  const entries = await disk.stat(names.map((name) => join(dir, name)))
  let left = slow.length
  const found = await Promise.all(
    names.map(async (name, i) => {
      const first = await inspection.inspect(join(dir, name), entries[i] as Entry, null)
      if (!isLater(first)) return first === null && left > 0
      await first.later
      return --left
    }),
  )
  await Promise.all([inspection.close(), disk.close()])
  rmSync(dir, { recursive: true })
  expect(found.slice(slow.length)).toEqual(OTHERS.map(() => true))
  expect(threads).toBe(2)
})

it('many files that take long to search hold up no upload, and no Ctrl+C', () =>
  inWorld(async (place, service) => {
    // Each needs several times as long as its first attempt may take, on a machine of any speed.
    const slow = Array.from({ length: 12 }, (_, i) => `0-slow${i}.txt`)
    for (const name of slow) place.write(name, SLOW.repeat(4))
    for (const name of OTHERS) place.write(name, `ordinary ${name}`)
    const watch = place.start(['watch', place.folder], { url: service.url })
    const sent = (): readonly string[] => service.ledger.live().map(({ filename }) => filename)
    await expect.poll(sent).toEqual(expect.arrayContaining([...OTHERS]))
    const order = sent()
    const last = Math.max(...OTHERS.map((name) => order.indexOf(name)))
    expect(order.slice(0, last).filter((name) => slow.includes(name)).length).toBeLessThan(slow.length / 2)
    watch.child.kill('SIGINT')
    const { code } = await watch.ended
    expect(code).not.toBeNull()
  }))

it('a line with a secret is found in the search thread, and only in the file that was asked about', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-line-'))
  const path = join(dir, 'deploy.conf')
  writeFileSync(path, 'user = ada\ndb_password = k9Zq3vT7xWm2Lp8RbN4c\n')
  const inspection = createInspection({ spawn: spawnWorker })
  const disk = createDisk({ spawn: spawnWorker })
  const [entry] = await disk.stat([path])
  const lineOf = (mtime: number) => inspection.secretLine(path, { ...(entry as Entry), mtime }, null)
  const { mtime } = entry as Entry
  expect((await lineOf(mtime))?.line).toEqual({ number: 2, text: 'db_password = ••••••••' })
  expect(await lineOf(mtime + 1)).toBeNull()
  await Promise.all([inspection.close(), disk.close()])
  rmSync(dir, { recursive: true, force: true })
})

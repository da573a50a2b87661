// A file made so that searching it for secrets takes forever, or all memory. It is held with that reason, and
// delays no other file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDisk } from '../../src-main/platform/disk/disk.ts'
import { createInspection, type NodeInspection } from '../../src-main/platform/disk/inspection.ts'
import type { SpawnWorker } from '../../src-main/platform/worker/spawn-worker.ts'
import { secretRuleName } from '../../src-shared/i18n/de/secret-rules.ts'
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

  it('counts as a secret, and those behind it are searched before', async () => {
    const disk = createDisk({ spawn })
    const names = ['slow.txt', ...OTHERS]
    const entries = await disk.stat(names.map((name) => join(dir, name)))
    await disk.close()
    const answered: string[] = []
    const answers = await Promise.all(
      names.map(async (name, i) => {
        const entry = entries[i]
        if (entry === null || entry === undefined || 'code' in entry) throw new Error(`${name} is missing`)
        const found = await inspection.inspect(join(dir, name), entry)
        answered.push(name)
        return found
      }),
    )
    const rule = "couldn't be searched within 2 s"
    expect(answers).toEqual([{ rule }, ...OTHERS.map(() => null)])
    expect(secretRuleName(rule)).toBe('nicht in 2\u00a0s durchsuchbar')
    // An endless search goes on until it has used up its time; one that needs too much memory ends soon.
    if (word === 'endless') expect(answered.at(-1)).toBe('slow.txt')
  })

  it('is read without its search, and so are those with it', async () => {
    const disk = createDisk({ spawn })
    await disk.list([dir])
    const files = await Promise.all(['slow.txt', ...OTHERS].map((name) => disk.open(join(dir, name), 1000)))
    expect(files[0]?.whole?.secret).toBeUndefined()
    // Afterwards, the thread searches again.
    await disk.list([dir])
    const other = await disk.open(join(dir, '0.txt'), 1000)
    await Promise.all([...files, other].map((file) => file.close()))
    await disk.close()
    expect(other.whole?.secret).toBeNull()
  })
})

it('text that made expressions take minutes holds up no upload, and no Ctrl+C', () =>
  inWorld(async (place, service) => {
    for (const name of OTHERS) place.write(name, `ordinary ${name}`)
    place.write('slow.txt', 'jdbc:'.repeat(200_000))
    const watch = place.start(['watch', place.folder], { url: service.url })
    await expect
      .poll(() => service.ledger.live().filter(({ filename }) => OTHERS.includes(filename)).length)
      .toBe(OTHERS.length)
    watch.child.kill('SIGINT')
    const { code } = await watch.ended
    expect(code).not.toBeNull()
  }))

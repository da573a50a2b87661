// Electron archives in a user's folder are ordinary files, although Electron's file system treats them
// differently in every thread. test/world/asar-shim.ts imitates its hooks, in the disk's thread and in a
// process that does what the engine's thread does.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, it } from 'vitest'
import { entriesOf } from '../../../src-main/engine/find/entries.ts'
import { createDisk } from '../../../src-main/platform/disk/disk.ts'
import { ROOT } from '../../tools/tree.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const SHIM = new URL('../../world/asar-shim.ts', import.meta.url)
const ENTRY = new URL('../../../src-main/platform/worker/worker-main.ts', import.meta.url)

let dir = ''
beforeEach(() => {
  dir = tempFolder()
  // A header as in an actual archive: sizes as pickles, then its files as JSON.
  const json = '{"files":{"package.json":{"size":2,"offset":"0"}}}'
  const header = Buffer.alloc(16)
  header.writeUInt32LE(4, 0)
  header.writeUInt32LE(json.length + 8, 4)
  header.writeUInt32LE(json.length + 4, 8)
  header.writeUInt32LE(json.length, 12)
  writeFileSync(join(dir, 'valid.asar'), Buffer.concat([header, Buffer.from(`${json}{}`)]))
  writeFileSync(join(dir, 'bogus.asar'), 'not an archive')
  writeFileSync(join(dir, 'plain.txt'), 'plain')
})

describe('an archive of Electron in a folder', () => {
  it('is listed, looked at and read as the file it is', async () => {
    const disk = createDisk({
      spawn: (role) =>
        new Worker(ENTRY, { workerData: { slipwayRole: role }, execArgv: ['--import', SHIM.href] }),
    })
    try {
      const [list] = await disk.list([dir])
      if (list === undefined) throw new Error('no list')
      expect({
        failure: list.failure,
        seen: [...entriesOf(list)].map((e) => `${e.name} ${e.kind}`).toSorted(),
      }).toEqual({
        failure: null,
        seen: ['bogus.asar file', 'plain.txt file', 'valid.asar file'],
      })
      const stats = await disk.stat([join(dir, 'valid.asar'), join(dir, 'bogus.asar')])
      expect(stats).toMatchObject([{ kind: 'file' }, { kind: 'file', size: 14 }])
    } finally {
      await disk.close()
    }
  })

  it('is resolved and opened as the file it is by the thread of the engine', async () => {
    const program = `
      await import(${JSON.stringify(join(ROOT, 'src-main/platform/disk/no-asar.ts'))})
      const { createDisk } = await import(${JSON.stringify(join(ROOT, 'src-main/platform/disk/disk.ts'))})
      const disk = createDisk({ spawn: () => { throw new Error('no thread') } })
      const out = []
      for (const path of ${JSON.stringify(['valid.asar', 'bogus.asar'].map((name) => join(dir, name)))}) {
        const found = await disk.resolve(path)
        const file = await disk.open(path)
        out.push(found.entry?.kind ?? found.code, file.first.kind)
        await file.close()
      }
      console.log(out.join(' '))`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      SHIM.href,
      '--input-type=module',
      '-e',
      program,
    ])
    expect(stdout.trim()).toBe('file file file file')
  })
})

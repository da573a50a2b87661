// Slipway's own files are moved and replaced although another program has them open for a moment. Windows is
// simulated: it refuses the given number of attempts.
import * as sync from 'node:fs'
import * as promises from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { journalFiles } from '../../../src-main/platform/data/journal-files.ts'
import { renamePatiently, renamePatientlySync } from '../../../src-main/platform/data/patient-rename.ts'
import { writePrivateFile } from '../../../src-main/platform/data/private-file.ts'
import { createSpool } from '../../../src-main/platform/data/spool.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const refused = vi.hoisted(() => ({ code: '', times: 0, attempts: 0 }))
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>()
  return { ...real, renameSync: (from: string, to: string) => attempt(() => real.renameSync(from, to)) }
})
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>()
  return { ...real, rename: async (from: string, to: string) => attempt(() => real.rename(from, to)) }
})

function attempt<T>(run: () => T): T {
  refused.attempts++
  if (refused.attempts > refused.times) return run()
  throw Object.assign(new Error(`${refused.code}: refused`), { code: refused.code })
}

const { platform } = process
function on(system: NodeJS.Platform): void {
  Object.defineProperty(process, 'platform', { value: system })
}

let dir = ''
beforeEach(() => {
  dir = tempFolder()
  Object.assign(refused, { code: '', times: 0, attempts: 0 })
})
afterEach(() => {
  on(platform)
})

const WRITES: Readonly<Record<string, () => Promise<unknown>>> = {
  'settings are written': async () => {
    writePrivateFile(join(dir, 'settings.json'), 'after')
    return sync.readFileSync(join(dir, 'settings.json'), 'utf8')
  },
  'a journal is set aside': async () => {
    sync.writeFileSync(join(dir, 'journal.db'), 'after')
    journalFiles.rename(join(dir, 'journal.db'), join(dir, 'aside'))
    return sync.readFileSync(join(dir, 'aside'), 'utf8')
  },
  'standard input is stored': async () =>
    promises.readFile(
      await createSpool(dir).put(Readable.from(['after']), 'a.txt', new AbortController().signal),
      'utf8',
    ),
}

describe.each(Object.keys(WRITES))('%s', (name) => {
  const write = async (): Promise<unknown> => WRITES[name]?.()

  it.each(['EPERM', 'EACCES', 'EBUSY'])('on Windows once the other program is done (%s)', async (code) => {
    on('win32')
    Object.assign(refused, { code, times: 3 })
    expect(await write()).toBe('after')
    expect(refused.attempts).toBe(4)
  })

  it('not at all if the disk refuses for another reason', async () => {
    on('win32')
    Object.assign(refused, { code: 'EIO', times: 1 })
    await expect(write()).rejects.toMatchObject({ code: 'EIO' })
    expect(refused.attempts).toBe(1)
  })
})

it('fails at once on other systems, where no open file is in the way', async () => {
  on('linux')
  Object.assign(refused, { code: 'EACCES', times: 2 })
  expect(() => renamePatientlySync(join(dir, 'a'), join(dir, 'b'))).toThrow('EACCES')
  await expect(renamePatiently(join(dir, 'a'), join(dir, 'b'))).rejects.toThrow('EACCES')
  expect(refused.attempts).toBe(2)
})

it('gives up with the reason if the other program stays', () => {
  on('win32')
  Object.assign(refused, { code: 'EBUSY', times: 1000 })
  expect(() => writePrivateFile(join(dir, 'settings.json'), 'after')).toThrow('EBUSY')
  expect(sync.readdirSync(dir)).toEqual([])
})

// Real paths on drives whose system doesn't name them: simulated ones, and on Wine, which doesn't name long
// paths, real ones.
import * as fs from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSpool } from '../../../src-main/platform/data/spool.ts'
import { createDisk } from '../../../src-main/platform/disk/disk.ts'
import { type DiskAnswer, type DiskRequest, serveDisk } from '../../../src-main/platform/disk/disk-worker.ts'
import { hasLinkAbove, hasLinkAboveSync } from '../../../src-main/platform/disk/open-inside.ts'
import { usualForm } from '../../../src-main/platform/disk/real-path.ts'
import { spawnWorker } from '../../../src-main/platform/worker/spawn-worker.ts'
import { tidyPasted } from '../../../src-main/shell/intake/pasted-files.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const drive = vi.hoisted(() => ({ code: '' }))
function refuse(): void {
  if (drive.code !== '') throw Object.assign(new Error(`${drive.code}: realpath`), { code: drive.code })
}
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>()
  const native = (path: string, options: BufferEncoding): string => {
    refuse()
    return real.realpathSync.native(path, options)
  }
  return { ...real, realpathSync: Object.assign((path: string) => real.realpathSync(path), { native }) }
})
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>()
  const realpath = async (path: string, options: BufferEncoding): Promise<string> => {
    refuse()
    return real.realpath(path, options)
  }
  return { ...real, realpath }
})

const { platform } = process
function on(system: NodeJS.Platform): void {
  Object.defineProperty(process, 'platform', { value: system })
}

let dir = ''
beforeEach(() => {
  dir = tempFolder()
  drive.code = ''
})
afterEach(() => {
  on(platform)
})

async function resolved(path: string): Promise<string> {
  const disk = createDisk({ spawn: spawnWorker })
  try {
    const found = await disk.resolve(path)
    return 'code' in found ? found.code : found.real
  } finally {
    await disk.close()
  }
}

/** The same question to the code of the disk's thread, which answers once that thread runs. */
async function resolvedByThread(path: string): Promise<string> {
  const { port1, port2 } = new MessageChannel()
  try {
    serveDisk(port2)
    const answered = new Promise<DiskAnswer>((resolve) => port1.once('message', resolve))
    port1.postMessage({ id: 1, kind: 'resolve', path } satisfies DiskRequest)
    const answer = await answered
    if (answer.kind !== 'resolve') throw new Error(answer.kind)
    return 'code' in answer.found ? answer.found.code : answer.found.real
  } finally {
    port1.close()
  }
}

describe.each(['EISDIR', 'EINVAL', 'UNKNOWN'])('on a drive for which Windows answers %s', (code) => {
  it('a file is found and lies below no link', async () => {
    const file = join(dir, 'a.txt')
    fs.writeFileSync(file, 'a')
    on('win32')
    drive.code = code
    expect([await resolved(dir), await resolvedByThread(dir)]).toEqual([dir, dir])
    expect([await hasLinkAbove(file), hasLinkAboveSync(file)]).toEqual([false, false])
  })

  it('standard input is kept, and pasted files are tidied up', async () => {
    drive.code = code
    const link = { call: vi.fn(() => Promise.resolve({ ok: true, value: [] })) }
    fs.writeFileSync(join(dir, 'Text.txt'), 'pasted')
    on('win32')
    const path = await createSpool(join(dir, 'spool')).put(
      Readable.from(['piped']),
      'in.txt',
      new AbortController().signal,
    )
    await tidyPasted({ dir, link: link as never, now: Date.now() + 30 * 86_400_000 })
    expect(fs.readFileSync(path, 'utf8')).toBe('piped')
    expect(link.call).toHaveBeenCalledWith('transfers', expect.objectContaining({ search: 'Text.txt' }))
  })

  it('a missing file is missing', async () => {
    on('win32')
    drive.code = code
    expect([await resolved(join(dir, 'none')), await resolvedByThread(join(dir, 'none'))]).toEqual([
      'gone',
      'gone',
    ])
    await expect(hasLinkAbove(join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(() => hasLinkAboveSync(join(dir, 'none'))).toThrow('ENOENT')
  })
})

it('other answers, and those of other systems, are errors', async () => {
  for (const [system, code, failure] of [
    ['win32', 'EACCES', 'denied'],
    ['linux', 'UNKNOWN', 'io'],
  ] as const) {
    on(system)
    drive.code = code
    expect([await resolved(dir), await resolvedByThread(dir)]).toEqual([failure, failure])
    await expect(hasLinkAbove(dir)).rejects.toMatchObject({ code })
    expect(() => hasLinkAboveSync(dir)).toThrow(code)
  }
})

it('a file with a path of more than 260 characters is opened', async () => {
  const deep = join(dir, ...Array.from({ length: 8 }, () => 'x'.repeat(40)))
  fs.mkdirSync(deep, { recursive: true })
  fs.writeFileSync(join(deep, 'a.txt'), 'deep')
  expect(await resolved(deep)).toBe(deep)
  const disk = createDisk({ spawn: spawnWorker })
  const file = await disk.open(join(deep, 'a.txt'))
  expect(await file.read(new Uint8Array(8), 0)).toBe(4)
  await file.close()
  await disk.close()
})

it.each([
  ['\\\\?\\C:\\Sub\\a.txt', 'C:\\Sub\\a.txt'],
  ['c:\\Sub\\a.txt', 'C:\\Sub\\a.txt'],
  ['\\\\?\\c:\\', 'C:\\'],
  ['\\\\?\\UNC\\server\\share\\a.txt', '\\\\server\\share\\a.txt'],
  ['\\\\server\\share\\a.txt', '\\\\server\\share\\a.txt'],
  ['\\\\?\\Volume{01}\\a.txt', '\\\\?\\Volume{01}\\a.txt'],
])('the usual form of %s is %s', (path, usual) => {
  expect(usualForm(path)).toBe(usual)
})

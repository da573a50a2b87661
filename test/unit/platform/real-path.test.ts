// Real paths on drives whose system doesn't name them: simulated ones, and on Wine, which doesn't name long paths, real ones.
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDisk } from '../../../src-main/platform/disk/disk.ts'
import { hasLinkAbove, hasLinkAboveSync } from '../../../src-main/platform/disk/link-above.ts'
import { spawnWorker } from '../../../src-main/platform/worker/spawn-worker.ts'

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
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'slipway-real-')))
  drive.code = ''
})
afterEach(() => {
  on(platform)
  fs.rmSync(dir, { recursive: true, force: true })
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

describe.each(['EISDIR', 'EINVAL', 'UNKNOWN'])('on a drive for which Windows answers %s', (code) => {
  it('a file is found and lies below no link', async () => {
    const file = join(dir, 'a.txt')
    fs.writeFileSync(file, 'a')
    on('win32')
    drive.code = code
    expect(await resolved(dir)).toBe(dir)
    expect([await hasLinkAbove(file), hasLinkAboveSync(file)]).toEqual([false, false])
  })

  it('a missing file is missing', async () => {
    on('win32')
    drive.code = code
    expect(await resolved(join(dir, 'none'))).toBe('gone')
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
    expect(await resolved(dir)).toBe(failure)
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

// Inode numbers that a JavaScript number can't represent exactly, as on NTFS, and access that Windows denies
// only temporarily. These numbers and errors are made up, so that both are tested on every system.
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DiskError } from '../../../src-main/engine/ports.ts'
import { patiently } from '../../../src-main/platform/disk/disk-errors.ts'
import { exactId, isRounded, lookAt, statOpen, withExactId } from '../../../src-main/platform/disk/inode.ts'
import { tempFolder } from '../../world/temp-folder.ts'

describe('exactId', () => {
  /** As on NTFS: a reuse counter above 48 bits with the record's number. */
  const ntfs = (reuses: number, record: number): bigint => (BigInt(reuses) << 48n) | BigInt(record)

  it('tells neighbours apart that a rounded number does not', () => {
    const [one, next] = [ntfs(1200, 5_000_001), ntfs(1200, 5_000_002)]
    expect(Number(one)).toBe(Number(next))
    expect(exactId(one)).not.toBe(exactId(next))
  })

  it('is exact for every record of a disk, and stays as it is where it fits', () => {
    const ids = Array.from({ length: 3000 }, (_, i) => exactId(ntfs(40_000, 2 ** 30 + i)))
    expect(new Set(ids).size).toBe(3000)
    expect(ids.every(Number.isSafeInteger)).toBe(true)
    expect([exactId(42), exactId(42n), exactId(ntfs(31, 7))]).toEqual([42, 42, Number(ntfs(31, 7))])
  })

  it('replaces a rounded number alone', () => {
    const dir = tempFolder()
    const file = join(dir, 'a')
    writeFileSync(file, 'a')
    const stats = lstatSync(file)
    expect(isRounded(stats)).toBe(false)
    expect(withExactId(stats, null).ino).toBe(stats.ino)
    expect(isRounded({ ino: Number(ntfs(1200, 1)) })).toBe(true)
    expect(withExactId(stats, { ino: ntfs(1200, 9) }).ino).toBe(exactId(ntfs(1200, 9)))
  })
})

it.skipIf(process.platform === 'win32')(
  'lookAt follows a link where it is asked to, and finds nothing where nothing is',
  () => {
    const dir = tempFolder()
    const link = join(dir, 'link')
    writeFileSync(join(dir, 'a'), 'a')
    symlinkSync('a', link)
    expect(lookAt(link, false)?.isSymbolicLink()).toBe(true)
    expect(lookAt(link, true)?.ino).toBe(statSync(link).ino)
    expect(lookAt(join(dir, 'nothing'), false)).toBeUndefined()
  },
)

it('statOpen tells neighbours apart, as the stats of an open file and those of its path must agree', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-id-'))
  const file = join(dir, 'a')
  writeFileSync(file, 'a')
  const fd = openSync(file, 'r')
  try {
    const big = (1200n << 48n) | 5_000_001n
    // As Node answers on NTFS: a rounded number, unless a BigInt is asked for.
    const ntfs = (at: number, options?: { bigint: true }) =>
      options === undefined
        ? Object.assign(fstatSync(at), { ino: Number(big) })
        : Object.assign(fstatSync(at, options), { ino: big })
    expect(statOpen(fd, ntfs as typeof fstatSync).ino).toBe(exactId(big))
    expect(statOpen(fd).ino).toBe(statSync(file).ino)
  } finally {
    closeSync(fd)
    rmSync(dir, { recursive: true })
  }
})

describe('a file that is denied', () => {
  const attempts = async (platform: NodeJS.Platform, answers: readonly (string | null)[]) => {
    let at = 0
    let waited = 0
    const open = async (): Promise<string> => {
      const code = answers[Math.min(at++, answers.length - 1)]
      if (code === 'denied' || code === 'busy') throw new DiskError({ code, message: code })
      return 'opened'
    }
    const pause = async (ms: number): Promise<void> => {
      waited += ms
    }
    const result = await patiently(platform, open, pause).catch((error: unknown) =>
      error instanceof DiskError ? error.failure.code : error,
    )
    return { result, at, waited }
  }

  it('is opened on Windows once the virus scanner or the deletion is through', async () => {
    expect(await attempts('win32', ['denied', 'denied', null])).toMatchObject({ result: 'opened', at: 3 })
  })

  it('is believed to be denied after two seconds', async () => {
    const { result, waited } = await attempts('win32', ['denied'])
    expect(result).toBe('denied')
    expect(waited).toBeGreaterThan(1000)
    expect(waited).toBeLessThan(3000)
  })

  it('is not asked for twice on other systems, nor where another program has it open', async () => {
    expect(await attempts('linux', ['denied'])).toEqual({ result: 'denied', at: 1, waited: 0 })
    expect(await attempts('win32', ['busy'])).toEqual({ result: 'busy', at: 1, waited: 0 })
  })
})

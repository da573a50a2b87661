// Second names, copies and the bin on the real disk. The bin is that of the freedesktop.org specification, so its
// tests run on Linux.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMover } from '../../../src-main/platform/disk/mover.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const GOING = new AbortController().signal
const mover = createMover()
let home = ''
beforeEach(() => {
  home = tempFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
})
const at = (name: string): string => join(home, name)
const read = (name: string): string => readFileSync(at(name), 'utf8')

describe('a file', () => {
  it('gets a second name, and none that is taken', async () => {
    writeFileSync(at('a'), 'a')
    writeFileSync(at('taken'), 'theirs')
    expect(await mover.link(at('a'), at('b'))).toBe('made')
    expect(await mover.link(at('a'), at('taken'))).toBe('taken')
    expect(await mover.link(at('a'), at('missing/b'))).toMatchObject({ code: 'gone' })
    expect([statSync(at('b')).ino === statSync(at('a')).ino, read('taken')]).toEqual([true, 'theirs'])
  })

  it('is copied with its time and permissions, to a free name only, and completely or not at all', async () => {
    writeFileSync(at('a'), 'x'.repeat(3_000_000))
    utimesSync(at('a'), 1_700_000_000.25, 1_700_000_000.25)
    writeFileSync(at('taken'), 'theirs')
    chmodSync(at('a'), 0o644)
    const umask = process.umask(0o077)
    try {
      expect(await mover.copy(at('a'), at('b'), GOING)).toBe('made')
    } finally {
      process.umask(umask)
    }
    expect(statSync(at('b')).mode).toBe(statSync(at('a')).mode)
    expect([statSync(at('b')).mtimeMs, read('b') === read('a')]).toEqual([1_700_000_000_250, true])
    expect(await mover.copy(at('a'), at('taken'), GOING)).toBe('taken')
    expect(read('taken')).toBe('theirs')
    await expect(mover.copy(at('a'), at('c'), AbortSignal.abort())).rejects.toThrow()
    expect(existsSync(at('c'))).toBe(false)
  })

  it.skipIf(process.platform === 'win32')('isn’t copied through a link', async () => {
    writeFileSync(at('secret'), 's')
    symlinkSync(at('secret'), at('link'))
    expect(await mover.copy(at('link'), at('b'), GOING)).toMatchObject({ code: 'loop' })
  })

  it('is renamed and removed, with the reason if that fails', async () => {
    writeFileSync(at('a'), 'a')
    expect(await mover.rename(at('a'), at('b'))).toBeNull()
    expect(await mover.rename(at('a'), at('b'))).toMatchObject({ code: 'gone' })
    expect(await mover.remove(at('b'))).toBeNull()
    expect(await mover.remove(at('b'))).toMatchObject({ code: 'gone' })
    await mover.sync(home)
  })
})

it.runIf(process.platform === 'linux')('on another drive, a file has to be copied', async () => {
  const other = tempFolder('/dev/shm')
  writeFileSync(at('a'), 'a')
  expect(statSync(other).dev).not.toBe(statSync(home).dev)
  expect(await mover.link(at('a'), join(other, 'a'))).toBe('other-drive')
})

describe.runIf(process.platform === 'linux')('the bin', () => {
  const { bin } = mover
  if (bin === null || !('reserve' in bin)) throw new Error('no bin')
  const reserve = async (path: string): Promise<string> => {
    const slot = await bin.reserve(path)
    if ('code' in slot) throw new Error(slot.message)
    return slot.to
  }
  const noteOf = (to: string): string =>
    readFileSync(to.replace('/files/', '/info/').concat('.trashinfo'), 'utf8')

  it('notes where a file is from, in the way that file managers read', async () => {
    vi.stubEnv('XDG_DATA_HOME', at('data'))
    const path = at('50% ä.txt')
    writeFileSync(path, 'a')
    const to = await reserve(path)
    expect(to).toBe(at('data/Trash/files/50% ä.txt'))
    const [head, from, date] = noteOf(to).split('\n')
    expect([head, from]).toEqual(['[Trash Info]', `Path=${home}/50%25%20%C3%A4.txt`])
    expect(date).toMatch(/^DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    expect(statSync(at('data/Trash')).mode & 0o777).toBe(0o700)
    await bin.forget(to)
    expect(readdirSync(at('data/Trash/info'))).toEqual([])
  })

  it('gives each file a name of its own, and the same again after an interruption', async () => {
    vi.stubEnv('XDG_DATA_HOME', at('data'))
    for (const dir of ['one', 'two']) {
      mkdirSync(at(dir))
      writeFileSync(at(`${dir}/a.txt`), dir)
    }
    const first = await reserve(at('one/a.txt'))
    expect(await reserve(at('one/a.txt'))).toBe(first)
    expect(await reserve(at('two/a.txt'))).toBe(at('data/Trash/files/a 2.txt'))
    expect(await mover.link(at('one/a.txt'), first)).toBe('made')
    expect(await reserve(at('one/a.txt'))).toBe(at('data/Trash/files/a 3.txt'))
    expect(await bin.reserve(at('missing'))).toMatchObject({ code: 'gone' })
  })

  it('is on the file’s own drive, with the path from there', async () => {
    vi.stubEnv('XDG_DATA_HOME', at('data'))
    const other = mkdtempSync('/dev/shm/slipway-mover-')
    const wasThere = readdirSync('/dev/shm').some((name) => name.startsWith('.Trash-'))
    const path = join(other, 'a.txt')
    writeFileSync(path, 'a')
    const to = await reserve(path)
    expect(to).toMatch(/^\/dev\/shm\/\.Trash-\d+\/files\/a( \d+)?\.txt$/)
    expect(noteOf(to)).toContain(`\nPath=${path.slice('/dev/shm/'.length)}\n`)
    await bin.forget(to)
    rmSync(other, { recursive: true, force: true })
    if (!wasThere) rmSync(dirname(dirname(to)), { recursive: true, force: true })
  })
})

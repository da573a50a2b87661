// The same tests with the real disk and the one in memory, so that what scenario tests prove with the fake also holds for the real one.
// Times are compared by order, inodes by equality. local.test.ts covers what only a real disk can do.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { entriesOf } from '../../../src-main/engine/discovery/scan/entries.ts'
import { type Disk, DiskError, type Entry } from '../../../src-main/engine/ports.ts'
import { createDisk } from '../../../src-main/platform/disk/disk.ts'
import { spawnWorker } from '../../../src-main/platform/worker/spawn-worker.ts'
import { createFakeClock } from '../../world/fake-clock.ts'
import { createMemDisk } from '../../world/mem-disk.ts'

interface Subject {
  readonly disk: Disk
  readonly root: string
  write(name: string, data: string): void
  append(name: string, data: string): void
  mkdir(name: string): void
  rename(from: string, to: string): void
  remove(name: string): void
  symlink(target: string, name: string): void
  setMtime(name: string, mtime: number): void
  /** Removes or restores the permission to search a directory. */
  seal(name: string, sealed: boolean): void
  /** Waits until timestamps differ. */
  pass(): Promise<void>
  end(): Promise<void>
}

const subjects: Readonly<Record<string, () => Subject>> = {
  'the real disk': () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-conformance-')))
    const disk = createDisk({ spawn: spawnWorker })
    return {
      disk,
      root,
      write: (name, data) => writeFileSync(join(root, name), data),
      append: (name, data) => appendFileSync(join(root, name), data),
      mkdir: (name) => mkdirSync(join(root, name), { recursive: true }),
      rename: (from, to) => renameSync(join(root, from), join(root, to)),
      remove: (name) => rmSync(join(root, name), { recursive: true }),
      symlink: (target, name) => symlinkSync(target, join(root, name)),
      setMtime: (name, mtime) => utimesSync(join(root, name), mtime / 1000, mtime / 1000),
      seal: (name, sealed) => chmodSync(join(root, name), sealed ? 0o600 : 0o700),
      pass: () => new Promise((resolve) => setTimeout(resolve, 20)),
      end: async () => {
        await disk.close()
        rmSync(root, { recursive: true, force: true })
      },
    }
  },
  'the disk in memory': () => {
    const clock = createFakeClock()
    const disk = createMemDisk(clock)
    disk.mkdir('/root')
    const at = (name: string): string => `/root/${name}`
    return {
      disk,
      root: '/root',
      write: (name, data) => disk.write(at(name), data),
      append: (name, data) => disk.append(at(name), data),
      mkdir: (name) => disk.mkdir(at(name)),
      rename: (from, to) => disk.rename(at(from), at(to)),
      remove: (name) => disk.remove(at(name)),
      symlink: (target, name) => disk.symlink(target, at(name)),
      setMtime: (name, mtime) => disk.setMtime(at(name), mtime),
      seal: (name, sealed) => disk.seal(at(name), sealed),
      pass: () => clock.advance(20),
      end: async () => undefined,
    }
  },
}

describe.each(Object.keys(subjects))('%s', (name) => {
  let subject: Subject | null = null
  const open = (): Subject => {
    const made = subjects[name]
    if (made === undefined) throw new Error('no such subject')
    subject = made()
    return subject
  }
  afterEach(async () => {
    await subject?.end()
    subject = null
  })
  const stat = async (s: Subject, file: string): Promise<Entry> => {
    const [found] = await s.disk.stat([`${s.root}/${file}`])
    if (found == null || 'code' in found) throw new Error(`${file} is not there`)
    return found
  }

  it('lists names, kinds and sizes, and follows nothing', async () => {
    const s = open()
    s.write('a.txt', 'abc')
    s.write('empty', '')
    s.mkdir('dir/below')
    s.symlink('a.txt', 'link')
    s.symlink('nowhere', 'broken')
    const [list] = await s.disk.list([s.root])
    if (list === undefined) throw new Error('no list')
    const seen = [...entriesOf(list)].map((e) => `${e.name} ${e.kind} ${e.kind === 'file' ? e.size : ''}`.trim()).toSorted()
    expect(seen).toEqual(['a.txt file 3', 'broken link', 'dir dir', 'empty file 0', 'link link'])
  })

  // Root may access everything, and Windows has no such permission. There, only the disk in memory can refuse.
  if (name !== 'the real disk' || (process.platform !== 'win32' && process.getuid?.() !== 0))
    it('lists names that it can not look at as unreadable, and leaves none out', async () => {
      const s = open()
      s.mkdir('dir')
      s.write('dir/a.txt', 'abc')
      s.write('dir/b.txt', 'abc')
      s.seal('dir', true)
      const [list] = await s.disk.list([`${s.root}/dir`])
      const [single] = await s.disk.stat([`${s.root}/dir/a.txt`])
      s.seal('dir', false)
      if (list === undefined) throw new Error('no list')
      expect([...entriesOf(list)].map((e) => `${e.name} ${e.kind} ${e.size}`).toSorted()).toEqual([
        'a.txt unreadable 0',
        'b.txt unreadable 0',
      ])
      expect(single).toMatchObject({ code: 'denied' })
    })

  it('says what can not be listed', async () => {
    const s = open()
    s.write('file', 'x')
    const lists = await s.disk.list([`${s.root}/nothing`, `${s.root}/file`])
    expect(lists.map((l) => l.failure?.code)).toEqual(['gone', 'not-a-directory'])
  })

  it('keeps the inode over a rename and a write, and not over a new file', async () => {
    const s = open()
    s.write('a', 'one')
    const first = await stat(s, 'a')
    await s.pass()
    s.rename('a', 'b')
    const renamed = await stat(s, 'b')
    expect(renamed.ino).toBe(first.ino)
    expect(renamed.mtime).toBe(first.mtime)
    expect(renamed.ctime).toBeGreaterThan(first.ctime)
    await s.pass()
    s.append('b', ' more')
    const written = await stat(s, 'b')
    expect(written.ino).toBe(first.ino)
    expect(written.mtime).toBeGreaterThan(first.mtime)
    s.write('other', 'x')
    expect((await stat(s, 'other')).ino).not.toBe(first.ino)
    expect((await s.disk.stat([`${s.root}/a`]))[0]).toBeNull()
  })

  it('shows a time that was set back, and that it was', async () => {
    const s = open()
    s.write('a', 'one')
    const before = await stat(s, 'a')
    await s.pass()
    s.setMtime('a', 1_600_000_000_000)
    const after = await stat(s, 'a')
    expect(after.mtime).toBe(1_600_000_000_000)
    expect(after.ctime).toBeGreaterThan(before.ctime)
  })

  it('reads an open file whatever becomes of its name', async () => {
    const s = open()
    s.write('a', 'hello world')
    const file = await s.disk.open(`${s.root}/a`)
    s.rename('a', 'b')
    const into = new Uint8Array(5)
    expect(await file.read(into, 6)).toBe(5)
    expect(Buffer.from(into).toString()).toBe('world')
    expect(await file.read(into, 11)).toBe(0)
    expect((await file.stat()).size).toBe(11)
    expect(file.first.size).toBe(11)
    s.append('b', ' and more')
    expect((await file.stat()).size).toBe(20)
    expect(file.first.size).toBe(11)
    await file.close()
  })

  it('opens regular files alone', async () => {
    const s = open()
    s.mkdir('dir')
    s.write('a', 'x')
    s.symlink('a', 'link')
    for (const [path, code] of [
      ['dir', 'loop'],
      ['link', 'loop'],
      ['nothing', 'gone'],
    ] as const) {
      const error = await s.disk.open(`${s.root}/${path}`).catch((e: unknown) => e)
      expect(error).toBeInstanceOf(DiskError)
      expect(error instanceof DiskError && error.failure.code).toBe(code)
    }
  })

  it('resolves links to what they name, and says where they go round', async () => {
    const s = open()
    s.write('a', 'x')
    s.symlink('a', 'link')
    s.symlink('round', 'round')
    const found = await s.disk.resolve(`${s.root}/link`)
    expect('code' in found ? found.code : found.real).toBe(`${s.root}/a`)
    const round = await s.disk.resolve(`${s.root}/round`)
    expect('code' in round && round.code).toBe('loop')
    const gone = await s.disk.resolve(`${s.root}/nothing`)
    expect('code' in gone && gone.code).toBe('gone')
  })

  it('gives small texts', async () => {
    const s = open()
    s.write('rules', '*.log\n')
    expect(await s.disk.text(`${s.root}/rules`)).toBe('*.log\n')
    expect(await s.disk.text(`${s.root}/nothing`)).toBeNull()
    s.remove('rules')
    expect(await s.disk.text(`${s.root}/rules`)).toBeNull()
  })
})

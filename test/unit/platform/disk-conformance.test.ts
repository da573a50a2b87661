// The same tests with the real disk and the one in memory, so that what scenario tests prove with the fake
// also holds for the real one. The fake is tested like each file system, and the real disk has to agree with
// the one of its system. Times are compared by order, inodes by equality. local.test.ts covers what only a
// real disk can do.
import {
  appendFileSync,
  chmodSync,
  chownSync,
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
import { entriesOf } from '../../../src-main/engine/find/entries.ts'
import { type Disk, DiskError, type Entry } from '../../../src-main/engine/ports.ts'
import { createDisk } from '../../../src-main/platform/disk/disk.ts'
import { spawnWorker } from '../../../src-main/platform/worker/spawn-worker.ts'
import { createFakeClock } from '../../world/fake-clock.ts'
import type { FileSystem } from '../../world/file-systems.ts'
import { createMemDisk } from '../../world/mem-disk.ts'
import { slashes } from '../../world/slashes.ts'

const isRoot = process.getuid?.() === 0
/** The user without rights, on Linux; on macOS any that isn't root would do. */
const NOBODY = 65_534

interface Subject {
  readonly disk: Disk
  /** What the tests' folder for temporary files is on: the usual file system of each platform. */
  readonly fileSystem: Exclude<FileSystem, 'fat'>
  readonly root: string
  write(name: string, data: string | Uint8Array): void
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
      fileSystem: process.platform === 'win32' ? 'ntfs' : process.platform === 'darwin' ? 'apfs' : 'ext4',
      root,
      write: (name, data) => writeFileSync(join(root, name), data),
      append: (name, data) => appendFileSync(join(root, name), data),
      mkdir: (name) => mkdirSync(join(root, name), { recursive: true }),
      rename: (from, to) => renameSync(join(root, from), join(root, to)),
      remove: (name) => rmSync(join(root, name), { recursive: true }),
      symlink: (target, name) => symlinkSync(target, join(root, name)),
      setMtime: (name, mtime) => utimesSync(join(root, name), mtime / 1000, mtime / 1000),
      seal: (name, sealed) => {
        if (isRoot && !sealed) process.seteuid?.(0)
        chmodSync(join(root, name), sealed ? 0o600 : 0o700)
        // Root can look at everything, so it becomes another user, who owns the folders.
        if (!isRoot || !sealed) return
        for (const path of [root, join(root, name)]) chownSync(path, NOBODY, NOBODY)
        process.seteuid?.(NOBODY)
      },
      pass: () => new Promise((resolve) => setTimeout(resolve, 20)),
      end: async () => {
        if (isRoot) process.seteuid?.(0)
        await disk.close()
        rmSync(root, { recursive: true, force: true })
      },
    }
  },
  'the disk in memory': () => inMemory('ext4'),
  'the disk in memory, like NTFS': () => inMemory('ntfs'),
  'the disk in memory, like APFS': () => inMemory('apfs'),
}

function inMemory(fileSystem: Subject['fileSystem']): Subject {
  const clock = createFakeClock()
  const disk = createMemDisk(clock, { fileSystem })
  disk.mkdir('/root')
  const at = (name: string): string => `/root/${name}`
  return {
    disk,
    fileSystem,
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

  const names = async (s: Subject): Promise<readonly string[]> => {
    const [list] = await s.disk.list([s.root])
    if (list === undefined) throw new Error('no list')
    return [...entriesOf(list)].map((entry) => entry.name).toSorted()
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
    const seen = [...entriesOf(list)]
      .map((e) => `${e.name} ${e.kind} ${e.kind === 'file' ? e.size : ''}`.trim())
      .toSorted()
    expect(seen).toEqual(['a.txt file 3', 'broken link', 'dir dir', 'empty file 0', 'link link'])
  })

  // Windows has no such permission, so there only the disk in memory can refuse.
  if (name !== 'the real disk' || process.platform !== 'win32')
    it('lists names that it can not look at as unreadable, and leaves none out', async () => {
      const s = open()
      s.mkdir('dir')
      s.write('dir/a.txt', 'abc')
      s.write('dir/b.txt', 'abc')
      // The disk's threads load their code while this user can read it.
      await s.disk.list([`${s.root}/dir`])
      await s.disk.stat([`${s.root}/dir/a.txt`])
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
    expect('code' in found ? found.code : slashes(found.real)).toBe(slashes(`${s.root}/a`))
    const round = await s.disk.resolve(`${s.root}/round`)
    expect('code' in round && round.code).toBe('loop')
    const gone = await s.disk.resolve(`${s.root}/nothing`)
    expect('code' in gone && gone.code).toBe('gone')
  })

  it('follows a link in place of a directory, but opens nothing by way of it', async () => {
    const s = open()
    s.mkdir('elsewhere/deep')
    s.write('elsewhere/a', 'abc')
    s.write('elsewhere/deep/b', 'abcd')
    s.symlink('elsewhere', 'docs')
    expect(
      [await stat(s, 'docs'), await stat(s, 'docs/a'), await stat(s, 'docs/deep/b')].map(({ kind }) => kind),
    ).toEqual(['link', 'file', 'file'])
    expect((await stat(s, 'docs/a')).ino).toBe((await stat(s, 'elsewhere/a')).ino)
    expect((await s.disk.stat([`${s.root}/docs/nothing`]))[0]).toBeNull()
    const lists = await s.disk.list([`${s.root}/docs`, `${s.root}/docs/deep`])
    expect(lists.map((list) => [...entriesOf(list)].map((e) => e.name).toSorted())).toEqual([
      ['a', 'deep'],
      ['b'],
    ])
    for (const [path, code] of [
      ['docs/a', 'loop'],
      ['docs/deep/b', 'loop'],
      ['docs/nothing', 'gone'],
    ] as const) {
      const error = await s.disk.open(`${s.root}/${path}`).catch((e: unknown) => e)
      expect(error instanceof DiskError && error.failure.code).toBe(code)
    }
  })

  it('finds a file in another letter case as its file system does, and keeps the name that it has', async () => {
    const s = open()
    s.write('Größe.txt', 'one')
    const [other] = await s.disk.stat([`${s.root}/GRÖßE.TXT`])
    const file = await stat(s, 'Größe.txt')
    if (s.fileSystem === 'ext4') expect(other).toBeNull()
    else expect(other).toMatchObject({ ino: file.ino, size: 3 })
    s.write('GRÖßE.TXT', 'more')
    expect(await names(s)).toEqual(s.fileSystem === 'ext4' ? ['GRÖßE.TXT', 'Größe.txt'] : ['Größe.txt'])
    expect((await stat(s, 'Größe.txt')).size).toBe(s.fileSystem === 'ext4' ? 3 : 4)
    // NTFS compares letter by letter.
    if (s.fileSystem !== 'apfs') expect((await s.disk.stat([`${s.root}/GRÖSSE.TXT`]))[0]).toBeNull()
  })

  it('renames in letter case alone', async () => {
    const s = open()
    s.write('photo.jpg', 'x')
    const { ino } = await stat(s, 'photo.jpg')
    s.rename('photo.jpg', 'Photo.JPG')
    expect(await names(s)).toEqual(['Photo.JPG'])
    expect((await stat(s, 'Photo.JPG')).ino).toBe(ino)
  })

  it('tells the forms of an accent apart as its file system does', async () => {
    const s = open()
    s.write('caf\u00e9', 'one')
    s.write('cafe\u0301', 'more')
    expect(await names(s)).toEqual(s.fileSystem === 'apfs' ? ['caf\u00e9'] : ['cafe\u0301', 'caf\u00e9'])
  })

  it('refuses the names that its file system refuses', async () => {
    const s = open()
    const odd = ['a"b', 'a*b', 'a<b', 'a>b', 'a?b', 'a|b', 'a\u0001b', 'a\nb']
    const refused = odd.filter((one) => {
      try {
        s.write(one, 'x')
        return false
      } catch {
        return true
      }
    })
    expect(refused).toEqual(s.fileSystem === 'ntfs' ? odd : [])
    expect(await names(s)).toEqual(s.fileSystem === 'ntfs' ? [] : odd.toSorted())
    const gone = await s.disk.open(`${s.root}/b?`).catch((e: unknown) => e)
    expect(gone instanceof DiskError && gone.failure.code).toBe('gone')
  })

  // Programs that use Windows' short form of paths can't create these, but others can, and Node finds them.
  it('has files that are named like devices, or end in a dot', async () => {
    const s = open()
    for (const one of ['a.', 'aux', 'com1.txt', 'nul']) s.write(one, 'abc')
    expect(await names(s)).toEqual(['a.', 'aux', 'com1.txt', 'nul'])
    expect((await stat(s, 'aux')).size).toBe(3)
    expect((await stat(s, 'a.')).size).toBe(3)
  })

  it('gives small texts', async () => {
    const s = open()
    s.write('rules', '*.log\n')
    expect(await s.disk.text(`${s.root}/rules`)).toBe('*.log\n')
    expect(await s.disk.text(`${s.root}/nothing`)).toBeNull()
    // As Windows PowerShell and old editors write them.
    for (const bytes of ['fffe61000a00', 'feff0061000a', 'efbbbf610a']) {
      s.write('rules', Buffer.from(bytes, 'hex'))
      expect(await s.disk.text(`${s.root}/rules`)).toBe('a\n')
    }
    s.remove('rules')
    expect(await s.disk.text(`${s.root}/rules`)).toBeNull()
  })

  it.each<readonly [string, (text: string) => Uint8Array]>([
    ['UTF-8', (text) => Buffer.from(text)],
    // As `>` writes it in Windows PowerShell.
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, the high byte first', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('gives small texts in %s', async (_encoding, encode) => {
    const s = open()
    s.write('rules', encode('*.log\r\nGehälter/\r\n'))
    expect(await s.disk.text(`${s.root}/rules`)).toBe('*.log\r\nGehälter/\r\n')
  })
})

// A real one is needed only where a drive is shared with other systems, and no machine of the tests has any.
describe('the disk in memory, like FAT', () => {
  it('records times in steps of two seconds, and no change time', async () => {
    const clock = createFakeClock()
    const disk = createMemDisk(clock, { fileSystem: 'fat' })
    disk.mkdir('/root')
    const seen = async (): Promise<readonly (number | undefined)[]> => {
      const [found] = await disk.stat(['/root/a'])
      return found == null || 'code' in found ? [] : [found.size, found.mtime, found.ctime]
    }
    const start = clock.now()
    disk.write('/root/a', 'one')
    await clock.advance(1999)
    disk.append('/root/a', ' more')
    expect(await seen()).toEqual([8, start, start])
    await clock.advance(1)
    disk.chmod('/root/a')
    expect(await seen()).toEqual([8, start, start])
    disk.append('/root/a', '!')
    expect(await seen()).toEqual([9, start + 2000, start + 2000])
    disk.setMtime('/root/a', 1_600_000_001_500)
    expect(await seen()).toEqual([9, 1_600_000_000_000, 1_600_000_000_000])
    expect(() => disk.rename('/root/a', '/root/a?')).toThrow(/refuses/)
    expect(await seen()).toHaveLength(3)
  })
})

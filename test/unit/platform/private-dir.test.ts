// Which folders Slipway uses for itself: a new or private one, never one that others use, and it never
// changes permissions behind the user's back. Also the owner lock with a damaged file, which is emptied
// without letting a second engine in.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DataFolderError,
  type FolderFacts,
  judgeFolder,
  makePrivateDir,
  verdictOf,
} from '../../../src-main/platform/data/private-dir.ts'
import { acquireOwner } from '../../../src-main/platform/host/owner-lock.ts'
import { tempFolder } from '../../world/temp-folder.ts'

let home = ''
beforeEach(() => {
  home = tempFolder()
})

const made = (name: string, mode: number, ...files: readonly string[]): string => {
  const path = join(home, name)
  mkdirSync(path)
  for (const file of files) writeFileSync(join(path, file), '')
  chmodSync(path, mode)
  return path
}
const modeOf = (path: string): number => statSync(path).mode & 0o7777

describe('verdictOf', () => {
  const shared: FolderFacts = {
    kind: 'dir',
    mode: 0o755,
    isOwn: true,
    names: () => ['accounts.lock'],
    name: 'data',
  }

  it('accepts a folder that another process made private between the two looks', () => {
    const looks = [shared, { ...shared, mode: 0o700 }]
    expect(verdictOf(() => looks.shift() ?? shared)).toEqual({ use: 'as-is' })
  })

  it('refuses a folder that both looks refuse', () => {
    expect(verdictOf(() => shared)).toMatchObject({ use: 'no', fix: 'other-folder' })
  })
})

describe('makePrivateDir', () => {
  it('creates a folder, and those above it, for this user alone', () => {
    makePrivateDir(join(home, 'a/b/c'))
    expect([modeOf(join(home, 'a')), modeOf(join(home, 'a/b')), modeOf(join(home, 'a/b/c'))]).toEqual([
      0o700, 0o700, 0o700,
    ])
  })

  it.each([
    ['empty, for all', 0o777, []],
    ['empty, readable by others', 0o755, []],
    ['used by Slipway before', 0o755, ['journal.db', 'notes.txt']],
  ])('makes a folder of ours private: %s', (_name, mode, files) => {
    const path = made('own', mode, ...files)
    makePrivateDir(path)
    expect(modeOf(path)).toBe(0o700)
  })

  it.each([
    ['sticky, as /tmp is', 0o1777, [], /shared with other users \(mode 1777\)/],
    ['writable by others, with files', 0o777, ['journal.db'], /other users can write to it \(mode 0777\)/],
    ['writable by the group, with files', 0o770, ['notes.txt'], /other users can write to it/],
    ['readable, with other files', 0o755, ['notes.txt'], /contains other files/],
  ])('refuses and leaves alone a folder that is %s', (_name, mode, files, why) => {
    const path = made('shared', mode, ...files)
    expect(() => makePrivateDir(path)).toThrow(why)
    expect(() => makePrivateDir(path)).toThrow(DataFolderError)
    expect(modeOf(path)).toBe(mode)
  })

  it('refuses files, links, and places where no folder can be made, at once', () => {
    writeFileSync(join(home, 'file'), '')
    symlinkSync(home, join(home, 'link'))
    for (const path of [
      join(home, 'file'),
      join(home, 'link'),
      join(home, 'file/below'),
      '/proc/x',
      '/proc/x/y',
    ])
      expect(() => makePrivateDir(path), path).toThrow(/The data folder .* can't be used: /)
  })

  it('takes no folder of another user', () => {
    const facts = { kind: 'dir', mode: 0o700, names: () => [], name: 'x' } as const
    expect(judgeFolder({ ...facts, isOwn: false })).toEqual({
      use: 'no',
      why: 'it belongs to another user',
      fix: 'other-folder',
    })
    expect(judgeFolder({ ...facts, isOwn: null, mode: 0o777 })).toEqual({ use: 'as-is' })
    expect(
      judgeFolder({ ...facts, isOwn: true, mode: 0o750, names: () => ['Preferences'], name: 'Slipway' }),
    ).toEqual({ use: 'tighten' })
  })
})

describe('owner lock on a damaged file', () => {
  it('empties it, keeps what was in it, and lets one in', () => {
    const file = join(home, 'owner.db')
    const junk = Buffer.alloc(5000, 'no database')
    writeFileSync(file, junk)
    const first = acquireOwner(file)
    expect(first.ok).toBe(true)
    expect(acquireOwner(file).ok).toBe(false)
    expect(readFileSync(`${file}.damaged`).equals(junk)).toBe(true)
    if (first.ok) first.release()
    const second = acquireOwner(file)
    expect(second.ok).toBe(true)
    if (second.ok) second.release()
  })

  it('takes a damaged file from nobody who holds it', () => {
    const file = join(home, 'owner.db')
    const holder = acquireOwner(file)
    writeFileSync(file, Buffer.alloc(5000, 'no database'), { flag: 'r+' })
    expect(acquireOwner(file)).toEqual({ ok: false })
    expect(existsSync(`${file}.damaged`)).toBe(false)
    if (holder.ok) holder.release()
  })

  it('says what helps where the file is a folder', () => {
    mkdirSync(join(home, 'owner.db'))
    expect(() => acquireOwner(join(home, 'owner.db'))).toThrow(/is not a file/)
  })
})

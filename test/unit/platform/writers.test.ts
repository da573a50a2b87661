// Detecting that another program has a file open, as on Windows, by opening it without sharing: what each
// error code means. The errors are stubbed here; local.test.ts uses the real system. On Linux: for which
// files the programs that write to them may be invisible.
import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isOpenToOthers, isSharedDrive } from '../../../src-main/platform/disk/hidden-writers.ts'
import { knowsWriters, openElsewhere } from '../../../src-main/platform/disk/writers.ts'
import { ROOT } from '../../tools/tree.ts'

describe('openElsewhere', () => {
  it('takes a refusal to share for an open file, and nothing else', () => {
    const asked: number[] = []
    const closed: number[] = []
    const open = (path: string, flags: number): number => {
      asked.push(flags)
      if (path === 'free') return 7
      throw Object.assign(new Error(path), { code: path })
    }
    expect(
      openElsewhere(['free', 'EBUSY', 'ENOENT', 'EPERM', 'EACCES'], open, (fd) => closed.push(fd)),
    ).toEqual(['EBUSY'])
    expect(closed).toEqual([7])
    expect(new Set(asked)).toEqual(new Set([constants.O_RDONLY | 0x1000_0000]))
  })
})

describe('knowsWriters', () => {
  it.each([
    ['linux', 'pid:[4026531836]', true],
    // A container, a Flatpak or WSL.
    ['linux', 'pid:[4026532274]', false],
    // /proc isn't mounted.
    ['linux', null, false],
    ['win32', null, true],
    ['darwin', null, false],
    ['freebsd', null, false],
  ] as const)('%s in %s: %s', (platform, namespace, expected) => {
    expect(knowsWriters(platform, namespace)).toBe(expected)
  })
})

describe('isOpenToOthers', () => {
  const me = { uid: 1000, gid: 1000, seesAll: false }
  it.each([
    ['a file of one’s own', { uid: 1000, gid: 1000, mode: 0o100644 }, false],
    ['a file that one’s primary group may write to', { uid: 1000, gid: 1000, mode: 0o100664 }, false],
    [
      'a file of a shared group that only its owner may write to',
      { uid: 1000, gid: 50, mode: 0o100644 },
      false,
    ],
    ['a file that a shared group may write to', { uid: 1000, gid: 50, mode: 0o100664 }, true],
    ['a file that everyone may write to', { uid: 1000, gid: 1000, mode: 0o100646 }, true],
    ['a file of another user', { uid: 1001, gid: 1000, mode: 0o100644 }, true],
    ['a file of root', { uid: 0, gid: 0, mode: 0o100644 }, true],
  ])('%s', (_what, file, expected) => {
    expect(isOpenToOthers(file, me)).toBe(expected)
    expect(isOpenToOthers(file, { ...me, seesAll: true })).toBe(false)
  })
})

describe('isSharedDrive', () => {
  it.each<readonly [string, number, boolean]>([
    ['ext4', 0xef53, false],
    ['btrfs', 0x9123683e, false],
    ['tmpfs', 0x01021994, false],
    ['NFS', 0x6969, true],
    ['SMB', 0xff534d42, true],
    ['9p', 0x01021997, true],
    ['FUSE', 0x65735546, true],
    ['an unknown type', 0x12345678, true],
  ])('%s: %s', (_what, type, expected) => {
    expect(isSharedDrive(type)).toBe(expected)
  })
})

it.skipIf(process.platform !== 'linux')(
  'a user who is not root has hidden writers in deleted files, in files of others and on unknown drives only',
  () => {
    const module = pathToFileURL(join(ROOT, 'src-main/platform/disk/hidden-writers.ts')).href
    const code = `import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
    import { hasHiddenWriters, hasHiddenWritersLater } from ${JSON.stringify(module)}
    if (process.geteuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
    const dir = mkdtempSync(${JSON.stringify(join(tmpdir(), 'slipway-writers-'))})
    writeFileSync(dir + '/own.txt', 'own')
    const gone = dir + '/gone.txt'
    writeFileSync(gone, 'gone')
    const stats = lstatSync(gone)
    rmSync(gone)
    const found = [[hasHiddenWriters(gone, stats), await hasHiddenWritersLater(gone, stats)]]
    for (const path of [dir + '/own.txt', '/etc/passwd', '/proc/self/status', dir])
      found.push([hasHiddenWriters(path, lstatSync(path)), await hasHiddenWritersLater(path, lstatSync(path))])
    rmSync(dir, { recursive: true })
    console.log(JSON.stringify(found))`
    expect(
      JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })),
    ).toEqual([
      [true, true],
      [false, false],
      [true, true],
      [true, true],
      [false, false],
    ])
  },
)

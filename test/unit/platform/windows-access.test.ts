// Who may access the data folder on Windows. The programs that change that are stubbed, so that this runs on
// every system.
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import type { WindowsParts } from '../../../src-main/platform/data/windows-access.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const SID = 'S-1-5-21-1-2-3-1001'
const WHOAMI = ['C:\\WINDOWS\\System32\\whoami.exe', '/user', '/fo', 'csv', '/nh']
const OWNER = ['C:\\WINDOWS\\System32\\cmd.exe', '/d', '/c', 'dir', '/q', '/ad']
const icacls = (dir: string): readonly string[] => [
  'C:\\WINDOWS\\System32\\icacls.exe',
  dir,
  '/inheritance:r',
  '/grant:r',
  `*${SID}:(OI)(CI)F`,
  '*S-1-5-18:(OI)(CI)F',
  '*S-1-5-32-544:(OI)(CI)F',
  '/remove:g',
  '*S-1-1-0',
  '*S-1-5-11',
  '*S-1-5-4',
  '*S-1-5-32-545',
  '*S-1-5-32-546',
  '/q',
]

let root = ''
let restrictAccess: typeof import('../../../src-main/platform/data/windows-access.ts')['restrictAccess']
let accessFault: (dir: string) => string | null

/** A process remembers the folders that it has checked. */
async function nextProcess(): Promise<void> {
  vi.resetModules()
  ;({ restrictAccess, accessFault } = await import('../../../src-main/platform/data/windows-access.ts'))
}

beforeEach(async () => {
  await nextProcess()
  root = tempFolder()
})

function made(name: string, ...files: readonly string[]): string {
  const dir = join(mkdtempSync(join(root, 'd-')), name)
  mkdirSync(dir)
  for (const file of files) writeFileSync(join(dir, file), '')
  return dir
}

/** A folder's name and files. */
const named = (name: string, ...files: readonly string[]): readonly [string, ...string[]] => [name, ...files]

/** The programs' output for a folder of `owner`, if this user is `user`. */
const answers =
  (owner: string, user = 'pc\\ada', sid = SID): WindowsParts['run'] =>
  (program) =>
    program.endsWith('whoami.exe')
      ? `"${user}","${sid}"\r\n`
      : program.endsWith('cmd.exe')
        ? [
            ' Volume in drive D has no label.',
            '26.11.2026  15:00    <DIR>          ' + owner.padEnd(23) + '.',
            '26.11.2026  14:00    <DIR>          ' + 'BUILTIN\\Administrators'.padEnd(23) + '..',
            '26.11.2026  14:00    <DIR>          ' + 'pc\\ada'.padEnd(23) + 'pasted',
          ].join('\r\n')
        : ''

/**
 * The programs that a check of a folder runs, which this process has created unless `isNew` is false. `more`:
 * replaced parts.
 */
function checked(
  dir: string,
  more: Partial<WindowsParts> = {},
  isNew = true,
): readonly (readonly string[])[] {
  const ran: (readonly string[])[] = []
  const run = more.run ?? answers('PC\\ada')
  restrictAccess(dir, isNew, {
    env: { SYSTEMROOT: 'C:\\WINDOWS' },
    home: 'C:\\Users\\ada',
    realPath: (path) => path,
    ...more,
    run: (program, args, cwd) => {
      expect(cwd).toBe(dir)
      ran.push([program, ...args])
      return run(program, args, cwd)
    },
  })
  return ran
}

it('restricts a new folder to this user, the system and administrators, once', async () => {
  const dir = made('data')
  expect(checked(dir)).toEqual([WHOAMI, icacls(dir)])
  expect(accessFault(dir)).toBe(null)
  expect(checked(dir)).toEqual([])
  await nextProcess()
  writeFileSync(join(dir, 'journal.db'), '')
  expect(checked(dir)).toEqual([])
  expect(accessFault(dir)).toBe(null)
})

it('restricts a copy of the folder again', () => {
  const dir = made('data')
  checked(dir)
  writeFileSync(join(dir, 'journal.db'), '')
  const copy = made('copy')
  cpSync(dir, copy, { recursive: true })
  expect(existsSync(join(copy, 'access.json'))).toBe(true)
  expect(checked(copy, {}, false)).toEqual([WHOAMI, OWNER, icacls(copy)])
})

it.each([
  ['is empty', []],
  [
    'contains only files of Slipway',
    [
      'journal.db',
      'journal.db-wal',
      'owner.db',
      'settings.json',
      'slipway.log.1',
      'control.key',
      'window',
      'accounts',
    ],
  ],
])('restricts an existing folder of this user that %s', (_why, files) => {
  const dir = made('data', ...files)
  expect(checked(dir, {}, false)).toEqual([WHOAMI, OWNER, icacls(dir)])
  expect(accessFault(dir)).toBe(null)
})

it.each([
  ['a folder with a file that only looks like Slipway’s', named('Work', 'settings.json'), 'PC\\ada'],
  ['a folder named like Slipway', named('Slipway', 'notes.txt'), 'PC\\ada'],
  ['a folder with other files beside the journal', named('data', 'journal.db', 'team-plan.docx'), 'PC\\ada'],
  ['another user’s folder with a journal', named('data', 'journal.db', 'owner.db'), 'PC\\bob'],
  ['an empty folder of another user', named('data'), 'BUILTIN\\Administrators'],
  ['a folder whose owner’s name is cut off', named('data'), 'PC\\a'],
  ['a folder whose owner isn’t known', named('data'), '...'],
])('never changes %s, not even once Slipway has used it', async (_what, [name, ...files], owner) => {
  const dir = made(name, ...files)
  for (let process = 0; process < 3; process++) {
    const ran = checked(dir, { run: answers(owner) }, false)
    expect(ran.filter(([program]) => program?.endsWith('icacls.exe'))).toEqual([])
    if (process > 0) expect(ran).toEqual([])
    expect(accessFault(dir)).toBe('it existed before Slipway first used it, so its access was left unchanged')
    writeFileSync(join(dir, 'journal.db'), '')
    await nextProcess()
  }
})

it('never changes a user’s folder in which a service of the system starts first', () => {
  const dir = made('data', 'journal.db')
  const ran = checked(dir, { run: answers('PC\\ada', 'nt authority\\system', 'S-1-5-18') }, false)
  expect(ran).toEqual([WHOAMI, OWNER])
})

it('does not mistake two users for one if their names have letters that can not be decoded', () => {
  const dir = made('data', 'journal.db')
  expect(checked(dir, { run: answers('PC\\j\ufffdrg', 'pc\\j\ufffdrg') }, false)).toEqual([WHOAMI])
})

it.each(['home', 'APPDATA', 'LOCALAPPDATA'])(
  'leaves a folder below %s as it is, because it inherits the profile’s access',
  (name) => {
    const dir = made('Slipway')
    const own = join(dir, '..')
    expect(checked(dir, name === 'home' ? { home: own } : { env: { [name]: own } })).toEqual([])
    expect(accessFault(dir)).toBe(null)
    expect(existsSync(join(dir, 'access.json'))).toBe(false)
  },
)

it('never changes the root of a drive', () => {
  const drive = resolve('/')
  expect(checked(drive)).toEqual([])
  expect(accessFault(drive)).toBe('it is the root of a drive')
})

it('leaves a folder on a server as it is, and says so', () => {
  const dir = made('data')
  expect(checked(dir, { realPath: () => '\\\\server\\share\\data' })).toEqual([])
  expect(accessFault(dir)).toBe('it is on a network drive')
})

it('leaves folders inside a checked one as they are', () => {
  const dir = made('data')
  checked(dir)
  const inner = join(dir, 'accounts')
  mkdirSync(inner)
  expect(checked(inner)).toEqual([])
})

it.each([
  [
    'a disk without permissions',
    (program: string) => (program.endsWith('whoami.exe') ? `"pc\\ada","${SID}"` : null),
    'failed',
  ],
  ['an unknown user', () => 'odd', "this user's ID couldn't be read"],
])('stops nothing and says why it failed: %s', (_name, answer, why) => {
  const dir = made('data')
  const run = (program: string): string => {
    const said = answer(program)
    if (said === null) throw new Error('failed')
    return said
  }
  expect(() => checked(dir, { run })).not.toThrow()
  expect(accessFault(dir)).toBe(why)
  expect(existsSync(join(dir, 'access.json'))).toBe(false)
})

it('gives the inherited access back if this user has lost access', () => {
  const dir = made('data')
  const run = (program: string): string => {
    if (program.endsWith('whoami.exe')) return `"pc\\ada","${SID}"`
    // The record can't be written.
    mkdirSync(join(dir, 'access.json'), { recursive: true })
    return ''
  }
  const ran = checked(dir, { run })
  expect(ran.at(-1)).toEqual(['C:\\WINDOWS\\System32\\icacls.exe', dir, '/inheritance:e', '/q'])
  expect(accessFault(dir)).toMatch(/EISDIR|EPERM/)
})

it.runIf(process.platform !== 'win32')(
  'is done for a data folder before anything is written to it',
  async () => {
    const { makePrivateDir } = await import('../../../src-main/platform/data/private-dir.ts')
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    try {
      const dir = join(root, 'data')
      makePrivateDir(dir)
      // The programs of Windows aren't here.
      expect(accessFault(dir)).toMatch(/whoami\.exe ENOENT/)
    } finally {
      platform.mockRestore()
    }
  },
)

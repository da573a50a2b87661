// Who may access the data folder on Windows. The programs that change that are stubbed, so that this runs on every system.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WindowsParts } from '../../../src-main/platform/data/windows-access.ts'

const SID = 'S-1-5-21-1-2-3-1001'
const WHOAMI = ['C:\\WINDOWS\\System32\\whoami.exe', '/user', '/fo', 'csv', '/nh']
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
  root = mkdtempSync(join(tmpdir(), 'slipway-access-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function made(name: string, ...files: readonly string[]): string {
  const dir = join(mkdtempSync(join(root, 'd-')), name)
  mkdirSync(dir)
  for (const file of files) writeFileSync(join(dir, file), '')
  return dir
}

/** The programs that a check runs. `more` replaces parts of the system. */
function checked(dir: string, more: Partial<WindowsParts> = {}): readonly (readonly string[])[] {
  const ran: (readonly string[])[] = []
  const run = more.run ?? ((program) => (program.endsWith('whoami.exe') ? `"pc\\ada","${SID}"\r\n` : ''))
  restrictAccess(dir, {
    env: { SYSTEMROOT: 'C:\\WINDOWS' },
    home: 'C:\\Users\\ada',
    realPath: (path) => path,
    ...more,
    run: (program, args) => {
      ran.push([program, ...args])
      return run(program, args)
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
  const dir = made('data', 'journal.db')
  checked(dir)
  const copy = made('copy')
  cpSync(dir, copy, { recursive: true })
  expect(existsSync(join(copy, 'access.json'))).toBe(true)
  expect(checked(copy)).toEqual([WHOAMI, icacls(copy)])
})

it.each([
  ['is named like the app', 'Slipway', 'notes.txt'],
  ['was used before', 'data', 'journal.db'],
])('restricts a folder that %s', (_why, name, file) => {
  const dir = made(name, file, 'other.txt')
  expect(checked(dir)).toEqual([WHOAMI, icacls(dir)])
})

it('never changes a folder with other files, not even once Slipway has used it', async () => {
  const dir = made('data', 'notes.txt')
  for (let process = 0; process < 3; process++) {
    expect(checked(dir)).toEqual([])
    expect(accessFault(dir)).toBe('it contained other files before Slipway used it')
    writeFileSync(join(dir, 'journal.db'), '')
    await nextProcess()
  }
})

it.each(['home', 'APPDATA', 'LOCALAPPDATA'])('leaves a folder below %s as it is, because it inherits the profile’s access', (name) => {
  const dir = made('Slipway')
  const own = join(dir, '..')
  expect(checked(dir, name === 'home' ? { home: own } : { env: { [name]: own } })).toEqual([])
  expect(accessFault(dir)).toBe(null)
  expect(existsSync(join(dir, 'access.json'))).toBe(false)
})

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
  ['a disk without permissions', (program: string) => (program.endsWith('whoami.exe') ? `"pc\\ada","${SID}"` : null), 'failed'],
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

it.runIf(process.platform !== 'win32')('is done for a data folder before anything is written to it', async () => {
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
})

// Restricts the data folder on Windows to this user, the system and administrators. In the user's profile, a
// folder inherits such access. Elsewhere, for example in C:\data, it inherits access for every user of the
// computer, who could then read the secret in control.key. It is changed once per folder; a file in it
// records that, along with the folder's ID, because a copy inherits access from its new parent. A folder that
// existed before keeps its access, unless it is this user's and empty, or contains only Slipway's files.
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve, win32 } from 'node:path'
import { z } from 'zod'
import { realPathSync } from '../disk/real-path.ts'
import { isOnlyOwn } from './own-folder.ts'

const RECORD = 'access.json'
/** Maximum time for each of the programs. Usually, they take less than 0.1 seconds. */
const PROGRAM_MS = 5000
const SYSTEM = 'S-1-5-18'
const ADMINISTRATORS = 'S-1-5-32-544'
/**
 * Everyone, Authenticated Users, Interactive, Users, Guests: access that may have been granted to the folder
 * itself.
 */
const EVERYBODY = ['S-1-1-0', 'S-1-5-11', 'S-1-5-4', 'S-1-5-32-545', 'S-1-5-32-546']

const Recorded = z.object({ folder: z.string(), access: z.enum(['restricted', 'unchanged']) })
type Access = z.infer<typeof Recorded>['access']

export interface WindowsParts {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Runs a program in a folder and returns its output. Throws if it fails or takes too long. */
  readonly run: (program: string, args: readonly string[], cwd: string) => string
  readonly realPath: (path: string) => string
}

const REAL_PARTS: WindowsParts = {
  env: process.env,
  home: homedir(),
  run: (program, args, cwd) =>
    execFileSync(program, [...args], {
      cwd,
      encoding: 'utf8',
      timeout: PROGRAM_MS,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  realPath: (path) => realPathSync(path).toString(),
}

/**
 * The folders that this process has checked, with the reason why other users may have access to them, or
 * null.
 */
const checked = new Map<string, string | null>()

/**
 * Why other users of this computer may have access to a data folder. Null if they don't, or if
 * `restrictAccess` wasn't called for it.
 */
export function accessFault(dir: string): string | null {
  return checked.get(resolve(dir)) ?? null
}

/**
 * Restricts a folder, if that is necessary and wasn't done before. `isNew`: this process has just created it.
 * A folder inside another one that was passed earlier inherits its access. Doesn't throw if that fails; see
 * `accessFault`.
 */
export function restrictAccess(dir: string, isNew: boolean, parts: WindowsParts = REAL_PARTS): void {
  for (let at = dir; ; at = dirname(at)) {
    if (checked.has(at)) return
    if (dirname(at) === at) break
  }
  checked.set(dir, restrictedOr(dir, isNew, parts))
}

/**
 * Returns null if the folder is restricted now or is inside the user's profile; otherwise, why other users
 * may have access.
 */
function restrictedOr(dir: string, isNew: boolean, parts: WindowsParts): string | null {
  const { env, home } = parts
  if (
    [home, env['APPDATA'], env['LOCALAPPDATA']].some(
      (own) => own !== undefined && own !== '' && isBelow(own, dir),
    )
  )
    return null
  try {
    const known = recorded(dir)
    if (known !== null) return known === 'restricted' ? null : UNCHANGED
    if (dirname(dir) === dir) return 'it is the root of a drive'
    // On a server, this computer's user IDs may mean nothing, so the user could lose access.
    if (parts.realPath(dir).startsWith('\\\\')) return 'it is on a network drive'
    const user = currentUser(dir, parts)
    if (!isNew && !isThisUsersOwn(dir, user, parts)) {
      record(dir, 'unchanged')
      return UNCHANGED
    }
    restrict(dir, user, parts)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const UNCHANGED = 'it existed before Slipway first used it, so its access was left unchanged'

interface User {
  readonly name: string
  readonly sid: string
}

function currentUser(dir: string, { env, run }: WindowsParts): User {
  const [, name, sid] =
    /"(.+)","(S-1-[\d-]+)"\s*$/.exec(
      run(systemProgram('whoami.exe', env), ['/user', '/fo', 'csv', '/nh'], dir),
    ) ?? []
  if (name === undefined || sid === undefined) throw new Error("this user's ID couldn't be read")
  return { name, sid }
}

/**
 * Whether an existing folder certainly belongs to this user, and is empty or contains only Slipway's files.
 */
function isThisUsersOwn(dir: string, user: User, { env, run }: WindowsParts): boolean {
  const names = readdirSync(dir)
  if (names.length > 0 && !isOnlyOwn(names)) return false
  // Other characters may be lost in decoding, so that two different names look the same.
  if (!/^[\x20-\x7e]+$/.test(user.name)) return false
  // `dir /q` shortens long user names. A folder whose owner's name was shortened counts as another user's.
  const listing = run(systemProgram('cmd.exe', env), ['/d', '/c', 'dir', '/q', '/ad'], dir)
  return /<DIR>\s+(\S.*?)\s+\.$/m.exec(listing)?.[1]?.toLowerCase() === user.name.toLowerCase()
}

function systemProgram(name: string, env: WindowsParts['env']): string {
  return win32.join(env['SYSTEMROOT'] ?? env['SystemRoot'] ?? 'C:\\Windows', 'System32', name)
}

function restrict(dir: string, user: User, { env, run }: WindowsParts): void {
  const icacls = systemProgram('icacls.exe', env)
  const granted = [user.sid, SYSTEM, ADMINISTRATORS].map((sid) => `*${sid}:(OI)(CI)F`)
  run(
    icacls,
    [dir, '/inheritance:r', '/grant:r', ...granted, '/remove:g', ...EVERYBODY.map((sid) => `*${sid}`), '/q'],
    dir,
  )
  try {
    record(dir, 'restricted')
  } catch (error) {
    // This user has lost access, too, for example on a drive whose user IDs are those of another computer.
    run(icacls, [dir, '/inheritance:e', '/q'], dir)
    throw error
  }
}

function isBelow(folder: string, dir: string): boolean {
  const rest = win32.relative(folder, dir)
  return rest !== '' && rest !== '..' && !rest.startsWith('..\\') && !win32.isAbsolute(rest)
}

function recorded(dir: string): Access | null {
  try {
    const { folder, access } = Recorded.parse(JSON.parse(readFileSync(join(dir, RECORD), 'utf8')))
    return folder === idOf(dir) ? access : null
  } catch {
    return null
  }
}

function record(dir: string, access: Access): void {
  writeFileSync(
    join(dir, RECORD),
    JSON.stringify({ folder: idOf(dir), access } satisfies z.infer<typeof Recorded>),
  )
}

function idOf(dir: string): string {
  const { dev, ino } = lstatSync(dir, { bigint: true })
  return `${dev}:${ino}`
}

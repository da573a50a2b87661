// The desktop session in which the specs run on Electron. On Linux it is a private one: D-Bus session, keyring,
// X server, window manager and home folder of its own, and an `xdg-open` that opens nothing, so that nothing of
// the user's own session is seen or touched. Root becomes an ordinary user, because Chromium's sandbox refuses it.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT } from '../tools/tree.ts'

export interface User {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** IDs of ordinary users on Linux; `nobody` is above them. */
const FIRST_UID = 1000
const LAST_UID = 60_000

/** The ordinary users in the text of a passwd file. */
function ordinaryUsers(passwd: string): User[] {
  return passwd.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':')
    const user = { name, uid: Number(uid), gid: Number(gid) }
    return user.uid >= FIRST_UID && user.uid <= LAST_UID ? [user] : []
  })
}

/** The user that root becomes: the named one, the one who called sudo, or the first of this system. */
export function chooseUser(passwd: string, named: string | undefined, sudo: string | undefined): User | null {
  const users = ordinaryUsers(passwd)
  const wanted = named ?? sudo
  if (wanted === undefined || wanted === 'root') return users[0] ?? null
  return users.find(({ name }) => name === wanted) ?? null
}

/** `as`: the value of `--as`. @throws with what to do, if there is no such user or it can't read the checkout. */
export function sessionUser(as: string | undefined): User | null {
  if (process.getuid?.() !== 0) return null
  const user = chooseUser(readFileSync('/etc/passwd', 'utf8'), as, process.env['SUDO_USER'])
  if (user === null)
    throw new Error(
      as === undefined
        ? 'Chromium’s sandbox refuses root, and this system has no ordinary user to run the specs as. Create one: useradd --create-home tester'
        : `There is no ordinary user named ${as}.`,
    )
  const { status } = spawnSync('ls', [join(ROOT, 'node_modules')], {
    uid: user.uid,
    gid: user.gid,
    stdio: 'ignore',
  })
  if (status !== 0)
    throw new Error(
      `The specs run as ${user.name}, who can’t read ${ROOT}. Name another user (--as) or move it.`,
    )
  return user
}

interface Tools {
  /** Whether a program is on the PATH. */
  readonly has: (program: string) => boolean
  /** Whether the session uses the display of whoever runs it. */
  readonly ownDisplay: boolean
}

const SCREEN = '-screen 0 1920x1080x24'
/** Without a window manager, no window is ever maximised or focused. */
const MANAGED = 'openbox >/dev/null 2>&1 & manager=$!; "$@"; code=$?; kill $manager; exit $code'

/**
 * The command that runs another one in a private session.
 * @throws with what to install, if there is no display and no program that makes one.
 */
export function inSession(command: readonly string[], { has, ownDisplay }: Tools): string[] {
  const keyring = ['dbus-run-session', 'gnome-keyring-daemon'].every(has)
  if (!ownDisplay && !has('xvfb-run'))
    throw new Error(
      'There is no X server for the specs: install xvfb and xauth, or use your own with --display.',
    )
  return [
    ...(ownDisplay ? [] : ['xvfb-run', '--auto-servernum', `--server-args=${SCREEN}`]),
    ...(keyring
      ? [join(ROOT, 'test/keyring-session.sh')]
      : has('dbus-run-session')
        ? ['dbus-run-session', '--']
        : []),
    ...(!ownDisplay && has('openbox') ? ['sh', '-c', MANAGED, 'sh'] : []),
    ...command,
  ]
}

export function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

/** Folders of the session below `work`, which belong to `user`. Returns the environment that names them. */
export function prepareSession(work: string, user: User | null, isShown: boolean): Record<string, string> {
  const own = (path: string): string => {
    if (user !== null) chownSync(path, user.uid, user.gid)
    return path
  }
  const folder = (name: string): string => {
    const path = join(work, name)
    mkdirSync(path, { mode: 0o700 })
    return own(path)
  }
  own(work)
  const bin = folder('bin')
  const opened = join(work, 'opened')
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >>'${opened}'\n`
  writeFileSync(join(bin, 'xdg-open'), script, { mode: 0o755 })
  own(join(bin, 'xdg-open'))
  const home = folder('home')
  return {
    HOME: home,
    TMPDIR: folder('t'),
    PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
    NODE_COMPILE_CACHE: folder('compiled'),
    ...(isShown ? {} : { XDG_SESSION_TYPE: 'x11', WAYLAND_DISPLAY: '' }),
  }
}

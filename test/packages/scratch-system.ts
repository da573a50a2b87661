// A copy of this machine's system, in which packages are really installed and started: an overlay above the
// machine's own files, in namespaces of its own, with an ordinary user who has a D-Bus session, an unlocked
// keyring and a screen. Everything that is written there is in one folder and goes with it. Needs root.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { asRoot } from './scratch-root.ts'

const USER = { name: 'person', id: 4242, home: '/home/person' } as const

/** What the system lets its users do. Without namespaces of their own, Chromium needs its setuid helper. */
interface Rights {
  readonly userNamespaces: boolean
}

const MOUNTS = `
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /sys "$1/root/sys"
mount --rbind /dev "$1/root/dev"
for one in tmp run; do mount -t tmpfs tmpfs "$1/root/$one"; done
chmod 1777 "$1/root/tmp"
cd "$1/root"
`
const HOLD = `sh -c 'echo READY; exec sleep infinity'`
/** The kernel lets no one in a changed root make namespaces of users, so this is how they are forbidden. */
const CHANGED_ROOT = `exec chroot . ${HOLD}`
const OWN_ROOT = `mkdir tmp/old
pivot_root . tmp/old
umount -l tmp/old
exec ${HOLD}`

/** A window manager, because without one no window is ever focused. It ends with its standard input. */
const SESSION = 'openbox >/dev/null 2>&1 & env; echo READY; cat >/dev/null'

/** What dpkg and rpm write down, and what they have others index. */
const NOTES = /^\/(?:var\/(?:lib\/(?:dpkg|rpm)|log|cache)|root\/\.rpmdb|usr\/share\/mime)\//
const RUN_MS = 120_000

type Env = Readonly<Record<string, string>>

interface Process {
  /** As this machine counts. */
  readonly pid: number
  /** The program and its arguments. */
  readonly command: string
  /** `/proc/PID/status`. */
  readonly status: string
  readonly namespaces: readonly string[]
}

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export class ScratchSystem {
  readonly #folder: string
  readonly #holder: ChildProcess
  readonly #pid: string
  #session: ChildProcess | null = null
  #env: Env = {}

  private constructor(folder: string, holder: ChildProcess, pid: string) {
    this.#folder = folder
    this.#holder = holder
    this.#pid = pid
  }

  /** `folder`: an empty one, on a disk that can be the upper part of an overlay. */
  static async open(folder: string, { userNamespaces }: Rights): Promise<ScratchSystem> {
    for (const one of ['upper', 'work', 'root']) mkdirSync(join(folder, one))
    const own = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child']
    const script = MOUNTS + (userNamespaces ? OWN_ROOT : CHANGED_ROOT)
    const holder = spawn('unshare', [...own, 'sh', '-ec', script, 'sh', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await lineFrom(holder, 'READY')
    const children = `/proc/${holder.pid}/task/${holder.pid}/children`
    const system = new ScratchSystem(folder, holder, readFileSync(children, 'utf8').trim())
    system.asRoot('useradd', '--create-home', `--uid=${USER.id}`, USER.name)
    return system
  }

  /** Where a path of the system is on this machine, to read it from outside or to put something there. */
  path(path: string): string {
    return join(`/proc/${this.#pid}/root`, path)
  }

  /** Runs a command as root, as installers do. @throws with all that it has printed, if it fails. */
  asRoot(...command: readonly string[]): string {
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    return asRoot('nsenter', [
      ...this.#enter(),
      'env',
      '-i',
      '--chdir=/',
      `PATH=${path}`,
      'LC_ALL=C.UTF-8',
      ...command,
    ])
  }

  /** Logs the user in: from now on, `asUser` and `start` have a session. */
  async logIn(): Promise<void> {
    copyFileSync(join(import.meta.dirname, '../keyring-session.sh'), this.path('tmp/keyring-session.sh'))
    const screen = ['xvfb-run', '--auto-servernum', '--server-args=-screen 0 1280x800x24']
    const session = this.#asUser([...screen, '/tmp/keyring-session.sh', 'sh', '-c', SESSION], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const said = await lineFrom(session, 'READY')
    const given = ['DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR']
    this.#env = Object.fromEntries(
      given.map((name) => [name, new RegExp(`^${name}=(.*)$`, 'm').exec(said)?.[1] ?? '']),
    )
    this.#session = session
  }

  /** Runs a command as the user. The caller keeps running, so that it can be the service. */
  async asUser(command: readonly string[], env: Env = {}, input = ''): Promise<Ran> {
    const child = this.#asUser(command, { stdio: ['pipe', 'pipe', 'pipe'], timeout: RUN_MS }, env)
    const texts = [child.stdout, child.stderr].map(async (stream) => {
      let text = ''
      for await (const part of stream?.setEncoding('utf8') ?? []) text += String(part)
      return text
    })
    child.stdin?.end(input)
    const [[status], stdout = '', stderr = ''] = await Promise.all([once(child, 'close'), ...texts])
    return { status: status as number | null, stdout, stderr }
  }

  start(command: readonly string[], env: Env = {}): ChildProcess {
    return this.#asUser(command, { stdio: ['ignore', 'pipe', 'pipe'] }, env)
  }

  /** Sorted paths of all files that were written outside of the user's home, but not what the installers note. */
  written(): string[] {
    const upper = join(this.#folder, 'upper')
    return readdirSync(upper, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() || one.isSymbolicLink())
      .map((one) => join(one.parentPath, one.name).slice(upper.length))
      .filter((path) => !path.startsWith(USER.home) && !NOTES.test(path))
      .toSorted()
  }

  /** What is known of all processes of the system, also of those in namespaces of their own. */
  processes(): Process[] {
    const own = readlinkSync(`/proc/${this.#pid}/ns/mnt`)
    return readdirSync('/proc').flatMap((pid) => {
      try {
        if (!/^\d+$/.test(pid) || readlinkSync(`/proc/${pid}/ns/mnt`) !== own) return []
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const namespaces = ['user', 'pid', 'net'].map((name) => readlinkSync(`/proc/${pid}/ns/${name}`))
        return [{ pid: Number(pid), command, status, namespaces }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
  }

  async close(): Promise<void> {
    this.#session?.stdin?.end()
    const ended = once(this.#holder, 'exit')
    this.#holder.kill('SIGKILL')
    await ended
  }

  #enter(): string[] {
    return ['--target', this.#pid, '--mount', '--pid', '--root', '--wd']
  }

  #userCommand(command: readonly string[], env: Env): string[] {
    const known = {
      HOME: USER.home,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      ...this.#env,
      ...env,
    }
    const id = `${USER.id}`
    return [
      'nsenter',
      ...this.#enter(),
      'setpriv',
      `--reuid=${id}`,
      `--regid=${id}`,
      '--clear-groups',
    ].concat(
      ['env', '-i', `--chdir=${USER.home}`],
      Object.entries(known).map(([name, value]) => `${name}=${value}`),
      command,
    )
  }

  #asUser(command: readonly string[], options: SpawnOptions, env: Env = {}): ChildProcess {
    const [program = '', ...args] = this.#userCommand(command, env)
    return spawn(program, args, options)
  }
}

/** All that a process has printed when it prints this line. @throws if it ends before. */
async function lineFrom(child: ChildProcess, line: string): Promise<string> {
  let said = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.includes(`${line}\n`)) resolve(said)
  })
  child.once('exit', (code) => reject(new Error(`ended with ${code} before it said ${line}: ${said}`)))
  child.once('error', reject)
  return promise
}

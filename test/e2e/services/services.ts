// A desktop's services for specs on a real Electron, on Debian's packages: desktop.py beside the app on its
// session bus, a system bus with logind, the X server's own tools. Starts, asks and ends; expects nothing.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

const PROGRAMS = ['dbus-daemon', 'openbox', 'python3', 'xclip', 'xdotool', 'xprop', 'Xvfb']
const LIBRARIES = 'import dbus, gi; gi.require_version("Gtk", "3.0"); from gi.repository import Gtk'

/** What this system lacks for the specs; an empty list if nothing. */
export function lackingServices(): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const programs = PROGRAMS.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
  const isPython = !programs.includes('python3') && spawnSync('python3', ['-c', LIBRARIES]).status === 0
  return [...programs, ...(isPython ? [] : ['python3-dbus', 'python3-gi', 'gir1.2-gtk-3.0'])]
}

interface Happened {
  readonly event: string
  readonly [name: string]: unknown
}

type Asked = { readonly do: string } & Readonly<Record<string, unknown>>

/** Resolves to the program once it has said `ready`, with all that it says. */
async function running(
  program: string,
  args: readonly string[],
  isReady: (line: string) => boolean,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly child: ChildProcess; readonly lines: readonly string[] }> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const lines: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<null>()
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      if (isReady(line)) resolve(null)
    })
  child.once('exit', (code) => reject(new Error(`${program} ended with ${code}.`)))
  await promise
  return { child, lines }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

export interface Desktop {
  /** The buses that it is on. */
  readonly env: Readonly<Record<string, string>>
  happened(event: string): readonly Happened[]
  tell(asked: Asked): void
  /** Stops all of these services, or lets them go on. */
  freeze(isFrozen: boolean): void
  /** The lines of the tray's menu, those that can't be clicked in parentheses. Empty if there is no menu yet. */
  menu(): Promise<readonly string[]>
  end(): Promise<void>
}

/** Starts the services of desktop.py, or only these. */
export async function startDesktop(...only: readonly string[]): Promise<Desktop> {
  const system = await running('dbus-daemon', ['--session', '--nofork', '--print-address=1'], () => true)
  const env = { DBUS_SYSTEM_BUS_ADDRESS: system.lines[0] ?? '' }
  const { child, lines } = await running(
    'python3',
    [join(import.meta.dirname, 'desktop.py'), ...only],
    (line) => line.includes('"ready"'),
    env,
  )
  const all = (): Happened[] => lines.map((line) => JSON.parse(line) as Happened)
  const happened = (event: string): Happened[] => all().filter((one) => one.event === event)
  const tell = (asked: Asked): void => void child.stdin?.write(`${JSON.stringify(asked)}\n`)
  const menu = async (): Promise<readonly string[]> => {
    const answers = (): Happened[] => all().filter(({ event }) => event === 'menu' || event === 'failed')
    const before = answers().length
    tell({ do: 'menu' })
    while (answers().length === before) await new Promise((resolve) => setTimeout(resolve, 20))
    return (answers().at(-1)?.['lines'] ?? []) as string[]
  }
  return {
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '' },
    happened,
    tell,
    menu,
    freeze: (isFrozen) => void child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    end: async () => {
      child.kill('SIGCONT')
      await end(child)
      await end(system.child)
    },
  }
}

/** Runs one of X's tools, such as xdotool, and returns what it prints. */
export function x(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', timeout: 20_000 }).trim()
}

/** The windows that can be seen with this word in their title. */
export function windowsNamed(word: string): string[] {
  const { stdout } = spawnSync('xdotool', ['search', '--onlyvisible', '--name', word], {
    encoding: 'utf8',
  })
  return stdout.split('\n').filter(Boolean)
}

/** Gives X's selection this text, as a program does in which it is selected or copied. */
export function select(selection: 'primary' | 'clipboard', text: string): void {
  execFileSync('xclip', ['-selection', selection, '-in'], {
    input: text,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

export interface DragSource {
  /** What has come of each drag: `ended`, after `failed` if it wasn't taken. */
  readonly said: readonly string[]
  end(): Promise<void>
}

/** A window in the upper left corner from which these files can be dragged. */
export async function dragSource(files: readonly string[]): Promise<DragSource> {
  const args = [join(import.meta.dirname, 'drag.py'), ...files]
  const { child, lines } = await running('python3', args, (line) => line === 'ready')
  return { said: lines, end: () => end(child) }
}

/** A window in the upper left corner onto which files and links can be dragged. `said`: what it got. */
export async function dropTarget(): Promise<DragSource> {
  const { child, lines } = await running(
    'python3',
    [join(import.meta.dirname, 'drop.py')],
    (line) => line === 'ready',
  )
  return { said: lines, end: () => end(child) }
}

/** An X server of its own, with a window manager. Returns its name. */
export async function startScreen(
  args: readonly string[],
): Promise<{ readonly display: string; end(): Promise<void> }> {
  const server = await running('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp', ...args], () => true)
  const display = `:${server.lines[0]}`
  const manager = spawn('openbox', [], { stdio: 'ignore', env: { ...process.env, DISPLAY: display } })
  return {
    display,
    end: async () => {
      await end(manager)
      await end(server.child)
    },
  }
}

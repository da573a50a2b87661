// Adds "Upload and copy link" to the menus of this computer's file managers and removes it, for the current
// user only. Files that Slipway didn't write are left alone, apart from Thunar's list of actions. The state
// is read from the system each time, because an installer or the user may have changed it.
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileManagerView } from '../../../src-shared/computer.ts'
import type { Boot } from '../../../src-shared/window-contract.ts'
import { shellWord } from '../../platform/data/shell-word.ts'
import { errorCode } from '../../platform/disk/disk-errors.ts'
import { isInSnap } from '../app/start-file.ts'
import { workflow } from './finder.ts'
import { ARGUMENTS, dolphinMenu, MARK, nautilusScript, nemoAction } from './menu-files.ts'

type Name = FileManagerView['managers'][number]['name']

/** The system access that the menus need. */
export interface MenuSystem {
  readonly platform: Boot['platform']
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of the running program. */
  readonly execPath: string
  /**
   * The command that starts the app, with its arguments; null if the app adds no entries, as in development
   * on macOS and Windows.
   */
  readonly program: readonly string[] | null
  /** The entry's label in the language of the window. */
  readonly label: () => string
  /** The label in all languages. */
  readonly labels: readonly string[]
  /** Runs a program. Resolves to its output, or to null if it fails. */
  run(program: string, args: readonly string[]): Promise<string | null>
}

/** The menu of one file manager. All methods may reject. */
interface Menu {
  readonly name: Name
  isOn(): Promise<boolean>
  add(): Promise<void>
  remove(): Promise<void>
}

export class FileManagerMenu {
  readonly #system: MenuSystem
  readonly #log: (event: string, fields: Readonly<Record<string, string>>) => void
  /** Runs changes one at a time. Otherwise two changes could read the same file before either writes it. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(system: MenuSystem, log: (event: string, fields: Readonly<Record<string, string>>) => void) {
    this.#system = system
    this.#log = log
  }

  /**
   * Turns the entries on or off; null only reads the state. Never rejects: failures are part of the result.
   */
  set(on: boolean | null): Promise<FileManagerView> {
    return this.#inTurn(async () => {
      const failed: Name[] = []
      const menus = await menusOf(this.#system)
      if (on !== null) for (const menu of menus) if (!(await this.#try(menu, on))) failed.push(menu.name)
      const managers = await Promise.all(
        menus.map(async (menu) => ({ name: menu.name, isOn: await menu.isOn().catch(() => false) })),
      )
      return { managers, failed }
    })
  }

  /**
   * Rewrites existing entries that are out of date, because the program may have moved or the language may
   * have changed.
   */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      for (const menu of await menusOf(this.#system))
        if (await menu.isOn().catch(() => false)) await this.#try(menu, true)
    })
  }

  async #try(menu: Menu, on: boolean): Promise<boolean> {
    try {
      await (on ? menu.add() : menu.remove())
      return true
    } catch (error) {
      this.#log('file-manager.menu', {
        name: menu.name,
        message: error instanceof Error ? error.message : String(error),
      })
      return false
    }
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(run)
    this.#turn = next.catch(() => undefined)
    return next
  }
}

async function menusOf(system: MenuSystem): Promise<readonly Menu[]> {
  const { platform, program } = system
  if (program === null) return []
  if (platform === 'win32') return [explorer(system, program)]
  if (platform === 'darwin') return [finder(system)]
  // In a Flatpak or Snap sandbox, the folders below are the sandbox's own, and file managers don't read them.
  if (platform !== 'linux' || hasValue(system.env['FLATPAK_ID']) || isInSnap(system.env, system.execPath))
    return []
  const data = system.env['XDG_DATA_HOME'] || join(system.home, '.local/share')
  const label = system.label()
  const nemo = nemoAction(program, label)
  const all: Menu[] = [
    nautilus(system, join(data, 'nautilus/scripts'), nautilusScript(program)),
    ...(nemo === null ? [] : [fileMenu('nemo', join(data, 'nemo/actions/slipway.nemo_action'), nemo, 0o644)]),
    fileMenu('dolphin', join(data, 'kio/servicemenus/slipway.desktop'), dolphinMenu(program, label), 0o755),
    thunar(system, program),
  ]
  const programs = await programsOf(system.env)
  return all.filter(({ name }) => programs.has(name))
}

/** The names of all programs on PATH. */
async function programsOf(env: MenuSystem['env']): Promise<ReadonlySet<string>> {
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'))
  return new Set((await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))).flat())
}

/** A menu that consists of a single file. */
function fileMenu(name: Name, path: string, content: string, mode: number): Menu {
  return {
    name,
    isOn: async () => (await textOf(path))?.includes(MARK) === true,
    add: async () => {
      const before = await textOf(path)
      if (before !== null && !before.includes(MARK)) throw new Error(`${path} is not Slipway's.`)
      if (before !== content) await replace(path, content, mode)
    },
    remove: async () => {
      if ((await textOf(path))?.includes(MARK) === true) await rm(path, { force: true })
    },
  }
}

/**
 * Nautilus shows a script's file name as its label. After a language change, the script with the old name
 * must be removed.
 */
function nautilus({ labels, label }: MenuSystem, dir: string, script: string): Menu {
  const menus = labels.map((text) => ({ text, menu: fileMenu('nautilus', join(dir, text), script, 0o755) }))
  const removeOthers = async (kept: string | null): Promise<void> => {
    for (const { text, menu } of menus) if (text !== kept) await menu.remove()
  }
  return {
    name: 'nautilus',
    isOn: async () => (await Promise.all(menus.map(({ menu }) => menu.isOn()))).includes(true),
    add: async () => {
      await fileMenu('nautilus', join(dir, label()), script, 0o755).add()
      await removeOthers(label())
    },
    remove: () => removeOthers(null),
  }
}

function thunar(system: MenuSystem, program: readonly string[]): Menu {
  const path = join(system.env['XDG_CONFIG_HOME'] || join(system.home, '.config'), 'Thunar/uca.xml')
  return {
    name: 'thunar',
    isOn: async () => hasAction((await textOf(path)) ?? ''),
    add: async () => {
      const own = await textOf(path)
      const after = withAction(own ?? (await thunarDefaults(system.env)), program, system.label())
      if (after === null) throw new Error(`${path} is not a list of actions.`)
      if (after !== own) await replace(path, after, 0o644)
    },
    remove: async () => {
      const own = await textOf(path)
      if (own !== null && hasAction(own)) await replace(path, withoutAction(own), 0o644)
    },
  }
}

/**
 * Thunar's default actions. Thunar shows them only while the user has no file of their own, so a new file
 * starts with them.
 */
async function thunarDefaults(env: MenuSystem['env']): Promise<string | null> {
  for (const dir of (env['XDG_CONFIG_DIRS'] || '/etc/xdg').split(':')) {
    const text = await textOf(join(dir, 'Thunar/uca.xml'))
    if (text !== null) return text
  }
  return null
}

function finder(system: MenuSystem): Menu {
  const services = join(system.home, 'Library/Services')
  const bundles = system.labels.map((text) => join(services, `${text}.workflow`))
  const isOwn = async (bundle: string): Promise<boolean> =>
    (await textOf(join(bundle, 'Contents/Info.plist')))?.includes(MARK) === true
  const removeOthers = async (kept: string | null): Promise<void> => {
    for (const bundle of bundles)
      if (bundle !== kept && (await isOwn(bundle))) await rm(bundle, { recursive: true, force: true })
  }
  /** Makes Finder show the change immediately. */
  const announce = (): Promise<unknown> => system.run('/System/Library/CoreServices/pbs', ['-update'])
  return {
    name: 'finder',
    isOn: async () => (await Promise.all(bundles.map(isOwn))).includes(true),
    add: async () => {
      const bundle = join(services, `${system.label()}.workflow`)
      if (!(await isOwn(bundle)) && (await readdir(bundle).catch(() => null)) !== null)
        throw new Error(`${bundle} is not Slipway's.`)
      const files = Object.entries(workflow(system.label()))
      const before = await Promise.all(files.map(([path]) => textOf(join(bundle, path))))
      if (files.every(([, content], at) => before[at] === content)) return
      // Write Info.plist last: it marks the bundle as Slipway's, so the rest must already exist.
      for (const [path, content] of files.toReversed()) await replace(join(bundle, path), content, 0o644)
      await removeOthers(bundle)
      await announce()
    },
    remove: async () => {
      await removeOthers(null)
      await announce()
    },
  }
}

function explorer({ env, run, label }: MenuSystem, program: readonly string[]): Menu {
  const reg = `${env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`
  // The keys are read one by one, because another program may have removed only one of them.
  const read = (): Promise<readonly (string | null)[]> =>
    Promise.all(queryAllArguments().map((args) => run(reg, args)))
  const runAll = async (calls: readonly (readonly string[])[]): Promise<void> => {
    for (const args of calls)
      if ((await run(reg, args)) === null) throw new Error(`reg ${args.slice(0, 2).join(' ')} failed.`)
  }
  return {
    name: 'explorer',
    isOn: async () => (await read()).some((key) => key !== null),
    add: async () => {
      if (!isCurrent(await read(), program, label())) await runAll(addArguments(program, label()))
    },
    remove: async () => {
      const found = await read()
      await runAll(removeArguments().filter((_, at) => found[at] !== null))
    },
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

/** Replaces a file atomically, so that a file manager never reads an incomplete file. */
async function replace(path: string, content: string, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const fresh = join(dirname(path), `.${basename(path)}-${randomUUID()}`)
  try {
    await writeFile(fresh, content, { mode })
    await chmod(fresh, mode)
    await rename(fresh, path)
  } finally {
    await rm(fresh, { force: true })
  }
}

function hasValue(text: string | undefined): boolean {
  return text !== undefined && text !== ''
}

// Builds the reg.exe arguments that add "Upload and copy link" to Explorer's menu for files and folders on
// Windows, or remove it. The installer writes the same registry entries (assets/windows/installer.nsh; a test
// compares them).

/** The current user's registry keys for all files and all folders. Drives aren't included. */
export const KEYS = ['*', 'Directory'].map(
  (kind) => `HKCU\\Software\\Classes\\${kind}\\shell\\Slipway.UploadAndCopyLink`,
)

/**
 * The command that Explorer runs once per selected file. Quoting is enough, because a Windows path can't
 * contain quotation marks.
 */
export function explorerCommand(program: readonly string[]): string {
  return `${program.map((part) => `"${part}"`).join(' ')} ${ARGUMENTS.join(' ')} "%1"`
}

export function addArguments(program: readonly string[], label: string): readonly (readonly string[])[] {
  return KEYS.flatMap((key) => [
    ['add', key, '/v', 'MUIVerb', '/t', 'REG_SZ', '/d', label, '/f'],
    ['add', key, '/v', 'Icon', '/t', 'REG_SZ', '/d', program[0] ?? '', '/f'],
    ['add', `${key}\\command`, '/ve', '/t', 'REG_SZ', '/d', explorerCommand(program), '/f'],
  ])
}

/**
 * Whether the entries match `addArguments`. `found` contains reg.exe's output for each of
 * `queryAllArguments`; null for a missing key.
 */
function isCurrent(found: readonly (string | null)[], program: readonly string[], label: string): boolean {
  const wanted = [label, program[0] ?? '', explorerCommand(program)]
  // reg.exe may print non-ASCII letters in another code page. An entry with such letters then doesn't match
  // and is rewritten each time.
  const has = (lines: readonly string[], data: string): boolean =>
    lines.some((line) => line.endsWith(`    REG_SZ    ${data}`))
  return found.every((out) => out !== null && wanted.every((data) => has(out.split(/\r?\n/), data)))
}

export function removeArguments(): readonly (readonly string[])[] {
  return KEYS.map((key) => ['delete', key, '/f'])
}

/** Returns the arguments for reading each key and everything below it. */
export function queryAllArguments(): readonly (readonly string[])[] {
  return KEYS.map((key) => ['query', key, '/s'])
}

// Adds, replaces and removes Slipway's action in the content of Thunar's uca.xml, the file that contains all
// of a user's actions. Preserves everything except white space around the action. file-manager-menu.ts reads
// and writes the file.
const ID = 'slipway-upload-and-copy-link'
/**
 * Matches Slipway's action and the white space before it. The match can't begin in another action, because it
 * contains no further `<action>` tag.
 */
const ACTION =
  /\s*<action>(?:(?!<\/?action>)[\s\S])*?<unique-id>slipway-upload-and-copy-link<\/unique-id>(?:(?!<\/?action>)[\s\S])*<\/action>/

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * Builds the action. Thunar quotes the files for the shell. A percent sign in the program's path must be
 * doubled.
 */
function action(program: readonly string[], label: string): string {
  const command = [...program.map((part) => shellWord(part).replaceAll('%', '%%')), ...ARGUMENTS, '%F'].join(
    ' ',
  )
  const kinds = ['audio', 'image', 'other', 'text', 'video'].map((kind) => `<${kind}-files/>`).join('')
  return `<action>
	<icon>slipway-desktop</icon>
	<name>${xml(label)}</name>
	<unique-id>${ID}</unique-id>
	<command>${xml(command)}</command>
	<description></description>
	<patterns>*</patterns>
	<directories/>${kinds}
</action>`
}

export function hasAction(file: string): boolean {
  return ACTION.test(file)
}

export function withoutAction(file: string): string {
  return file.replace(ACTION, '')
}

/**
 * `file` is the content of uca.xml; null if there is no such file. Returns null if the content isn't a list
 * of actions.
 */
export function withAction(file: string | null, program: readonly string[], label: string): string | null {
  const rest = withoutAction(file ?? '<?xml version="1.0" encoding="UTF-8"?>\n<actions>\n</actions>\n')
  // An empty list may be written as a self-closing element.
  const open = rest.replace(/<actions\s*\/>/, '<actions>\n</actions>')
  const end = open.lastIndexOf('</actions>')
  return end === -1 ? null : `${open.slice(0, end).trimEnd()}\n${action(program, label)}\n${open.slice(end)}`
}

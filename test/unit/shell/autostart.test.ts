// The desktop's autostart entry: parsed by both quoting rules of its format, with any program name. A file
// created by another program is left alone. Other systems store the setting themselves and get one call.
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { array, assert, constantFrom, property, string } from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  canAutostart,
  desktopEntry,
  ownProgram,
  setAutostart,
} from '../../../src-main/shell/app/autostart.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const app = vi.hoisted(() => ({
  isPackaged: true,
  openAtLogin: false,
  set: [] as unknown[],
  asked: [] as unknown[],
}))
/** Whether the disk is full. Then a file is created, but gets no content. */
const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>()
  const writeFile: typeof real.writeFileSync = (file, content, options) => {
    if (!disk.isFull) return real.writeFileSync(file, content, options)
    real.writeFileSync(file, '', options)
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }
  return { ...real, writeFileSync: writeFile }
})

vi.mock('electron', () => ({
  app: {
    get isPackaged() {
      return app.isPackaged
    },
    getAppPath: () => '/src/slip way',
    getLoginItemSettings: (options: unknown) => {
      app.asked.push(options)
      return { openAtLogin: app.openAtLogin }
    },
    setLoginItemSettings: (settings: unknown) => app.set.push(settings),
  },
}))

/**
 * The arguments of an Exec line according to the desktop entry specification: first value escapes, then
 * quotes, then field codes.
 */
function read(entry: string): string[] {
  const text = valueOf(entry, /^Exec=(.*)$/m)
  const args: string[] = []
  for (const [whole, inside] of text.matchAll(/"((?:[^"\\`$]|\\["`$\\])*)"(?= |$)|[^\s"'\\><~|&;$*?#()`]+/gs))
    args.push((inside === undefined ? whole : inside.replaceAll(/\\(["`$\\])/g, '$1')).replaceAll('%%', '%'))
  if (text.replaceAll(/"((?:[^"\\`$]|\\["`$\\])*)"|[^\s"'\\><~|&;$*?#()`]+/gs, '').trim() !== '')
    throw new Error(`${text} can not be read.`)
  return args
}

/** The value of a line, according to the same specification. */
function valueOf(entry: string, line: RegExp): string {
  const [, raw = ''] = line.exec(entry) ?? []
  return raw.replaceAll(/\\(.)/g, (_whole, char: string) => {
    const stands = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' }[char]
    if (stands === undefined) throw new Error(`\\${char} is no escape of a value.`)
    return stands
  })
}

describe('desktopEntry', () => {
  it.each([
    ['/opt/Slipway/slipway'],
    ['/home/ada/My Apps/Slipway.AppImage'],
    ['/home/ada/$HOME/`id`/"x"/a\\b'],
    ['/home/ada/100%/%f/%%'],
    ["/home/ada/it's ~/*?#()&;|<>"],
    ['/home/ada/Größe/日本'],
    ['/home/ada/line\nend\tand\rtab'],
    ['/home/ada/ends with \\'],
  ])('%j starts as it is called, hidden', (path) => {
    expect(read(desktopEntry([path]))).toEqual([path, '--hidden'])
    // Without the program, as after it is removed, nothing starts.
    expect(valueOf(desktopEntry([path, 'app']), /^TryExec=(.*)$/m)).toBe(path)
  })

  it('reads back whatever it is', () => {
    const odd = constantFrom(...'"`$\\% \n\t\'%fU*'.split(''))
    const name = array(string({ unit: odd, minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })
    assert(
      property(name, (program) => {
        expect(read(desktopEntry(program))).toEqual([...program, '--hidden'])
      }),
    )
  })

  it('is one entry with one line for each key, whatever the name holds', () => {
    const lines = desktopEntry(['/a\n[Desktop Action x]\nExec=evil']).trimEnd().split('\n')
    expect(lines.filter((line) => line.startsWith('['))).toEqual(['[Desktop Entry]'])
    expect(lines.filter((line) => line.startsWith('Exec='))).toHaveLength(1)
    expect(new Set(lines.map((line) => line.split('=')[0])).size).toBe(lines.length)
  })
})

describe('setAutostart', () => {
  const { platform, execPath } = process
  /** The program of an installation, with slashes also where the tests run on Windows. */
  const PROGRAM = '/opt/Slip way/slipway'
  const system = (name: NodeJS.Platform): void => {
    Object.defineProperty(process, 'platform', { value: name })
  }
  let home = ''
  let file = ''
  beforeEach(() => {
    home = tempFolder()
    file = join(home, 'autostart/slipway.desktop')
    vi.stubEnv('XDG_CONFIG_HOME', home)
    for (const name of [
      'FLATPAK_ID',
      'SNAP',
      'APPIMAGE',
      'APPDIR',
      'PORTABLE_EXECUTABLE_FILE',
      'PORTABLE_EXECUTABLE_APP_FILENAME',
    ])
      vi.stubEnv(name, undefined)
    app.isPackaged = true
    app.openAtLogin = false
    app.set.length = 0
    app.asked.length = 0
    disk.isFull = false
    process.execPath = PROGRAM
    system('linux')
  })
  afterEach(() => {
    system(platform)
    process.execPath = execPath
    vi.unstubAllEnvs()
  })
  const there = (): string | null => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return null
    }
  }

  it('writes the entry, leaves it where it is the same, and takes it away', () => {
    setAutostart(true)
    expect(read(there() ?? '')).toEqual([PROGRAM, '--hidden'])
    utimesSync(file, 1000, 1000)
    setAutostart(true)
    expect(statSync(file).mtimeMs).toBe(1_000_000)
    setAutostart(false)
    expect(there()).toBeNull()
    setAutostart(false)
    expect(there()).toBeNull()
  })

  it('names the file that a person started, and in development the app with it', () => {
    vi.stubEnv('APPIMAGE', '/home/ada/Slip way.AppImage')
    vi.stubEnv('APPDIR', dirname(PROGRAM))
    setAutostart(true)
    expect(read(there() ?? '')).toEqual(['/home/ada/Slip way.AppImage', '--hidden'])
    app.isPackaged = false
    setAutostart(true)
    expect(read(there() ?? '')).toEqual([PROGRAM, '/src/slip way', '--hidden'])
  })

  it('leaves what was there if the disk is full, and can be turned on later', () => {
    disk.isFull = true
    expect(() => setAutostart(true)).toThrow('ENOSPC')
    expect(readdirSync(dirname(file))).toEqual([])
    disk.isFull = false
    setAutostart(true)
    const before = there()
    disk.isFull = true
    app.isPackaged = false
    expect(() => setAutostart(true)).toThrow('ENOSPC')
    expect(there()).toBe(before)
    expect(readdirSync(dirname(file))).toEqual(['slipway.desktop'])
  })

  it.each([true, false])('takes the empty file of an earlier version for its own (%s)', (on) => {
    mkdirSync(dirname(file))
    writeFileSync(file, '')
    setAutostart(on)
    expect(there()).toBe(on ? desktopEntry(ownProgram()) : null)
  })

  it('doesn’t replace what it can’t read', () => {
    mkdirSync(file, { recursive: true })
    expect(() => setAutostart(true)).toThrow('EISDIR')
    setAutostart(false)
    expect(statSync(file).isDirectory()).toBe(true)
  })

  it.each<[NodeJS.Platform, Record<string, string>, boolean]>([
    ['linux', {}, true],
    ['linux', { FLATPAK_ID: 'app.slipway.Slipway' }, false],
    ['linux', { SNAP: dirname(PROGRAM) }, false],
    // Started by a snap, such as an editor.
    ['linux', { SNAP: '/snap/code/1' }, true],
    ['win32', { FLATPAK_ID: 'app.slipway.Slipway' }, true],
    ['darwin', {}, true],
  ])('on %s with %j, it is possible: %s', (name, env, expected) => {
    system(name)
    for (const [key, value] of Object.entries(env)) vi.stubEnv(key, value)
    expect(canAutostart()).toBe(expected)
    if (name !== 'linux') return
    setAutostart(true)
    expect(there() !== null).toBe(expected)
  })

  it.each<[NodeJS.Platform, Record<string, string>]>([
    ['linux', { APPIMAGE: '/home/ada/Terminal.AppImage', APPDIR: '/tmp/.mount_Term' }],
    [
      'linux',
      { PORTABLE_EXECUTABLE_FILE: '/home/ada/other.exe', PORTABLE_EXECUTABLE_APP_FILENAME: 'slipway' },
    ],
    ['win32', { PORTABLE_EXECUTABLE_FILE: 'D:\\other.exe', PORTABLE_EXECUTABLE_APP_FILENAME: 'Other' }],
    ['win32', { APPIMAGE: '/home/ada/Terminal.AppImage', APPDIR: dirname(PROGRAM) }],
  ])('on %s doesn’t name the other program that started Slipway: %j', (name, env) => {
    system(name)
    for (const [key, value] of Object.entries(env)) vi.stubEnv(key, value)
    expect(ownProgram()).toEqual([PROGRAM])
  })

  it('names the start script of a package, not the program that the script starts', () => {
    const script = join(home, 'slipway-desktop')
    process.execPath = `${script}.bin`
    expect(ownProgram()).toEqual([`${script}.bin`])
    writeFileSync(script, '')
    expect(ownProgram()).toEqual([script])
  })

  it.each([true, false])('leaves a file of somebody else alone (%s)', (on) => {
    mkdirSync(join(home, 'autostart'))
    writeFileSync(file, '[Desktop Entry]\nExec=mine\n')
    setAutostart(on)
    expect(there()).toBe('[Desktop Entry]\nExec=mine\n')
  })

  it.each(['darwin', 'win32'] as const)(
    'on %s is the system’s own setting, and set only where it differs',
    (name) => {
      system(name)
      setAutostart(true)
      app.openAtLogin = true
      setAutostart(true)
      setAutostart(false)
      const item = { path: `"${PROGRAM}"`, args: ['--hidden'] }
      expect(app.set).toEqual([
        { ...item, openAtLogin: true },
        { ...item, openAtLogin: false },
      ])
      expect(app.asked.slice(0, 2)).toEqual([item, item])
      expect(there()).toBeNull()
    },
  )

  it('on Windows also removes an item that it finds no more, because it is for another path', () => {
    system('win32')
    setAutostart(false)
    expect(app.set).toEqual([{ path: `"${PROGRAM}"`, args: ['--hidden'], openAtLogin: false }])
  })

  it('on macOS removes no item where there is none', () => {
    system('darwin')
    setAutostart(false)
    expect(app.set).toEqual([])
  })

  it('on Windows starts the portable program itself instead of what it unpacked, and in development the app', () => {
    system('win32')
    vi.stubEnv('PORTABLE_EXECUTABLE_FILE', 'D:\\My tools\\slipway.exe')
    vi.stubEnv('PORTABLE_EXECUTABLE_APP_FILENAME', 'slipway')
    setAutostart(true)
    app.isPackaged = false
    setAutostart(true)
    expect(app.set).toEqual([
      { openAtLogin: true, path: '"D:\\My tools\\slipway.exe"', args: ['--hidden'] },
      { openAtLogin: true, path: `"${PROGRAM}"`, args: ['"/src/slip way"', '--hidden'] },
    ])
    expect(app.asked).toEqual(app.set.map((one) => ({ ...(one as object), openAtLogin: undefined })))
  })
})

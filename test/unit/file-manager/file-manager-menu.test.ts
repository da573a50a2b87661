// Adding and removing the menu entries, in temporary folders: which file managers are offered, which files
// are left alone, what is rewritten after a move. Functions replace reg.exe and macOS's program.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  FileManagerMenu,
  KEYS,
  type MenuSystem,
} from '../../../src-main/shell/file-manager/file-manager-menu.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const LABELS = ['Upload and copy link', 'Hochladen und Link kopieren']

let home = ''
let logged: string[] = []
const at = (path: string): string => join(home, path)
const text = (path: string): string => readFileSync(at(path), 'utf8')
function put(path: string, content: string): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), content)
}
beforeEach(() => {
  home = tempFolder()
  logged = []
  for (const name of ['nautilus', 'nemo', 'dolphin', 'thunar']) put(`bin/${name}`, '')
})

function menu(changes: Partial<MenuSystem> = {}): FileManagerMenu {
  const system: MenuSystem = {
    platform: 'linux',
    home,
    env: { PATH: `/none:${at('bin')}`, XDG_CONFIG_DIRS: at('etc/xdg') },
    execPath: '/opt/Slipway/slipway-desktop',
    program: ['/opt/Slipway/slipway-desktop'],
    label: () => LABELS[0] ?? '',
    labels: LABELS,
    run: async () => '',
    ...changes,
  }
  return new FileManagerMenu(system, (event, fields) => logged.push(`${event} ${fields['message']}`))
}
const all = (isOn: boolean, ...names: string[]) => ({
  managers: names.map((name) => ({ name, isOn })),
  failed: [],
})
/** All files below the home folder except the programs. */
function files(): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('bin'))
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .toSorted()
}
const SCRIPT = '.local/share/nautilus/scripts/Upload and copy link'
const MENU = '.local/share/kio/servicemenus/slipway.desktop'
const ACTION = '.local/share/nemo/actions/slipway.nemo_action'
const LIST = '.config/Thunar/uca.xml'
const ORDER = ['nautilus', 'nemo', 'dolphin', 'thunar']

describe.runIf(process.platform !== 'win32')('on Linux', () => {
  it('looks without writing, adds all that are installed, and leaves nothing of it behind', async () => {
    const { set } = bound(menu())
    expect(await set(null)).toEqual(all(false, ...ORDER))
    expect(files()).toEqual([])
    expect(await set(true)).toEqual(all(true, ...ORDER))
    expect(files()).toEqual([LIST, MENU, ACTION, SCRIPT].toSorted())
    // Nautilus and Dolphin use only entries that are executable.
    expect([SCRIPT, MENU, ACTION, LIST].map((path) => statSync(at(path)).mode & 0o777)).toEqual([
      0o755, 0o755, 0o644, 0o644,
    ])
    expect(await set(null)).toEqual(all(true, ...ORDER))
    expect(await set(false)).toEqual(all(false, ...ORDER))
    expect(files()).toEqual([LIST])
    expect(text(LIST)).not.toContain('slipway')
  })

  it('offers only what is installed, and nothing in a sandbox or without a program', async () => {
    for (const name of ['nemo', 'dolphin', 'thunar']) rmSync(at(`bin/${name}`))
    expect(await menu().set(true)).toEqual(all(true, 'nautilus'))
    expect(files()).toEqual([SCRIPT])
    for (const changes of [
      { env: { PATH: at('bin'), FLATPAK_ID: 'app.slipway.Slipway' } },
      { env: { PATH: at('bin'), SNAP: '/snap/slipway/1' }, execPath: '/snap/slipway/1/slipway-desktop' },
      { program: null },
      { platform: 'other' as const },
      { env: {} },
    ])
      expect(await menu(changes).set(true)).toEqual(all(true))
  })

  it('offers them to an installation that a snap started, such as an editor’s terminal', async () => {
    expect(await menu({ env: { PATH: at('bin'), SNAP: '/snap/code/1' } }).set(null)).toEqual(
      all(false, ...ORDER),
    )
  })

  it('writes into the folders that the system names', async () => {
    const env = { PATH: at('bin'), XDG_DATA_HOME: at('data'), XDG_CONFIG_HOME: at('config') }
    await menu({ env }).set(true)
    expect(files().map((file) => file.split('/')[0])).toEqual(['config', 'data', 'data', 'data'])
  })

  it('leaves files of others alone and says which menu it could not change', async () => {
    const foreign = '#!/bin/sh\necho mine\n'
    put(SCRIPT, foreign)
    put(LIST, 'no list')
    const { set } = bound(menu())
    expect(await set(true)).toEqual({
      managers: ORDER.map((name) => ({ name, isOn: name === 'nemo' || name === 'dolphin' })),
      failed: ['nautilus', 'thunar'],
    })
    expect(logged).toHaveLength(2)
    expect(logged.join()).toContain(at(SCRIPT))
    expect(await set(false)).toEqual(all(false, ...ORDER))
    expect([text(SCRIPT), text(LIST)]).toEqual([foreign, 'no list'])
  })

  it('starts Thunar’s list with the actions it comes with, and keeps what the user added', async () => {
    const action = '<action>\n\t<unique-id>1</unique-id>\n</action>'
    put('etc/xdg/Thunar/uca.xml', `<actions>\n${action}\n</actions>\n`)
    await menu().set(true)
    expect(text(LIST)).toContain(action)
    writeFileSync(
      at(LIST),
      text(LIST).replace('</actions>', '<action><unique-id>2</unique-id></action>\n</actions>'),
    )
    await menu().set(false)
    expect(text(LIST)).toContain('<unique-id>1</unique-id>')
    expect(text(LIST)).toContain('<unique-id>2</unique-id>')
    expect(text(LIST)).not.toContain('slipway')
  })

  it('writes entries again after the program moved or the language changed, and adds none that the user took out', async () => {
    await menu().set(true)
    rmSync(at(ACTION))
    await menu({ program: ['/home/ada/Slipway.AppImage'], label: () => LABELS[1] ?? '' }).refresh()
    expect(files()).toEqual(
      [LIST, MENU, '.local/share/nautilus/scripts/Hochladen und Link kopieren'].toSorted(),
    )
    for (const file of files()) {
      expect(text(file)).toContain('/home/ada/Slipway.AppImage')
      expect(text(file)).not.toContain('/opt/Slipway')
    }
    await menu().set(false)
    expect(files()).toEqual([LIST])
  })

  it('does not touch what is as it should be', async () => {
    await menu().set(true)
    const before = files().map((file) => statSync(at(file)).ino)
    await menu().refresh()
    expect(files().map((file) => statSync(at(file)).ino)).toEqual(before)
  })
})

describe.runIf(process.platform !== 'win32')('on macOS', () => {
  const BUNDLE = 'Library/Services/Upload and copy link.workflow'
  const mac = (label = LABELS[0] ?? '') =>
    menu({ platform: 'darwin', label: () => label, run: async () => null })

  it('adds one bundle and removes it', async () => {
    expect(await mac().set(true)).toEqual(all(true, 'finder'))
    expect(files()).toEqual([`${BUNDLE}/Contents/Info.plist`, `${BUNDLE}/Contents/document.wflow`])
    await mac(LABELS[1]).refresh()
    expect(readdirSync(at('Library/Services'))).toEqual([`${LABELS[1]}.workflow`])
    expect(await mac().set(false)).toEqual(all(false, 'finder'))
    expect(readdirSync(at('Library/Services'))).toEqual([])
  })

  it('leaves one of the user’s own alone', async () => {
    put(`${BUNDLE}/Contents/document.wflow`, 'mine')
    expect(await mac().set(true)).toEqual({ managers: [{ name: 'finder', isOn: false }], failed: ['finder'] })
    await mac().set(false)
    expect(text(`${BUNDLE}/Contents/document.wflow`)).toBe('mine')
  })
})

describe('on Windows', () => {
  /**
   * A fake registry that remembers its keys, with their values by name. `start` creates the menu as a start
   * of the app does.
   */
  function registry(refuses = false) {
    const keys = new Map<string, Map<string, string>>()
    const calls: string[] = []
    const run: MenuSystem['run'] = async (program, [verb = '', key = '', option = '', ...rest]) => {
      calls.push(verb)
      if (program !== 'C:\\Windows\\System32\\reg.exe' || (refuses && verb !== 'query')) return null
      const below = [...keys].filter(([one]) => one === key || one.startsWith(`${key}\\`))
      if (verb === 'query') {
        const lines = below.map(([one, values]) =>
          [one, ...[...values].map(([name, data]) => `    ${name}    REG_SZ    ${data}`)].join('\r\n'),
        )
        return keys.has(key) ? `\r\n${lines.join('\r\n\r\n')}\r\n` : null
      }
      if (verb === 'add')
        keys.set(
          key,
          new Map(keys.get(key)).set(
            option === '/ve' ? '(Default)' : (rest[0] ?? ''),
            rest[rest.indexOf('/d') + 1] ?? '',
          ),
        )
      else if (below.length === 0) return null
      else for (const [one] of below) keys.delete(one)
      return ''
    }
    const start = (program = 'C:\\slipway-desktop.exe', label = LABELS[0] ?? '') =>
      bound(
        menu({
          platform: 'win32',
          env: { SystemRoot: 'C:\\Windows' },
          program: [program],
          label: () => label,
          run,
        }),
      )
    return { keys, calls, start, ...start() }
  }

  it('adds the keys and removes them', async () => {
    const { set, keys } = registry()
    expect(await set(null)).toEqual(all(false, 'explorer'))
    expect(await set(true)).toEqual(all(true, 'explorer'))
    expect(keys.size).toBe(4)
    expect(await set(false)).toEqual(all(false, 'explorer'))
    expect(keys.size).toBe(0)
    expect(await set(false)).toEqual(all(false, 'explorer'))
  })

  it.each(KEYS)('is there, and is removed, if only one of the keys is left: %s', async (left) => {
    const { set, keys } = registry()
    await set(true)
    for (const key of keys.keys()) if (!key.startsWith(left)) keys.delete(key)
    expect(keys.size).toBe(2)
    expect(await set(null)).toEqual(all(true, 'explorer'))
    expect(await set(false)).toEqual(all(false, 'explorer'))
    expect(keys.size).toBe(0)
  })

  it('says so where the registry refuses', async () => {
    const { set } = registry(true)
    expect(await set(true)).toEqual({ managers: [{ name: 'explorer', isOn: false }], failed: ['explorer'] })
  })

  it('is renewed at a start after a move or in another language, written only then, and never added', async () => {
    const { set, start, keys, calls } = registry()
    await start().refresh()
    expect(keys.size).toBe(0)
    await set(true)
    calls.length = 0
    await start().refresh()
    expect([calls.includes('query'), calls.includes('add')]).toEqual([true, false])
    const moved = 'D:\\Tools (new)\\slipway-portable.exe'
    await start(moved, LABELS[1]).refresh()
    for (const [key, values] of keys)
      expect([...values]).toEqual(
        key.endsWith('command')
          ? [['(Default)', `"${moved}" --copy-link -- "%1"`]]
          : [
              ['MUIVerb', LABELS[1]],
              ['Icon', moved],
            ],
      )
    calls.length = 0
    await start(moved, LABELS[1]).refresh()
    expect(calls).not.toContain('add')
  })
})

function bound(one: FileManagerMenu) {
  return { set: (on: boolean | null) => one.set(on), refresh: () => one.refresh() }
}

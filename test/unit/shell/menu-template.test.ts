// The application menu: the items on each system, that every command of the window has a place, and that no
// two items share an accelerator. The menu has no accelerators for keys that the page must handle first.
import { describe, expect, it } from 'vitest'
import {
  type MenuCommand,
  type MenuGroup,
  type MenuItem,
  menuTemplate,
} from '../../../src-main/shell/app/menu-template.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { type Boot, type Undoable, View, WindowCommand } from '../../../src-shared/window-contract.ts'
import { FORMATS } from './world.ts'

const PLATFORMS = ['darwin', 'win32', 'linux', 'other'] as const
const menu = (
  platform: Boot['platform'],
  texts = english,
  undo: Undoable | null = null,
): readonly MenuGroup[] => menuTemplate({ platform, texts, formats: FORMATS, undo })
const items = (platform: Boot['platform']): readonly MenuItem[] =>
  menu(platform).flatMap((group) => group.items)
const commands = (platform: Boot['platform']): readonly MenuCommand[] =>
  items(platform).flatMap((item) => (item.type === 'command' ? [item.command] : []))

function print(group: MenuGroup | undefined): string[] {
  return (group?.items ?? []).map((item) => {
    if (item.type === 'separator') return '-'
    return item.type === 'role'
      ? `${item.label} (${item.role})`
      : `${item.label}${item.accelerator === null ? '' : ` ${item.accelerator}`}`
  })
}

describe('the menu bar', () => {
  it.each([
    ['darwin', ['Slipway', 'File', 'Edit', 'View', 'Window', 'Help']],
    ['win32', ['&File', '&Edit', '&View', '&Window', '&Help']],
    ['linux', ['&File', '&Edit', '&View', '&Window', '&Help']],
  ] as const)('on %s', (platform, expected) => {
    expect(menu(platform).map((group) => group.label)).toEqual(expected)
  })

  it('has a letter of its own for each menu, in each language', () => {
    for (const texts of [english, german]) {
      const letters = menu('linux', texts).map((group) => /&(.)/.exec(group.label)?.[1])
      expect(letters).not.toContain(undefined)
      expect(new Set(letters).size).toBe(letters.length)
    }
  })

  it('has the menu of the app on macOS', () => {
    expect(print(menu('darwin')[0])).toEqual([
      'About Slipway (about)',
      'Check for updates…',
      '-',
      'Settings… Cmd+,',
      'Install command line tool…',
      '-',
      'Services (services)',
      '-',
      'Hide Slipway (hide)',
      'Hide others (hideOthers)',
      'Show all (unhide)',
      '-',
      'Quit Slipway (quit)',
    ])
  })

  it.each(['win32', 'linux', 'other'] as const)(
    'has File and Help as they are elsewhere on %s',
    (platform) => {
      const [file, , , , help] = menu(platform)
      expect(print(file)).toEqual([
        'Upload… CmdOrCtrl+U',
        'Upload folder… Shift+CmdOrCtrl+U',
        'Paste and upload Shift+CmdOrCtrl+V',
        'Take screenshot and upload',
        'Show shelf',
        '-',
        'Copy link',
        'Open link',
        'Delete',
        '-',
        'Add account…',
        'Manage accounts…',
        '-',
        'Close window (close)',
        'Quit Slipway (quit)',
      ])
      expect(print(help).at(-1)).toBe('About Slipway (about)')
    },
  )

  it('tells macOS which menus are its own to add to', () => {
    expect(menu('darwin').flatMap((group) => (group.role === null ? [] : [group.role]))).toEqual([
      'window',
      'help',
    ])
  })
})

describe.each(PLATFORMS)('on %s', (platform) => {
  it('has a place for every command of the window and for every view', () => {
    const all = commands(platform)
    expect(new Set(all.flatMap((one) => (one.kind === 'window' ? [one.command] : [])))).toEqual(
      new Set(WindowCommand.options),
    )
    expect(new Set(all.flatMap((one) => (one.kind === 'go' ? [one.view] : [])))).toEqual(
      new Set(View.options),
    )
  })

  it('gives no keys twice, and none that a text field needs', () => {
    const plain = (keys: string): string =>
      keys
        .replace(/CmdOrCtrl|Cmd|Ctrl/, 'Mod')
        .split('+')
        .toSorted()
        .join('+')
    const keys = items(platform).flatMap((item) =>
      item.type === 'command' && item.accelerator !== null ? [plain(item.accelerator)] : [],
    )
    expect(new Set(keys).size).toBe(keys.length)
    for (const own of [
      'C+Mod',
      'V+Mod',
      'X+Mod',
      'A+Mod',
      'Mod+Z',
      'Delete',
      'Backspace',
      'Enter',
      'Backspace+Mod',
    ])
      expect(keys).not.toContain(own)
  })

  it('has each role at most once', () => {
    const roles = items(platform).flatMap((item) => (item.type === 'role' ? [item.role] : []))
    expect(new Set(roles).size).toBe(roles.length)
  })

  it('never begins or ends with a separator, nor has two in a row', () => {
    for (const group of menu(platform)) expect(print(group).join('|')).not.toMatch(/^-|-$|-\|-/)
  })
})

// The list of shortcuts: it shows every key that the window or its menu binds, and no part of the window
// compares keys on its own, except controls with the keys of their kind.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type MenuItem, menuTemplate } from '../../../../src-main/shell/app/menu-template.ts'
import { shortcutList } from '../../../../src-renderer/app/shortcut-list.ts'
import { isKey, KEY_GROUPS, type KeyName, keyLabel } from '../../../../src-renderer/state/keyboard.ts'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { shell } from '../../../../src-shared/i18n/en/shell.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { DEFAULT_APP_SETTINGS } from '../../../../src-shared/settings.ts'
import { FORMATS } from '../../shell/world.ts'
import { bootOf } from '../fake-bridge.ts'

const SOURCES = resolve(import.meta.dirname, '../../../../src-renderer')
/** Controls whose keys belong to their kind, such as the arrow keys of a number field. */
const CONTROLS = [
  'app/palette.tsx',
  'components/number-input.tsx',
  'components/search-field.tsx',
  'components/text-input.tsx',
  'state/keyboard.ts',
  'views/settings/accelerator.ts',
]
/** The keys of Electron's roles, apart from editing text and what only macOS has. */
const ROLE_KEYS: Readonly<Record<string, string>> = {
  close: 'mod W',
  minimize: 'mod M',
  resetZoom: 'mod 0',
  zoomIn: 'mod +',
  zoomOut: 'mod -',
  togglefullscreen: 'fullscreen',
}

const words = (code: 'en' | 'de') => ({
  t: textsOf(code),
  f: createFormats(code === 'en' ? 'en-GB' : 'de-DE', textsOf(code).time),
})
const shown = (): readonly string[] =>
  shortcutList(words('en')).flatMap(({ rows }) => rows.flatMap(({ keys }) => keys))

beforeEach(() => {
  appStore.setState({ boot: bootOf({ platform: 'linux' }), settings: null })
})

describe('the list of shortcuts', () => {
  it('names what each bound key does, in each language', () => {
    const names = Object.values(KEY_GROUPS).flatMap((group) => Object.keys(group))
    for (const code of ['en', 'de'] as const) {
      const rows = shortcutList(words(code)).flatMap((group) => group.rows)
      expect(rows.map(({ id }) => id)).toEqual(names)
      for (const { title, keys } of rows) expect([title, ...keys]).not.toContain('')
    }
    expect(shown()).toEqual(
      expect.arrayContaining(['Enter', 'Ctrl+V', 'Esc', '?', 'F1', 'Space', 'Shift+F10', 'Ctrl+Enter']),
    )
  })

  it.each(['linux', 'win32', 'darwin'] as const)('has every key of the menu on %s', (platform) => {
    appStore.setState({ boot: bootOf({ platform }) })
    const keyOf = (item: MenuItem): string | null => {
      if (item.type === 'role') return ROLE_KEYS[item.role] ?? null
      if (item.type === 'separator' || item.accelerator === null) return null
      if (item.accelerator === 'Cmd+R' || item.accelerator === 'F5') return 'refresh'
      return item.accelerator
        .toLowerCase()
        .replace(/cmdorctrl|cmd|ctrl/, 'mod')
        .replaceAll('+', ' ')
    }
    const groups = menuTemplate({ platform, texts: shell, formats: FORMATS, undo: null })
    const keys = groups.flatMap(({ items }) => items.flatMap((item) => keyOf(item) ?? []))
    expect(keys.length).toBeGreaterThan(15)
    const wanted = keys.map((key) =>
      keyLabel(key.replace(/ ([a-z])$/, (_all, end: string) => ` ${end.toUpperCase()}`)),
    )
    expect(shown().map((key) => key.toLowerCase())).toEqual(
      expect.arrayContaining(wanted.map((key) => key.toLowerCase())),
    )
  })

  it('has the keys that the user has set for all apps', () => {
    appStore.setState({ settings: { ...DEFAULT_APP_SETTINGS, clipboardShortcut: 'CommandOrControl+Alt+V' } })
    expect(shortcutList(words('en')).at(-1)).toMatchObject({
      title: 'From any app',
      rows: [{ title: 'Clipboard shortcut', keys: ['Ctrl+Alt+V'] }],
    })
  })
})

it('no part of the window compares keys on its own, except controls', () => {
  const compared = /\bkey [!=]== '(?:.|Enter|Escape|Delete|Backspace|ContextMenu|F\d+)'/
  const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && compared.test(readFileSync(join(SOURCES, name), 'utf8')))
    .map((name) => name.replaceAll('\\', '/'))
  expect(found.toSorted()).toEqual(CONTROLS)
})

describe('a key press', () => {
  const press = (key: string, more: { ctrl?: true; shift?: true; alt?: true; meta?: true } = {}) => ({
    key,
    ctrlKey: more.ctrl ?? false,
    shiftKey: more.shift ?? false,
    altKey: more.alt ?? false,
    metaKey: more.meta ?? false,
  })
  it.each<[string, ReturnType<typeof press>, KeyName, boolean]>([
    ['Enter', press('Enter'), 'copy-row', true],
    ['Ctrl+Enter', press('Enter', { ctrl: true }), 'copy-row', false],
    ['Ctrl+Enter', press('Enter', { ctrl: true }), 'open', true],
    ['Ctrl+C', press('c', { ctrl: true }), 'copy', true],
    ['Ctrl+Shift+C', press('C', { ctrl: true, shift: true }), 'copy', false],
    ['Ctrl+Shift+C', press('C', { ctrl: true, shift: true }), 'copy-markdown', true],
    ['a digit that needs Shift', press('1', { ctrl: true, shift: true }), 'files', true],
    ['a bare digit', press('1'), 'files', false],
    ['?', press('?', { shift: true }), 'shortcuts', true],
    ['F1', press('F1'), 'shortcuts', true],
    ['Ctrl+Space', press(' ', { ctrl: true }), 'toggle', true],
    ['a letter', press('ä'), 'type', true],
    ['Alt+letter', press('a', { alt: true }), 'type', false],
    ['Shift+F10', press('F10', { shift: true }), 'menu', true],
    ['F10', press('F10'), 'menu', false],
    ['Del', press('Delete'), 'delete', true],
  ])('%s %j is %s: %s', (_shown, event, name, expected) => {
    expect(isKey(event, name)).toBe(expected)
  })

  it('is Cmd instead of Ctrl on macOS', () => {
    appStore.setState({ boot: bootOf({ platform: 'darwin' }) })
    expect([
      isKey(press('k', { meta: true }), 'palette'),
      isKey(press('k', { ctrl: true }), 'palette'),
      isKey(press('Backspace', { meta: true }), 'delete'),
      isKey(press('r', { meta: true }), 'refresh'),
    ]).toEqual([true, false, true, true])
  })
})

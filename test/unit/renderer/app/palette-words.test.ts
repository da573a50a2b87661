// What the palette finds: each command of the menu and each part of the settings by its own word, in English and
// German, and by other common words for the same.
import { act, createElement } from 'react'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type MenuCommand, menuTemplate } from '../../../../src-main/shell/app/menu-template.ts'
import { commands, findCommands } from '../../../../src-renderer/app/commands.ts'
import { useSelectionMenu } from '../../../../src-renderer/components/selection-menu.ts'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { SECTION_NAMES, SECTIONS } from '../../../../src-renderer/views/settings/settings-index.ts'
import { shell as german } from '../../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../../src-shared/i18n/en/shell.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import type { WindowCommand } from '../../../../src-shared/window-contract.ts'
import { snapshot } from '../../shell/world.ts'
import { bootOf, installBridge } from '../fake-bridge.ts'
import { createHookRoot } from '../hook-root.ts'

const language = (code: 'en' | 'de') => ({
  t: textsOf(code),
  f: createFormats(code === 'en' ? 'en-GB' : 'de-DE', textsOf(code).time),
})

/** How many commands a search shows. */
const SHOWN = 7

/** The palette's command for each of the menu's; null for what only macOS has, and for the palette itself. */
const OF_WINDOW: Readonly<Record<WindowCommand, string | null>> = {
  search: 'search',
  palette: null,
  upload: 'upload',
  'upload-folder': 'upload-folder',
  paste: 'paste',
  copy: 'copy',
  open: 'open',
  'select-all': 'select-all',
  delete: 'delete',
  undo: 'undo',
  details: 'details',
  refresh: 'refresh',
  'add-account': 'account-add',
  'manage-accounts': 'account-manage',
  updates: 'updates',
  shortcuts: 'shortcuts',
}

function idOf(command: MenuCommand): string | null {
  switch (command.kind) {
    case 'window':
      return OF_WINDOW[command.command]
    case 'go':
      return `go-${command.view}`
    case 'act':
      return command.action
    case 'open-log':
      return 'log'
    case 'open-data':
      return 'setting-data'
    case 'open-website':
      return 'website'
    case 'licences':
      return 'setting-licences'
    case 'link-command-line':
      return null
    default:
      return command satisfies never
  }
}

beforeAll(() => {
  installBridge()
  appStore.setState({ boot: bootOf(), snapshot: snapshot() })
})
afterAll(() => vi.unstubAllGlobals())

describe.each([
  ['en', english],
  ['de', german],
] as const)('the palette, %s', (code, texts) => {
  const words = language(code)
  const found = (typed: string): readonly string[] =>
    findCommands(commands(words, true), typed)
      .slice(0, SHOWN)
      .map(({ id }) => id)

  it('finds each command of the menu by its label', () => {
    const items = (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
      menuTemplate({ platform, texts, formats: { count: String }, undo: null }).flatMap(
        ({ items: all }) => all,
      ),
    )
    const missing = items.flatMap((item) => {
      if (item.type === 'separator') return []
      const roles: Readonly<Record<string, string>> = { about: 'section-about', quit: 'quit' }
      const id = item.type === 'command' ? idOf(item.command) : (roles[item.role] ?? null)
      const typed = (id === 'undo' ? words.t.undo : item.label).replaceAll(/&|…/g, '')
      return id === null || found(typed).includes(id)
        ? []
        : [`${typed}: ${id}, but ${found(typed).join(' ')}`]
    })
    expect(missing).toEqual([])
  })

  it('finds each part of the settings, and each setting, by its name', () => {
    const own = words.t.settingsView
    const missing = SECTION_NAMES.flatMap((section) => [
      [`section-${section}`, own.sections[section]] as const,
      ...SECTIONS[section].map((row) => [`setting-${row}`, own.rows[row].label] as const),
    ]).filter(([id, name]) => !found(name).includes(id))
    expect(missing).toEqual([])
  })

  it('finds each command by its own title', () => {
    const all = commands(words)
    const missing = all.filter(({ id, title }) => !found(title).includes(id)).map(({ title }) => title)
    expect(missing).toEqual([])
  })
})

it.each([
  ['en', 'diagnostics', 'setting-diagnostics'],
  ['en', 'about', 'section-about'],
  ['en', 'help', 'shortcuts'],
  ['en', 'shortcuts', 'shortcuts'],
  ['en', 'report a bug', 'setting-diagnostics'],
  ['en', 'dark mode', 'theme-dark'],
  ['en', 'sign out', 'section-account'],
  ['en', 'privacy', 'section-guard'],
  ['en', 'proxy', 'setting-proxy'],
  ['en', 'exit', 'quit'],
  ['en', 'trash', 'delete'],
  ['en', 'screenshot', 'region'],
  ['en', 'mute', 'snooze'],
  ['en', 'version', 'section-about'],
  ['en', 'rename', 'account-manage'],
  ['en', 'quota', 'go-usage'],
  ['en', 'dark', 'setting-theme'],
  ['en', 'Deutsch', 'language-de'],
  ['en', 'never', 'setting-copyWatched'],
  ['de', 'Diagnose', 'setting-diagnostics'],
  ['de', 'Über', 'section-about'],
  ['de', 'Hilfe', 'shortcuts'],
  ['de', 'Tastenkürzel', 'shortcuts'],
  ['de', 'Dunkelmodus', 'theme-dark'],
  ['de', 'abmelden', 'section-account'],
  ['de', 'Datenschutz', 'section-guard'],
  ['de', 'Papierkorb', 'delete'],
  ['de', 'Bildschirmfoto', 'region'],
  ['de', 'Stumm', 'snooze'],
  ['de', 'umbenennen', 'account-manage'],
  ['de', 'nie', 'setting-copyWatched'],
] as const)('finds by another word, %s: %s', (code, typed, id) => {
  const ids = findCommands(commands(language(code), true), typed).map((one) => one.id)
  expect(ids.slice(0, SHOWN)).toContain(id)
})

it('shows the settings only to a search', () => {
  expect(commands(language('en')).some(({ id }) => /^(?:section|setting)-/.test(id))).toBe(false)
})

it('offers what only the menu of the selection has, by other words too, and names the file', async () => {
  const run = vi.fn()
  const menu = [
    { id: 'copy', label: 'Copy link', run },
    { id: 'copy-as', label: 'Copy as', entries: [] },
    { id: 'separator', separator: true } as const,
    { id: 'cancel', label: 'Cancel upload', run },
  ]
  const Offer = () => {
    useSelectionMenu('tide.pdf', menu)
    return null
  }
  const titles = (typed: string) => findCommands(commands(language('en')), typed).map((one) => one.title)
  const root = createHookRoot()
  act(() => root.render(createElement(Offer)))
  expect(titles('cancel upl')).toEqual(['Cancel upload: tide.pdf'])
  expect(titles('abort')).toEqual(['Cancel upload: tide.pdf'])
  // The name finds only the file itself.
  expect(titles('tide')).toEqual([])
  expect(titles('copy link').filter((title) => /^Copy link(?::|$)/.test(title))).toEqual(['Copy link'])
  findCommands(commands(language('en')), 'cancel')[0]?.run()
  expect(run).toHaveBeenCalledOnce()
  act(() => root.unmount())
  expect(titles('cancel upl')).toEqual([])
})

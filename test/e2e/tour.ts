// A walk through everything that the window shows, in either language: each view, dialog and menu, the
// banners and the messages. A visitor is called at each stop and makes the checks; the walk itself only
// expects to arrive.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { createFormats, type Formats } from '../../src-shared/i18n/formats.ts'
import type { LanguageCode } from '../../src-shared/i18n/language.ts'
import { type Texts, textsOf } from '../../src-shared/i18n/texts.ts'
import { expect } from './fixture.ts'
import { DELETE_KEY } from './hands.ts'
import { seedAccount } from './seed.ts'
import {
  answerDialogs,
  ask,
  dropFiles,
  KEY,
  makeFiles,
  NO_KEYCHAIN,
  type Slipway,
  type Start,
} from './slipway.ts'

export type Visit = (stop: string) => Promise<void>

const LOCALES: Readonly<Record<LanguageCode, string>> = { en: 'en-GB', de: 'de-DE' }

/** The starts for the two walks: the welcome screen, and an app in use with 60 files from other devices. */
export function freshStart(language: LanguageCode): Start {
  return { as: 'fresh', locale: LOCALES[language], env: NO_KEYCHAIN }
}
export function usedStart(language: LanguageCode, settings: Start['settings'] = {}): Start {
  return {
    locale: LOCALES[language],
    settings: { language, undoSeconds: 60, ...settings },
    service: { plan: 'pro', key: KEY, limits: { dailyUploads: 7, maxFileSize: 2_000_000 } },
    before: ({ service }) => seedAccount(service, 60),
  }
}

interface Guide {
  readonly s: Slipway
  readonly page: Page
  readonly t: Texts
  readonly f: Formats
  readonly visit: Visit
}

export function guideOf(s: Slipway, language: LanguageCode, visit: Visit): Guide {
  const t = textsOf(language)
  const { page } = s
  // The tooltip of what a click has left under the pointer is no part of a stop, and would take the next Escape.
  const calm: Visit = async (stop) => {
    await page.mouse.move(0, 0)
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await visit(stop)
  }
  return { s, page, t, f: createFormats(LOCALES[language], t.time), visit: calm }
}

const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true })

/** The welcome screen with a refused key, a successful check, a folder, and the end. */
export async function walkWelcome({ s, page, t, visit }: Guide): Promise<void> {
  const own = t.welcomeView
  await visit('welcome')
  const address = page.getByLabel(own.address)
  const key = page.getByLabel(own.key, { exact: true })
  await address.fill('http://example.invalid')
  await key.fill('wrong-key')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').first()).toBeVisible()
  await visit('welcome, plain http')
  await address.fill(s.service.url)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText(own.connectFailures['key-refused'].title)
  await visit('welcome, key refused')
  await key.fill(KEY)
  await page.keyboard.press('Enter')
  await expect(button(page, own.untilQuit)).toBeFocused()
  await visit('welcome, proved')
  await button(page, own.untilQuit).click()
  await expect(page.getByRole('heading', { name: own.folderTitle })).toBeFocused()
  await visit('welcome, folder')
  const share = makeFiles(s.home, 'Share', { 'a.txt': 'a', '.env': 'TOKEN=abc' })
  await answerDialogs(s.app, [share])
  await button(page, own.choose).click()
  const watch = button(page, t.settingsView.pickDo)
  await expect(watch).toBeVisible()
  await visit('welcome, folder chosen')
  await watch.click()
  await expect(page.getByRole('grid', { name: t.filesView.list })).toBeVisible()
}

/** An account without files, and a window without transfers. */
export async function walkEmpty({ page, t, visit }: Guide): Promise<void> {
  await expect(page.getByText(t.filesView.emptyTitle)).toBeVisible()
  await visit('files, empty')
  await page.keyboard.press('ControlOrMeta+2')
  await expect(page.getByText(t.transfersView.emptyTitle)).toBeVisible()
  await visit('transfers, empty')
  await page.keyboard.press('ControlOrMeta+3')
  await expect(page.getByRole('heading', { name: t.usageView.title, exact: true })).toBeVisible()
  await visit('usage, empty')
}

const files = (page: Page, t: Texts): Locator => page.getByRole('grid', { name: t.filesView.list })
const transfers = (page: Page, t: Texts): Locator => page.getByRole('grid', { name: t.transfersView.list })
const rowOf = (grid: Locator, text: string): Locator => grid.getByRole('row').filter({ hasText: text })

/**
 * Drops files that end in all possible states: done, held as a secret, held for its size, failed, waiting for
 * tomorrow.
 */
async function makeEveryState({ s, page, t, f }: Guide): Promise<void> {
  s.service.setFaults({
    rules: [{ on: 'upload', nth: 2, kinds: { kind: 'error-before-store', status: 400 } }],
  })
  const first = makeFiles(s.home, 'first', { 'report.txt': 'a report' })
  await dropFiles(page, [join(first, 'report.txt')])
  await expect(rowOf(files(page, t), 'report.txt')).toBeVisible()
  const second = makeFiles(s.home, 'second', { 'bad.txt': 'not understood' })
  await dropFiles(page, [join(second, 'bad.txt')])
  await expect(button(page, t.statusNeedsYou(1, f.count(1)))).toBeVisible()
  s.service.setFaults(null)
  const many = makeFiles(s.home, 'many', {
    '.env': 'TOKEN=abc',
    id_rsa: '-----BEGIN OPENSSH PRIVATE KEY-----',
    'large.bin': new Uint8Array(3_000_000),
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`scan-${String(i).padStart(2, '0')}.png`, `scan ${i}`]),
    ),
  })
  await dropFiles(page, [many])
}

/** Every view and dialog of an app in use. */
export async function walk(guide: Guide): Promise<void> {
  await walkFiles(guide)
  await walkTransfers(guide)
  await walkUsage(guide)
  await walkSettings(guide)
  await walkBands(guide)
}

async function walkFiles(guide: Guide): Promise<void> {
  const { page, t, visit } = guide
  const own = t.filesView
  const grid = files(page, t)
  await expect(rowOf(grid, '-00000.')).toBeVisible()
  await visit('files')
  await rowOf(grid, '-00000.').click()
  const panel = page.getByRole('complementary', { name: own.inspector })
  if (!(await panel.isVisible())) await page.keyboard.press('ControlOrMeta+I')
  await expect(panel).toBeVisible()
  await visit('files, details')
  await button(panel, t.qr).click()
  await expect(page.getByRole('dialog', { name: t.qrTitle })).toBeVisible()
  await visit('QR code')
  await page.keyboard.press('Escape')
  await button(panel, own.closeInspector).click()
  await rowOf(grid, '-00001.').click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await visit('menu of a file')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await rowOf(grid, '-00001.').click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('ControlOrMeta+I')
  await expect(panel).toBeVisible()
  await visit('files, two selected')
  await grid.focus()
  await page.keyboard.press(DELETE_KEY)
  await expect(button(page, t.undo)).toBeVisible()
  await visit('files, deleting')
  await button(page, t.undo).click()
  await expect(button(page, t.undo)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+F')
  await page.keyboard.type('nothing has this name')
  await expect(page.getByText(own.nothingTitle)).toBeVisible()
  await visit('files, nothing found')
  await button(page, own.showAll).click()
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('combobox')).toBeFocused()
  await visit('palette')
  await page.keyboard.type('-0000')
  await expect(page.getByRole('option', { name: '-00003' })).toBeVisible()
  await visit('palette, files')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox')).toHaveCount(0)

  await makeEveryState(guide)
  const plan = page.getByRole('dialog')
  await expect(plan).toBeVisible()
  await visit('plan of a drop')
  await plan.getByRole('button').first().click()
  await expect(plan).toHaveCount(0)
  await expect(page.getByText(t.gaugeDay('~').split('~')[0] ?? '')).toBeVisible()
  await visit('files, uploads wait')
}

async function walkTransfers({ page, t, visit }: Guide): Promise<void> {
  const own = t.transfersView
  await page.keyboard.press('ControlOrMeta+2')
  const grid = transfers(page, t)
  await expect(grid.getByRole('row').filter({ hasText: own.groups.needs })).toBeVisible()
  await expect(rowOf(grid, 'scan-').first()).toBeVisible()
  await visit('transfers')
  await rowOf(grid, 'bad.txt').click()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeVisible()
  await visit('menu of a transfer')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await grid.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await expect(page.getByRole('toolbar')).toBeVisible()
  await visit('transfers, all chosen')
  await grid.focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+F')
  await page.keyboard.type('nothing has this name')
  await expect(page.getByText(own.nothingFound, { exact: true })).toBeVisible()
  await visit('transfers, nothing found')
}

async function walkUsage({ page, t, visit }: Guide): Promise<void> {
  await page.keyboard.press('ControlOrMeta+3')
  await expect(page.getByRole('heading', { name: t.usageView.title, exact: true })).toBeVisible()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  await visit('usage')
}

/** Opens a section of the settings, through the list at the side or the select that replaces it. */
async function section(page: Page, t: Texts, name: keyof Texts['settingsView']['sections']): Promise<void> {
  const words = t.settingsView
  const link = page
    .getByRole('navigation', { name: words.sectionsLabel })
    .getByRole('button', { name: words.sections[name], exact: true })
  if (await link.isVisible()) await link.click()
  else {
    await page.getByRole('main').getByRole('button', { name: words.sectionsLabel }).first().click()
    await page.getByRole('option', { name: words.sections[name], exact: true }).click()
  }
  await expect(page.getByRole('group', { name: words.sections[name], exact: true })).toBeVisible()
}

async function walkSettings({ s, page, t, visit }: Guide): Promise<void> {
  const words = t.settingsView
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('ControlOrMeta+,')
  await section(page, t, 'account')
  await visit('settings, account')
  await button(page, words.replaceKey).click()
  await expect(dialog).toBeVisible()
  await visit('settings, new key')
  await page.keyboard.press('Escape')
  await section(page, t, 'folders')
  await visit('settings, folders, none')
  const share = makeFiles(s.home, 'Werft', {
    'w.txt': 'watched',
    '.env.local': 'TOKEN=abc',
    'x.tmp': 'left out',
  })
  await answerDialogs(s.app, [share])
  await button(page, words.folderAdd).click()
  await expect(dialog).toBeVisible()
  await visit('settings, folder chosen')
  await button(dialog, words.pickDo).click()
  await expect(dialog).toHaveCount(0)
  await visit('settings, folders')
  await button(page, `${t.folderMenu.rules}, Werft`).click()
  await expect(dialog).toBeVisible()
  await visit('settings, rules of a folder')
  await page.keyboard.press('Escape')
  for (const name of [
    'uploads',
    'links',
    'notifications',
    'appearance',
    'network',
    'startup',
    'about',
  ] as const) {
    await section(page, t, name)
    await visit(`settings, ${name}`)
  }
  await button(page, words.licences).click()
  await expect(dialog).toBeVisible()
  // Not a stop of the tour: the texts of licences are in English in every language.
  await page.keyboard.press('Escape')
  await section(page, t, 'uploads')
  await page
    .getByRole('group', { name: words.sections.uploads, exact: true })
    .getByRole('button')
    .first()
    .click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await visit('settings, a list open')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+F')
  // A search whose few results are visible without scrolling, because axe ignores labels that are scrolled
  // out of view.
  await page.keyboard.type(words.rows.linkStyle.label)
  await expect(page.getByText(words.rows.linkStyle.label, { exact: true })).toBeVisible()
  await visit('settings, found')
  await page.keyboard.type('qqq')
  await expect(page.getByText(words.searchNothing).last()).toBeVisible()
  await visit('settings, nothing found')
}

async function walkBands({ s, page, t, visit }: Guide): Promise<void> {
  await page.keyboard.press('ControlOrMeta+1')
  rmSync(join(s.home, 'Werft'), { recursive: true })
  const band = (text: string): Locator =>
    page.getByRole('main').locator('[role=alert], [role=status]').filter({ hasText: text })
  await expect(band(t.folderGoneTitle('Werft'))).toBeVisible()
  await ask(page, 'pause', {})
  await expect(band(t.pausedTitle)).toBeVisible()
  await visit('a folder gone, and a pause')
  await ask(page, 'resume', {})
  /**
   * Repeats both requests until a banner shows the text. After a failure, the client backs off, so one
   * attempt may not be enough.
   */
  const refresh = async (text: string): Promise<void> => {
    await expect(async () => {
      await askAll()
      await expect(band(text)).toBeVisible({ timeout: 2000 })
    }).toPass({ timeout: 40_000 })
  }
  const askAll = async (): Promise<void> => {
    await ask(page, 'retry', { ids: null })
    await ask(page, 'catalog', {
      search: '',
      sort: 'date',
      descending: true,
      offset: 0,
      limit: 1,
      fresh: 'need',
    })
  }
  await s.service.goAway()
  await refresh(t.offlineTitle)
  await visit('the service is away')
  await s.service.comeBack()
  s.service.setPlan('free')
  await refresh(`${t.reasons.foreign('')}.`)
  await visit('unexpected answers')
  s.service.setPlan('pro')
  s.service.setKey('another-key')
  await refresh(t.accountBlockedTitle)
  await visit('the key is refused')
  await page.keyboard.press('ControlOrMeta+2')
  await visit('transfers, the key is refused')
}

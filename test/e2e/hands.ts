// User actions in the window, found by roles and names, and the service's side of them.
// Contains no expectations; those are in the specs.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ElectronApplication, expect, type Locator, type Page } from '@playwright/test'
import type { Folder } from '../../src-shared/model.ts'
import { answerDialogs, ask, KEY, makeFiles, type Slipway } from './slipway.ts'

export const isMac = process.platform === 'darwin'
/** The key that deletes or cancels the selected rows. */
export const DELETE_KEY = isMac ? 'Meta+Backspace' : 'Delete'
/** How long the service must have got no request to count as quiet, and how long to wait for that. */
const QUIET_MS = 1500
const QUIET_MOST_MS = 30_000

/** A shortcut with Cmd or Ctrl as the English window shows it. */
export function modKey(key: string): string {
  return isMac ? `⌘${key}` : `Ctrl+${key}`
}

/** The list of remote files, and a row of it that contains some text. */
export function fileList(page: Page): Locator {
  return page.getByRole('grid', { name: 'Remote files' })
}
export function fileRow(page: Page, text: string): Locator {
  return fileList(page).getByRole('row').filter({ hasText: text })
}

export function transferRow(page: Page, text: string): Locator {
  return page.getByRole('grid', { name: 'Transfers' }).getByRole('row').filter({ hasText: text })
}

/** Returns whether a text like this has been in the page since this was called, even for a moment. */
export async function watchFor(page: Page, wanted: RegExp): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle((pattern) => {
    const found = { ever: false }
    const look = (): void => {
      if (pattern.test(document.body.textContent)) found.ever = true
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    return found
  }, wanted)
  return () => seen.evaluate((found) => found.ever)
}

/** A banner at the top of the view, not a notice. */
export function banner(page: Page, text: string): Locator {
  return page.getByRole('main').locator('[role=alert], [role=status]').filter({ hasText: text })
}

/** Opens a view from the sidebar. */
export async function open(page: Page, view: 'Files' | 'Transfers' | 'Usage' | 'Settings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click()
}

/** Opens a section of the settings. */
export async function openSection(page: Page, name: string): Promise<void> {
  await open(page, 'Settings')
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name }).click()
}

/** The number of transfers that are done, as the window knows it; null if it doesn't. */
export async function doneCount(page: Page): Promise<number | null> {
  const got = await ask(page, 'snapshot', {})
  return got.ok ? got.value.counts.done : null
}

/** The state of the first watched folder, as the window knows it. */
export async function folderState(page: Page): Promise<Folder['state'] | undefined> {
  const got = await ask(page, 'snapshot', {})
  return got.ok ? got.value.folders[0]?.state : undefined
}

/**
 * Resolves when the service has got no request for a moment. What was on its way before can't be taken for
 * something newer then.
 */
export async function quiet(s: Slipway): Promise<void> {
  let seen = -1
  let since = Date.now()
  for (const end = since + QUIET_MOST_MS; Date.now() - since < QUIET_MS; ) {
    const { length } = s.service.requests.list()
    if (length !== seen) since = Date.now()
    seen = length
    if (Date.now() > end) throw new Error('The service keeps getting requests.')
    await new Promise((done) => setTimeout(done, 100))
  }
}

/** Runs a command by its full name, through the palette. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+K')
  await page.getByRole('combobox').fill(name)
  await page.getByRole('option', { name, exact: false }).first().click()
}

export async function copyElsewhere(app: ElectronApplication, text: string): Promise<void> {
  await app.evaluate(({ clipboard }, value) => clipboard.writeText(value), text)
}

/** Records all further writes to the clipboard. The returned function reads them. */
export async function recordClipboard(app: ElectronApplication): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ clipboard }) => {
    const written: string[] = []
    Reflect.set(globalThis, 'writtenTexts', written)
    const write = clipboard.writeText
    clipboard.writeText = (text) => {
      written.push(text)
      return write(text)
    }
  })
  return () => app.evaluate(() => Reflect.get(globalThis, 'writtenTexts') as readonly string[])
}

/**
 * Makes the highlights of rows, such as “Copied”, and the announcements to screen readers last five times as
 * long. They last about two seconds, start with the event, and on a busy machine the row may be drawn and the
 * page be read seconds later.
 */
export async function lengthenHighlights(page: Page): Promise<void> {
  await page.evaluate(() => {
    const start = globalThis.setTimeout
    const later = (run: () => void, ms?: number): unknown =>
      start(run, ms === 2000 || ms === 2400 ? ms * 5 : ms)
    Object.assign(globalThis, { setTimeout: later })
  })
}

/** Records the links that the system is asked to open from now on. The returned function reads them. */
export async function recordOpened(app: ElectronApplication): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Reflect.set(globalThis, 'openedLinks', opened)
    shell.openExternal = async (url) => void opened.push(url)
  })
  return () => app.evaluate(() => Reflect.get(globalThis, 'openedLinks') as readonly string[])
}

/** What a link returns without a key. */
export async function fetched(link: string): Promise<string> {
  const answer = await fetch(link)
  return answer.ok ? answer.text() : `${answer.status}`
}

export function logPath(s: Slipway): string {
  return join(s.data, 'window.log')
}

/** What the app has logged; nothing as long as there is no log. */
export function logOf(s: Slipway): string {
  return existsSync(logPath(s)) ? readFileSync(logPath(s), 'utf8') : ''
}

/** As the service's faults: it stores each upload, but doesn't answer before `answerUploads`. */
export const UPLOADS_UNANSWERED = {
  rules: [{ on: 'upload', kinds: { kind: 'answer-late', ms: 600_000 } }],
} as const

/** Ends `UPLOADS_UNANSWERED`, for uploads in progress as well. */
export function answerUploads(s: Pick<Slipway, 'service'>): void {
  s.service.setFaults(null)
  s.service.answerNow()
}

export function uploads(s: Slipway): number {
  return s.service.requests.list().filter((one) => one.endpoint === 'upload').length
}

export function liveNames(s: Slipway): readonly string[] {
  return s.service.ledger
    .live()
    .map((one) => one.filename)
    .toSorted()
}

/**
 * Watches a folder through the sidebar, including its current content, with the current settings. The links of its
 * new files are copied only if `copies` is true.
 */
export async function watchFolder(s: Slipway, dir: string, copies = false): Promise<void> {
  await answerDialogs(s.app, [dir])
  await s.page.getByRole('button', { name: 'Watch folder', exact: true }).click()
  const dialog = s.page.getByRole('dialog', { name: `Watch ${basename(dir)}` })
  if (!copies) {
    await dialog.getByRole('switch', { name: 'Copy links of new files' }).focus()
    await s.page.keyboard.press('Space')
  }
  await dialog.getByRole('button', { name: 'Watch folder', exact: true }).click()
  // While it is open, it takes the shortcuts.
  await dialog.waitFor({ state: 'hidden' })
}

/**
 * Connects on the welcome screen, which stores the key in the keychain, and watches a folder with `one.txt`.
 * Returns its path.
 */
export async function connectAndWatch(s: Slipway): Promise<string> {
  await s.page.getByLabel('Service address').fill(s.service.url)
  await s.page.getByLabel('API key', { exact: true }).fill(KEY)
  await s.page.getByRole('button', { name: 'Connect', exact: true }).click()
  await s.page.getByRole('button', { name: 'Continue', exact: true }).click()
  await s.page.getByRole('button', { name: 'Skip for now' }).click()
  const dir = makeFiles(s.home, 'Share', { 'one.txt': 'one' })
  await watchFolder(s, dir)
  return dir
}

export interface Asked {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly defaultId: number
  readonly cancelId: number
}

/**
 * Answers system dialogs with `response` from now on, and those about a key for another service with
 * `toCheck`, and ticks their box if `ticks`. The returned function returns all that were shown since the first such call.
 */
export async function answerQuestions(
  app: ElectronApplication,
  response: number,
  toCheck: number = response,
  ticks = false,
): Promise<() => Promise<readonly Asked[]>> {
  const given = [response, toCheck, ticks] as const
  await app.evaluate(({ dialog }, [answer, answerToCheck, checkboxChecked]) => {
    const asked = (Reflect.get(globalThis, 'systemQuestions') as unknown[] | undefined) ?? []
    Reflect.set(globalThis, 'systemQuestions', asked)
    dialog.showMessageBox = async (...args: readonly unknown[]) => {
      asked.push(args.at(-1))
      const { message } = args.at(-1) as Asked
      return {
        response: message.startsWith('Check this API key') ? answerToCheck : answer,
        checkboxChecked,
      }
    }
  }, given)
  return () => app.evaluate(() => Reflect.get(globalThis, 'systemQuestions') as Asked[])
}

/** Labels of the Edit menu, with whether they can be chosen. */
export function editMenu(s: Slipway): Promise<readonly string[]> {
  return s.app.evaluate(({ Menu }) => {
    const edit = Menu.getApplicationMenu()?.items.find((item) => item.label === '&Edit')
    return (edit?.submenu?.items ?? []).map((item) => `${item.label}${item.enabled ? '' : ' (off)'}`)
  })
}

/** Waits until this is undone next. The palette names it everywhere, the menu except on Linux. */
export async function undoesNext(s: Slipway, title: string): Promise<void> {
  await s.page.keyboard.press('ControlOrMeta+K')
  await s.page.getByRole('combobox').fill('undo')
  await expect(s.page.getByRole('option', { name: title })).toBeVisible()
  await s.page.keyboard.press('Escape')
  await expect(s.page.getByRole('combobox')).toHaveCount(0)
  const shown = process.platform === 'linux' ? 'Undo last action' : title
  await expect.poll(() => editMenu(s)).toContain(shown)
}

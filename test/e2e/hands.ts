// What a person's hands and eyes do in the window, by roles and names, and what the service says to it from its side. Specs say what is expected;
// nothing here expects anything.
import { basename } from 'node:path'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { answerDialogs, type Slipway } from './slipway.ts'

/** The list of remote files, and one row of it by a part of its text. */
export function fileList(page: Page): Locator {
  return page.getByRole('grid', { name: 'Remote files' })
}
export function fileRow(page: Page, text: string): Locator {
  return fileList(page).getByRole('row').filter({ hasText: text })
}

export function transferRow(page: Page, text: string): Locator {
  return page.getByRole('grid', { name: 'Transfers' }).getByRole('row').filter({ hasText: text })
}

/** A band at the top of the view, not a message in the corner. */
export function banner(page: Page, text: string): Locator {
  return page.getByRole('main').locator('[role=alert], [role=status]').filter({ hasText: text })
}

/** A view of the sidebar. */
export async function open(page: Page, view: 'Files' | 'Transfers' | 'Usage' | 'Settings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click()
}

/** A command by its whole name, through the palette. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox').fill(name)
  await page.getByRole('option', { name, exact: false }).first().click()
}

export async function copyElsewhere(app: ElectronApplication, text: string): Promise<void> {
  await app.evaluate(({ clipboard }, value) => clipboard.writeText(value), text)
}

/** From now on every write to the clipboard is kept; what was written is read with the function that comes back. */
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

/** What a link gives to anybody who has it. */
export async function fetched(link: string): Promise<string> {
  const answer = await fetch(link)
  return answer.ok ? answer.text() : `${answer.status}`
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

/** Watches a folder through the sidebar, with what is in it now and the settings as they stand. */
export async function watchFolder(s: Slipway, dir: string): Promise<void> {
  await answerDialogs(s.app, [dir])
  await s.page.getByRole('button', { name: 'Watch folder', exact: true }).click()
  await s.page
    .getByRole('dialog', { name: `Watch ${basename(dir)}` })
    .getByRole('button', { name: 'Watch folder', exact: true })
    .click()
}

export interface Asked {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly defaultId: number
  readonly cancelId: number
}

/** Answers the dialogs of the system with `response` from now on; gives those that were shown since the first call. */
export async function answerQuestions(app: ElectronApplication, response: number): Promise<() => Promise<readonly Asked[]>> {
  await app.evaluate(({ dialog }, given) => {
    const asked = (Reflect.get(globalThis, 'systemQuestions') as unknown[] | undefined) ?? []
    Reflect.set(globalThis, 'systemQuestions', asked)
    dialog.showMessageBox = async (...args: readonly unknown[]) => {
      asked.push(args.at(-1))
      return { response: given, checkboxChecked: false }
    }
  }, response)
  return () => app.evaluate(() => Reflect.get(globalThis, 'systemQuestions') as Asked[])
}

// Keys and searches that are faster than the answers of the engine: the window neither says what isn't so yet, nor acts on what it showed
// before.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { fileList, fileRow, open, transferRow } from './hands.ts'
import { dropFiles, makeFiles } from './slipway.ts'

/** Returns whether the text has been in the page since this was called, even for a moment. */
async function watchFor(page: Page, text: string): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle((wanted) => {
    const found = { ever: false }
    const look = (): void => {
      if (document.body.textContent?.includes(wanted) === true) found.ever = true
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    return found
  }, text)
  return () => seen.evaluate((found) => found.ever)
}

test('a search in Transfers that ends doesn’t say that there are no transfers', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'sent.txt': 'sent' })
  await dropFiles(page, [join(desk, 'sent.txt')])
  await open(page, 'Transfers')
  await expect(transferRow(page, 'sent.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+F')
  await page.keyboard.type('no such name')
  await expect(page.getByText('“no such name”')).toBeVisible()
  const isSaid = await watchFor(page, 'No transfers')
  await page.keyboard.press('Escape')
  await expect(transferRow(page, 'sent.txt')).toBeVisible()
  expect(await isSaid()).toBe(false)
})

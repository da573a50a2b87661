// Where the keyboard focus is after everything that removes it: a start, another view, a closed dialog, an
// emptied list. Each of these once left the focus on the page itself, where the list's keys don't work.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { fileList, fileRow, open, transferRow } from './hands.ts'
import { answerDialogs, clipboardText, dropFiles, KEY, makeFiles, NO_KEYCHAIN } from './slipway.ts'

function transferList(page: Page) {
  return page.getByRole('grid', { name: 'Transfers' })
}

test('the focus in the window', async ({ slipway }) => {
  const s = await slipway({
    before: ({ service }) =>
      void service.plant({ filename: 'there.txt', size: 5, storedAt: Date.now() - 60_000, downloads: 0 }),
  })
  await test.step('the list has the focus at the start and after each change of view', async () => {
    const { page } = s
    await expect(fileRow(page, 'there.txt')).toBeVisible()
    await expect(fileList(page)).toBeFocused()
    // No focus ring around the whole list until a key is pressed.
    await expect(fileList(page)).toHaveCSS('outline-style', 'none')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ControlOrMeta+C')
    await expect.poll(() => clipboardText(s.app)).toContain('http')

    await page.keyboard.press('ControlOrMeta+2')
    await expect(page.getByRole('main').getByRole('button', { name: 'Upload files…' })).toBeFocused()
    await page.keyboard.press('ControlOrMeta+3')
    await expect(page.locator('.usage-body')).toBeFocused()
    await page.keyboard.press('ControlOrMeta+1')
    await expect(fileList(page)).toBeFocused()
    await page.keyboard.press('ControlOrMeta+,')
    await expect(
      page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'Account' }),
    ).toBeFocused()
    // If a view was chosen with the pointer, the focus stays where the pointer put it.
    await open(page, 'Files')
    await expect(
      page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Files' }),
    ).toBeFocused()
    // A click on empty space doesn't move the focus to the list.
    await page.getByRole('heading', { name: 'Files', exact: true }).click()
    await expect(page.locator('body')).toBeFocused()
  })
  await test.step('closing the plan of a drop, or emptying a list, returns the focus to the view', async () => {
    await s.page.keyboard.press('ControlOrMeta+3')
    await s.page.keyboard.press('ControlOrMeta+1')
    const { page } = s
    await expect(fileList(page)).toBeFocused()
    const site = makeFiles(s.home, 'site', { '.env': 'TOKEN=abc', 'index.html': '<p>hello' })
    // Dropped from outside, while nothing in the window has the focus.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await dropFiles(page, [site])
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Upload', exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(fileList(page)).toBeFocused()

    await page.keyboard.type('nothing has this name')
    await expect(page.getByText('No results')).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Show all files' }).press('Enter')
    await expect(fileList(page)).toBeFocused()
  })
  await test.step('the filters are a single tab stop, and Arrow Down moves from the search to the list', async () => {
    const { page } = s
    await expect(fileRow(page, 'there.txt')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+F')
    await page.keyboard.press('ArrowDown')
    await expect(fileList(page)).toBeFocused()
    await expect(fileRow(page, 'there.txt')).toHaveAttribute('aria-selected', 'true')

    await page.keyboard.press('ControlOrMeta+F')
    const chip = (name: string) => page.getByRole('button', { name, exact: true })
    for (let i = 0; i < 4 && !(await chip('All').evaluate((one) => one === document.activeElement)); i++)
      await page.keyboard.press('Tab')
    await expect(chip('All')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
    // No file matches the filter, so nothing is selected afterwards, and the button for the details is no stop
    // of Tab.
    await expect(fileRow(page, 'there.txt')).toHaveCount(0)
    await expect(page.locator('.files-chip[aria-pressed=true]')).toBeFocused()
    await expect(chip('All')).toHaveAttribute('aria-pressed', 'false')
    await page.keyboard.press('End')
    await expect(page.locator('.files-chip').last()).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(fileRow(page, 'there.txt')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: /Upload date/ })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(fileList(page)).toBeFocused()

    await page.keyboard.press('ControlOrMeta+2')
    const desk = makeFiles(s.home, 'desk', { 'sent.txt': 'sent' })
    await dropFiles(page, [join(desk, 'sent.txt')])
    // Until then, its list may be read again.
    await expect(transferRow(page, 'sent.txt')).toContainText('Uploaded')
    await page.keyboard.press('ControlOrMeta+F')
    await page.keyboard.press('ArrowDown')
    await expect(transferList(page)).toBeFocused()
  })
  await test.step('“Enter new key” opens the form with its field focused, and closing it leaves the view as it was', async () => {
    await s.page.keyboard.press('ControlOrMeta+1')
    const { page } = s
    s.service.setKey('another-key-0123456789')
    await dropFiles(page, [join(makeFiles(s.home, 'desk', { 'a.txt': 'a' }), 'a.txt')])
    await page.getByRole('button', { name: 'Enter new key' }).click()
    await expect(page.getByRole('dialog').getByLabel('API key', { exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Enter new key' })).toBeFocused()
  })
})

test('a chosen folder is one Enter away from being watched', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  const { page } = s
  await expect(page.getByLabel('Service address')).toBeFocused()
  await page.keyboard.type(s.service.url)
  await page.keyboard.press('Tab')
  await page.keyboard.type(KEY)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Use until Slipway quits' })).toBeFocused()
  await page.keyboard.press('Enter')
  await answerDialogs(s.app, [])
  await expect(page.getByRole('heading', { name: 'Choose a folder' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const choose = page.getByRole('button', { name: 'Choose folder…' })
  await expect(choose).toBeFocused()
  await answerDialogs(s.app, [makeFiles(s.home, 'Share', { 'a.txt': 'a' })])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Watch folder' })).toBeFocused()
})

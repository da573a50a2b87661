// The palette and the keys that act on a selection: what they find, and what they say if nothing is selected.
// Copying itself is tested in copy.spec.ts.
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { command, fileRow, liveNames } from './hands.ts'
import { answerDialogs, ask, clipboardText, dropFiles, makeFiles } from './slipway.ts'

test('Ctrl+C, Delete and their commands say so where nothing is selected, and never write', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'one.txt': 'one' })
  await dropFiles(page, [join(desk, 'one.txt')])
  await expect(fileRow(page, 'one.txt')).toBeVisible()
  await expect.poll(() => clipboardText(s.app)).toContain('http')
  await s.app.evaluate(({ clipboard }) => clipboard.writeText('mine'))
  const told = page.locator('.notices').getByText('Nothing selected.')
  const dismiss = async (): Promise<void> => {
    await expect(told).toBeVisible()
    await page.locator('.notice').filter({ hasText: 'Nothing selected.' }).getByRole('button', { name: 'Dismiss' }).click()
    await expect(told).toHaveCount(0)
  }
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+C')
  await dismiss()
  // The key applies to the view's list even if the sidebar has the focus.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Files' }).focus()
  await page.keyboard.press('Control+C')
  await dismiss()
  await page.getByRole('grid').focus()
  await page.keyboard.press('Delete')
  await dismiss()
  await command(page, 'Copy link as Markdown')
  await dismiss()
  await page.keyboard.press('Control+3')
  await command(page, 'Open selected file in browser')
  await dismiss()
  expect(await clipboardText(s.app)).toBe('mine')
  expect(liveNames(s)).toEqual(['one.txt'])
})

test('the palette deletes and opens what is selected, watches a folder, takes a key, sets rows and language, and forgives a typing error', async ({
  slipway,
}) => {
  const s = await slipway()
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'one.txt': 'one', 'two.txt': 'two' })
  await dropFiles(page, [join(desk, 'one.txt'), join(desk, 'two.txt')])
  await fileRow(page, 'one.txt').click()
  const mistyped = async (typed: string, name: string): Promise<void> => {
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').fill(typed)
    await expect(page.getByRole('option', { name })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
  }
  await mistyped('delte selected', 'Delete selected files')
  await expect(page.getByText('1 file will be deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()

  await command(page, 'compact')
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await answerDialogs(s.app, [makeFiles(s.home, 'Share', { 'three.txt': 'three' })])
  await mistyped('wacth folder', 'Watch folder…')
  const dialog = page.getByRole('dialog', { name: 'Watch Share' })
  await dialog.getByRole('button', { name: 'Watch folder', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  // The folder is watched without a visit to the settings.
  await expect(fileRow(page, 'three.txt')).toBeVisible()

  await command(page, 'enter new api key')
  await expect(page.getByRole('dialog').getByLabel('API key', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await command(page, 'Language: Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.keyboard.press('Control+K')
  await expect(page.locator('.palette-option svg.icon').first()).toBeVisible()
  await expect(page.locator('.palette-option:not(:has(svg))')).toHaveCount(0)
  expect((await ask(page, 'boot', {})).ok).toBe(true)
})

test('before anything is typed, all commands are listed by kind, and the arrow keys show the headings', async ({ slipway }) => {
  const { page } = await slipway()
  await page.keyboard.press('Control+K')
  const list = page.getByRole('listbox', { name: 'Commands' })
  const groups = ['Actions', 'Selected files', 'Go to', 'View', 'Slipway']
  for (const name of groups) expect(await list.getByRole('group', { name, exact: true }).getByRole('option').count()).toBeGreaterThan(3)
  expect(await list.getByRole('group').evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual(groups)
  const chosen = list.getByRole('option', { selected: true })
  await page.keyboard.press('ArrowUp')
  await expect(chosen).toHaveText('Quit')
  await expect(chosen).toBeInViewport({ ratio: 1 })
  await expect(list.getByText('Actions', { exact: true })).not.toBeInViewport()
  await page.keyboard.press('ArrowDown')
  await expect(chosen).toContainText('Upload files')
  await expect(list.getByText('Actions', { exact: true })).toBeInViewport({ ratio: 1 })
  await page.getByRole('combobox').fill('light')
  await expect(list.getByRole('group', { name: 'Commands' }).getByRole('option')).toHaveText(['Use light appearance'])
})

test('keys that an input method uses for its candidates run and choose nothing', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'one.txt': 'one' })
  await dropFiles(page, [join(desk, 'one.txt')])
  await expect(fileRow(page, 'one.txt')).toBeVisible()
  const compose = (field: Locator, key: string): Promise<boolean> =>
    field.evaluate(
      (element, pressed) =>
        element.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, isComposing: true, bubbles: true, cancelable: true })),
      key,
    )
  await page.keyboard.press('Control+K')
  const field = page.getByRole('combobox')
  await expect(field).toBeFocused()
  const first = page.getByRole('option').first()
  for (const key of ['ArrowDown', 'Enter']) {
    expect(await compose(field, key)).toBe(true)
    await expect(first).toHaveAttribute('aria-selected', 'true')
  }
  await page.keyboard.press('Escape')
  const search = page.getByRole('searchbox')
  await search.focus()
  expect(await compose(search, 'ArrowDown')).toBe(true)
  await expect(search).toBeFocused()
})

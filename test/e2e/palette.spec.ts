// The palette and the keys that act on a selection: what they find, and what they say if nothing is selected.
// Copying itself is tested in copy.spec.ts.
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixture.ts'
import {
  command,
  copyElsewhere,
  DELETE_KEY,
  doneCount,
  fetched,
  fileList,
  fileRow,
  liveNames,
  uploads,
  watchFolder,
} from './hands.ts'
import { answerDialogs, ask, clipboardText, dropFiles, makeFiles } from './slipway.ts'

test('keys and commands where nothing is selected', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'one.txt': 'one' })
  await dropFiles(page, [join(desk, 'one.txt')])

  await test.step('keys that an input method uses for its candidates neither run nor select commands', async () => {
    await expect(fileRow(page, 'one.txt')).toBeVisible()
    const compose = (field: Locator, key: string): Promise<boolean> =>
      field.evaluate(
        (element, pressed) =>
          element.dispatchEvent(
            new KeyboardEvent('keydown', {
              key: pressed,
              isComposing: true,
              bubbles: true,
              cancelable: true,
            }),
          ),
        key,
      )
    await page.keyboard.press('ControlOrMeta+K')
    const field = page.getByRole('combobox')
    await expect(field).toBeFocused()
    const first = page.getByRole('option').first()
    for (const key of ['ArrowDown', 'Enter']) {
      expect(await compose(field, key)).toBe(true)
      await expect(first).toHaveAttribute('aria-selected', 'true')
    }
    await page.keyboard.press('Escape')
    await expect(field).toHaveCount(0)
    const search = page.getByRole('searchbox')
    await search.focus()
    expect(await compose(search, 'ArrowDown')).toBe(true)
    await expect(search).toBeFocused()
  })

  await test.step('? and F1 list the shortcuts, but ? is typed where text is', async () => {
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await page.getByRole('searchbox').press('?')
    await expect(list).toHaveCount(0)
    await expect(page.getByRole('searchbox')).toHaveValue('?')
    await page.getByRole('searchbox').fill('')
    await fileRow(page, 'one.txt').click()
    for (const key of ['?', 'F1']) {
      await page.keyboard.press(key)
      await expect(list.getByText(/^Copy link$/)).toBeVisible()
      await expect(list.getByText('Ctrl+Shift+C').or(list.getByText('⇧⌘C'))).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(list).toHaveCount(0)
    }
    await fileList(page).focus()
    await page.keyboard.press('Escape')
  })

  await test.step('before anything is typed, all commands are listed by kind, and the arrow keys show the headings', async () => {
    await page.keyboard.press('ControlOrMeta+K')
    const list = page.getByRole('listbox', { name: 'Commands' })
    const groups = ['Actions', 'Selected files', 'Go to', 'View', 'Slipway']
    for (const name of groups)
      await expect(list.getByRole('group', { name, exact: true }).getByRole('option').nth(3)).toBeAttached()
    expect(await list.getByRole('group').evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual(
      groups,
    )
    const chosen = list.getByRole('option', { selected: true })
    await page.keyboard.press('ArrowUp')
    await expect(chosen).toHaveText('Quit')
    // The list may end at a fraction of a pixel; a row has 38.
    await expect(chosen).toBeInViewport({ ratio: 0.98 })
    await expect(list.getByText('Actions', { exact: true })).not.toBeInViewport()
    await page.keyboard.press('ArrowDown')
    await expect(chosen).toContainText('Upload files')
    await expect(list.getByText('Actions', { exact: true })).toBeInViewport({ ratio: 1 })
    await page.getByRole('combobox').fill('light')
    await expect(list.getByRole('group', { name: 'Commands' }).getByRole('option')).toHaveText([
      'Use light appearance',
      'Appearance: Theme',
    ])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox')).toHaveCount(0)
  })

  await test.step('Ctrl+C, Delete and their commands say if nothing is selected, and then change nothing', async () => {
    await expect(fileRow(page, 'one.txt')).toBeVisible()
    await expect.poll(() => clipboardText(s.app)).toContain('http')
    await s.app.evaluate(({ clipboard }) => clipboard.writeText('mine'))
    const told = page.locator('.notices').getByText('Nothing selected.')
    const dismiss = async (): Promise<void> => {
      await expect(told).toBeVisible()
      await page
        .locator('.notice')
        .filter({ hasText: 'Nothing selected.' })
        .getByRole('button', { name: 'Dismiss' })
        .click()
      await expect(told).toHaveCount(0)
    }
    await page.getByRole('grid').focus()
    await page.keyboard.press('ControlOrMeta+C')
    await dismiss()
    // The key applies to the view's list even if the sidebar has the focus.
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Files' }).focus()
    await page.keyboard.press('ControlOrMeta+C')
    await dismiss()
    await page.getByRole('grid').focus()
    await page.keyboard.press(DELETE_KEY)
    await dismiss()
    await command(page, 'Copy link as Markdown')
    await dismiss()
    await page.keyboard.press('ControlOrMeta+3')
    await command(page, 'Open selected file in browser')
    await dismiss()
    expect(await clipboardText(s.app)).toBe('mine')
    expect(liveNames(s)).toEqual(['one.txt'])
  })
})

test('the palette deletes and opens the selection, watches a folder, takes a key, sets rows and language, and tolerates typos', async ({
  slipway,
}) => {
  const s = await slipway({ settings: { undoSeconds: 60 } })
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'one.txt': 'one', 'two.txt': 'two' })
  await dropFiles(page, [join(desk, 'one.txt'), join(desk, 'two.txt')])
  // A row that appears above moves the others.
  for (const name of ['one.txt', 'two.txt']) await expect(fileRow(page, name)).toBeVisible()
  await fileRow(page, 'one.txt').click()
  const mistyped = async (typed: string, name: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox').fill(typed)
    await expect(page.getByRole('option', { name })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
  }
  await mistyped('qr', 'QR code for the link: one.txt')
  await expect(page.getByRole('dialog', { name: 'QR code for the link' })).toBeVisible()
  await page.keyboard.press('Escape')
  await mistyped('delte selected', 'Delete selected files')
  const deletion = page.locator('.notice-card').filter({ hasText: 'Deleting in' })
  await deletion.getByRole('button', { name: 'Undo' }).click()

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
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await command(page, 'Language: Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.locator('.palette-option svg.icon').first()).toBeVisible()
  await expect(page.locator('.palette-option:not(:has(svg))')).toHaveCount(0)
  expect((await ask(page, 'boot', {})).ok).toBe(true)
})

test('the palette and what it acts on', async ({ slipway }) => {
  const s = await slipway()
  await test.step('changing the language doesn’t repeat a menu command', async () => {
    /** Returns false while the menu is in another language. */
    const paste = (): Promise<boolean> =>
      s.app.evaluate(({ Menu }) => {
        const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? []
        const found = items.find((item) => item.label.replace('&', '') === 'Paste and upload')
        found?.click()
        return found !== undefined
      })
    await copyElsewhere(s.app, 'meant for everyone')
    await expect.poll(paste).toBe(true)
    await expect.poll(() => uploads(s)).toBe(1)
    await expect.poll(() => doneCount(s.page)).toBe(1)
    await copyElsewhere(s.app, 'not meant for anyone')
    await command(s.page, 'Language: Deutsch')
    await expect(s.page.locator('html')).toHaveAttribute('lang', 'de')
    await command(s.page, 'Sprache: English')
    await expect(s.page.locator('html')).toHaveAttribute('lang', 'en')
    await expect.poll(paste).toBe(true)
    await expect.poll(() => s.service.ledger.live().length).toBe(2)
    expect(uploads(s)).toBe(2)
  })
  await test.step('Enter doesn’t copy the link of a file that matched an earlier text', async () => {
    const { page } = s
    const desk = makeFiles(s.home, 'desk', { 'qqq first.txt': 'first', 'zzz second.txt': 'second' })
    await dropFiles(page, [join(desk, 'qqq first.txt'), join(desk, 'zzz second.txt')])
    await expect(page.getByText('2 links copied')).toBeVisible()
    await copyElsewhere(s.app, 'mine')
    await page.keyboard.press('ControlOrMeta+K')
    const field = page.getByRole('combobox')
    await field.fill('qqq first')
    await expect(page.getByRole('option', { name: 'qqq first.txt' })).toHaveAttribute('aria-selected', 'true')
    // Typed and confirmed faster than any search answers.
    await field.evaluate((element) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, 'zzz second')
      element.dispatchEvent(new InputEvent('input', { bubbles: true }))
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    })
    await expect(page.getByRole('option', { name: 'zzz second.txt' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    expect(await clipboardText(s.app)).toBe('mine')
    await page.keyboard.press('Enter')
    await expect.poll(async () => fetched(await clipboardText(s.app)).catch(() => '')).toBe('second')
  })
  await test.step('a search also finds what has no link yet, says why, and Enter takes the top match', async () => {
    const { page } = s
    const desk = makeFiles(s.home, 'desk', {
      'report one.txt': 'one',
      'report two.txt': 'two',
      '.env': 'A_KEY=1',
    })
    await dropFiles(page, [join(desk, 'report one.txt')])
    await expect(fileRow(page, 'report one.txt')).toBeVisible()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Files' }).click()
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox').fill('pause all')
    await page.keyboard.press('Enter')
    await dropFiles(page, [join(desk, 'report two.txt')])

    const search = page.getByRole('searchbox')
    const open = page.getByText('1 match in Transfers')
    await search.fill('report')
    await expect(open).toBeVisible()
    await expect(fileRow(page, 'report one.txt')).toBeVisible()
    await search.fill('two.txt')
    await expect(page.getByRole('heading', { name: 'Not uploaded yet' })).toBeVisible()
    await expect(page.getByText('No results')).toHaveCount(0)
    await s.app.evaluate(({ clipboard }) => clipboard.writeText('mine'))
    await search.press('Enter')
    await search.fill('one.txt')
    await search.press('Enter')
    await expect.poll(() => clipboardText(s.app)).toContain('http')

    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox').fill('report two')
    await expect(page.getByRole('option', { name: /report two\.txt.*[Pp]aused/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Transfers', exact: true })).toBeVisible()
    await expect(search).toHaveValue('report two.txt')

    await watchFolder(s, makeFiles(s.home, 'Watched', { 'scratch.tmp': '' }))
    const reason = page.getByText('scratch.tmp: Ignored: Temporary files (*.tmp)')
    await search.fill('scratch')
    await expect(reason).toBeVisible()
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox').fill('scratch')
    await expect(page.getByRole('dialog').filter({ has: reason })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+1')
    await search.fill('scratch')
    await expect(reason).toBeVisible()
    await page.getByRole('button', { name: 'Rules…' }).click()
    await expect(page.getByRole('dialog', { name: 'Watched' })).toBeVisible()
  })
})

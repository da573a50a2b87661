// The file list: a double click on "Copy" opens nothing, a column header keeps its keys, and another query
// starts at the top. Opening is recorded where the app asks the system for it.
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import { command, fileList, fileRow, lengthenHighlights, recordOpened } from './hands.ts'
import { seedAccount } from './seed.ts'
import { clipboardText, dropFiles, KEY, makeFiles } from './slipway.ts'

test('only what asks for it opens a link', async ({ slipway }) => {
  const s = await slipway({ before: ({ service }) => seedAccount(service, 5) })
  await lengthenHighlights(s.page)
  const opened = await recordOpened(s.app)

  await test.step('Enter on a column header sorts, and opens nothing', async () => {
    await fileRow(s.page, '-00002.').click()
    const header = s.page.getByRole('columnheader', { name: 'Name' })
    await header.getByRole('button').focus()
    await s.page.keyboard.press('Enter')
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await s.page.keyboard.press('Space')
    await expect(header).toHaveAttribute('aria-sort', 'descending')
    await expect(fileList(s.page).getByRole('row', { selected: true })).toHaveCount(0)
    expect(await opened()).toEqual([])
  })

  await test.step('opening with two files selected says that one can be opened', async () => {
    await fileRow(s.page, '-00002.').click()
    await fileRow(s.page, '-00003.').click({ modifiers: ['ControlOrMeta'] })
    await command(s.page, 'Open selected file in browser')
    await expect(s.page.locator('.notices')).toContainText('Select a single file to open its link.')
    await expect(s.page.getByText('Nothing selected.')).toHaveCount(0)
    expect(await opened()).toEqual([])
    await fileRow(s.page, '-00003.').click({ modifiers: ['ControlOrMeta'] })
    await command(s.page, 'Open selected file in browser')
    await expect.poll(async () => (await opened()).length).toBe(1)
  })

  await test.step('a double click on Copy copies, and opens nothing', async () => {
    const row = fileRow(s.page, '-00004.')
    await row.hover()
    await row.getByRole('button', { name: 'Copy' }).dblclick()
    await expect(row).toContainText('Copied')
    await expect.poll(() => clipboardText(s.app)).toContain('/download/')
    // Whatever the first double click asked for is recorded before what this one asks for.
    await fileRow(s.page, '-00003.').locator('.files-names').dblclick()
    await expect.poll(async () => (await opened()).length).toBeGreaterThan(1)
    expect(await opened()).not.toContain(await clipboardText(s.app))
  })
})

test('a search, a filter or a different sort order scrolls to the top of the list', async ({ slipway }) => {
  const s = await slipway({
    before: ({ service }) => seedAccount(service, 400),
    service: { plan: 'pro', key: KEY, storage: 'disk', dialect: { listCap: 1000 } },
  })
  const { page } = s
  await expect(fileRow(page, '-00000.')).toBeVisible()
  await expect(fileList(page)).toHaveAttribute('aria-rowcount', '401')
  const top = (): Promise<number> => fileList(page).evaluate((list) => list.scrollTop)
  const scroll = async (): Promise<void> => {
    await fileList(page).evaluate((list) => list.scrollTo(0, 700))
    await expect.poll(top).toBe(700)
  }
  await scroll()
  await page.getByRole('searchbox').fill('-00')
  await expect.poll(top).toBe(0)
  await scroll()
  // Where nothing is found, there is no list for a moment.
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText('No results')).toBeVisible()
  await page.getByRole('searchbox').fill('-001')
  await expect(fileList(page)).toHaveAttribute('aria-rowcount', '101')
  await expect.poll(top).toBe(0)
  await scroll()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(top).toBe(0)
  await page.getByRole('searchbox').fill('')
  await expect(fileList(page)).toHaveAttribute('aria-rowcount', '401')
  await scroll()
  await page.getByRole('button', { name: 'Pictures', exact: true }).click()
  await expect.poll(top).toBe(0)

  await scroll()
  // The same query is read again whenever the list changes, and what is in sight stays there.
  const rows = Number(await fileList(page).getAttribute('aria-rowcount'))
  s.service.plant({ filename: 'another.jpg', size: 10, storedAt: Date.now(), downloads: 0 })
  await command(page, 'Refresh')
  await expect(fileList(page)).toHaveAttribute('aria-rowcount', `${rows + 1}`)
  await expect.poll(top).toBe(744)

  await test.step('new files above leave the row under the pointer, and a button leads to them', async () => {
    await page.getByRole('button', { name: 'All', exact: true }).click()
    const header = page.getByRole('columnheader', { name: 'Uploaded' })
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'descending')
    await expect(fileRow(page, '-00000.')).toBeVisible()
    await scroll()
    const row = fileRow(page, '-00020.')
    await row.hover()
    const { y } = (await row.boundingBox()) ?? { y: Number.NaN }
    const desk = makeFiles(s.home, 'new', { 'a.txt': 'a', 'b.txt': 'bb', 'c.txt': 'ccc' })
    await dropFiles(
      page,
      ['a.txt', 'b.txt', 'c.txt'].map((name) => join(desk, name)),
    )
    const pill = page.getByRole('button', { name: '3 new' })
    await expect(pill).toBeVisible()
    expect((await row.boundingBox())?.y).toBe(y)
    await pill.click()
    await expect.poll(top).toBe(0)
    await expect(fileRow(page, 'c.txt')).toBeVisible()
    await expect(pill).toHaveCount(0)
  })

  await test.step('a click draws no focus ring, a key does', async () => {
    const ring = (): Promise<string> =>
      fileRow(page, 'b.txt').evaluate((element) => getComputedStyle(element).outlineStyle)
    await fileRow(page, 'b.txt').click()
    expect(await ring()).toBe('none')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    expect(await ring()).toBe('solid')
    await expect(fileList(page)).toHaveCSS('outline-style', 'none')
  })

  await test.step('a date filter adds to the others, and its days are included', async () => {
    await page.getByRole('button', { name: /Upload date/ }).click()
    await page.getByRole('option', { name: 'Date range' }).click()
    await page.getByLabel('From', { exact: true }).fill('2001-02-03')
    await page.getByLabel('To', { exact: true }).fill('2001-02-04')
    await expect(page.getByText('No results')).toBeVisible()
    await page.getByRole('button', { name: 'Show all files' }).click()
    await expect(fileRow(page, 'c.txt')).toBeVisible()
    await expect(page.getByRole('button', { name: /Upload date/ })).toContainText('Any time')
  })

  await test.step('a search in Transfers for what is only in Files leads there', async () => {
    await page.keyboard.press('ControlOrMeta+2')
    await page.getByRole('searchbox').fill('-00020.')
    await page.getByRole('button', { name: 'Show in Files' }).click()
    await expect(fileRow(page, '-00020.')).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveValue('-00020.')
  })
})

test('uploads that finish on another day are announced with the day', async ({ slipway }) => {
  const s = await slipway({ service: { plan: 'enterprise', key: KEY }, settings: { bytesPerSecond: 20_000 } })
  const file = join(makeFiles(s.home, 'desk', {}), 'large.bin')
  // Two days at that speed. The file has no content on the disk.
  writeFileSync(file, '')
  truncateSync(file, 4_000_000_000)
  await dropFiles(s.page, [file])
  await expect(s.page.getByRole('region', { name: 'Current uploads' })).toContainText(
    /done around \d+ \p{L}+, \d\d:\d\d/u,
  )
})

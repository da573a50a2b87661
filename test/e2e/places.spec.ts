// What is restored for the user: the place in a list, a search and a section after another view, and the view
// with its order after a restart. The window's size and position aren't tested here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { fileList, fileRow, openSection, transferRow } from './hands.ts'
import { seedAccount } from './seed.ts'
import { dropFiles, makeFiles } from './slipway.ts'

test('returning to a view restores its scroll position, search and section', async ({ slipway }) => {
  const s = await slipway({
    before: ({ service }) => seedAccount(service, 400),
    service: { plan: 'pro', key: 'sk-desktop-0123456789abcdef', storage: 'disk', dialect: { listCap: 1000 } },
  })
  const { page } = s
  await expect(fileRow(page, '-00000.')).toBeVisible()
  await expect(fileList(page)).toHaveAttribute('aria-rowcount', '401')
  await fileList(page).evaluate((list) => list.scrollTo(0, 6000))
  await expect(fileRow(page, '-00140.')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+2')
  const desk = makeFiles(s.home, 'desk', { 'one.txt': 'one', 'two.txt': 'two' })
  await dropFiles(page, [join(desk, 'one.txt'), join(desk, 'two.txt')])
  await expect(transferRow(page, 'one.txt')).toBeVisible()
  await page.getByRole('searchbox').fill('two')
  await expect(transferRow(page, 'one.txt')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'Network' }).click()

  await page.keyboard.press('ControlOrMeta+1')
  // The two new files above have moved nothing.
  await expect.poll(() => fileList(page).evaluate((list) => list.scrollTop)).toBe(6000 + 2 * 44)
  await page.keyboard.press('ControlOrMeta+2')
  await expect(page.getByRole('searchbox')).toHaveValue('two')
  await expect(transferRow(page, 'two.txt')).toBeVisible()
  await expect(transferRow(page, 'one.txt')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+,')
  await expect(page.getByRole('heading', { name: 'Network' })).toBeVisible()
})

test('what is shown again where it was', async ({ slipway }) => {
  const s = await slipway({ before: ({ service }) => seedAccount(service, 60) })
  await test.step('the cards of the usage page end at the right edge of its header, with and without a scroll bar', async () => {
    const { page } = s
    await expect(fileRow(page, '-00000.')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+3')
    const end = (locator: Locator): Promise<number> =>
      locator.evaluate((one) => Math.round(one.getBoundingClientRect().right))
    const refresh = page.getByRole('button', { name: 'Refresh' })
    await expect(refresh).toBeVisible()
    for (const height of [480, 1400]) {
      await page.setViewportSize({ width: 1180, height })
      const last = page.locator('.usage-cards > *').last()
      await expect.poll(async () => (await end(last)) - (await end(refresh))).toBe(0)
    }
  })
  await test.step('a restart opens the last view, with the list sorted and filtered as before', async () => {
    await s.page.keyboard.press('ControlOrMeta+1')
    const { page } = s
    await expect(fileRow(page, '-00000.')).toBeVisible()
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await page.getByRole('button', { name: 'Pictures', exact: true }).click()
    const names = (of: typeof page): Promise<readonly string[]> =>
      fileList(of).getByRole('row').allTextContents()
    await expect(page.locator('.files-chip[aria-pressed=true]')).toHaveText('Pictures')
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(fileList(page)).not.toHaveAttribute('aria-rowcount', '61')
    const first = (await names(page))[1]
    expect(first).toMatch(/./)
    await page.keyboard.press('ControlOrMeta+3')
    await expect(page.getByRole('heading', { name: 'Usage' })).toBeVisible()
    // The place is saved a moment later.
    await expect
      .poll(() => JSON.parse(readFileSync(join(s.data, 'settings.json'), 'utf8')).app.place.view)
      .toBe('usage')
    await page.keyboard.press('ControlOrMeta+,')
    await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()

    // What is typed in a field is discarded with Escape, and saved with Enter or another view.
    await openSection(page, 'Uploads')
    const field = page.getByRole('textbox', { name: 'Names of pasted files' })
    const before = await field.inputValue()
    await field.fill('never {date}')
    await field.press('Escape')
    await expect(field).toHaveValue(before)
    await field.fill('kept {date}')
    await page.keyboard.press('ControlOrMeta+3')
    await expect
      .poll(() => JSON.parse(readFileSync(join(s.data, 'settings.json'), 'utf8')).app.pasteName)
      .toBe('kept {date}')

    const again = await s.restart()
    await expect(again.page.getByRole('heading', { name: 'Usage' })).toBeVisible()
    await again.page.keyboard.press('ControlOrMeta+1')
    await expect(again.page.locator('.files-chip[aria-pressed=true]')).toHaveText('Pictures')
    await expect(again.page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    )
    await expect.poll(async () => (await names(again.page))[1]).toBe(first)

    // What is being typed when Slipway quits is saved.
    await again.page.keyboard.press('ControlOrMeta+,')
    await openSection(again.page, 'Uploads')
    await again.page.getByRole('textbox', { name: 'Names of pasted files' }).fill('quit {date}')
    await again.app.close()
    expect(JSON.parse(readFileSync(join(s.data, 'settings.json'), 'utf8')).app.pasteName).toBe('quit {date}')
  })
})

// File names written from right to left: they are drawn beside the icon like all other names, the space where
// a name is split is kept, and in a narrow window with large text they don't cover the icon.
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { fileRow, open, openSection, transferRow, watchFolder } from './hands.ts'
import { makeFiles } from './slipway.ts'

const HEBREW = 'שלום עולם תמונה 2024.pdf'
const LATIN = 'quarterly figures 2024-25.pdf'

/** Where the name's text is drawn, as opposed to its element. Pixels. */
function ink(
  row: Locator,
  part: 'head' | 'tail',
): Promise<{ readonly left: number; readonly right: number }> {
  return row.locator(`.middle-name-${part}`).evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const { left, right } = range.getBoundingClientRect()
    return { left, right }
  })
}

/** The names of all rows and their cells, as the browser gives them to screen readers. */
async function heardRows(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  await devtools.detach()
  return nodes
    .flatMap(({ role, name }) =>
      // Older versions of Chromium give a row no name of its own.
      role?.value === 'row' || role?.value === 'gridcell' ? [String(name?.value)] : [],
    )
    .join('\n')
}

test('right-to-left names begin at the icon, and cover neither it nor a button', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  // Each row shows the folder's name below the file's. The long folder name makes this block wider than the
  // file's name.
  await watchFolder(
    s,
    makeFiles(s.home, 'a folder with a rather long name '.repeat(4).trim(), { [HEBREW]: 'a', [LATIN]: 'b' }),
  )
  await expect(fileRow(page, 'תמונה')).toBeVisible()
  await expect(fileRow(page, 'quarterly')).toBeVisible()
  for (const view of ['Files', 'Transfers'] as const) {
    await open(page, view)
    const row = view === 'Files' ? fileRow : transferRow
    const latin = await ink(row(page, 'quarterly'), 'head')
    // Read from right to left: the tail is at the left, and the space that ends the head is directly to the
    // right of the tail.
    const [head, tail] = [await ink(row(page, 'תמונה'), 'head'), await ink(row(page, 'תמונה'), 'tail')]
    expect(Math.abs(tail.left - latin.left), view).toBeLessThan(2)
    expect(Math.abs(head.left - tail.right), view).toBeLessThan(1)
    // Screen readers hear the name whole, without a space where it is split.
    expect(await heardRows(page), view).toContain(LATIN)
    expect(await row(page, 'תמונה').locator('.middle-name-head').textContent()).toBe('שלום עולם תמונה ')
  }
  await page.setViewportSize({ width: 480, height: 720 })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  for (const view of ['Transfers', 'Files'] as const) {
    await open(page, view)
    const row = view === 'Files' ? fileRow(page, 'תמונה') : transferRow(page, 'תמונה')
    const icon = await row.locator('.kind-tile').boundingBox()
    const name = await row.locator('.middle-name').boundingBox()
    expect(name?.x, view).toBeGreaterThanOrEqual((icon?.x ?? 0) + (icon?.width ?? 0))
    expect(await row.locator('.middle-name').evaluate((element) => getComputedStyle(element).overflowX)).toBe(
      'clip',
    )
  }
})

test('direction marks in names are shown as escapes everywhere, so that no name is reordered', async ({
  slipway,
}) => {
  const s = await slipway()
  const { page } = s
  await watchFolder(s, makeFiles(s.home, 'Public', { 'sub\u202edir/invoice\u202efdp.exe': 'a' }))
  const unsafe = (): Promise<readonly string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('body *')].flatMap((element) => {
        const own = [...element.childNodes]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map((node) => node.nodeValue ?? '')
        const texts = [...own, element.getAttribute('title') ?? '']
        return texts.filter((text) => text.includes('\u202e')).map((text) => `${element.className}: ${text}`)
      }),
    )
  await fileRow(page, 'invoice').click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details).toContainText('invoice\\u202efdp.exe')
  expect(await unsafe()).toEqual([])
  await page.getByRole('button', { name: 'QR' }).click()
  await expect(page.getByRole('dialog')).toContainText('invoice\\u202efdp.exe')
  expect(await unsafe()).toEqual([])
  await page.keyboard.press('Escape')
  await open(page, 'Transfers')
  await expect(transferRow(page, 'invoice')).toBeVisible()
  expect(await unsafe()).toEqual([])
  await openSection(page, 'Folders')
  expect(await unsafe()).toEqual([])
})

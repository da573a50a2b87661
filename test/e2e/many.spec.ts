// The window with ten thousand files and a thousand transfers: it renders only visible rows, and every action
// can be applied to all of them. The bench measures the speed.
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { answerQuestions, command, DELETE_KEY, fileList, open, recordOpened } from './hands.ts'
import { seedAccount } from './seed.ts'
import { clipboardText, dropFiles, KEY, makeFiles, type Slipway, type Start } from './slipway.ts'

const FILES = 10_000
/** Far more than any window shows. */
const ROWS_MOST = 120

async function started(slipway: (start: Start) => Promise<Slipway>): Promise<Slipway> {
  const s = await slipway({
    settings: { undoSeconds: 3 },
    service: { plan: 'enterprise', key: KEY, dialect: { listCap: 1000 } },
    before: ({ service }) => seedAccount(service, FILES),
  })
  await command(s.page, 'Refresh')
  await expect(fileList(s.page)).toHaveAttribute('aria-rowcount', `${FILES + 1}`, { timeout: 60_000 })
  await expect(s.page.getByText('10,000 files').first()).toBeVisible()
  // While the list is still being read, rows are added at the top.
  await expect(fileList(s.page).getByRole('row').nth(1)).toContainText('-00000.')
  await expect(s.page.getByText('Every file accounted for')).toBeVisible()
  return s
}

const rows = (page: Page): Locator => fileList(page).getByRole('row')

async function fewRows(page: Page): Promise<void> {
  const count = await rows(page).count()
  expect(count).toBeGreaterThan(5)
  expect(count).toBeLessThan(ROWS_MOST)
}

async function scrollSortAndSearch(s: Slipway): Promise<void> {
  const { page } = s
  const newest = fileList(page).getByRole('row').filter({ hasText: '-00000.' })
  const oldest = fileList(page).getByRole('row').filter({ hasText: '-09999.' })
  await expect(newest).toBeVisible()
  await fewRows(page)
  await newest.click()
  await page.keyboard.press('End')
  await expect(oldest).toBeVisible()
  await expect(oldest).toHaveAttribute('aria-selected', 'true')
  await expect(oldest).toHaveAttribute('aria-rowindex', `${FILES + 1}`)
  await expect(newest).toHaveCount(0)
  await fewRows(page)
  await page.keyboard.press('Home')
  await expect(newest).toBeVisible()
  await expect(newest).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('PageDown')
  await expect(newest).toHaveAttribute('aria-selected', 'false')
  // The selected row is visible as a whole.
  const bottomOf = async (one: Locator): Promise<number> => {
    const box = await one.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  const selected = rows(page).and(page.locator('[aria-selected=true]'))
  await expect
    .poll(async () => (await bottomOf(selected)) - (await bottomOf(fileList(page))))
    .toBeLessThanOrEqual(0.5)

  const byDate = page.getByRole('columnheader', { name: 'Uploaded' })
  await byDate.getByRole('button').click()
  await expect(byDate).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(page).nth(1)).toContainText('-09999.')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(rows(page).nth(1)).toContainText('board-')
  await fewRows(page)

  await page.keyboard.press('ControlOrMeta+F')
  await page.keyboard.type('-04321.')
  await expect(page.getByText('1 match').first()).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(fileList(page)).toHaveAttribute('aria-rowcount', `${FILES + 1}`)
  // Back to the order of the service.
  await byDate.getByRole('button').click()
  await expect(byDate).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).nth(1)).toContainText('-00000.')
}

async function copyAll(s: Slipway): Promise<void> {
  await fileList(s.page).getByRole('row').nth(1).click()
  await s.page.keyboard.press('ControlOrMeta+A')
  await expect(s.page.getByText('10,000 files selected')).toBeVisible()
  await fewRows(s.page)
  await s.page.keyboard.press('ControlOrMeta+C')
  await expect(s.page.getByText('10,000 links copied')).toBeVisible()
  const links = (await clipboardText(s.app)).split('\n')
  expect(links).toHaveLength(FILES)
  expect(new Set(links).size).toBe(FILES)
  const answer = await fetch(`${s.service.url}/files?limit=1000`, {
    headers: { Authorization: `Bearer ${KEY}` },
  })
  const first = (await answer.json()) as { readonly files: readonly { readonly public_link: string }[] }
  expect(links.slice(0, 1000)).toEqual(first.files.map((one) => one.public_link))
}

async function copyAfterUpload(s: Slipway): Promise<void> {
  const { page } = s
  const scroll = (y: number): Promise<void> =>
    fileList(page).evaluate((grid, top) => grid.scrollTo({ top }), y)
  await rows(page).nth(3).click()
  await page.keyboard.press('ControlOrMeta+C')
  await expect.poll(() => clipboardText(s.app)).toContain('http')
  const link = await clipboardText(s.app)
  await scroll(20_000)
  await expect(fileList(page).getByRole('row').filter({ hasText: '-00002.' })).toHaveCount(0)
  const fresh = makeFiles(s.home, 'fresh', { 'new.txt': 'new' })
  await dropFiles(page, [`${fresh}/new.txt`])
  await expect(fileList(page)).toHaveAttribute('aria-rowcount', `${FILES + 2}`)
  // More than 60 pages of a hundred rows: the page of the selected file isn't in memory any more.
  const height = await fileList(page).evaluate((grid) => grid.scrollHeight)
  for (let y = height; y > height * 0.3; y -= height / 150) {
    await scroll(y)
    await expect(rows(page).last().getByRole('gridcell').first()).not.toBeEmpty()
  }
  await page.keyboard.press('ControlOrMeta+C')
  await expect.poll(() => clipboardText(s.app)).toBe(link)
  const opened = await recordOpened(s.app)
  await command(page, 'Open selected file in browser')
  await expect.poll(opened).toEqual([link])
}

async function deleteFifty(s: Slipway): Promise<void> {
  const { page } = s
  await fileList(page).evaluate((grid) => grid.scrollTo({ top: 0 }))
  // The first rows are read again. Until then, they are shown as they were before the upload, and would move
  // below the pointer.
  await expect(rows(page).nth(1)).toContainText('new.txt')
  await rows(page).filter({ hasText: '-00000.' }).click()
  for (let i = 0; i < 49; i++) await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('50 files selected')).toBeVisible()
  const questions = await answerQuestions(s.app, 0)
  await page.keyboard.press(DELETE_KEY)
  await expect.poll(questions).toMatchObject([
    {
      message: 'Delete 50 files?',
      detail: 'Their links stop working. The originals on this computer stay.',
      defaultId: 1,
      cancelId: 1,
    },
  ])
  // One file was uploaded before.
  await expect.poll(() => s.service.ledger.live().length).toBe(FILES + 1 - 50)
  await expect(page.getByText('9,951 files').first()).toBeVisible()
  const left = s.service.ledger.live().map((one) => one.filename)
  expect(left.filter((name) => /-000([0-4]\d|50)\.|^new/.test(name))).toEqual([
    expect.stringContaining('-00050.'),
    'new.txt',
  ])
  await fewRows(page)
}

/** The service lists the ten thousand files a page at a time, so all of this happens in one window. */
test('ten thousand files', async ({ slipway }) => {
  const s = await started(slipway)
  await test.step('the list can be scrolled by keyboard, sorted and searched, and never has all rows in the page', () =>
    scrollSortAndSearch(s))
  await test.step('one gesture copies all links, each once, in the order of the list', () => copyAll(s))
  await test.step('after an upload, the selected file is still the one that is copied, however far the list is scrolled', () =>
    copyAfterUpload(s))
  await test.step('fifty files are deleted together', () => deleteFifty(s))
})

test('a thousand waiting transfers form one group, of which only a few rows exist', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  await command(page, 'Pause all')
  const many = makeFiles(
    s.home,
    'many',
    Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`scan-${i}.txt`, `scan ${i}`])),
  )
  const asked = await answerQuestions(s.app, 2)
  await dropFiles(page, [many])
  await expect.poll(async () => (await asked())[0]?.message).toBe('Upload 1,000 files?')
  await expect(page.locator('.status-bar')).toContainText('1,000 waiting')
  await open(page, 'Transfers')
  await expect(page.getByText('1,000 open')).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Transfers' })
  const head = grid.getByRole('row').filter({ has: page.getByRole('heading', { name: 'Waiting' }) })
  await expect(head).toContainText('1,000')
  await grid.getByRole('button', { name: /^Show \d+ more$/ }).click()
  await grid.focus()
  await page.keyboard.press('End')
  await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(900)
  expect(await grid.getByRole('row').count()).toBeLessThan(ROWS_MOST)
  expect(s.service.ledger.files()).toEqual([])
})

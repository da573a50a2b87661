// Regression tests for figures in the window that were once wrong: drops, sizes without a unit, the style of
// a link, the row of a file that is being deleted. Scenario tests check what the engine counts.
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import {
  answerQuestions,
  command,
  DELETE_KEY,
  fileRow,
  lengthenHighlights,
  open,
  transferRow,
  uploads,
} from './hands.ts'
import { ask, clipboardText, dropFiles, KEY, makeFiles, resizePage } from './slipway.ts'

test('a drag shows the number of files only if the system reveals it, and the plan counts the uploads', async ({
  slipway,
}) => {
  const s = await slipway({
    service: {
      plan: 'pro',
      key: 'sk-desktop-0123456789abcdef',
      storage: 'disk',
      limits: { maxFileSize: 2_000_000 },
    },
  })
  const { page } = s
  // The size limit has no unit until this upload's receipt reveals it. Until then, no file counts as too big.
  await dropFiles(page, [join(makeFiles(s.home, 'first', { 'first.txt': 'x'.repeat(70_001) }), 'first.txt')])
  await expect(fileRow(page, 'first.txt')).toBeVisible()
  const site = makeFiles(s.home, 'site', {
    '.env': 'TOKEN=abc',
    'index.html': '<p>hello',
    'big.bin': new Uint8Array(3_000_000),
  })
  const cdp = await page.context().newCDPSession(page)
  const data = { items: [], files: [site], dragOperationsMask: 1 }
  await cdp.send('Input.dispatchDragEvent', { type: 'dragEnter', x: 300, y: 300, data })
  const card = page.locator('.drop-card')
  await expect(card).toBeVisible()
  await expect(card).not.toContainText('0 items')
  await cdp.send('Input.dispatchDragEvent', { type: 'drop', x: 300, y: 300, data })
  const plan = page.getByRole('dialog', { name: 'Upload 1 file?' })
  await expect(plan).toContainText('8 B · uploads now')
  await expect(plan).toContainText('1 looks like a secret and needs your approval')
  await expect(plan).toContainText('1 exceeds your plan’s file size limit')
  await plan.getByRole('button', { name: 'Don’t upload' }).click()
  const before = uploads(s)
  await dropFiles(page, [join(site, 'big.bin')])
  const nothing = page.getByRole('dialog', { name: 'Nothing to upload now' })
  await expect(nothing).not.toContainText('0 B')
  await expect(nothing.getByRole('button', { name: 'Upload', exact: true })).toHaveCount(0)
  await nothing.getByRole('button', { name: 'Add to Transfers' }).click()
  await expect(page.getByRole('button', { name: '1 file needs attention' })).toBeVisible()
  expect(uploads(s)).toBe(before)
})

test('a size without a known unit is shown in bytes and marked, until an upload has shown the unit', async ({
  slipway,
}) => {
  const s = await slipway({
    before: ({ service }) =>
      void service.plant({
        filename: 'older.zip',
        size: 65_700,
        storedAt: Date.now() - 60_000,
        downloads: 0,
      }),
  })
  const { page } = s
  const size = fileRow(page, 'older.zip').locator('.files-cell-size')
  await expect(size).toHaveText('65.7 kB')
  await expect(size).toHaveAttribute('title', /Assumes bytes/)
  await open(page, 'Usage')
  await expect(page.getByRole('group', { name: 'Stored' })).toContainText('Assumes the service counts bytes')
  await test.step('“Refresh” asks the service again in Usage, too', async () => {
    await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()
    const asked = (): number => s.service.requests.list().filter((one) => one.endpoint === 'stats').length
    await expect.poll(asked).toBeGreaterThan(0)
    const before = asked()
    await command(page, 'Refresh')
    await expect.poll(asked).toBeGreaterThan(before)
  })
  const plot = page.getByText('Your daily uploads will appear here.')
  await expect(plot).toBeVisible()
  // What has nothing to show takes no space.
  await expect(page.getByRole('region', { name: 'Most downloaded' })).toHaveCount(0)
  await dropFiles(page, [join(makeFiles(s.home, 'desk', { 'mine.bin': new Uint8Array(70_001) }), 'mine.bin')])
  await expect(plot).toHaveCount(0)
  await open(page, 'Files')
  await expect(fileRow(page, 'mine.bin')).toBeVisible()
  await expect(size).toHaveText('65.7 kB')
  await expect(size).not.toHaveAttribute('title', /./)
})

test('the rows of own uploads', async ({ slipway }) => {
  const s = await slipway({ settings: { undoSeconds: 60 } })

  await test.step('the row of a new upload, however small, is inserted and highlighted once', async () => {
    await lengthenHighlights(s.page)
    const desk = makeFiles(s.home, 'desk', { 'tiny.txt': 't', 'next.txt': 'n' })
    await dropFiles(s.page, [join(desk, 'tiny.txt')])
    const row = fileRow(s.page, 'tiny.txt')
    await expect(row).toHaveCSS('animation-name', 'files-slip, files-lit')
    await expect(row).toHaveCSS('animation-name', 'none', { timeout: 40_000 })
    await dropFiles(s.page, [join(desk, 'next.txt')])
    await expect(fileRow(s.page, 'next.txt')).toHaveCSS('animation-name', 'files-slip, files-lit')
    await expect(row).toHaveCSS('animation-name', 'none')
  })
  await test.step('the row and the details of one file', async () => {
    const { page } = s
    await dropFiles(page, [join(makeFiles(s.home, 'desk', { 'one.txt': 'one' }), 'one.txt')])

    await test.step('nothing moves when a row is selected', async () => {
      await expect(fileRow(page, 'one.txt')).toBeVisible()
      const chips = (): Promise<unknown> =>
        page
          .locator('.files-chip')
          .evaluateAll((all) =>
            all.map((one) => ({ ...one.getBoundingClientRect().toJSON(), text: one.textContent })),
          )
      const before = await chips()
      await fileRow(page, 'one.txt').click()
      await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible()
      expect(await chips()).toEqual(before)
      // Names start below their heading, with both densities.
      for (const density of ['comfortable', 'compact'] as const) {
        await ask(page, 'change', { density })
        await expect(page.locator('html')).toHaveAttribute('data-density', density)
        const left = (selector: string): Promise<number> =>
          page
            .locator(selector)
            .first()
            .evaluate((one) => {
              const text = document.createRange()
              text.selectNodeContents(one)
              return Math.round(text.getBoundingClientRect().left)
            })
        expect(await left('.files-names'), density).toBe(await left('.files-head .files-sort'))
      }
      await open(page, 'Usage')
      await expect(page.locator('.status-bar')).toContainText('Every file accounted for')
      await open(page, 'Files')
    })

    await test.step('choosing a link style in the details doesn’t change the app’s setting', async () => {
      await fileRow(page, 'one.txt').click()
      const details = page.getByRole('complementary', { name: 'Details' })
      await details.getByText('Markdown').click()
      await details.getByRole('button', { name: 'Copy', exact: true }).click()
      await expect.poll(() => clipboardText(s.app)).toMatch(/^\[one\.txt\]\(http/)
      await page.getByRole('grid').focus()
      await page.keyboard.press('ControlOrMeta+C')
      await expect.poll(() => clipboardText(s.app)).toMatch(/^http/)
      const boot = await ask(page, 'boot', {})
      expect(boot.ok && boot.value.settings.linkStyle).toBe('url')
    })

    await test.step('a row that is being deleted says so as text, without anything that looks like a button', async () => {
      await answerQuestions(s.app, 0)
      await fileRow(page, 'one.txt').click()
      await page.keyboard.press(DELETE_KEY)
      const cell = fileRow(page, 'one.txt').locator('.files-cell-link')
      await expect(cell).toBeVisible()
      await expect(cell.locator('svg, button')).toHaveCount(0)
      await expect(cell).toHaveText(/./)
      await page.getByRole('button', { name: 'Undo' }).click()
    })

    await test.step('the QR code of a link stays open while the window becomes narrower', async () => {
      await fileRow(page, 'one.txt').click()
      await page.getByRole('complementary', { name: 'Details' }).getByRole('button', { name: 'QR' }).click()
      const code = page.getByRole('dialog', { name: 'QR code for the link' })
      await expect(code).toBeVisible()
      await resizePage(s, 600, 600)
      await expect(page.getByRole('complementary', { name: 'Details', includeHidden: true })).toHaveCount(0)
      await expect(code).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(fileRow(page, 'one.txt')).toHaveAttribute('aria-selected', 'true')
    })
  })
})

test('Ctrl+A in Transfers also selects collapsed rows, and the sidebar counts open transfers', async ({
  slipway,
}) => {
  const s = await slipway()
  const { page } = s
  await ask(page, 'pause', {})
  const files = Object.fromEntries(
    Array.from({ length: 18 }, (_, i) => [`${String(i).padStart(2, '0')}.txt`, `text ${i}`]),
  )
  await dropFiles(page, [makeFiles(s.home, 'many', { ...files, '.env': 'TOKEN=abc' })])
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  await page.keyboard.press('ControlOrMeta+2')
  await expect(page.getByText('Show 15 more')).toBeVisible()
  // All places show the same numbers: 18 open, one needs attention.
  await expect(page.getByRole('heading', { name: 'Transfers' }).locator('..')).toContainText('18 open')
  const entry = page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /^Transfers/ })
  await expect(entry.locator('.sidebar-number-live')).toHaveText('18')
  await expect(entry.locator('.sidebar-number-needs')).toHaveText('1')
  await expect(page.locator('.status-bar')).toContainText('18 waiting')
  await expect(transferRow(page, '.env')).toBeVisible()
  await page.getByRole('grid', { name: 'Transfers' }).focus()
  await page.keyboard.press('ControlOrMeta+A')
  await expect(page.getByText('19 selected')).toBeVisible()
})

test('a plan without API says so in the same words everywhere', async ({ slipway }) => {
  const s = await slipway({ service: { key: KEY, plan: 'free' } })
  const { page } = s
  await dropFiles(page, [join(makeFiles(s.home, 'desk', { 'one.txt': 'one' }), 'one.txt')])
  await expect(page.locator('.sidebar-plan')).toHaveText('No API')
  await expect(page.getByText('Your plan doesn’t include API access.')).toHaveCount(1)
  // The banner says it; the strip only to screen readers.
  await expect(page.locator('.files-strip .hidden-text')).toContainText('for API access')
  await expect(page.getByText('valid')).toHaveCount(0)
})

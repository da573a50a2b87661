// Copying links with keys, selections, the context menu and the palette, in every style, up to a thousand
// lines in the order of the list. Links are compared with the service's own list and downloaded without a
// key. Unit tests cover how a style quotes names.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixture.ts'
import {
  command,
  copyElsewhere,
  fetched,
  fileList,
  fileRow,
  lengthenHighlights,
  open,
  recordClipboard,
  transferRow,
} from './hands.ts'
import { ask, clipboardText, dropFiles, KEY, makeFiles, reload, type Slipway, type Start } from './slipway.ts'

const ENTERPRISE = { plan: 'enterprise', key: KEY, dialect: { listCap: 1000 } } as const
const MINUTE = 60_000

interface Listed {
  readonly filename: string
  readonly public_link: string
}

/** The account's files as the service lists them, newest first. */
async function listed(s: Slipway): Promise<readonly Listed[]> {
  const answer = await fetch(`${s.service.url}/files?limit=1000`, {
    headers: { Authorization: `Bearer ${KEY}` },
  })
  return ((await answer.json()) as { readonly files: readonly Listed[] }).files
}

async function started(
  slipway: (start: Start) => Promise<Slipway>,
  names: readonly string[],
  settings = {},
): Promise<Slipway> {
  const now = Date.now()
  const s = await slipway({
    service: ENTERPRISE,
    settings,
    before: ({ service }) => {
      // The first one is the newest.
      for (const [i, filename] of [...names.entries()].toReversed())
        service.plant({
          filename,
          bytes: Buffer.from(`content of ${filename}`),
          storedAt: now - (i + 1) * MINUTE,
        })
    },
  })
  await command(s.page, 'Refresh')
  await expect(fileRow(s.page, names[0] ?? '')).toBeVisible()
  return s
}

const contents = async (s: Slipway): Promise<readonly string[]> =>
  Promise.all(
    (await clipboardText(s.app))
      .split('\n')
      .map(async (link) => (await fetched(link).catch(() => link)).replace('content of ', '')),
  )

/** Chooses an entry of a file's menu; `within`: the entry whose submenu contains it. */
async function menu(page: Page, name: string, item: string, within?: string): Promise<void> {
  await fileRow(page, name).click({ button: 'right' })
  if (within !== undefined) await page.getByRole('menuitem', { name: within }).click()
  await page.getByRole('menuitem', { name: item, exact: within !== undefined }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
}

test('Ctrl+A copies a thousand links in the order of the list, even after it is sorted differently', async ({
  slipway,
}) => {
  const names = Array.from(
    { length: 1000 },
    (_, i) => `file-${String((i * 7919) % 1000).padStart(4, '0')}.txt`,
  )
  const s = await started(slipway, names)
  await expect(s.page.getByText('1,000 files').first()).toBeVisible()
  await expect(fileList(s.page)).toHaveAttribute('aria-rowcount', '1001')
  const written = await recordClipboard(s.app)
  const account = await listed(s)
  await fileRow(s.page, names[2] ?? '').click()
  await s.page.keyboard.press('ControlOrMeta+A')
  await s.page.keyboard.press('ControlOrMeta+C')
  await expect(s.page.getByText('1,000 links copied')).toBeVisible()
  expect((await clipboardText(s.app)).split('\n')).toEqual(account.map((one) => one.public_link))

  await s.page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(fileList(s.page).getByRole('row').nth(1)).toContainText('file-0000.txt')
  await fileRow(s.page, 'file-0001.txt').click()
  await s.page.keyboard.press('ControlOrMeta+A')
  await s.page.keyboard.press('ControlOrMeta+C')
  const byName = account.toSorted((a, b) => (a.filename < b.filename ? -1 : 1)).map((one) => one.public_link)
  await expect.poll(async () => (await clipboardText(s.app)).split('\n')).toEqual(byName)
  expect(await written()).toHaveLength(2)

  // In the search field, the shortcut applies to the top match, as Enter does.
  await s.page.getByRole('searchbox').fill('file-0002')
  await expect(fileRow(s.page, 'file-0001.txt')).toHaveCount(0)
  await s.page.keyboard.press('ControlOrMeta+Shift+C')
  const link = account.find((one) => one.filename === 'file-0002.txt')?.public_link
  await expect.poll(() => clipboardText(s.app)).toBe(`[file-0002.txt](${link})`)
})

test('in Transfers, links are copied in every style, and their number is shown', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'one.txt': 'one', 'two.txt': 'two' })
  await dropFiles(page, [join(desk, 'one.txt'), join(desk, 'two.txt')])
  // The notice about the drop has the same words.
  const told = page.locator('.notices').getByText('2 links copied')
  await expect(told).toBeVisible()
  await expect(told).toHaveCount(0)
  const files = await listed(s)
  const linkOf = (name: string): string => files.find((one) => one.filename === name)?.public_link ?? ''
  await open(page, 'Transfers')
  const copied = (): Promise<string> => clipboardText(s.app)
  await transferRow(page, 'one.txt').click()
  await page.keyboard.press('ControlOrMeta+C')
  await expect.poll(copied).toBe(linkOf('one.txt'))
  await command(page, 'Copy link as HTML')
  await expect.poll(copied).toBe(`<a href="${linkOf('one.txt')}">one.txt</a>`)
  await transferRow(page, 'one.txt').click()
  await page.keyboard.press('ControlOrMeta+Shift+C')
  await expect.poll(copied).toBe(`[one.txt](${linkOf('one.txt')})`)
  await transferRow(page, 'two.txt').click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('ControlOrMeta+Shift+C')
  await expect(told).toBeVisible()
  expect((await copied()).split('\n').toSorted()).toEqual([
    `[one.txt](${linkOf('one.txt')})`,
    `[two.txt](${linkOf('two.txt')})`,
  ])
  // While a menu is open, the shortcut isn't for the list.
  const written = await recordClipboard(s.app)
  await transferRow(page, 'one.txt').click()
  await transferRow(page, 'one.txt').click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+C')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+C')
  await expect.poll(written).toEqual([linkOf('one.txt')])
})

test('formats of links', async ({ slipway }) => {
  const odd = 'a [draft] & <b>.txt'
  const s = await started(slipway, ['plain.txt', odd])
  await test.step('a custom format is written, previewed and copied from the menu of a file', async () => {
    const [plain] = (await listed(s)).map((one) => one.public_link)
    await menu(s.page, 'plain.txt', 'Custom link format…', 'Copy as')
    const form = s.page.getByRole('dialog', { name: 'Custom format' })
    const field = form.getByRole('textbox')
    await field.fill('{nmae} {url}')
    await expect(form).toContainText('{nmae} isn’t one of these words.')
    await field.fill('{stem} at {url}')
    await expect(form.locator('output')).toHaveText(/ at https:/)
    await s.page.keyboard.press('Enter')
    await expect(form).toHaveCount(0)
    await expect.poll(() => clipboardText(s.app)).toBe(`plain at ${plain}`)
    // From now on, one command copies in this format.
    await s.app.evaluate(({ clipboard }) => clipboard.writeText(''))
    await command(s.page, 'Copy link in custom format')
    await expect.poll(() => clipboardText(s.app)).toBe(`plain at ${plain}`)
  })
  await test.step('the context menu and the palette offer every style, including the custom format', async () => {
    const [plain, linkOfOdd] = (await listed(s)).map((one) => one.public_link)
    await ask(s.page, 'change', { linkTemplate: '$stem.$ext ($size) → $url' })
    // An upload from here reveals the unit of sizes.
    const desk = makeFiles(s.home, 'desk', { 'own.bin': new Uint8Array(5000) })
    await dropFiles(s.page, [join(desk, 'own.bin')])
    await expect(fileRow(s.page, 'plain.txt')).toContainText('20 B')
    // Its row is the first one, so the others move down when it appears.
    await expect(fileRow(s.page, 'own.bin')).toBeVisible()
    const expectations = [
      ['Markdown', 'as Markdown', `[plain.txt](${plain})`, `[a \\[draft\\] \\& \\<b\\>.txt](${linkOfOdd})`],
      [
        'HTML',
        'as HTML',
        `<a href="${plain}">plain.txt</a>`,
        `<a href="${linkOfOdd}">a [draft] &amp; &lt;b&gt;.txt</a>`,
      ],
      ['BBCode', 'as BBCode', `[url=${plain}]plain.txt[/url]`, null],
      [
        'Custom',
        'in custom format',
        `plain.txt (20 B) → ${plain}`,
        `a [draft] & <b>.txt (30 B) → ${linkOfOdd}`,
      ],
    ] as const
    for (const [entry, style, ofPlain, ofOdd] of expectations) {
      await menu(s.page, 'plain.txt', entry, 'Copy as')
      await expect.poll(() => clipboardText(s.app)).toBe(ofPlain)
      if (ofOdd === null) continue
      await fileRow(s.page, odd).click()
      await command(s.page, `Copy link ${style}`)
      await expect.poll(() => clipboardText(s.app)).toBe(ofOdd)
    }
    // The format that was chosen last is the first one the next time.
    await fileRow(s.page, 'plain.txt').click({ button: 'right' })
    await s.page.getByRole('menuitem', { name: 'Copy as' }).click()
    await expect(s.page.getByRole('menu', { name: 'Copy as' }).getByRole('menuitem').first()).toHaveText(
      'Custom',
    )
    await s.page.keyboard.press('Escape')
    await s.page.keyboard.press('Escape')
    await expect(s.page.getByRole('menu')).toHaveCount(0)
    await fileRow(s.page, 'plain.txt').click()
    await s.page.keyboard.press('ControlOrMeta+Shift+C')
    await expect.poll(() => clipboardText(s.app)).toBe(`[plain.txt](${plain})`)

    // The style chosen in the details applies only to copies from there. All other copies use the style from
    // the settings.
    const details = s.page.getByRole('complementary', { name: 'Details' })
    await details.getByText('HTML', { exact: true }).click()
    await details.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => clipboardText(s.app)).toBe(`<a href="${plain}">plain.txt</a>`)
    await fileRow(s.page, 'plain.txt').getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => clipboardText(s.app)).toBe(plain)
  })
})

test('copying links in Files', async ({ slipway }) => {
  const names = ['one.txt', 'two.txt', 'three.txt', 'four.txt', 'five.txt', 'harbour.jpg', 'quay.txt']
  const s = await started(slipway, names)
  await lengthenHighlights(s.page)

  await test.step('the details follow the list, copy what they show, and query the service only about the file that the user has refreshed', async () => {
    await fileRow(s.page, 'one.txt').click()
    const panel = s.page.getByRole('complementary', { name: 'Details' })
    const asked = (): readonly (number | null)[] =>
      s.service.requests
        .list()
        .filter((one) => one.endpoint === 'get')
        .map((one) => one.fileId)
    await expect(panel.getByRole('heading', { name: 'one.txt' })).toBeVisible()
    await panel.getByRole('button', { name: 'Refresh details' }).click()
    await expect.poll(() => asked().length).toBe(1)
    // Refreshing the list and showing the details of other files don't ask the service for a single file again.
    await panel.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => contents(s)).toEqual(['one.txt'])
    await command(s.page, 'Refresh')
    await expect(fileRow(s.page, 'one.txt').locator('.files-cell-downloads')).toContainText('1')
    await fileRow(s.page, 'one.txt').click()
    await fileList(s.page).focus()
    for (const [key, name] of [
      ['ArrowDown', 'two.txt'],
      ['ArrowDown', 'three.txt'],
      ['ArrowUp', 'two.txt'],
    ] as const) {
      await s.page.keyboard.press(key)
      await expect(panel.getByRole('heading', { name })).toBeVisible()
      await panel.getByRole('button', { name: 'Copy' }).click()
      await expect.poll(() => contents(s)).toEqual([name])
      await fileList(s.page).focus()
    }
    expect(asked()).toHaveLength(1)
  })
  await test.step('Ctrl+C copies the selection in the order of the list, with a single write', async () => {
    const written = await recordClipboard(s.app)
    await fileRow(s.page, 'two.txt').click()
    await s.page.keyboard.press('ControlOrMeta+C')
    await expect(fileRow(s.page, 'two.txt')).toContainText('Copied')
    await expect(s.page.getByRole('status').filter({ hasText: 'Link copied' })).toHaveCount(1)
    expect(await contents(s)).toEqual(['two.txt'])

    // Selects a range upwards with Shift, then removes one row and adds another with Ctrl.
    await fileRow(s.page, 'four.txt').click()
    await fileRow(s.page, 'two.txt').click({ modifiers: ['Shift'] })
    await s.page.keyboard.press('ControlOrMeta+C')
    await expect(s.page.getByText('3 links copied')).toBeVisible()
    expect(await contents(s)).toEqual(['two.txt', 'three.txt', 'four.txt'])
    await fileRow(s.page, 'three.txt').click({ modifiers: ['ControlOrMeta'] })
    await fileRow(s.page, 'five.txt').click({ modifiers: ['ControlOrMeta'] })
    await s.page.keyboard.press('ControlOrMeta+C')
    await expect.poll(() => contents(s)).toEqual(['two.txt', 'four.txt', 'five.txt'])

    // The same with the keyboard only.
    await fileRow(s.page, 'one.txt').click()
    await s.page.keyboard.press('Shift+ArrowDown')
    await s.page.keyboard.press('Shift+ArrowDown')
    await s.page.keyboard.press('ControlOrMeta+C')
    await expect.poll(() => contents(s)).toEqual(['one.txt', 'two.txt', 'three.txt'])
    expect(await written()).toHaveLength(4)

    // A row's own button copies that row, regardless of the selection.
    await fileRow(s.page, 'five.txt').getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => contents(s)).toEqual(['five.txt'])
    // Without a selection, nothing is copied.
    await s.page.keyboard.press('Escape')
    await copyElsewhere(s.app, 'mine')
    await s.page.keyboard.press('ControlOrMeta+C')
    await expect(s.page.getByRole('row', { selected: true })).toHaveCount(0)
    expect(await clipboardText(s.app)).toBe('mine')
  })
  await test.step('the palette finds and copies a link, which can also be shown as a QR code or opened in the browser', async () => {
    const quay = (await listed(s)).find((one) => one.filename === 'quay.txt')?.public_link
    await command(s.page, 'quay')
    await expect.poll(() => clipboardText(s.app)).toBe(quay)

    await menu(s.page, 'quay.txt', 'QR code for the link')
    const code = s.page.getByRole('dialog', { name: 'QR code for the link' })
    await expect(code.getByRole('img', { name: 'QR code for the link' })).toBeVisible()
    await expect(code).toContainText(`${quay}`)
    // The shortcuts of the list don't work behind the dialog.
    const written = await recordClipboard(s.app)
    await s.page.keyboard.press('ControlOrMeta+Shift+C')
    await code.getByRole('button', { name: 'Close' }).click()
    await expect(code).toHaveCount(0)
    await fileRow(s.page, 'quay.txt').click()
    await s.page.keyboard.press('ControlOrMeta+C')
    await expect.poll(written).toEqual([quay])

    await s.app.evaluate(({ shell }) => {
      const opened: unknown[] = []
      Reflect.set(globalThis, 'openedUrls', opened)
      shell.openExternal = async (...args) => {
        opened.push(args)
      }
    })
    const opened = (): Promise<unknown> =>
      s.app.evaluate(() => Reflect.get(globalThis, 'openedUrls') as unknown)
    await menu(s.page, 'quay.txt', 'Open')
    await expect.poll(opened).toEqual([[quay]])
    await fileRow(s.page, 'quay.txt').click()
    await s.page.keyboard.press('ControlOrMeta+Enter')
    await expect.poll(opened).toEqual([[quay], [quay]])
    await s.app.evaluate(({ clipboard }) => clipboard.writeText(''))
    await s.page.keyboard.press('Enter')
    await expect.poll(() => clipboardText(s.app)).toBe(quay)
    await s.page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Open' }).click()
    await expect.poll(opened).toEqual([[quay], [quay], [quay]])
    expect(s.app.windows()).toHaveLength(1)
  })
  await test.step('pressing Copy copies nothing if a new file moves the rows before the button is released', async () => {
    const written = await recordClipboard(s.app)
    const copy = fileRow(s.page, 'two.txt').getByRole('button', { name: 'Copy', includeHidden: true })
    await fileRow(s.page, 'two.txt').hover()
    await copy.hover()
    await s.page.mouse.down()
    s.service.plant({ filename: 'newest.txt' })
    await ask(s.page, 'catalog', {
      search: '',
      sort: 'date',
      descending: true,
      offset: 0,
      limit: 1,
      fresh: 'need',
    })
    await expect(fileRow(s.page, 'newest.txt')).toBeVisible()
    await s.page.mouse.up()
    await copy.click()
    await expect(fileRow(s.page, 'two.txt')).toContainText('Copied')
    expect(await written()).toHaveLength(1)
    expect(await contents(s)).toEqual(['two.txt'])
  })
  await test.step('a link that is copied in Usage is announced to screen readers', async () => {
    // Without what earlier steps have announced.
    await reload(s.page)
    await lengthenHighlights(s.page)
    await fetched((await listed(s))[0]?.public_link ?? '')
    await command(s.page, 'Refresh')
    await s.page.keyboard.press('ControlOrMeta+3')
    await s.page.getByRole('button', { name: /^one\.txt, / }).click()
    await expect(s.page.getByRole('status').filter({ hasText: 'Link copied' })).toHaveCount(1)
  })
})

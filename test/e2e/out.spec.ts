// The way out of the window: a card only for what isn't in sight, undoing with one key what was done last, and
// rows that are dragged out as files, or as links if the originals aren't here.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixture.ts'
import {
  answerUploads,
  command,
  DELETE_KEY,
  editMenu,
  fetched,
  fileList,
  fileRow,
  lengthenHighlights,
  liveNames,
  open,
  openSection,
  transferRow,
  UPLOADS_UNANSWERED,
  undoesNext,
  uploads,
  watchFolder,
} from './hands.ts'
import { clipboardText, dropFiles, KEY, makeFiles, type Slipway } from './slipway.ts'

const card = (page: Page) => page.locator('.notice-card')
const top = (page: Page): Promise<number | undefined> =>
  fileList(page)
    .boundingBox()
    .then((box) => box?.height)

test('a card names what was copied where its row isn’t in sight, moves nothing, and Ctrl+Z undoes what was done last', async ({
  slipway,
}) => {
  const s = await slipway({ service: { plan: 'business', key: KEY }, settings: { undoSeconds: 60 } })
  const { page } = s
  await lengthenHighlights(page)
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b', 'late.txt': 'late' })

  await test.step('nothing can be undone at first', async () => {
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(page.locator('.notices')).toContainText('Nothing to undo')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    if (process.platform !== 'linux') expect(await editMenu(s)).toContain('Nothing to undo (off)')
  })

  await test.step('a row in sight says itself that its link was copied', async () => {
    // The row may take longer to appear than a card waits for it.
    await page.evaluate(() => {
      const now = Date.now()
      Reflect.set(window, 'realNow', Date.now)
      Date.now = () => now
    })
    await dropFiles(page, [join(desk, 'a.txt')])
    await expect(fileRow(page, 'a.txt')).toContainText('Copied')
    expect(await card(page).filter({ hasText: 'Link copied' }).count()).toBe(0)
    await page.evaluate(() => {
      Date.now = Reflect.get(window, 'realNow') as typeof Date.now
    })
    await fileRow(page, 'a.txt').click()
    await page.keyboard.press('Enter')
    await expect(fileRow(page, 'a.txt')).toContainText('Copied')
    await expect(card(page).filter({ hasText: 'Link copied' })).toHaveCount(0)
  })

  await test.step('in another view, a card shows the file, copies it in another format, and opens its details', async () => {
    await open(page, 'Usage')
    await dropFiles(page, [join(desk, 'b.txt')])
    const told = card(page).filter({ hasText: 'Link copied' })
    await expect(told).toContainText('b.txt')
    await told.hover()
    await told.getByRole('button', { name: 'Copy as…' }).click()
    await page.getByRole('menuitem', { name: 'Markdown' }).click()
    await expect.poll(() => clipboardText(s.app)).toMatch(/^\[b\.txt\]\(http/)
    await card(page).getByRole('button', { name: 'b.txt' }).click()
    await expect(fileRow(page, 'b.txt')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('b.txt')
  })

  await test.step('several are one card, and the list doesn’t move', async () => {
    const before = await top(page)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('ControlOrMeta+C')
    await expect(card(page).filter({ hasText: '2 links copied' })).toContainText('and 1 more')
    expect(await top(page)).toBe(before)
  })

  await test.step('the focus returns to where it was, not to another notice', async () => {
    await fileRow(page, 'a.txt').click()
    await page.keyboard.press(DELETE_KEY)
    const told = card(page).filter({ hasText: 'Deleting in' })
    await expect(told).toContainText('a.txt')
    await told.getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await expect(told).toHaveCount(0)
    await expect(fileList(page)).toBeFocused()
  })

  await test.step('deletions are undone, the newest first, and the menu and the palette name them', async () => {
    for (const name of ['a.txt', 'b.txt']) {
      await fileRow(page, name).click()
      await page.keyboard.press(DELETE_KEY)
      await expect(fileRow(page, name)).toContainText('Deleting')
    }
    await undoesNext(s, 'Undo delete of b.txt')
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(fileRow(page, 'b.txt')).not.toContainText('Deleting')
    await expect(fileRow(page, 'a.txt')).toContainText('Deleting')
    await open(page, 'Settings')
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox').fill('undo')
    await expect(page.getByRole('option', { name: 'Undo delete of a.txt' })).toBeVisible()
    await page.keyboard.press('Enter')
    await open(page, 'Files')
    await expect(fileRow(page, 'a.txt')).not.toContainText('Deleting')
  })

  await test.step('in a text field, the key undoes typing', async () => {
    await fileRow(page, 'a.txt').click()
    await page.keyboard.press(DELETE_KEY)
    await page.keyboard.press('ControlOrMeta+F')
    await page.keyboard.type('a')
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(fileRow(page, 'a.txt')).toContainText('Deleting')
    await page.keyboard.press('Escape')
    await fileList(page).focus()
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(fileRow(page, 'a.txt')).not.toContainText('Deleting')
  })

  await test.step('an upload that was sent is deleted after an undo period of its own', async () => {
    await undoesNext(s, 'Undo upload of b.txt')
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(card(page).filter({ hasText: 'Deleting in' })).toContainText('b.txt')
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(fileRow(page, 'b.txt')).not.toContainText('Deleting')
    expect([...liveNames(s)].toSorted()).toEqual(['a.txt', 'b.txt'])
  })

  await test.step('an upload that was not sent is cancelled', async () => {
    const sent = uploads(s)
    s.service.setFaults(UPLOADS_UNANSWERED)
    await command(page, 'Pause all')
    await dropFiles(page, [join(desk, 'late.txt')])
    await undoesNext(s, 'Undo upload of late.txt')
    await fileList(page).focus()
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(card(page).filter({ hasText: 'Upload cancelled' })).toContainText('late.txt')
    answerUploads(s)
    await command(page, 'Resume')
    expect(uploads(s)).toBe(sent)
  })

  await test.step('a folder that is no longer watched is watched again', async () => {
    await watchFolder(s, makeFiles(s.home, 'Share', { 'old.txt': 'old' }))
    await expect(fileRow(page, 'old.txt')).toBeVisible()
    await openSection(page, 'Folders')
    // It can be undone, so that it isn't asked about.
    await page.getByRole('button', { name: 'Stop watching' }).click()
    const ended = card(page).filter({ hasText: 'No longer watched' })
    await expect(ended).toContainText('Share')
    await expect(page.getByRole('button', { name: 'Stop watching' })).toHaveCount(0)
    await undoesNext(s, 'Undo stop watching Share')
    await ended.getByRole('button', { name: 'Undo' }).click()
    await expect(card(page).filter({ hasText: 'Watched again' })).toContainText('Share')
    makeFiles(s.home, 'Share', { 'new.txt': 'new' })
    await open(page, 'Files')
    await expect(fileRow(page, 'new.txt')).toBeVisible()
  })
})

/** Drags the row a little, and returns the text that the page drags; '' if it leaves that to the main process. */
async function dragOut({ page }: Slipway, name: string, row = fileRow(page, name)): Promise<string> {
  await page.evaluate(() => {
    Reflect.set(window, 'dragged', null)
    window.addEventListener(
      'dragstart',
      ({ defaultPrevented, dataTransfer }) =>
        Reflect.set(window, 'dragged', defaultPrevented ? '' : dataTransfer?.getData('text/plain')),
      { once: true },
    )
  })
  const title = page.getByRole('heading', { level: 1 })
  await row.hover()
  await page.mouse.down()
  await title.hover()
  await title.hover({ position: { x: 2, y: 2 } })
  const dragged = (): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'dragged') as unknown)
  await expect.poll(dragged).not.toBe(null)
  await page.mouse.up()
  return String(await dragged())
}

test('rows are dragged out as files, several together, and as links if an original isn’t here', async ({
  slipway,
}) => {
  const s = await slipway({
    before: ({ service }) =>
      void service.plant({
        filename: 'elsewhere.txt',
        bytes: Buffer.from('other'),
        storedAt: Date.now() - 60_000,
      }),
  })
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b' })
  await dropFiles(page, [join(desk, 'a.txt'), join(desk, 'b.txt')])
  for (const name of ['a.txt', 'b.txt', 'elsewhere.txt']) await expect(fileRow(page, name)).toBeVisible()
  // A real drag would wait for the button of the real mouse.
  await s.app.evaluate(({ webContents }) => {
    for (const contents of webContents.getAllWebContents())
      contents.startDrag = ({ file, files, icon }) => {
        if (typeof icon === 'string' || icon.isEmpty()) throw new Error('no icon')
        Reflect.set(globalThis, 'draggedFiles', files ?? [file])
      }
  })
  const files = (): Promise<readonly string[]> =>
    s.app.evaluate(() => Reflect.get(globalThis, 'draggedFiles') as readonly string[])
  const before = uploads(s)

  expect(await dragOut(s, 'a.txt')).toBe('')
  await expect.poll(files).toEqual([join(desk, 'a.txt')])
  await fileRow(page, 'a.txt').click()
  await fileRow(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] })
  expect(await dragOut(s, 'a.txt')).toBe('')
  await expect
    .poll(async () => (await files()).toSorted())
    .toEqual([join(desk, 'a.txt'), join(desk, 'b.txt')])
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2)
  // A click on one of them selects it alone.
  await fileRow(page, 'b.txt').click()
  await expect(page.getByRole('row', { selected: true })).toHaveCount(1)
  expect(await fetched(await dragOut(s, 'elsewhere.txt'))).toBe('other')

  // The original has changed since it was uploaded, so that only the link leads to what was shared.
  writeFileSync(join(desk, 'b.txt'), 'something else')
  expect(await dragOut(s, 'b.txt')).toBe('')
  await expect(page.getByText('The original has changed or is no longer there.')).toBeVisible()
  expect(await fetched(await dragOut(s, 'b.txt'))).toBe('b')
  await open(page, 'Transfers')
  await transferRow(page, 'a.txt').click()
  expect(await dragOut(s, 'a.txt', transferRow(page, 'a.txt'))).toBe('')
  await expect.poll(files).toEqual([join(desk, 'a.txt')])
  // Nothing that comes from the window's own rows is uploaded.
  expect(uploads(s)).toBe(before)
})

// Dropping files: the link of one file, the links of many in the order of the drop, a clipboard that the user
// has used since, nothing uploaded twice, and a secret held for approval. The content behind a link is
// downloaded without a key. Text can be dropped into a text field.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import {
  answerQuestions,
  answerUploads,
  command,
  copyElsewhere,
  doneCount,
  fetched,
  fileRow,
  lengthenHighlights,
  liveNames,
  open,
  recordClipboard,
  transferRow,
  UPLOADS_UNANSWERED,
  uploads,
} from './hands.ts'
import { clipboardText, dropFiles, dropText, makeFiles } from './slipway.ts'

test('drops of files and texts', async ({ slipway }) => {
  const s = await slipway()
  await test.step('text can be dropped into a text field, and a link dropped elsewhere doesn’t navigate', async () => {
    const search = s.page.getByRole('searchbox')
    const address = s.page.url()
    await s.app.evaluate(({ BrowserWindow }) => {
      const asked: string[] = []
      Reflect.set(globalThis, 'asked', asked)
      BrowserWindow.getAllWindows()[0]?.webContents.on('will-navigate', (event) => asked.push(event.url))
    })
    const heading = s.page.getByRole('heading', { name: 'Files', exact: true })
    // Elsewhere, the system asks whether to upload the text, which the user doesn't want here.
    const questions = await answerQuestions(s.app, 1)
    await dropText(heading, 'http://other.test/')
    await expect.poll(() => questions()).toHaveLength(1)
    await dropText(heading, 'just words')
    await expect.poll(() => questions()).toHaveLength(2)
    await expect(s.page.getByText('Counting files')).toHaveCount(0)
    await dropText(search, 'offer')
    await expect(search).toHaveValue('offer')
    await search.fill('')
    await dropText(search, 'http://other.test/')
    await expect(search).toHaveValue('http://other.test/')
    await expect(heading).toBeVisible()
    expect(s.page.url()).toBe(address)
    expect(await s.app.evaluate(() => Reflect.get(globalThis, 'asked'))).toEqual([])
    expect(s.service.ledger.files()).toEqual([])
    await search.fill('')
  })
  await test.step('one dropped file puts its link on the clipboard without asking', async () => {
    const written = await recordClipboard(s.app)
    await lengthenHighlights(s.page)
    const dir = makeFiles(s.home, 'desk', { 'Angebot für Söhne & Co.txt': 'what it says' })
    await dropFiles(s.page, [join(dir, 'Angebot für Söhne & Co.txt')])
    await expect(fileRow(s.page, 'Angebot für Söhne & Co.txt').getByText('Copied')).toBeVisible()
    await expect(s.page.getByRole('dialog')).toHaveCount(0)
    const link = await clipboardText(s.app)
    expect(await fetched(link)).toBe('what it says')
    expect(await written()).toEqual([link])
    expect(liveNames(s)).toEqual(['Angebot für Söhne & Co.txt'])
    expect(uploads(s)).toBe(1)
  })
  await test.step('what the user copied in the meantime stays on the clipboard', async () => {
    s.service.setFaults(UPLOADS_UNANSWERED)
    const dir = makeFiles(s.home, 'desk', { 'slow.txt': 'slow' })
    await dropFiles(s.page, [join(dir, 'slow.txt')])
    await expect(s.page.getByRole('progressbar', { name: 'slow.txt' })).toBeVisible()
    await copyElsewhere(s.app, 'a sentence of mine')
    answerUploads(s)
    await expect(fileRow(s.page, 'slow.txt')).toBeVisible()
    await expect.poll(() => doneCount(s.page)).toBe(2)
    await expect(s.page.getByRole('progressbar', { name: 'slow.txt' })).toHaveCount(0)
    expect(await clipboardText(s.app)).toBe('a sentence of mine')
    await expect(s.page.getByText('Link copied')).toHaveCount(0)
    // A command copies the link nevertheless.
    await command(s.page, 'Copy links of the last drop')
    await expect(s.page.getByText('Link copied')).toBeVisible()
    expect(await fetched(await clipboardText(s.app))).toBe('slow')
  })
  await test.step('repeating a drop returns the existing links and sends nothing', async () => {
    const before = uploads(s)
    const dir = makeFiles(s.home, 'desk', { 'one.txt': 'one', 'two.txt': 'two' })
    const paths = [join(dir, 'two.txt'), join(dir, 'one.txt')]
    await dropFiles(s.page, paths)
    await expect(s.page.getByText('2 links copied')).toBeVisible()
    const links = await clipboardText(s.app)
    await copyElsewhere(s.app, 'something else')
    await dropFiles(s.page, paths)
    await expect.poll(() => clipboardText(s.app)).toBe(links)
    expect(uploads(s)).toBe(before + 2)
    // A changed file is a new version, which is uploaded.
    writeFileSync(join(dir, 'one.txt'), 'one, changed')
    await dropFiles(s.page, [join(dir, 'one.txt')])
    await expect.poll(async () => fetched(await clipboardText(s.app))).toBe('one, changed')
    expect(uploads(s)).toBe(before + 3)
    expect(s.service.ledger.duplicates().bySha).toEqual([])
  })
  await test.step('a drop of files and a folder copies all links at once, in the order of the drop', async () => {
    const before = uploads(s)
    const there = liveNames(s)
    const written = await recordClipboard(s.app)
    // The first upload is answered last.
    s.service.setFaults({ rules: [{ on: 'upload', nth: 1, kinds: { kind: 'answer-late', ms: 1500 } }] })
    const dir = makeFiles(s.home, 'desk', {
      'z-first.txt': 'z-first',
      'folder/a.txt': 'folder a',
      'folder/b.txt': 'folder b',
      'folder/deep/c.txt': 'folder deep c',
      'a-last.txt': 'a-last',
    })
    await dropFiles(s.page, [join(dir, 'z-first.txt'), join(dir, 'folder'), join(dir, 'a-last.txt')])
    await expect(s.page.getByText('5 links copied')).toBeVisible()
    const links = (await clipboardText(s.app)).split('\n')
    const contents = await Promise.all(links.map(fetched))
    expect(contents[0]).toBe('z-first')
    expect(contents.slice(1, 4).toSorted()).toEqual(['folder a', 'folder b', 'folder deep c'])
    expect(contents[4]).toBe('a-last')
    // Links are copied as they become ready, so earlier writes may contain only some of them.
    const parts = (await written()).map((text) => text.split('\n'))
    expect(parts.at(-1)).toEqual(links)
    for (const part of parts) expect(part).toEqual(links.filter((link) => part.includes(link)))
    const own = liveNames(s).filter((name) => !there.includes(name))
    expect(own).toEqual(['a-last.txt', 'a.txt', 'b.txt', 'c.txt', 'z-first.txt'])
    expect(uploads(s)).toBe(before + 5)
  })
})

test('a secret is held, and is uploaded only after a second confirmation', async ({ slipway }) => {
  const s = await slipway()
  const dir = makeFiles(s.home, 'site', { '.env': 'TOKEN=abc', 'index.html': '<p>hello' })
  await dropFiles(s.page, [dir])
  const plan = s.page.getByRole('dialog', { name: 'Upload 1 file' })
  await expect(plan).toContainText('1 looks like a secret and needs your approval')
  await plan.getByRole('button', { name: 'Don’t upload' }).click()
  await expect(plan).toHaveCount(0)
  expect(s.service.ledger.files()).toEqual([])

  await dropFiles(s.page, [dir])
  await plan.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(s.page.getByText('Link copied')).toBeVisible()
  expect(await fetched(await clipboardText(s.app))).toBe('<p>hello')
  expect(liveNames(s)).toEqual(['index.html'])

  await s.page.getByRole('button', { name: '1 file needs attention' }).click()
  const row = transferRow(s.page, '.env')
  await expect(row).toContainText('Held: looks like a secret')
  const asked = await answerQuestions(s.app, 1)
  // Two clicks: on "Review", and in the system dialog, which shows what was found.
  await row.getByRole('button', { name: 'Review' }).click()
  // The system dialog is first declined, then confirmed. The page can't influence it.
  await expect.poll(() => asked()).toHaveLength(1)
  expect((await asked())[0]).toMatchObject({ message: 'Upload .env?', defaultId: 1, cancelId: 1 })
  expect((await asked())[0]?.detail).toContain(
    `${join(dir, '.env')}\nIt looks like a secret: environment file (.env).\nIts name matches the rule.`,
  )
  await expect(row).toContainText('Held: looks like a secret')
  expect(liveNames(s)).toEqual(['index.html'])
  // So does the palette, which has the actions of the selected row.
  await row.click()
  await s.page.keyboard.press('ControlOrMeta+K')
  await s.page.getByRole('combobox').fill('upload anyway')
  await expect(s.page.getByRole('option', { name: 'Upload anyway…: .env' })).toBeVisible()
  await s.page.keyboard.press('Enter')
  await expect.poll(() => asked()).toHaveLength(2)
  expect(liveNames(s)).toEqual(['index.html'])

  // From any view it is one click in the window, and one in the system dialog.
  await open(s.page, 'Files')
  await answerQuestions(s.app, 0)
  const clicks = await s.page.evaluateHandle(() => {
    const count = { clicks: 0 }
    addEventListener('click', () => count.clicks++, true)
    return count
  })
  await s.page.getByRole('contentinfo').getByRole('button', { name: 'Review' }).click()
  await expect(s.page.getByText('Every file accounted for')).toBeVisible()
  expect(await clicks.evaluate((count) => count.clicks)).toBe(1)
  expect(liveNames(s)).toEqual(['.env', 'index.html'])
})

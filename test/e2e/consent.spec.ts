// What is asked before many files are uploaded, whichever way they come in, and what can be taken back while a new
// file of a watched folder waits.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { clickTray, startAgain, trayMenu } from './desk.ts'
import { expect, test } from './fixture.ts'
import { answerQuestions, command, liveNames, open, openSection, transferRow, watchFolder } from './hands.ts'
import { isOlderThan } from './provable.ts'
import { answerDialogs, ask, dropFiles, KEY, makeFiles } from './slipway.ts'

const COUNT = 101
/** Another day. Around midnight, the day may change while the spec runs. */
const DAY = `(?:tomorrow |on \\d+ \\w+ )${[23, 0].includes(new Date().getHours()) ? '?' : ''}`
/** The answers: newest first, smallest first, by name, waiting, and declining. */
const [SMALLEST, WAIT, DECLINE] = [1, 3, 4]

test('more than a hundred files are asked about on every way in', async ({ slipway }) => {
  const s = await slipway({ service: { plan: 'pro', key: KEY, limits: { dailyUploads: 60 } } })
  const { page, app } = s
  const album = (name: string): string =>
    makeFiles(
      s.home,
      name,
      Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`${name}-${i}.txt`, `${name} ${i}`])),
    )
  const dir = album('album')
  const asked = await answerQuestions(app, DECLINE)
  let count = 0
  const isAsked = async (): Promise<void> => {
    count++
    await expect.poll(async () => (await asked()).length).toBe(count)
    expect((await asked()).at(-1)).toMatchObject({ message: 'Upload 101 files?', cancelId: DECLINE })
    expect((await asked()).at(-1)?.detail).toMatch(new RegExp(`, 41 starting ${DAY}at`))
  }
  const none = async (): Promise<void> => {
    expect(await ask(page, 'transfers', { folderId: null, states: [], afterId: 0, limit: 1 })).toMatchObject({
      value: [],
    })
    expect(s.service.ledger.files()).toEqual([])
  }

  await test.step('a drop', async () => {
    await dropFiles(page, [dir])
    await isAsked()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await none()
  })
  await test.step('the chooser', async () => {
    await answerDialogs(app, [dir])
    await command(page, 'Upload folder…')
    await isAsked()
    await none()
  })
  // Files on the clipboard need ClipboardItem.
  if (!isOlderThan({ electron: 44 }))
    await test.step('the clipboard, from the tray', async () => {
      await app.evaluate(async ({ clipboard, ClipboardItem }, uri) => {
        await clipboard.write([new ClipboardItem({ 'text/plain': uri, 'text/uri-list': uri })])
      }, pathToFileURL(dir).href)
      await clickTray(app, 'Upload from clipboard')
      await isAsked()
      await none()
    })
  await test.step('another program', async () => {
    await startAgain(s, [dir])
    await isAsked()
    await none()
  })
  await test.step('“I’ll wait” keeps all of them, and sends none', async () => {
    await answerQuestions(app, WAIT)
    await dropFiles(page, [dir])
    await isAsked()
    await expect(page.getByText('Nothing is sent until you resume them in Transfers.')).toBeVisible()
    await expect(page.getByText('101 paused')).toBeVisible()
    expect(s.service.ledger.files()).toEqual([])
  })
  await test.step('an order sends them', async () => {
    await answerQuestions(app, SMALLEST)
    await dropFiles(page, [album('again')])
    count++
    await expect.poll(async () => (await asked()).length).toBe(count)
    await expect.poll(() => liveNames(s).length).toBeGreaterThan(10)
    expect(liveNames(s).every((name) => name.startsWith('again'))).toBe(true)
    // The others stay paused beside them, and aren't counted among those that go by themselves.
    await open(page, 'Transfers')
    await expect(page.getByText(/open · 101 paused$/)).toBeVisible()
    await expect(
      page.getByRole('row', { name: /^Paused 101/ }).getByRole('button', { name: 'Resume' }),
    ).toBeVisible()
    await expect(page.getByRole('row', { name: /^Waiting \d{2}\b/ })).toBeVisible()
    await ask(page, 'pause', { now: true })
  })
})

test('the window and the tray say when little is left of the day’s uploads', async ({ slipway }) => {
  const s = await slipway({ service: { plan: 'pro', key: KEY, limits: { dailyUploads: 10 } } })
  const { page, app } = s
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i}.txt`, `${i}`]))
  await dropFiles(page, [makeFiles(s.home, 'desk', files)])
  await expect.poll(() => liveNames(s).length).toBe(8)
  await expect(page.getByText('80% of today’s uploads used. 2 more uploads today.')).toBeVisible()
  await expect.poll(() => trayMenu(app)).toContain('(80% of today’s uploads used)')
})

test('a new file of a watched folder can be cancelled before it goes up', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  const share = makeFiles(s.home, 'Share', { 'there.txt': 'there' })
  await watchFolder(s, share)
  await expect(page.getByRole('button', { name: 'Share, 1 of 1 done' })).toBeVisible()
  await openSection(page, 'Folders')
  await page.getByRole('button', { name: 'Rules…, Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rules of Share' })
  await dialog.getByRole('button', { name: /Before a new file goes up$/ }).click()
  await page.getByRole('option', { name: 'Wait 60 seconds' }).click()
  await dialog.getByRole('button', { name: 'Save rules' }).click()
  await expect(dialog).toHaveCount(0)
  await open(page, 'Transfers')
  for (const name of ['not.txt', 'now.txt']) writeFileSync(join(share, name), name)
  await open(page, 'Files')
  await expect(page.getByText(/^2 new files, the next goes up in \d+\ss/)).toBeVisible()
  await page.getByRole('button', { name: 'Review' }).click()
  const [not, now] = [transferRow(page, 'not.txt'), transferRow(page, 'now.txt')]
  await expect(not).toContainText(/Goes up in \d+\ss/)
  const seconds = async (): Promise<number> => Number((await now.textContent())?.match(/in (\d+)/)?.[1])
  const first = await seconds()
  expect(first).toBeLessThanOrEqual(60)
  await expect.poll(seconds).toBeLessThan(first)
  await not.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(not).not.toContainText('Goes up')
  const card = page.locator('.notice-card').filter({ hasText: 'Upload cancelled' })
  await expect(card).toContainText('not.txt')
  await page.keyboard.press('ControlOrMeta+Z')
  await expect(page.locator('.notice-card').filter({ hasText: 'Restored' })).toContainText('not.txt')
  await expect(card).toHaveCount(0)
  await expect(not).toContainText('Goes up')
  await not.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(not).not.toContainText('Goes up')
  await now.getByRole('button', { name: 'Upload now' }).click()
  await expect.poll(() => liveNames(s)).toEqual(['now.txt', 'there.txt'])
  await test.step('two halves in quick succession count together', async () => {
    await command(page, 'Pause all')
    const asked = await answerQuestions(s.app, DECLINE)
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.txt`, `${i}`]))
    await dropFiles(page, [makeFiles(s.home, 'first', files)])
    await expect(page.getByText('60 open')).toBeVisible()
    expect(await asked()).toEqual([])
    await dropFiles(page, [makeFiles(s.home, 'second', files)])
    await expect.poll(async () => (await asked()).map((one) => one.message)).toEqual(['Upload 60 files?'])
  })
})

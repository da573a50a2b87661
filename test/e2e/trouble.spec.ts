// Everyday problems: a revoked key, an unreachable service, a crashed engine, a power failure during uploads,
// unreadable settings, an unreadable journal. The window stays and reports the problem, continues on its own
// where possible, and nothing is lost or uploaded twice.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ElectronApplication } from '@playwright/test'
import { CHANNEL } from '../../src-shared/window-contract.ts'
import { expect, test } from './fixture.ts'
import {
  banner,
  copyElsewhere,
  doneCount,
  fetched,
  fileList,
  fileRow,
  liveNames,
  open,
  quiet,
  transferRow,
  uploads,
  watchFolder,
} from './hands.ts'
import { clipboardText, dropFiles, KEY, makeFiles, reload, type Slipway } from './slipway.ts'

const NEW_KEY = 'sk-desktop-the-new-one-9876543210'

const sha = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** From now on, `killEngine` terminates the engine's thread as a crash in native code would. */
async function holdEngine(s: Slipway): Promise<void> {
  await s.app.evaluate(() => {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const workers = new Set<InstanceType<typeof Worker>>()
    const post = Worker.prototype.postMessage
    Worker.prototype.postMessage = function (...args) {
      workers.add(this)
      post.apply(this, args)
    }
    Reflect.set(globalThis, 'engineThreads', workers)
  })
}

async function killEngine({ app, page }: Slipway): Promise<number> {
  // Opening another view calls the engine, which reveals its thread.
  await open(page, 'Usage')
  await open(page, 'Files')
  await expect
    .poll(() => app.evaluate(() => (Reflect.get(globalThis, 'engineThreads') as Set<unknown>).size))
    .toBeGreaterThan(0)
  const ended = (one: ElectronApplication): Promise<number> =>
    one.evaluate(async () => {
      const workers = Reflect.get(globalThis, 'engineThreads') as Set<{
        readonly terminate: () => Promise<number>
      }>
      const [...all] = workers
      workers.clear()
      await Promise.all(all.map((worker) => worker.terminate()))
      return all.length
    })
  return ended(app)
}

test('a revoked key stops everything; entering a new one, without leaving the view, resumes it', async ({
  slipway,
}) => {
  const s = await slipway()
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
  await dropFiles(s.page, [join(desk, 'a.txt')])
  await expect(fileRow(s.page, 'a.txt')).toBeVisible()
  s.service.setKey(NEW_KEY)
  await dropFiles(s.page, [join(desk, 'b.txt')])
  const told = banner(s.page, 'The API key was refused.')
  // It says where the key came from, because entering another key doesn't change the environment for the next
  // start.
  await expect(told).toContainText(
    'Uploads wait. The key comes from the environment variable SLIPWAY_API_KEY.',
  )
  await quiet(s)
  s.service.requests.clear()
  await dropFiles(s.page, [join(desk, 'c.txt')])
  await open(s.page, 'Transfers')
  await expect(transferRow(s.page, 'c.txt')).toContainText('Waiting for API access')
  // The key worked before, so it is tried again from time to time.
  expect(s.service.requests.list().filter((one) => one.endpoint !== 'stats')).toEqual([])

  await told.getByRole('button', { name: 'Enter new key' }).click()
  const sheet = s.page.getByRole('dialog', { name: 'Enter API key' })
  await expect(sheet.getByLabel('Service address')).toHaveValue(s.service.url)
  await sheet.getByLabel('API key', { exact: true }).fill(NEW_KEY)
  await sheet.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(sheet.getByText(/^Connected to 127\.0\.0\.1:\d+, Pro plan$/)).toBeVisible()
  await sheet.getByRole('button', { name: /^Use (until Slipway quits|without saving the key)$/ }).click()
  await expect(sheet).toHaveCount(0)
  await expect(told).toHaveCount(0)
  await expect(transferRow(s.page, 'c.txt')).toContainText('Uploaded')
  await open(s.page, 'Settings')
  await expect(s.page.getByText('In memory until Slipway quits')).toBeVisible()
  await open(s.page, 'Files')
  await expect(fileRow(s.page, 'c.txt')).toBeVisible()
  await expect.poll(() => liveNames(s)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(s.service.ledger.duplicates().bySha).toEqual([])

  // A key that is only in memory survives the end of the engine's thread.
  await holdEngine(s)
  expect(await killEngine(s)).toBe(1)
  writeFileSync(join(desk, 'd.txt'), 'd')
  await expect.poll(() => doneCount(s.page)).toBe(3)
  await expect
    .poll(async () => {
      await dropFiles(s.page, [join(desk, 'd.txt')])
      return liveNames(s).includes('d.txt')
    })
    .toBe(true)
  expect(await s.page.content()).not.toContain(NEW_KEY)
})

test('an unreachable service is reported; uploads wait, and resume by themselves when it is back', async ({
  slipway,
}) => {
  const s = await slipway()
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b' })
  await dropFiles(s.page, [join(desk, 'a.txt')])
  await expect(fileRow(s.page, 'a.txt')).toBeVisible()
  await s.service.goAway()
  await dropFiles(s.page, [join(desk, 'b.txt')])
  const told = banner(s.page, 'Can’t reach the service.')
  await expect(told).toContainText('Nothing is lost.')
  await expect(s.page.locator('.status-bar')).toHaveText(/^1 waiting/)
  // The banner alone says why, here and in Transfers.
  await expect(s.page.locator('.files-strip .hidden-text')).toContainText('No connection')
  await expect(s.page.locator('.gauge')).not.toContainText('No connection')
  await open(s.page, 'Transfers')
  await expect(s.page.locator('.transfers-head-detail').first()).toHaveText('1')
  await open(s.page, 'Files')
  await expect(fileRow(s.page, 'a.txt')).toBeVisible()
  // Known links can still be copied.
  await copyElsewhere(s.app, 'mine')
  await fileRow(s.page, 'a.txt').click()
  await s.page.keyboard.press('ControlOrMeta+C')
  await expect.poll(() => clipboardText(s.app)).not.toBe('mine')
  const link = await clipboardText(s.app)
  await s.service.comeBack()
  expect(await fetched(link)).toBe('a')
  await expect(fileRow(s.page, 'b.txt')).toBeVisible()
  await expect(told).toHaveCount(0)
  expect(liveNames(s)).toEqual(['a.txt', 'b.txt'])
  expect(s.service.ledger.duplicates().bySha).toEqual([])

  // Maintenance has the same banner, and ends by itself.
  s.service.setIntercept({ page: 'maintenance-503' })
  await dropFiles(s.page, [join(makeFiles(s.home, 'desk', { 'c.txt': 'c' }), 'c.txt')])
  const unavailable = banner(s.page, 'The service is unavailable.')
  await expect(unavailable.getByRole('button', { name: 'Check again' })).toBeVisible()
  await expect(s.page.locator('.gauge')).not.toContainText('unavailable')
  s.service.setIntercept(null)
  await expect(unavailable).toHaveCount(0)
  await expect.poll(() => liveNames(s)).toContain('c.txt')
  await expect(fileRow(s.page, 'c.txt')).toBeVisible()

  // After a start without a connection, what the journal knows counts, not what the service said before.
  await s.service.goAway()
  const { page } = await s.restart()
  await expect(page.getByRole('navigation').getByRole('button', { name: 'Files' })).toContainText('3')
  await open(page, 'Usage')
  const stored = page.getByRole('group', { name: 'Stored' })
  await expect(stored).toContainText('3 files')
  await expect(stored).not.toContainText('0 B')
})

test('an engine that crashes during uploads is restarted; the window stays open, and nothing is sent twice', async ({
  slipway,
}) => {
  const s = await slipway()
  await holdEngine(s)
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [`file-${i}.bin`, new Uint8Array(400_000).fill(i + 1)]),
  )
  const desk = makeFiles(s.home, 'desk', files)
  s.service.setUploadRate(50_000)
  await s.page.evaluate(() => {
    const seen = (): void => {
      if (document.body.innerText.includes('Slipway is restarting its sync engine.'))
        document.body.dataset['engineFell'] = 'told'
    }
    new MutationObserver(seen).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await dropFiles(
    s.page,
    Object.keys(files).map((name) => join(desk, name)),
  )
  await expect(s.page.getByRole('progressbar').first()).toBeVisible()
  expect(await killEngine(s)).toBe(1)
  s.service.setUploadRate(null)
  await expect(s.page.locator('body')).toHaveAttribute('data-engine-fell', 'told')
  await expect(s.page.getByText('6 links copied')).toBeVisible({ timeout: 60_000 })
  await expect(banner(s.page, 'Slipway is restarting')).toHaveCount(0)
  expect(liveNames(s)).toEqual(Object.keys(files))
  expect(s.service.ledger.duplicates().bySha).toEqual([])
  const links = (await clipboardText(s.app)).split('\n')
  for (const [i, link] of links.entries())
    expect(sha(new Uint8Array(await (await fetch(link)).arrayBuffer()))).toBe(
      sha(files[`file-${i}.bin`] ?? ''),
    )
})

for (const how of ['a power cut', 'a restart'] as const)
  test(`after ${how} during uploads, every file is stored once, byte for byte`, async ({ slipway }) => {
    const s = await slipway()
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `file-${String(i).padStart(2, '0')}.bin`,
        new Uint8Array(300_000).fill(i + 1),
      ]),
    )
    const share = makeFiles(s.home, 'Share', files)
    s.service.setUploadRate(100_000)
    await watchFolder(s, share)
    // Some files are uploaded, some are being sent, some haven't started.
    await expect.poll(() => s.service.ledger.live().length, { timeout: 60_000 }).toBeGreaterThan(1)
    await expect.poll(() => s.service.ledger.live().length).toBeLessThan(12)
    const again = how === 'a restart' ? await s.restart() : await s.kill()
    again.service.setUploadRate(null)
    await expect(again.page.getByRole('button', { name: 'Share, 12 of 12 done' })).toBeVisible({
      timeout: 90_000,
    })
    await expect(fileList(again.page).getByRole('row')).toHaveCount(13)
    await again.service.idle()
    expect(liveNames(again)).toEqual(Object.keys(files))
    for (const one of again.service.ledger.live()) expect(one.sha256).toBe(sha(files[one.filename] ?? ''))
    for (const one of again.service.ledger.live())
      expect(sha(readFileSync(again.service.blobPath(one.fileId) ?? ''))).toBe(sha(files[one.filename] ?? ''))
    expect(again.service.ledger.files()).toHaveLength(12)
  })

test('an engine that can’t restart is reported as stopped, with the reason, also to a page that opens later', async ({
  slipway,
}) => {
  const s = await slipway()
  await expect.poll(() => doneCount(s.page)).toBe(0)
  await holdEngine(s)
  // Reveals the engine's thread.
  await open(s.page, 'Usage')
  const journal = new DatabaseSync(join(s.data, 'journal.db'), { timeout: 5000 })
  const version = Number(journal.prepare('PRAGMA user_version').get()?.['user_version'])
  journal.exec(`PRAGMA user_version = ${version - 1}`)
  journal.close()
  expect(await killEngine(s)).toBe(1)
  const told = banner(
    s.page,
    'Slipway’s sync engine isn’t running. Couldn’t open the journal. Nothing is lost.',
  )
  for (const isNewPage of [false, true]) {
    if (isNewPage) await reload(s.page)
    await expect(told).toBeVisible()
    await expect(s.page.getByRole('contentinfo')).toContainText('Sync engine not running')
    await expect(s.page.getByText('Every file accounted for')).toHaveCount(0)
    await expect(banner(s.page, 'Slipway is restarting')).toHaveCount(0)
  }
  // What needs the engine fails for the same reason.
  await dropFiles(s.page, [join(makeFiles(s.home, 'desk', { 'a.txt': 'a' }), 'a.txt')])
  await expect(s.page.getByText('Couldn’t open the journal.', { exact: true })).toBeVisible()
})

test('keys and names that fail', async ({ slipway }) => {
  const s = await slipway({ env: { SLIPWAY_API_KEY: `${KEY}\u200b` } })
  await test.step('a key that can’t be sent isn’t reported as refused by the service, and another one can be entered', async () => {
    const told = banner(s.page, 'Slipway’s sync engine isn’t running. The API key isn’t valid.')
    await expect(told).toBeVisible()
    await expect(s.page.getByText('The API key was refused.')).toHaveCount(0)
    expect(s.service.requests.list()).toEqual([])
    await told.getByRole('button', { name: 'Enter new key' }).click()
    const sheet = s.page.getByRole('dialog', { name: 'Enter API key' })
    await sheet.getByLabel('API key', { exact: true }).fill(KEY)
    await sheet.getByRole('button', { name: 'Connect', exact: true }).click()
    await sheet.getByRole('button', { name: /^Use (until Slipway quits|without saving the key)$/ }).click()
    await expect(told).toHaveCount(0)
    await open(s.page, 'Files')
    await expect(s.page.getByText('Every file accounted for')).toBeVisible()
  })
  await test.step('if renaming an account fails, the window doesn’t claim that the name is taken', async () => {
    await open(s.page, 'Settings')
    await s.page.getByRole('button', { name: /^Rename…/ }).click()
    const dialog = s.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Work')
    await s.app.evaluate(({ ipcMain }, channel) => {
      ipcMain.removeHandler(channel)
      ipcMain.handle(channel, () => ({
        ok: false,
        failure: { code: 'disk', title: 'The disk is full.', hint: null },
      }))
    }, CHANNEL.call)
    await s.page.keyboard.press('Enter')
    await expect(dialog).toContainText('Couldn’t write to disk. Check free space and permissions')
    await expect(dialog).not.toContainText('This name is taken')
  })
})

test('unreadable settings are moved aside and reported, and the window opens', async ({ slipway }) => {
  const s = await slipway({
    before: ({ data }) => writeFileSync(join(data, 'settings.json'), '{"baseUrl": "http://127'),
  })
  await expect(s.page.getByText('Couldn’t read the settings.')).toBeVisible()
  await expect(
    s.page.getByText('Slipway uses the defaults and kept the old file in the data folder.'),
  ).toBeVisible()
  await expect(s.page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
  expect(readdirSync(s.data).filter((name) => name.startsWith('settings.json.broken-'))).toHaveLength(1)
  await s.page.getByLabel('Service address').fill(s.service.url)
  await s.page.getByLabel('API key', { exact: true }).fill(KEY)
  await s.page.keyboard.press('Enter')
  await expect(s.page.getByText(/^Connected to 127\.0\.0\.1:\d+, Pro plan$/)).toBeVisible()
})

test('an unreadable journal is moved aside and reported; uploaded files are recognized, not sent again', async ({
  slipway,
}) => {
  const s = await slipway()
  const share = makeFiles(s.home, 'Share', { 'a.txt': 'a'.repeat(5000), 'b.txt': 'b'.repeat(6000) })
  await watchFolder(s, share)
  await expect(s.page.getByRole('button', { name: 'Share, 2 of 2 done' })).toBeVisible()
  const before = uploads(s)
  await s.app.close()
  for (const name of ['journal.db-wal', 'journal.db-shm'])
    if (existsSync(join(s.data, name))) writeFileSync(join(s.data, name), 'not a journal at all')
  writeFileSync(join(s.data, 'journal.db'), 'not a journal at all'.repeat(500))

  const again = await s.restart()
  await expect(again.page.getByText('Couldn’t read the journal. Slipway started a new one.')).toBeVisible()
  await expect(again.page.getByText(/^The old journal was kept as .*journal\.db/)).toBeVisible()
  expect(readdirSync(again.data).filter((name) => name.startsWith('journal.db')).length).toBeGreaterThan(1)
  // The journal contained the list of watched folders.
  await watchFolder(again, share)
  await expect(again.page.getByRole('button', { name: 'Share, 2 of 2 done' })).toBeVisible({
    timeout: 60_000,
  })
  expect(liveNames(again)).toEqual(['a.txt', 'b.txt'])
  expect(uploads(again)).toBe(before)
})

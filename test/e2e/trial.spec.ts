// Trying Slipway without an account: a link with one click, only on this computer, and a banner that says so.
// Nothing of it appears in an account connected later, and nothing is left after quitting or a crash.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import { answerQuestions, fetched, fileList, fileRow, open, watchFolder } from './hands.ts'
import { ask, clipboardText, dropFiles, KEY, makeFiles, NO_KEYCHAIN, type Slipway } from './slipway.ts'

const BANNER = 'Trying Slipway: links work only on this computer, and everything is deleted when you quit.'

const button = (s: Slipway, name: string) => s.page.getByRole('button', { name, exact: true })
const banner = (s: Slipway) => s.page.getByText(BANNER)
const trialFolder = (s: Slipway): string => join(s.data, 'trial')
const address = (s: Slipway) => s.page.getByLabel('Service address')

async function startTrial(s: Slipway): Promise<void> {
  await button(s, 'Try it without an account').click()
  await expect(banner(s)).toBeVisible()
}

/** The link of the newest drop, once it is on the clipboard. */
async function linkOf(s: Slipway, content: string): Promise<string> {
  await expect.poll(async () => fetched(await clipboardText(s.app)).catch(() => 'no link')).toBe(content)
  return clipboardText(s.app)
}

test('a trial, and the account that follows', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  await test.step('one click creates a link to a file dropped earlier, only on this computer', async () => {
    const desk = makeFiles(s.home, 'desk', { 'first.txt': 'the very first' })
    await dropFiles(s.page, [join(desk, 'first.txt')])
    await expect(s.page.getByText('1 item is uploaded after this step')).toBeVisible()
    await startTrial(s)
    const link = new URL(await linkOf(s, 'the very first'))
    expect(link.hostname).toBe('127.0.0.1')
    await expect(fileRow(s.page, 'first.txt')).toBeVisible()
    for (const view of ['Transfers', 'Usage', 'Settings', 'Files'] as const) {
      await open(s.page, view)
      await expect(banner(s)).toBeVisible()
    }

    // The trial's service isn't usable by others: neither without the key nor from the network.
    const stats = `${link.origin}/api/v1/stats`
    expect((await fetch(stats)).status).toBe(401)
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one?.family === 'IPv4' && !one.internal)
    for (const other of others)
      expect(
        await fetch(stats.replace('127.0.0.1', other?.address ?? '')).then(
          () => 'answers',
          () => 'silent',
        ),
      ).toBe('silent')
    // And the other service got no requests.
    expect(s.service.requests.list()).toEqual([])
  })
  await test.step('nothing from the trial appears in the account that is connected afterwards', async () => {
    const desk = makeFiles(s.home, 'desk', { 'tried.txt': 'tried' })
    await dropFiles(s.page, [join(desk, 'tried.txt')])
    const link = await linkOf(s, 'tried')
    const share = makeFiles(s.home, 'Share', { 'watched.txt': 'watched' })
    await watchFolder(s, share)
    await expect(fileRow(s.page, 'watched.txt')).toBeVisible()
    expect((await ask(s.page, 'change', { undoSeconds: 42 })).ok).toBe(true)

    // An account that is connected during the trial would belong to it and be deleted with it.
    expect(await ask(s.page, 'connect', { address: s.service.url, key: KEY, plainHttp: true })).toMatchObject(
      {
        ok: false,
      },
    )
    expect(s.service.requests.list()).toEqual([])

    const asked = await answerQuestions(s.app, 1)
    await button(s, 'Connect account…').click()
    await expect.poll(async () => (await asked()).map((one) => one.message)).toEqual(['End the trial?'])
    await expect(banner(s)).toBeVisible()
    await answerQuestions(s.app, 0)
    await button(s, 'Connect account…').click()
    await expect(address(s)).toBeVisible()
    await expect(address(s)).toHaveValue('')
    await expect(banner(s)).toBeHidden()
    await expect.poll(() => existsSync(trialFolder(s))).toBe(false)
    await expect(fetch(link)).rejects.toThrow()
    expect(existsSync(join(share, 'watched.txt'))).toBe(true)

    await address(s).fill(s.service.url)
    await s.page.getByLabel('API key', { exact: true }).fill(KEY)
    await s.page.keyboard.press('Enter')
    await button(s, 'Use until Slipway quits').click()
    await button(s, 'Skip for now').click()
    await expect(s.page.getByText('Your links will appear here')).toBeVisible()
    await open(s.page, 'Transfers')
    await expect(s.page.getByText('tried.txt')).toBeHidden()
    writeFileSync(join(share, 'later.txt'), 'later')
    const own = makeFiles(s.home, 'own', { 'own.txt': 'own' })
    await dropFiles(s.page, [join(own, 'own.txt')])
    await linkOf(s, 'own')
    expect(s.service.ledger.live().map((one) => one.filename)).toEqual(['own.txt'])
    const snapshot = await ask(s.page, 'snapshot', {})
    expect(snapshot.ok && snapshot.value.folders).toEqual([])
    const settings = JSON.parse(readFileSync(join(s.data, 'settings.json'), 'utf8'))
    expect(settings).toMatchObject({ baseUrl: s.service.url, app: { undoSeconds: 8, copyFolders: [] } })
    const accounts = JSON.parse(readFileSync(join(s.data, 'accounts.json'), 'utf8'))
    expect(accounts.accounts.map((one: { readonly baseUrl: string }) => one.baseUrl)).toEqual([s.service.url])
  })
  await test.step('an account that was connected once is not mixed with a trial', async () => {
    expect(await ask(s.page, 'startTrial', {})).toMatchObject({ ok: false, failure: { code: 'usage' } })
    expect(existsSync(trialFolder(s))).toBe(false)
  })
})

test('quitting deletes everything, and so does the first start after a crash', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  await startTrial(s)
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'only tried' })
  await dropFiles(s.page, [join(desk, 'a.txt')])
  await linkOf(s, 'only tried')
  expect(existsSync(trialFolder(s))).toBe(true)
  const second = await s.restart()
  await expect(address(second)).toHaveValue('')
  expect(existsSync(trialFolder(second))).toBe(false)

  await startTrial(second)
  await expect(fileList(second.page).getByText('a.txt')).toBeHidden()
  await expect(second.page.getByText('Your links will appear here')).toBeVisible()
  expect(readdirSync(trialFolder(second)).toSorted()).toEqual(['data', 'service'])
  const third = await second.kill()
  await expect(address(third)).toHaveValue('')
  await expect.poll(() => existsSync(trialFolder(third))).toBe(false)
  await startTrial(third)
  expect(third.service.requests.list()).toEqual([])
})

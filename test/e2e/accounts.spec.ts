// Two accounts in one window: each shows only its own files, however the user switches, and the hidden one
// keeps working. The first account gets its key from the environment; the second one's key is kept until the
// app quits. Tray and notifications are the stand-in's.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { busPaths } from '../../src-main/platform/bus/session-bus.ts'
import { joinSessionBus } from '../desktop/session-bus.ts'
import { createService, type Service } from '../service/service.ts'
import { clickNotification, clickTray, hasRecords, notifications, trayMenu, trayToolTip } from './desk.ts'
import { test as base, expect } from './fixture.ts'
import {
  answerQuestions,
  answerUploads,
  command,
  connectAndWatch,
  fetched,
  fileList,
  fileRow,
  open,
  UPLOADS_UNANSWERED,
  watchFolder,
} from './hands.ts'
import { keyringSession } from './keyring.ts'
import { ask, clipboardText, dropFiles, makeFiles, type Slipway } from './slipway.ts'

const OTHER_KEY = 'sk-other-0123456789abcdef0123456789abcdef'

/** Starts a service for another account. All of them are closed at the end of the test. */
const test = base.extend<{
  readonly second: (options?: Parameters<typeof createService>[0]) => Promise<Service>
}>({
  second: async ({ browserName: _none }, use) => {
    const made: Service[] = []
    await use(async (options) => {
      const service = await createService({ plan: 'business', key: OTHER_KEY, storage: 'disk', ...options })
      made.push(service)
      return service
    })
    for (const one of made) await one.close()
  },
})

const account = (s: Slipway): Locator => s.page.getByRole('button', { name: /^(?:Account|Konto): / })
const names = (service: Service): readonly string[] =>
  service.ledger
    .live()
    .map((one) => one.filename)
    .toSorted()

/**
 * Fills in the form for a new account and clicks the button `last`. A system dialog gets the answer that the
 * test has prepared.
 */
async function enterKey(s: Slipway, service: Service, last: string): Promise<void> {
  const form = s.page.getByRole('dialog', { name: 'Add account' })
  await form.getByLabel('Service address').fill(service.url)
  await form.getByLabel('API key', { exact: true }).fill(OTHER_KEY)
  await form.getByRole('button', { name: 'Connect', exact: true }).click()
  await form.getByRole('button', { name: last }).click()
}

/** `last` is the button that adopts the key. */
async function addAccount(s: Slipway, service: Service, last = 'Use until Slipway quits'): Promise<void> {
  await account(s).click()
  await s.page.getByRole('menuitem', { name: 'Add account…' }).click()
  await enterKey(s, service, last)
}

async function rename(s: Slipway, from: string, to: string): Promise<void> {
  const form = s.page.getByRole('dialog', { name: 'Rename account' })
  // The page may still move below the pointer, because an account that was just opened reports its state in
  // several steps.
  await expect(async () => {
    if (!(await form.isVisible()))
      await s.page.getByRole('button', { name: `Rename…, ${from}` }).click({ timeout: 5000 })
    await expect(form).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 60_000 })
  await form.getByLabel('Name').fill(to)
  await s.page.keyboard.press('Enter')
  await expect(form).toBeHidden()
}

async function switchTo(s: Slipway, name: string): Promise<void> {
  await account(s).click()
  await s.page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click()
  await expect(account(s)).toHaveAccessibleName(new RegExp(`: ${name}`))
}

/** Opens two accounts, `work` and `home`, with the files of `home` in the window. */
async function both(s: Slipway, second: Service): Promise<void> {
  const { host: first } = new URL(s.service.url)
  const { host } = new URL(second.url)
  await expect(account(s)).toHaveAccessibleName(`Account: ${first}`)
  await addAccount(s, second)
  await expect(account(s)).toHaveAccessibleName(`Account: ${host}`)
  // A new account begins with its files.
  await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
  await open(s.page, 'Settings')
  await rename(s, first, 'work')
  await rename(s, host, 'home')
  await expect(account(s)).toHaveAccessibleName('Account: home')
  await open(s.page, 'Files')
}

async function drop(s: Slipway, file: string, content: string): Promise<void> {
  const dir = makeFiles(s.home, 'desk', { [file]: content })
  await dropFiles(s.page, [join(dir, file)])
}

if (hasRecords) {
  test('each account shows its own files, links and tray, by menu, palette, tray and keyboard', async ({
    slipway,
    second,
  }) => {
    const s = await slipway()
    const other = await second()
    await drop(s, 'alpha.txt', 'the first account')
    await expect(fileRow(s.page, 'alpha.txt')).toBeVisible()
    await expect
      .poll(async () => fetched(await clipboardText(s.app)).catch(() => ''))
      .toBe('the first account')
    await both(s, other)

    // Both services give their first file the same ID.
    await drop(s, 'beta.txt', 'the second account')
    await expect(fileRow(s.page, 'beta.txt')).toBeVisible()
    await expect
      .poll(async () => fetched(await clipboardText(s.app)).catch(() => ''))
      .toBe('the second account')
    expect([names(s.service), names(other)]).toEqual([['alpha.txt'], ['beta.txt']])
    await expect(fileRow(s.page, 'alpha.txt')).toHaveCount(0)
    await expect
      .poll(() => trayMenu(s.app))
      .toEqual(
        expect.arrayContaining([
          '(home: Every file accounted for)',
          'Copy link: beta.txt',
          'Account: home',
          'Account: home > work: Every file accounted for',
          'Account: home > Add account…',
        ]),
      )
    expect(await trayMenu(s.app)).not.toContain('Copy link: alpha.txt')

    await switchTo(s, 'work')
    await expect(s.page.getByText('Switched to work.')).toBeVisible()
    await expect(fileRow(s.page, 'alpha.txt')).toBeVisible()
    await expect(fileRow(s.page, 'beta.txt')).toHaveCount(0)
    await expect.poll(() => trayMenu(s.app)).toContain('Copy link: alpha.txt')
    expect(await trayMenu(s.app)).not.toContain('Copy link: beta.txt')
    await fileRow(s.page, 'alpha.txt').click()
    await s.page.keyboard.press('ControlOrMeta+C')
    await expect
      .poll(async () => fetched(await clipboardText(s.app)).catch(() => ''))
      .toBe('the first account')

    await command(s.page, 'Switch to home')
    await expect(fileRow(s.page, 'beta.txt')).toBeVisible()
    await expect.poll(() => trayMenu(s.app)).toContain('Account: home > work: Every file accounted for')
    await clickTray(s.app, 'Account: home', 'work: Every file accounted for')
    await expect(fileRow(s.page, 'alpha.txt')).toBeVisible()

    // Keyboard only: the menu opens at the current account, and the other one is one arrow key away.
    await account(s).focus()
    await s.page.keyboard.press('Enter')
    await expect(s.page.getByRole('menuitemradio', { name: /^work/ })).toBeFocused()
    await expect(s.page.getByRole('menuitemradio', { name: /^work/ })).toHaveAttribute('aria-checked', 'true')
    await s.page.keyboard.press('ArrowDown')
    await s.page.keyboard.press('Enter')
    await expect(fileRow(s.page, 'beta.txt')).toBeVisible()
    await expect(fileList(s.page)).toBeFocused()
    await expect(s.page.getByText('alpha.txt')).toHaveCount(0)
  })

  test('an upload continues while the window shows another account, which gets no events about it', async ({
    slipway,
    second,
  }) => {
    const s = await slipway({ service: { uploadBytesPerSecond: 100_000 } })
    const other = await second()
    await both(s, other)
    await switchTo(s, 'work')
    // Eight seconds with progress, and then in progress until the last of the next steps is done.
    s.service.setFaults(UPLOADS_UNANSWERED)
    await drop(s, 'large.bin', 'x'.repeat(800_000))
    await expect(s.page.getByText('large.bin').first()).toBeVisible()
    await switchTo(s, 'home')
    await expect(s.page.getByText('1 file of work continues in the background.')).toBeVisible()
    await expect.poll(() => trayToolTip(s.app)).toContain('work: Uploading 1 of 1')
    // Calls that the page makes with the previous account's ID are refused.
    expect(
      await s.page.evaluate(() =>
        window.slipway.call('transfers', { folderId: null, states: [], afterId: 0, limit: 9 }, 'left'),
      ),
    ).toMatchObject({
      ok: false,
    })
    const seen = await s.page.evaluate(() => {
      const found: string[] = []
      Reflect.set(globalThis, 'seenTexts', found)
      new MutationObserver(() => {
        if (document.body.innerText.includes('large.bin')) found.push(document.body.innerText)
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
      return found.length
    })
    expect(seen).toBe(0)
    answerUploads(s)
    await expect.poll(() => names(s.service), { timeout: 60_000 }).toEqual(['large.bin'])
    await expect
      .poll(() => notifications(s.app))
      .toEqual([
        expect.objectContaining({
          title: '1 link is ready · work',
          body: expect.stringContaining('large.bin'),
        }),
      ])
    expect(names(other)).toEqual([])
    expect(await s.page.evaluate(() => Reflect.get(globalThis, 'seenTexts'))).toEqual([])
    await expect(s.page.getByText('Copied', { exact: true })).toHaveCount(0)

    // The notification opens its own account.
    await clickNotification(s.app, 0, null)
    await expect(account(s)).toHaveAccessibleName('Account: work')
    await expect(fileRow(s.page, 'large.bin')).toBeVisible()
  })

  test('watched folders stay with their account, and are watched in the background', async ({
    slipway,
    second,
  }) => {
    const s = await slipway()
    const other = await second()
    const dir = makeFiles(s.home, 'Share', { 'one.txt': 'one', 'two.txt': 'two' })
    await watchFolder(s, dir)
    await expect.poll(() => names(s.service)).toEqual(['one.txt', 'two.txt'])
    const { host } = new URL(s.service.url)
    const asked = await answerQuestions(s.app, 3, 0)
    await addAccount(s, other)
    // After declining, nothing has changed.
    await expect.poll(async () => (await asked()).length).toBe(2)
    expect((await asked())[1]).toMatchObject({
      message: `What happens to the watched folder of ${host}?`,
      buttons: [`Keep with ${host}`, `Move to ${new URL(other.url).host}`, 'Stop watching', 'Cancel'],
      defaultId: 3,
      cancelId: 3,
    })
    expect((await asked())[1]?.detail).toContain(`up to 2 are uploaded to ${new URL(other.url).host} again`)
    await expect(account(s)).toHaveAccessibleName(`Account: ${host}`)
    await answerQuestions(s.app, 0)
    await s.page.getByRole('button', { name: 'Use until Slipway quits' }).click()
    await expect(account(s)).toHaveAccessibleName(`Account: ${new URL(other.url).host}`)
    await expect(s.page.getByRole('region', { name: 'Watched folders' }).getByText('Share')).toHaveCount(0)

    writeFileSync(join(dir, 'three.txt'), 'three')
    await expect.poll(() => names(s.service)).toEqual(['one.txt', 'three.txt', 'two.txt'])
    expect(names(other)).toEqual([])
    await expect
      .poll(() => notifications(s.app))
      .toContainEqual(
        expect.objectContaining({
          // The first files may not have been reported yet.
          title: expect.stringMatching(new RegExp(`^(?:1 link is|3 links are) ready · ${host}$`)),
          body: expect.stringContaining('three.txt'),
        }),
      )
    await open(s.page, 'Files')
    await expect(s.page.getByText('three.txt')).toHaveCount(0)
  })

  test('watched folders move to the new account', async ({ slipway, second }) => {
    const s = await slipway()
    const other = await second()
    const dir = makeFiles(s.home, 'Share', { 'one.txt': 'one', 'two.txt': 'two' })
    await watchFolder(s, dir)
    await expect.poll(() => names(s.service)).toEqual(['one.txt', 'two.txt'])
    await answerQuestions(s.app, 1, 0)
    await addAccount(s, other)
    await expect(s.page.getByRole('region', { name: 'Watched folders' }).getByText('Share')).toBeVisible()
    await expect.poll(() => names(other)).toEqual(['one.txt', 'two.txt'])
    writeFileSync(join(dir, 'three.txt'), 'three')
    await expect.poll(() => names(other)).toEqual(['one.txt', 'three.txt', 'two.txt'])
    expect(names(s.service)).toEqual(['one.txt', 'two.txt'])
    await switchTo(s, new URL(s.service.url).host)
    await expect(s.page.getByRole('region', { name: 'Watched folders' }).getByText('Share')).toHaveCount(0)
    await open(s.page, 'Files')
    await expect(fileRow(s.page, 'two.txt')).toBeVisible()
  })

  test('pausing affects all accounts, and quitting asks about all of them', async ({ slipway, second }) => {
    const s = await slipway()
    const other = await second()
    await both(s, other)
    await clickTray(s.app, 'Pause')
    await expect
      .poll(() => trayMenu(s.app))
      .toEqual(expect.arrayContaining(['(home: Paused)', 'Account: home > work: Paused']))
    await switchTo(s, 'work')
    await expect(s.page.getByText('New ones start when you resume.')).toBeVisible()
    await s.page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => trayMenu(s.app)).toContain('Account: work > home: Every file accounted for')

    s.service.setFaults(UPLOADS_UNANSWERED)
    await drop(s, 'large.bin', 'x'.repeat(400_000))
    await expect
      .poll(() => trayMenu(s.app))
      .toEqual(expect.arrayContaining([expect.stringMatching(/^\(work: Uploading 1 of 1/)]))
    await switchTo(s, 'home')
    const asked = await answerQuestions(s.app, 1)
    await s.app.evaluate(({ app }) => app.quit())
    await expect.poll(async () => (await asked()).at(-1)?.message).toBe('Quit during an upload?')
    expect((await asked()).at(-1)?.detail).toContain('work: 1 upload')
    await answerQuestions(s.app, 0)
    // Like the tray, pauses all accounts.
    await ask(s.page, 'pause', { now: true })
    await expect
      .poll(() => trayMenu(s.app))
      .toEqual(expect.arrayContaining([expect.stringMatching(/^Account: home > work: Paused/)]))
  })

  test('a pause reaches an account that is added later', async ({ slipway, second }) => {
    const s = await slipway()
    const other = await second()
    await clickTray(s.app, 'Pause')
    await expect(s.page.getByText('New ones start when you resume.')).toBeVisible()
    await addAccount(s, other)
    await expect(account(s)).toHaveAccessibleName(`Account: ${new URL(other.url).host}`)
    await expect(s.page.getByText('New ones start when you resume.')).toBeVisible()
    await drop(s, 'later.txt', 'waits for the user')
    await open(s.page, 'Transfers')
    await expect(s.page.getByText('later.txt').first()).toBeVisible()
    expect(names(other)).toEqual([])
    await s.page
      .getByRole('region', { name: 'Transfers' })
      .getByRole('button', { name: 'Resume', exact: true })
      .click()
    await expect.poll(() => names(other)).toEqual(['later.txt'])
  })

  test('accounts can be renamed, signed out of and removed in the settings, which say what is kept', async ({
    slipway,
    second,
  }) => {
    const s = await slipway()
    const other = await second()
    await drop(s, 'alpha.txt', 'the first account')
    await expect(fileRow(s.page, 'alpha.txt')).toBeVisible()
    await both(s, other)
    await drop(s, 'beta.txt', 'the second account')
    await expect(fileRow(s.page, 'beta.txt')).toBeVisible()
    await open(s.page, 'Settings')
    // A name that is already in use stays in the field.
    await s.page.getByRole('button', { name: 'Rename…, home' }).click()
    const field = s.page.getByRole('dialog').getByLabel('Name')
    await field.fill('Work')
    await s.page.keyboard.press('Enter')
    await expect(s.page.getByText('This name is taken')).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await s.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    // An account whose key comes from the environment can't be removed.
    await expect(s.page.getByRole('button', { name: 'Remove…, work' })).toBeDisabled()

    await s.page.getByRole('button', { name: 'Sign out…, home' }).click()
    await expect(s.page.getByText('Signed out of home.')).toBeVisible()
    await expect(account(s)).toHaveAccessibleName('Account: home')

    const asked = await answerQuestions(s.app, 0)
    await s.page.getByRole('button', { name: 'Remove…, home' }).click()
    await expect(account(s)).toHaveAccessibleName('Account: work')
    expect((await asked()).at(-1)).toMatchObject({
      message: 'Remove home from this computer?',
      buttons: ['Remove account', 'Keep account'],
    })
    await expect(s.page.getByText('home', { exact: true })).toHaveCount(0)
    await open(s.page, 'Files')
    await expect(fileRow(s.page, 'alpha.txt')).toBeVisible()
    // Removing an account doesn't delete what it has published.
    expect(names(other)).toEqual(['beta.txt'])
    const again = await s.restart()
    await expect(fileRow(again.page, 'alpha.txt')).toBeVisible()
    await expect(again.page.getByText('home', { exact: true })).toHaveCount(0)
  })

  test('after a restart an account whose key is in the keychain works in the background', async ({
    slipway,
    second,
  }) => {
    base.skip(process.platform !== 'linux', 'the keychains of other systems are the person’s own')
    const session = await keyringSession()
    try {
      const [bus = ''] = busPaths(session.env)
      const server = await joinSessionBus(bus)
      const s = await slipway({ as: 'fresh', env: session.env })
      const other = await second()
      const dir = await connectAndWatch(s)
      await expect.poll(() => names(s.service)).toEqual(['one.txt'])
      await answerQuestions(s.app, 0)
      await addAccount(s, other, 'Continue')
      const [first, next] = [new URL(s.service.url).host, new URL(other.url).host]
      await expect(account(s)).toHaveAccessibleName(`Account: ${next}`)

      const again = await s.restart()
      await expect(account(again)).toHaveAccessibleName(`Account: ${next}`)
      writeFileSync(join(dir, 'two.txt'), 'two')
      await expect.poll(() => names(s.service)).toEqual(['one.txt', 'two.txt'])
      expect(names(other)).toEqual([])
      await expect
        .poll(() => server.shown)
        .toContainEqual(
          expect.objectContaining({
            title: `1 link is ready · ${first}`,
            body: expect.stringContaining('two.txt'),
          }),
        )
      await switchTo(again, first)
      await expect(
        again.page.getByRole('region', { name: 'Watched folders' }).getByText('Share'),
      ).toBeVisible()
    } finally {
      await session.end()
    }
  })

  test('in German', async ({ slipway, second }) => {
    const s = await slipway({ settings: { language: 'de' } })
    const other = await second()
    await account(s).click()
    await s.page.getByRole('menuitem', { name: 'Konto hinzufügen…' }).click()
    const form = s.page.getByRole('dialog', { name: 'Konto hinzufügen' })
    await form.getByLabel('Adresse des Dienstes').fill(other.url)
    await form.getByLabel('API-Schlüssel', { exact: true }).fill(OTHER_KEY)
    await form.getByRole('button', { name: 'Verbinden', exact: true }).click()
    await form.getByRole('button', { name: 'Bis zum Beenden verwenden' }).click()
    const { host } = new URL(other.url)
    await expect(account(s)).toHaveAccessibleName(`Konto: ${host}`)
    await expect(s.page.getByText(`Zu ${host} gewechselt.`)).toBeVisible()
    await expect.poll(() => trayMenu(s.app)).toContain(`Konto: ${host} > Konten verwalten…`)
    await command(s.page, `Zu ${new URL(s.service.url).host} wechseln`)
    await expect(account(s)).toHaveAccessibleName(`Konto: ${new URL(s.service.url).host}`)
  })
}

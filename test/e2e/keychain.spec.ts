// A keychain that doesn't respond when the app starts, as while it is locked and a dialog asks for its
// password: the window says so instead of asking for the key again, and everything goes on once the keychain
// responds, without a restart.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createService, type Service } from '../service/service.ts'
import { isStandIn } from './desk.ts'
import { expect, test } from './fixture.ts'
import { answerQuestions, connectAndWatch, fileRow, openSection } from './hands.ts'
import { hurry } from './hurry.ts'
import { ask, KEY, NO_KEYCHAIN, type Slipway, type Start } from './slipway.ts'
import { type SlowKeyring, slowKeyring } from './slow-keyring.ts'

/** Electron's own connection to the bus would wait as well, and the window with it. */
const skipUnlessHeld = (): void =>
  test.skip(!isStandIn, 'a late keyring can’t be told from a late bus where Electron uses the same library')

const UNREAD = 'Couldn’t read the API key from the keychain.'
const OTHER_KEY = 'sk-other-0123456789abcdef0123456789abcdef'

const names = (service: Service): readonly string[] =>
  service.ledger
    .live()
    .map((one) => one.filename)
    .toSorted()

/** Connects, and waits until the watched folder's file is uploaded. Returns the folder's path. */
async function connect(s: Slipway): Promise<string> {
  const dir = await connectAndWatch(s)
  await expect.poll(() => names(s.service)).toEqual(['one.txt'])
  return dir
}

async function addAccount(s: Slipway, other: Service): Promise<void> {
  await answerQuestions(s.app, 0)
  const account = s.page.getByRole('button', { name: /^Account: / })
  await account.click()
  await s.page.getByRole('menuitem', { name: 'Add account…' }).click()
  const form = s.page.getByRole('dialog', { name: 'Add account' })
  await form.getByLabel('Service address').fill(other.url)
  await form.getByLabel('API key', { exact: true }).fill(OTHER_KEY)
  await form.getByRole('button', { name: 'Connect', exact: true }).click()
  await form.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(account).toHaveAccessibleName(`Account: ${new URL(other.url).host}`)
}

/** Runs with two accounts that were connected while the keychain responded; the second one is shown. */
async function withTwoAccounts(
  slipway: (start: Start) => Promise<Slipway>,
  run: (given: TwoAccounts) => Promise<void>,
): Promise<void> {
  const keyring = await slowKeyring()
  const other = await createService({ plan: 'business', key: OTHER_KEY, storage: 'disk' })
  try {
    const env = { ...keyring.env }
    const s = await slipway({ as: 'fresh', env })
    const dir = await connect(s)
    await addAccount(s, other)
    await run({ s, dir, keyring, env, other })
  } finally {
    await keyring.end()
    await other.close()
  }
}

interface TwoAccounts {
  readonly s: Slipway
  /** The watched folder of the first account. */
  readonly dir: string
  readonly keyring: SlowKeyring
  /** Changes apply from the next start on. */
  readonly env: Record<string, string>
  /** The service of the second account. */
  readonly other: Service
}

/** The keychain hangs from the next start on, until the window has said so. */
async function isWaitedFor(s: Slipway, keyring: SlowKeyring, dir: string): Promise<void> {
  keyring.hang(true)
  const again = await s.restart()
  writeFileSync(join(dir, 'two.txt'), 'two')
  // While it isn't known whether there is a key, the window doesn't ask for one.
  await expect(again.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
  await hurry(again, expect(again.page.getByText(UNREAD)).toBeVisible())
  await expect(again.page.getByLabel('API key', { exact: true })).toHaveCount(0)
  expect(names(s.service)).toEqual(['one.txt'])
  keyring.hang(false)
  await expect(again.page.getByText(UNREAD)).toBeHidden()
  await expect(fileRow(again.page, 'two.txt')).toBeVisible()
  expect(names(s.service)).toEqual(['one.txt', 'two.txt'])
  await again.page.keyboard.press('ControlOrMeta+,')
  await expect(again.page.getByText('In the system keychain')).toBeVisible()
  await expect(again.page.getByText('The keychain isn’t available')).toHaveCount(0)
}

test.describe('a keychain that responds late', () => {
  test.skip(process.platform !== 'linux', 'the keychains of other systems are the user’s own')

  test('still stores the key at the very first start', async ({ slipway }) => {
    skipUnlessHeld()
    const keyring = await slowKeyring()
    try {
      keyring.hang(true)
      const s = await slipway({ as: 'fresh', env: keyring.env })
      const unsaved = s.page.getByText('The API key can’t be saved on this system.')
      await hurry(s, expect(unsaved).toBeVisible())
      keyring.hang(false)
      await expect(unsaved).toBeHidden()
      const dir = await connect(s)
      const again = await s.restart()
      await expect(again.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
      await test.step('is waited for: uploads begin without a restart, whenever it responds', () =>
        isWaitedFor(s, keyring, dir))
    } finally {
      await keyring.end()
    }
  })

  test('lets the welcome screen continue with the folder, unless another key is being entered', async ({
    slipway,
  }) => {
    skipUnlessHeld()
    const keyring = await slowKeyring()
    try {
      const s = await slipway({ as: 'fresh', env: keyring.env })
      // As `slipway login` leaves it: there is a key, but the first steps aren't done.
      await s.page.getByLabel('Service address').fill(s.service.url)
      await s.page.getByLabel('API key', { exact: true }).fill(KEY)
      await s.page.getByRole('button', { name: 'Connect', exact: true }).click()
      await s.page.getByRole('button', { name: 'Continue', exact: true }).click()
      await expect(s.page.getByRole('heading', { name: 'Choose a folder' })).toBeVisible()
      for (const typed of ['', 'sk-another']) {
        keyring.hang(true)
        const again = await s.restart()
        const { page } = again
        const key = page.getByLabel('API key', { exact: true })
        const folder = page.getByRole('heading', { name: 'Choose a folder' })
        await hurry(again, expect(key).toBeVisible())
        if (typed !== '') await key.fill(typed)
        keyring.hang(false)
        await expect
          .poll(async () => {
            const got = await ask(page, 'boot', {})
            return got.ok && got.value.connection.key
          })
          .toBe('keychain')
        if (typed === '') await expect(folder).toBeFocused()
        else {
          await expect(key).toHaveValue(typed)
          await expect(folder).toHaveCount(0)
        }
      }
    } finally {
      await keyring.end()
    }
  })

  test('two accounts', async ({ slipway }) => {
    await withTwoAccounts(slipway, async ({ s, dir, keyring, env, other }) => {
      await test.step('is read again at the user’s request, and then the account in the background starts, too', async () => {
        keyring.stop(true)
        const again = await s.restart()
        await hurry(again, expect(again.page.getByText(UNREAD)).toBeVisible())
        writeFileSync(join(dir, 'two.txt'), 'two')
        const tryAgain = again.page.getByRole('button', { name: 'Try again' })
        const failed = again.page.getByText('Couldn’t use the system keychain.')
        await tryAgain.click()
        // A second click meanwhile would open another dialog of the system.
        await expect(tryAgain).toHaveAttribute('data-pending')
        await hurry(again, expect(failed).toBeVisible())
        await expect(tryAgain).not.toHaveAttribute('data-pending')
        keyring.stop(false)
        await tryAgain.click()
        await expect(again.page.getByText(UNREAD)).toBeHidden()
        await expect(failed).toBeHidden()
        await expect.poll(() => names(s.service)).toEqual(['one.txt', 'two.txt'])
        expect(names(other)).toEqual([])
      })
      await test.step('isn’t reported as missing after another account has found it', async () => {
        keyring.stop(true)
        const again = await s.restart()
        const { page } = again
        const account = page.getByRole('button', { name: /^Account: / })
        await hurry(again, expect(page.getByText(UNREAD)).toBeVisible())
        await openSection(page, 'Account')
        const missing = page.getByText(/^The keychain isn’t available/)
        await hurry(again, expect(missing).toBeVisible())
        const switchAccount = async (): Promise<void> => {
          await account.click()
          const next = page.getByRole('menuitemradio', { checked: false }).first()
          const [name = ''] = (await next.innerText()).split('\n')
          await next.click()
          await expect(account).toHaveAccessibleName(new RegExp(`^Account: ${name}`))
        }
        await switchAccount()
        keyring.stop(false)
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect(page.getByText(UNREAD)).toBeHidden()
        await expect(missing).toBeHidden()
        await switchAccount()
        await expect(missing).toBeHidden()
      })
      await test.step('or isn’t there yet doesn’t sign anyone out: banner and list of accounts say the same', async () => {
        Object.assign(env, NO_KEYCHAIN)
        const again = await s.restart()
        await expect(again.page.getByText(UNREAD)).toBeVisible()
        await expect(again.page.getByText(/^Signed out/)).toHaveCount(0)
        await again.page.getByRole('button', { name: /^Account: / }).click()
        await expect(
          again.page.getByRole('menuitemradio').filter({ hasText: 'Keychain not available' }),
        ).toHaveCount(2)
      })
    })
  })
})

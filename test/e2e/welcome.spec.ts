// The first minutes: what a wrong address, a wrong key and a plan without API are told, what the right ones prove, a folder with files in it, and
// where the key lives afterwards: nowhere without a keychain, in the keychain where there is one. Words beyond those of the way are not judged.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import { answerDialogs, clipboardText, KEY, makeFiles, type Slipway } from './slipway.ts'

/** A bus that nobody listens at: no Secret Service, whatever the machine has. */
const NO_KEYCHAIN = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }
const SESSION = join(import.meta.dirname, '../keyring-session.sh')

const address = (s: Slipway) => s.page.getByLabel('Service address')
const key = (s: Slipway) => s.page.getByLabel('API key', { exact: true })
const button = (s: Slipway, name: string) => s.page.getByRole('button', { name, exact: true })

async function prove(s: Slipway): Promise<void> {
  await address(s).fill(s.service.url)
  await key(s).fill(KEY)
  await button(s, 'Connect').click()
  await expect(s.page.getByText('Connected, Pro plan')).toBeVisible()
}

test('what is wrong is told at its field, what is right shows the plan, and a folder’s files go up', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN, service: { key: KEY, plan: 'free' } })
  const failure = s.page.getByRole('alert')
  await expect(s.page.getByText('This system has no keychain available.')).toBeVisible()
  await expect(s.page.getByText('The API key can’t be saved on this system.')).toBeVisible()
  await expect(address(s)).toBeFocused()

  // Nothing listens there; nothing typed is lost.
  await address(s).fill('http://127.0.0.1:9')
  await key(s).fill('wrong-key')
  await s.page.keyboard.press('Enter')
  await expect(failure).toContainText('Can’t reach this address.')
  await expect(address(s)).toHaveValue('http://127.0.0.1:9')
  await expect(key(s)).toHaveValue('wrong-key')
  expect(s.service.requests.list()).toEqual([])

  // As people type it: without the path of the API.
  await address(s).fill(s.service.origin)
  await button(s, 'Connect').click()
  await expect(failure).toContainText('The service refused the API key.')
  await expect(key(s)).toBeFocused()
  expect(new Set(s.service.requests.list().map((one) => `${one.endpoint} ${one.status}`))).toEqual(new Set(['stats 401']))

  await key(s).fill(KEY)
  await s.page.keyboard.press('Enter')
  await expect(failure).toContainText('This account’s plan doesn’t include API access.')
  await expect(failure).toContainText('Pro, Business and Enterprise plans do.')

  s.service.setPlan('pro')
  await button(s, 'Connect').click()
  await expect(s.page.getByText('Connected, Pro plan')).toBeVisible()
  await expect(
    s.page.getByText(
      '50 requests per minute, 5,000 per day · 5,000 uploads per day · file size up to 10,737,418,240, unit unknown · 0 files stored',
    ),
  ).toBeVisible()
  await button(s, 'Use until Slipway quits').click()

  // Nothing is uploaded before the last button.
  const share = makeFiles(s.home, 'Share', { 'a.txt': 'the first', 'sub/b.txt': 'the second', '.env': 'TOKEN=secret', 'c.tmp': 'left out' })
  await answerDialogs(s.app, [share])
  await expect(s.page.getByRole('heading', { name: 'Choose a folder' })).toBeFocused()
  await button(s, 'Choose folder…').click()
  await expect(s.page.getByRole('status').filter({ hasText: 'Share' })).toContainText('Uploads now.')
  await expect(s.page.getByText('1 looks like a secret and needs your approval')).toBeVisible()
  await expect(s.page.getByRole('radio', { name: /Upload them too/ })).toBeChecked()
  await expect(s.page.getByText('2 files get a link.')).toBeVisible()
  expect(s.service.ledger.files()).toEqual([])
  await button(s, 'Watch this folder').click()

  await expect(s.page.getByRole('heading', { name: 'Ready', exact: true })).toBeVisible()
  await expect(s.page.getByText('Save a file in Share.')).toBeVisible()
  await button(s, 'Open Slipway').click()
  const list = s.page.getByRole('grid', { name: 'Remote files' })
  await expect(list.getByRole('row').filter({ hasText: 'a.txt' })).toBeVisible()
  await expect(list.getByRole('row').filter({ hasText: 'b.txt' })).toBeVisible()
  await expect(s.page.getByRole('button', { name: '1 file needs attention' })).toBeVisible()
  expect(
    s.service.ledger
      .live()
      .map((one) => one.filename)
      .toSorted(),
  ).toEqual(['a.txt', 'b.txt'])
  // A watched folder copies nothing by itself.
  expect(await clipboardText(s.app)).toBe('')

  // Without a keychain the key went with the app, and only the key is asked for again.
  const again = await s.restart()
  await expect(address(again)).toHaveValue(again.service.url)
  await expect(key(again)).toHaveValue('')
  expect(again.service.ledger.live()).toHaveLength(2)
})

test('only dropping is a choice, and the second start goes straight to the files', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: { ...NO_KEYCHAIN, SLIPWAY_API_KEY: KEY } })
  // A key that the environment gives still needs an address; it is never shown.
  await prove(s)
  await button(s, 'Use until Slipway quits').click()
  await button(s, 'Skip for now').click()
  await expect(s.page.getByText('Drop files anywhere in this window.')).toBeVisible()
  await button(s, 'Open Slipway').click()
  await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
  await expect(s.page.getByText('Your links will appear here')).toBeVisible()
  const again = await s.restart()
  await expect(again.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
  await expect(again.page.getByText('Your links will appear here')).toBeVisible()
  expect(await again.page.content()).not.toContain(KEY)
})

interface KeyringSession {
  readonly env: Readonly<Record<string, string>>
  end(): Promise<void>
}

/** A D-Bus session with an unlocked, empty keyring; it lives until `end`. */
async function keyringSession(): Promise<KeyringSession> {
  for (const program of ['dbus-run-session', 'gnome-keyring-daemon'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
      throw new Error(`${program} is missing: apt-get install gnome-keyring dbus`)
  const child = spawn(SESSION, ['sh', '-c', 'env; echo READY; cat >/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] },
  })
  let told = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    told += String(text)
    if (told.includes('READY\n')) break
  }
  const named = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(told)?.[1] ?? ''
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: named('DBUS_SESSION_BUS_ADDRESS'), XDG_RUNTIME_DIR: named('XDG_RUNTIME_DIR') },
    end: async () => {
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}

test('a keychain keeps the key over a restart, and signing out takes it away', async ({ slipway }) => {
  test.skip(process.platform !== 'linux', 'the keychains of other systems are the person’s own')
  const session = await keyringSession()
  try {
    const s = await slipway({ as: 'fresh', env: session.env })
    await expect(s.page.getByText('Your API key is saved in the system keychain and nowhere else.')).toBeVisible()
    await prove(s)
    await button(s, 'Continue').click()
    await button(s, 'Skip for now').click()
    await button(s, 'Open Slipway').click()
    await expect(s.page.getByText('Your links will appear here')).toBeVisible()

    const again = await s.restart()
    await expect(again.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
    await again.page.keyboard.press('Control+,')
    await expect(again.page.getByText('In the system keychain')).toBeVisible()
    await expect(again.page.getByText('· Connected')).toBeVisible()
    await again.page.getByRole('button', { name: 'Sign out…' }).click()
    await again.page.getByRole('alertdialog').getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(address(again)).toHaveValue(again.service.url)
    again.service.requests.clear()

    const third = await again.restart()
    await expect(button(third, 'Connect')).toBeVisible()
    await expect(key(third)).toHaveValue('')
    expect(third.service.requests.list()).toEqual([])
  } finally {
    await session.end()
  }
})

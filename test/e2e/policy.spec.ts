// Managed settings in the window: each value that a policy file fixes is shown beside its setting and can't
// be changed. A policy file that can't be used stops uploads, and the window says so. A folder that a policy
// forbids is refused with this reason.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import { fileRow, openSection } from './hands.ts'
import { answerDialogs, dropFiles, KEY, makeFiles, NO_KEYCHAIN } from './slipway.ts'

let dir = ''
test.beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'slipway-policy-'))
})
test.afterEach(() => rmSync(dir, { recursive: true, force: true }))
const file = (): string => join(dir, 'policy.json')

test('managed settings are marked as such, and can’t be changed', async ({ slipway }) => {
  const s = await slipway({
    env: { SLIPWAY_POLICY: file() },
    before: ({ service, home }) =>
      writeFileSync(
        file(),
        JSON.stringify({
          address: service.url,
          forbiddenFolders: [join(home, 'desk/private')],
          updates: false,
        }),
      ),
  })
  const managed = s.page.getByRole('main').getByText('Managed by your organization.')
  await openSection(s.page, 'Account')
  await expect(managed).toBeVisible()
  await s.page.getByRole('button', { name: 'Add account…' }).click()
  const form = s.page.getByRole('dialog')
  await expect(form.getByRole('textbox', { name: 'Address' })).toBeDisabled()
  await expect(form.getByRole('textbox', { name: 'Address' })).toHaveValue(s.service.url)
  await expect(form.getByText('Managed by your organization.')).toBeVisible()
  await s.page.keyboard.press('Escape')
  await openSection(s.page, 'Folders')
  await expect(s.page.getByText(`nothing is uploaded from ${join(s.home, 'desk/private')}`)).toBeVisible()
  await openSection(s.page, 'About')
  await expect(managed).toBeVisible()
  await expect(s.page.getByRole('switch', { name: 'Check for updates automatically' })).toHaveCount(0)

  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'private/b.txt': 'b' })
  await dropFiles(s.page, [join(desk, 'private/b.txt'), join(desk, 'a.txt')])
  await expect.poll(() => s.service.ledger.live().map((one) => one.filename)).toEqual(['a.txt'])
})

test('an invalid policy stops uploads, and the form for the address says so', async ({ slipway }) => {
  writeFileSync(file(), '{ "updates": tru')
  const s = await slipway({ env: { SLIPWAY_POLICY: file() } })
  const banner = s.page.getByRole('alert').filter({ hasText: 'Your organization’s policy can’t be used' })
  await expect(banner).toContainText(`${file()}: it isn’t JSON. Nothing is uploaded until it’s corrected.`)
  await expect(s.page.getByRole('button', { name: 'Try it without an account' })).toHaveCount(0)
  expect(s.service.requests.list()).toEqual([])
})

test('a policy that becomes invalid keeps the links in sight, and once repaired, uploads go on without a restart', async ({
  slipway,
}) => {
  writeFileSync(file(), '{ "updates": false }')
  const s = await slipway({ env: { SLIPWAY_POLICY: file() } })
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
  await dropFiles(s.page, [join(desk, 'a.txt')])
  await expect(fileRow(s.page, 'a.txt')).toBeVisible()

  writeFileSync(file(), '{ "updates": tru')
  const { page } = await s.restart()
  const banner = page.getByRole('alert').filter({ hasText: 'Your organization’s policy can’t be used' })
  await expect(banner).toBeVisible()
  await expect(fileRow(page, 'a.txt')).toBeVisible()
  await dropFiles(page, [join(desk, 'b.txt')])
  await expect(page.getByText('Offline')).toHaveCount(0)
  await expect(page.getByText('No connection')).toHaveCount(0)
  expect(s.service.ledger.live()).toHaveLength(1)

  writeFileSync(file(), '{ "updates": false }')
  await expect(banner).toBeHidden()
  await expect.poll(() => s.service.ledger.live().map((one) => one.filename)).toEqual(['a.txt', 'b.txt'])
})

test('a folder that can’t be watched is refused with the reason, on the welcome screen and in the settings', async ({
  slipway,
}) => {
  const s = await slipway({
    as: 'fresh',
    env: { ...NO_KEYCHAIN, SLIPWAY_POLICY: file() },
    before: ({ home }) =>
      writeFileSync(file(), JSON.stringify({ forbiddenFolders: [join(home, 'private')] })),
  })
  const button = (name: string) => s.page.getByRole('button', { name, exact: true })
  const desk = makeFiles(s.home, 'private', { 'b.txt': 'b' })
  await s.page.getByLabel('Service address').fill(s.service.url)
  await s.page.getByLabel('API key', { exact: true }).fill(KEY)
  await button('Connect').click()
  await button('Use until Slipway quits').click()
  await answerDialogs(s.app, [desk])
  await button('Choose folder…').click()
  await button('Watch folder').click()
  await expect(s.page.getByText('Your organization doesn’t allow uploads from this folder.')).toBeVisible()
  await expect(s.page.getByText('Choose another folder, or ask your administrator.')).toBeVisible()
  await answerDialogs(s.app, [s.data])
  await button('Choose folder…').click()
  await button('Watch folder').click()
  await expect(s.page.getByText('This folder belongs to Slipway itself and is never uploaded.')).toBeVisible()
  await button('Skip for now').click()

  await openSection(s.page, 'Folders')
  await answerDialogs(s.app, [desk])
  await button('Watch folder…').click()
  const dialog = s.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Watch folder', exact: true }).click()
  await expect(dialog.getByText('Your organization doesn’t allow uploads from this folder.')).toBeVisible()
  expect(s.service.ledger.files()).toEqual([])
})

// The welcome screen: messages for a wrong address, a wrong key and a plan without API access, the result of
// a successful check, a folder with files, and where the key is stored afterwards: nowhere without a
// keychain, otherwise in the keychain.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { answerQuestions, copyElsewhere, fetched, folderState, modKey } from './hands.ts'
import { keyringSession } from './keyring.ts'
import {
  answerDialogs,
  ask,
  clipboardText,
  dropFiles,
  KEY,
  makeFiles,
  NO_KEYCHAIN,
  reload,
  resizePage,
  type Slipway,
} from './slipway.ts'

const address = (s: Slipway) => s.page.getByLabel('Service address')
const key = (s: Slipway) => s.page.getByLabel('API key', { exact: true })
const button = (s: Slipway, name: string) => s.page.getByRole('button', { name, exact: true })

async function prove(s: Slipway): Promise<void> {
  await address(s).fill(s.service.url)
  await key(s).fill(KEY)
  await button(s, 'Connect').click()
  await expect(s.page.getByText(/^Connected to 127\.0\.0\.1:\d+, Pro plan$/)).toBeVisible()
}

test('errors appear next to their fields, a valid key shows the plan, and a folder’s files are uploaded', async ({
  slipway,
}) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN, service: { key: KEY, plan: 'free' } })
  const failure = s.page.getByRole('alert')
  await expect(s.page.getByText('The API key can’t be saved on this system.')).toBeVisible()
  await expect(address(s)).toBeFocused()

  await address(s).fill('htp:/x')
  await key(s).fill('wrong-key')
  await s.page.keyboard.press('Enter')
  await expect(failure).toContainText('This address isn’t valid.')
  await expect(address(s)).toBeFocused()

  // Nothing listens at this address. The input must not be lost.
  await address(s).fill('http://127.0.0.1:9')
  await key(s).fill('wrong-key')
  await s.page.keyboard.press('Enter')
  await expect(failure).toContainText('Can’t reach this address.')
  await expect(address(s)).toHaveValue('http://127.0.0.1:9')
  await expect(key(s)).toHaveValue('wrong-key')
  expect(s.service.requests.list()).toEqual([])

  // As people type it, without the path of the API.
  await address(s).fill(s.service.origin)
  await button(s, 'Connect').click()
  await expect(failure).toContainText('The API key was refused.')
  await expect(key(s)).toBeFocused()
  expect(new Set(s.service.requests.list().map((one) => `${one.endpoint} ${one.status}`))).toEqual(
    new Set(['stats 401']),
  )

  // The service isn't asked about a key that a request can't carry, such as one that was copied with a
  // zero-width space.
  const asked = s.service.requests.list().length
  await key(s).fill(`${KEY}\u200b`)
  await button(s, 'Connect').click()
  await expect(failure).toContainText(
    'This key contains spaces or other characters that can’t be part of an API key.',
  )
  await expect(key(s)).toBeFocused()
  expect(s.service.requests.list()).toHaveLength(asked)

  await key(s).fill(KEY)
  await s.page.keyboard.press('Enter')
  await expect(failure).toContainText('This account’s plan doesn’t include API access.')
  await expect(failure).toContainText('Pro, Business and Enterprise plans do.')

  s.service.setPlan('pro')
  s.service.setFaults({ rules: [{ on: 'stats', kinds: { kind: 'error-before-store', status: 502 } }] })
  await button(s, 'Connect').click()
  await expect(failure).toContainText('The service has a problem. The address may be correct.')
  s.service.setFaults(null)
  await button(s, 'Connect').click()
  await expect(s.page.getByText(/^Connected to 127\.0\.0\.1:\d+, Pro plan$/)).toBeVisible()
  await expect(
    s.page.getByText(
      '50 requests per minute, 5,000 per day · 5,000 uploads per day · files up to about 10.7 GB · 0 files stored',
    ),
  ).toBeVisible()
  // What was dropped before is uploaded once the person goes on.
  await expect(s.page.getByText('once you’re connected')).toHaveCount(0)
  await expect(s.page.getByText('They’re uploaded after this step.')).toBeVisible()
  await button(s, 'Use until Slipway quits').click()

  // Nothing is uploaded before the last button is pressed.
  const share = makeFiles(s.home, 'Share', {
    'a.txt': 'the first',
    'sub/b.txt': 'the second',
    '.env': 'TOKEN=secret',
    'c.tmp': 'left out',
  })
  await answerDialogs(s.app, [share])
  await expect(s.page.getByRole('heading', { name: 'Choose a folder' })).toBeFocused()
  await button(s, 'Choose folder…').click()
  await expect(s.page.getByRole('status').filter({ hasText: 'to upload' })).toContainText('Uploads now.')
  await expect(s.page.getByText('1 looks like a secret and needs your approval')).toBeVisible()
  await expect(s.page.getByRole('radio', { name: 'Upload', exact: true })).toBeChecked()
  expect(s.service.ledger.files()).toEqual([])
  await button(s, 'Watch folder').click()

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
  // Links of existing files aren't copied, but those of files saved from now on are.
  expect(await clipboardText(s.app)).toBe('')
  await expect.poll(() => folderState(s.page)).toBe('watching')
  writeFileSync(join(share, 'new.txt'), 'saved just now')
  await expect
    .poll(async () => fetched(await clipboardText(s.app)).catch(() => 'no link'))
    .toBe('saved just now')

  // Without a keychain the key is gone with the app, and only the key is asked for again.
  const again = await s.restart()
  await expect(address(again)).toHaveValue(again.service.url)
  await expect(key(again)).toHaveValue('')
  expect(again.service.ledger.live()).toHaveLength(3)
})

test('the folder step can be skipped, and the second start opens the files view', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: { ...NO_KEYCHAIN, SLIPWAY_API_KEY: KEY } })
  // A key from the environment still needs an address. It is never shown.
  await prove(s)
  await button(s, 'Use until Slipway quits').click()
  await button(s, 'Skip for now').click()
  await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
  await expect(s.page.getByText('Your links will appear here')).toBeVisible()
  const again = await s.restart()
  await expect(again.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
  await expect(again.page.getByText('Your links will appear here')).toBeVisible()
  expect(await again.page.content()).not.toContain(KEY)
})

test('files dropped on the first screen are uploaded once connected, and their link is copied', async ({
  slipway,
}) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  await expect(address(s)).toBeVisible()
  const desk = makeFiles(s.home, 'desk', { 'first.txt': 'the very first' })
  await resizePage(s, 820, 560)
  await dropFiles(s.page, [join(desk, 'first.txt')])
  await expect(s.page.getByText('1 item is uploaded after this step')).toBeInViewport()
  expect(s.service.requests.list()).toEqual([])
  await prove(s)
  expect(s.service.ledger.files()).toEqual([])
  // Two clicks and a drag from the start to a link.
  await button(s, 'Use until Slipway quits').click()
  await expect(s.page.getByRole('grid', { name: 'Remote files' }).getByText('first.txt')).toBeVisible()
  await expect.poll(() => clipboardText(s.app)).toContain('http')
  expect(await (await fetch(await clipboardText(s.app))).text()).toBe('the very first')
})

test('a connection whose check has expired is checked again; the folder step checks rules as the settings do', async ({
  slipway,
}) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  await prove(s)
  // Only the last four keys are kept.
  for (let i = 0; i < 4; i++)
    expect(
      await ask(s.page, 'connect', { address: s.service.url, key: KEY, plainHttp: false }),
    ).toMatchObject({ ok: true })
  await button(s, 'Use until Slipway quits').click()
  await expect(s.page.getByText('The connection check expired. Connect again.')).toBeVisible()
  await button(s, 'Connect').click()
  await button(s, 'Use until Slipway quits').click()
  await expect(s.page.getByRole('heading', { name: 'Choose a folder' })).toBeVisible()

  const share = makeFiles(s.home, 'Share', { 'plan.txt': 'plan', 'private/docs/mine.txt': 'mine' })
  await answerDialogs(s.app, [share])
  await button(s, 'Choose folder…').click()
  await expect(s.page.getByText('2 files, ')).toBeVisible()
  await button(s, 'Which files').click()
  const field = s.page.getByRole('textbox', { name: 'Ignore rules' })
  for (const [rule, hint] of [
    ['/home/ada/private', 'Write the path from the watched folder on.'],
    ['private\\docs', 'Use / between folders, also on Windows.'],
  ] as const) {
    await field.fill(rule)
    await expect(s.page.getByText(hint)).toBeVisible()
    await expect(button(s, 'Watch folder')).toBeDisabled()
    await expect(s.page.getByText('Fix the rules to watch this folder.')).toBeVisible()
  }
  // The panel can't be closed while a rule has an error, so correcting the rule doesn't close it under the
  // cursor.
  await button(s, 'Which files').click()
  await expect(field).toBeVisible()
  await field.fill('./private/')
  await expect(button(s, 'Watch folder')).toBeEnabled()
  await expect(field).toBeVisible()
  await expect(field).toBeFocused()
  await expect(s.page.getByText('1 is ignored by a rule')).toBeVisible()
  await button(s, 'Watch folder').click()
  await expect(s.page.getByRole('button', { name: 'Share, 1 of 1 done' })).toBeVisible()
  expect(s.service.ledger.live().map((one) => one.filename)).toEqual(['plan.txt'])
})

test('content pasted or dropped on the first screen survives a trial, a page crash and a quit', async ({
  slipway,
}) => {
  const first = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  const kept = (s: Slipway, text: string) => s.page.getByText(`${text} uploaded after this step`)
  await copyElsewhere(first.app, 'pasted before the trial')
  await first.page.getByText('Save a file.').click()
  await first.page.keyboard.press('ControlOrMeta+V')
  await expect(kept(first, '1 item is')).toBeVisible()
  await reload(first.page)
  await expect(kept(first, '1 item is')).toBeVisible()

  await button(first, 'Try it without an account').click()
  await expect
    .poll(async () => fetched(await clipboardText(first.app)).catch(() => 'no link'))
    .toBe('pasted before the trial')
  await button(first, 'Connect account…').click()
  await expect(kept(first, '1 item is')).toBeVisible()

  const desk = makeFiles(first.home, 'desk', { 'dropped.txt': 'dropped' })
  await dropFiles(first.page, [join(desk, 'dropped.txt')])
  await expect(kept(first, '2 items are')).toBeVisible()
  const again = await first.restart()
  await expect(kept(again, '2 items are')).toBeVisible()
  await expect(again.page.getByRole('list').getByText('dropped.txt')).toBeVisible()
  await prove(again)
  expect(again.service.ledger.files()).toEqual([])
  await button(again, 'Use until Slipway quits').click()
  await expect(again.page.getByRole('grid', { name: 'Remote files' }).getByRole('row')).toHaveCount(3)
  const bytes = again.service.ledger
    .live()
    .map(({ fileId }) => readFileSync(again.service.blobPath(fileId) ?? '', 'utf8'))
  expect(bytes.toSorted()).toEqual(['dropped', 'pasted before the trial'])
  await expect.poll(() => readdirSync(join(again.data, 'kept'))).toEqual([])
})

test('content that is pasted on the first screen', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  await test.step('a file copied in a file manager is kept even if a field has the focus', async () => {
    await expect(address(s)).toBeFocused()
    await copyElsewhere(s.app, 'on the clipboard')
    const pasteInto = async (withFile: boolean, text: string): Promise<boolean> => {
      // A script's paste is no input, so the shell would refuse the clipboard.
      await s.page.keyboard.press('Shift')
      return address(s).evaluate(
        (field, [hasFile, words]) => {
          const data = new DataTransfer()
          if (words !== '') data.setData('text/plain', words)
          if (hasFile) data.items.add(new File(['x'], 'x.txt'))
          return field.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
          )
        },
        [withFile, text] as const,
      )
    }
    expect(await pasteInto(false, 'files.example.com')).toBe(true)
    expect(await pasteInto(true, 'a table as text')).toBe(true)
    await expect(s.page.getByText('after this step')).toHaveText(/You can already/)
    expect(await pasteInto(true, '/home/me/x.txt')).toBe(false)
    await expect(s.page.getByText('1 item is uploaded after this step')).toBeVisible()
    await button(s, 'Discard').click()
  })
  await test.step('content pasted on the first screen is kept and shown, can be discarded, and is uploaded once connected', async () => {
    await expect(s.page.getByText(`paste with ${modKey('V')}`)).toBeVisible()
    const kept = s.page.getByText('item is uploaded after this step')
    const pastedFiles = (): readonly string[] =>
      existsSync(join(s.data, 'kept')) ? readdirSync(join(s.data, 'kept')) : []
    const paste = async (): Promise<void> => {
      await s.page.getByText('Save a file.').click()
      await s.page.keyboard.press('ControlOrMeta+V')
    }
    await copyElsewhere(s.app, 'a first thought')
    await paste()
    await expect(kept).toBeVisible()
    await expect(s.page.getByRole('list').getByText(/^Text .*\.txt$/)).toBeVisible()
    expect(pastedFiles()).toHaveLength(1)
    await button(s, 'Discard').click()
    await expect(kept).toBeHidden()
    await expect.poll(pastedFiles).toEqual([])

    await copyElsewhere(s.app, 'a second thought')
    await paste()
    await expect(kept).toBeVisible()
    // Pasting no longer uploads the clipboard; text for a field stays text.
    await copyElsewhere(s.app, s.service.url)
    expect(s.service.requests.list()).toEqual([])
    await prove(s)
    await button(s, 'Use until Slipway quits').click()
    await expect(s.page.getByRole('grid', { name: 'Remote files' }).getByRole('row')).toHaveCount(2)
    expect(s.service.ledger.live()).toHaveLength(1)
    const bytes = readFileSync(s.service.blobPath(s.service.ledger.live()[0]?.fileId ?? 0) ?? '', 'utf8')
    expect(bytes).toBe('a second thought')
    // The page doesn't show uploaded files in another list.
    await expect(kept).toBeHidden()
  })
})

test('five clicks or keys lead from the first start to the link of a saved file on the clipboard', async ({
  slipway,
}) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  await s.page.evaluate(() => {
    Reflect.set(globalThis, 'presses', 0)
    const count = (): unknown =>
      Reflect.set(globalThis, 'presses', Number(Reflect.get(globalThis, 'presses')) + 1)
    addEventListener('pointerdown', count, true)
    addEventListener('keydown', (event) => (['Enter', ' '].includes(event.key) ? count() : undefined), true)
  })
  const share = makeFiles(s.home, 'Share', {})
  await s.app.evaluate(({ dialog }, dir) => {
    Reflect.set(globalThis, 'dialogs', 0)
    dialog.showOpenDialog = async () => {
      Reflect.set(globalThis, 'dialogs', Number(Reflect.get(globalThis, 'dialogs')) + 1)
      return { canceled: false, filePaths: [dir] }
    }
  }, share)
  // As a user would type: both fields, keyboard only.
  await expect(address(s)).toBeFocused()
  await s.page.keyboard.insertText(s.service.url)
  await s.page.keyboard.press('Tab')
  await expect(key(s)).toBeFocused()
  await s.page.keyboard.insertText(KEY)
  await s.page.keyboard.press('Enter')
  await expect(button(s, 'Use until Slipway quits')).toBeFocused()
  await s.page.keyboard.press('Enter')
  await button(s, 'Choose folder…').click()
  await expect(button(s, 'Watch folder')).toBeFocused()
  await s.page.keyboard.press('Enter')
  await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
  // Links are copied of files that are saved from then on.
  await expect.poll(() => folderState(s.page)).toBe('watching')
  writeFileSync(join(share, 'hello.txt'), 'hello')
  await expect.poll(async () => fetched(await clipboardText(s.app)).catch(() => 'no link')).toBe('hello')
  const dialogs = await s.app.evaluate(() => Number(Reflect.get(globalThis, 'dialogs')))
  const presses = await s.page.evaluate(() => Number(Reflect.get(globalThis, 'presses')))
  expect(presses + dialogs).toBeLessThanOrEqual(5)
  expect(presses + dialogs).toBeGreaterThan(0)
})

test('the first screen and the next step', async ({ slipway }) => {
  const s = await slipway({ as: 'fresh', env: NO_KEYCHAIN })
  await test.step('neither a step nor a response moves the step indicator or the button', async () => {
    const top = async (of: Locator): Promise<number> => Math.round((await of.boundingBox())?.y ?? Number.NaN)
    // The sentence comes after the page's first answer, and takes room.
    await expect(s.page.getByText('The API key can’t be saved on this system.')).toBeVisible()
    const steps = s.page.getByRole('list', { name: 'Steps' })
    const line = await top(steps)
    const submit = await top(button(s, 'Connect'))
    await address(s).fill('http://127.0.0.1:9')
    await key(s).fill('wrong')
    await s.page.keyboard.press('Enter')
    const alert = s.page.getByRole('alert')
    // What is wrong with the address is said between the two fields, and with the key in the place of its hint.
    await expect(alert).toContainText('Can’t reach this address.')
    expect(await top(alert)).toBeGreaterThan(await top(address(s)))
    expect(await top(alert)).toBeLessThan(await top(key(s)))
    await expect(address(s)).toHaveAttribute('aria-invalid', 'true')
    await address(s).fill(s.service.url)
    await s.page.keyboard.press('Enter')
    await expect(alert).toContainText('The API key was refused.')
    expect(await top(alert)).toBeGreaterThan(await top(key(s)))
    await expect(key(s)).toHaveAttribute('aria-invalid', 'true')
    expect([await top(steps), await top(button(s, 'Connect'))]).toEqual([line, submit])
    await prove(s)
    expect([await top(steps), await top(button(s, 'Use until Slipway quits'))]).toEqual([line, submit])
    await button(s, 'Use until Slipway quits').click()
    await expect(s.page.getByRole('heading', { name: 'Choose a folder' })).toBeVisible()
    expect(await top(steps)).toBe(line)
  })
  await test.step('a second drop on the first screen still asks about a secret, although the first one closes the screen', async () => {
    await expect(button(s, 'Skip for now')).toBeVisible()
    const many = makeFiles(
      s.home,
      'many',
      Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${i}.txt`, `plain ${i}`])),
    )
    const desk = makeFiles(s.home, 'desk', { '.env': 'TOKEN=abc', 'index.html': '<p>hello' })
    await answerQuestions(s.app, 0)
    // The second drop arrives while the files of the first one are counted.
    await dropFiles(s.page, [many])
    await dropFiles(s.page, [desk])
    const plan = s.page.getByRole('dialog', { name: 'Upload 1 file' })
    await expect(plan).toContainText('1 looks like a secret and needs your approval')
    await plan.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
    await expect(s.page.getByRole('button', { name: '1 file needs attention' })).toBeVisible()
  })
})

test('the keychain keeps the key across a restart, and signing out removes it', async ({ slipway }) => {
  test.skip(process.platform !== 'linux', 'the keychains of other systems are the person’s own')
  const session = await keyringSession()
  try {
    const s = await slipway({ as: 'fresh', env: session.env })
    await expect(
      s.page.getByText('Your API key is saved in the system keychain and nowhere else.'),
    ).toBeVisible()
    await prove(s)
    await button(s, 'Continue').click()
    await button(s, 'Skip for now').click()
    await expect(s.page.getByText('Your links will appear here')).toBeVisible()

    const again = await s.restart()
    await expect(again.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
    await again.page.keyboard.press('ControlOrMeta+,')
    await expect(again.page.getByText('In the system keychain')).toBeVisible()
    await expect(again.page.getByText('· Connected')).toBeVisible()
    await again.page.getByRole('button', { name: 'Sign out…' }).click()
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

test('signing out removes the key from the keychain even if the environment has one, and says so', async ({
  slipway,
}) => {
  test.skip(process.platform !== 'linux', 'the keychains of other systems are the person’s own')
  const session = await keyringSession()
  try {
    const env: Record<string, string> = { ...session.env }
    const s = await slipway({ as: 'fresh', env })
    await prove(s)
    await button(s, 'Continue').click()
    await button(s, 'Skip for now').click()
    await expect(s.page.getByText('Your links will appear here')).toBeVisible()

    env['SLIPWAY_API_KEY'] = KEY
    const again = await s.restart()
    await again.page.keyboard.press('ControlOrMeta+,')
    await expect(again.page.getByText('The API key comes from an environment variable.')).toBeVisible()
    const asked = await answerQuestions(again.app, 0)
    await again.page.getByRole('button', { name: 'Sign out…' }).click()
    await expect
      .poll(async () => (await asked())[0]?.detail)
      .toContain('The API key is removed from the keychain.')
    await expect(
      again.page.getByText('The environment variable SLIPWAY_API_KEY still provides a key.'),
    ).toBeVisible()
    // Only the key of the environment is left, which Slipway can't remove.
    await expect(again.page.getByRole('button', { name: 'Sign out…' })).toBeDisabled()

    delete env['SLIPWAY_API_KEY']
    const third = await again.restart()
    await expect(button(third, 'Connect')).toBeVisible()
  } finally {
    await session.end()
  }
})

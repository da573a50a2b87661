// Unusual input: double clicks on buttons, keys that are held, shortcuts while a dialog is open. Nothing
// flashes, opens twice or changes behind a dialog.
import { join } from 'node:path'
import type { JSHandle, Page } from '@playwright/test'
import { menuTemplate } from '../../src-main/shell/app/menu-template.ts'
import { shell } from '../../src-shared/i18n/en/shell.ts'
import { expect, test } from './fixture.ts'
import { command, DELETE_KEY, fileRow, isMac, liveNames, modKey, openSection, watchFolder } from './hands.ts'
import { dropFiles, makeFiles, reload } from './slipway.ts'

test('a double click', async ({ slipway }) => {
  const s = await slipway()
  await test.step('a double click on a button opens its dialog, which a later click outside closes', async () => {
    const { page } = s
    await watchFolder(s, makeFiles(s.home, 'Share', { 'a.txt': 'a' }))
    await expect(fileRow(page, 'a.txt')).toBeVisible()
    await openSection(page, 'Folders')
    const opens = [
      { button: page.getByRole('button', { name: 'Rules…, Share' }), dialog: page.getByRole('dialog') },
      {
        button: page.getByRole('button', { name: `${modKey('K')} for commands` }),
        dialog: page.getByRole('combobox', { name: 'Search commands' }),
      },
    ]
    for (const { button, dialog } of opens) {
      await button.dblclick()
      await expect(dialog).toBeVisible()
      await expect(async () => {
        await page.mouse.click(8, 8)
        await expect(dialog).toHaveCount(0, { timeout: 500 })
      }).toPass()
    }
  })
  await test.step('a double click on Upload opens one file dialog', async () => {
    const { page } = s
    await page.keyboard.press('ControlOrMeta+1')
    const desk = makeFiles(s.home, 'desk', { 'b.txt': 'b' })
    await s.app.evaluate(
      ({ dialog }, path) => {
        const shown = { count: 0, answer: (): void => undefined }
        Reflect.set(globalThis, 'openDialogs', shown)
        dialog.showOpenDialog = () => {
          shown.count++
          return new Promise((resolve) => {
            shown.answer = () => resolve({ canceled: false, filePaths: [path] })
          })
        }
      },
      join(desk, 'b.txt'),
    )
    const opened = (): Promise<number> =>
      s.app.evaluate(() => (Reflect.get(globalThis, 'openDialogs') as { count: number }).count)
    const answer = (): Promise<void> =>
      s.app.evaluate(() => (Reflect.get(globalThis, 'openDialogs') as { answer: () => void }).answer())
    const upload = page.getByRole('button', { name: 'Upload', exact: true })
    await upload.dblclick()
    await expect.poll(opened).toBe(1)
    await answer()
    await expect(fileRow(page, 'b.txt')).toBeVisible()
    expect(await opened()).toBe(1)
    // The next one opens.
    await upload.click()
    await expect.poll(opened).toBe(2)
    await answer()
  })
})

test('a held Delete starts one deletion, and one Undo keeps the file', async ({ slipway }) => {
  const s = await slipway({ settings: { undoSeconds: 60 } })
  const { page } = s
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b' })
  await dropFiles(page, [join(desk, 'a.txt'), join(desk, 'b.txt')])
  for (const name of ['a.txt', 'b.txt']) await expect(fileRow(page, name)).toBeVisible()
  await fileRow(page, 'a.txt').click()
  const [key = '', ...modifiers] = DELETE_KEY.split('+').toReversed()
  for (const one of modifiers) await page.keyboard.down(one)
  for (let i = 0; i < 13; i++) await page.keyboard.down(key)
  for (const one of [key, ...modifiers]) await page.keyboard.up(one)
  // Not that of the uploads.
  const undo = page.locator('.notice').filter({ hasText: 'Deleting' }).getByRole('button', { name: 'Undo' })
  await expect(undo).toHaveCount(1)
  await undo.click()
  await expect(undo).toHaveCount(0)
  await expect(fileRow(page, 'a.txt').getByText('Deleting')).toHaveCount(0)
  expect(liveNames(s)).toEqual(['a.txt', 'b.txt'])
})

/** The keys that the page leaves unhandled from now on. The menu carries out those that are its shortcuts. */
function unhandledKeys(page: Page): Promise<JSHandle<readonly string[]>> {
  return page.evaluateHandle(() => {
    const keys: string[] = []
    addEventListener('keydown', (event) => {
      if (!event.defaultPrevented && !['Control', 'Meta', 'Shift'].includes(event.key)) keys.push(event.key)
    })
    return keys
  })
}

/** The menu's shortcuts, as Playwright writes them. */
function menuShortcuts(): readonly string[] {
  const items = menuTemplate({
    platform: isMac ? 'darwin' : 'linux',
    texts: shell,
    formats: { count: String },
    undo: null,
  }).flatMap((group) => group.items)
  const shortcuts = items.flatMap((item) =>
    item.type === 'command' && item.accelerator !== null ? [item.accelerator] : [],
  )
  return shortcuts.map((keys) => keys.replace(/CmdOrCtrl|Cmd|Ctrl/, 'ControlOrMeta'))
}

test('keys and clicks change nothing that they aren’t meant for', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  await test.step('the shortcut for details does nothing while the user is typing', async () => {
    await dropFiles(page, [join(makeFiles(s.home, 'desk', { 'a.txt': 'a' }), 'a.txt')])
    await fileRow(page, 'a.txt').click()
    const details = page.getByRole('complementary', { name: 'Details' })
    await expect(details).toBeVisible()
    const left = await unhandledKeys(page)
    await page.keyboard.press('ControlOrMeta+I')
    await expect(details).toHaveCount(0)
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('ControlOrMeta+I')
    // Left unhandled, it would be carried out by the menu.
    expect(await left.jsonValue()).toEqual([])
    await expect(details).toHaveCount(0)
  })

  // Keys that are handled from here on belong to the next step.
  await reload(page)
  await test.step('shortcuts change nothing behind a dialog', async () => {
    await command(page, 'Custom link format')
    const dialog = page.getByRole('dialog', { name: 'Custom format' })
    await expect(dialog).toBeVisible()
    for (const keys of ['ControlOrMeta+K', 'ControlOrMeta+3', 'ControlOrMeta+,', 'ControlOrMeta+F'])
      await page.keyboard.press(keys)
    await expect(page.getByRole('dialog')).toHaveCount(1)
    const left = await unhandledKeys(page)
    const shortcuts = menuShortcuts()
    expect(shortcuts).toContain('ControlOrMeta+U')
    await dialog.getByRole('button', { name: 'Close' }).first().focus()
    for (const keys of shortcuts) await page.keyboard.press(keys)
    await dialog.getByRole('textbox').first().focus()
    for (const keys of shortcuts) await page.keyboard.press(keys)
    // In a text field, this pastes plain text.
    expect(await left.jsonValue()).toEqual(['V'])
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
    // The palette isn't such a dialog: a shortcut closes it and acts.
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.press('ControlOrMeta+3')
    await expect(page.getByRole('combobox')).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Usage', exact: true })).toBeVisible()
  })

  await test.step('a double click on a button opens its dialog even if the window handles the second click late', async () => {
    await page.evaluate(() => {
      let presses = 0
      addEventListener(
        'pointerdown',
        () => {
          presses++
          for (const end = performance.now() + (presses === 2 ? 1000 : 0); performance.now() < end; );
        },
        true,
      )
    })
    await page.getByRole('button', { name: `${modKey('K')} for commands` }).dblclick()
    const field = page.getByRole('combobox', { name: 'Search commands' })
    await expect(field).toBeFocused()
    // The handler of the second click has run.
    await page.keyboard.type('pause')
    await expect(field).toHaveValue('pause')
  })

  await test.step('a click in a dialog that a key opened counts, even at the place of the last click', async () => {
    await page.keyboard.press('Escape')
    await command(page, 'Go to Files')
    await command(page, 'Go to Usage')
    await expect(page.getByRole('heading', { name: 'Usage', exact: true })).toBeVisible()
  })
})

test('the question about a drop', async ({ slipway }) => {
  const s = await slipway()
  await test.step('the question about a drop is on top of a dialog that was open', async () => {
    const { page } = s
    const secret = makeFiles(s.home, 'secret', {
      '.env': 'API_KEY=sk-live-1234567890abcdef1234567890',
      'a.txt': 'a',
    })
    await command(page, 'Custom link format')
    await expect(page.getByRole('dialog', { name: 'Custom format' })).toBeVisible()
    await dropFiles(page, [secret])
    const question = page.getByRole('dialog', { name: 'Upload 1 file?' })
    await expect(question).toBeVisible()
    // What is behind a dialog is inert, so the element at a point in the window isn't always the one drawn on
    // top.
    const isOnTop = await page.evaluate(() => {
      const [below, above] = [document.querySelector('.dialog-scrim'), document.querySelector('.drop-scrim')]
      if (below === null || above === null) return null
      const isLater = (below.compareDocumentPosition(above) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
      return isLater && Number(getComputedStyle(above).zIndex) >= Number(getComputedStyle(below).zIndex)
    })
    expect(isOnTop).toBe(true)
    await question.getByRole('button', { name: 'Don’t upload' }).click()
    await expect(question).toHaveCount(0)
    await expect(page.getByRole('dialog', { name: 'Custom format' })).toBeVisible()
    expect(liveNames(s)).toEqual([])
    await page.keyboard.press('Escape')
  })
  await test.step('a drop waits until the question about the one before it is answered', async () => {
    const { page } = s
    const secret = makeFiles(s.home, 'secret', {
      '.env': 'API_KEY=sk-live-1234567890abcdef1234567890',
      'a.txt': 'a',
    })
    const plain = makeFiles(s.home, 'plain', { 'b.txt': 'b' })
    await dropFiles(page, [secret])
    const question = page.getByRole('dialog', { name: 'Upload 1 file?' })
    await expect(question).toBeVisible()
    await dropFiles(page, [plain])
    // An upload of b.txt before the answer would show that a drop didn't wait.
    await dropFiles(page, [join(plain, 'b.txt')])
    await expect(question).toBeVisible()
    expect(liveNames(s)).toEqual([])
    await question.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect.poll(() => liveNames(s)).toEqual(['a.txt', 'b.txt'])
  })
})

// One gesture in: a key uploads the clipboard or a picture of the screen, text and pictures are dropped from
// other programs, and the shelf takes drops beside the window. Where the desktop's records are needed, on the
// stand-in or with the recorder.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import {
  closeWindow,
  hasRecords,
  isVisible,
  notifications,
  pressShortcut,
  startAgain,
  trayMenu,
} from './desk.ts'
import { expect, test } from './fixture.ts'
import {
  answerQuestions,
  command,
  copyElsewhere,
  DELETE_KEY,
  fetched,
  fileRow,
  liveNames,
  logOf,
  open,
  openSection,
  uploads,
} from './hands.ts'
import { needsElectron } from './provable.ts'
import { clipboardText, dropFiles, dropText, makeFiles, type Slipway } from './slipway.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const KEYS = {
  clipboardShortcut: 'CommandOrControl+Alt+C',
  regionShortcut: 'CommandOrControl+Alt+R',
  shelfShortcut: 'CommandOrControl+Alt+D',
} as const

const copyPicture = (s: Slipway, bytes: Buffer): Promise<void> =>
  s.app.evaluate(async ({ clipboard, ClipboardItem }, base64) => {
    const picture = new Blob([Buffer.from(base64, 'base64')], { type: 'image/png' })
    await clipboard.write([new ClipboardItem({ 'image/png': picture })])
  }, bytes.toString('base64'))

const bytesBehind = async (link: string): Promise<Buffer> =>
  link.startsWith('http') ? Buffer.from(await (await fetch(link)).arrayBuffer()) : Buffer.alloc(0)

/** Drops files that have no path, as a browser does with a picture of a web page. */
function dropFromBrowser(page: Page, files: readonly { readonly name: string; readonly base64: string }[]) {
  return page.evaluate((all) => {
    const dataTransfer = new DataTransfer()
    for (const { name, base64 } of all)
      dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name))
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }, files)
}

if (hasRecords) {
  test('one key uploads what is copied or taken from the screen, and copies the link', async ({
    slipway,
  }) => {
    needsElectron({ electron: 44 }, 'ClipboardItem came with Electron 44')
    // The links are copied even if the settings say otherwise for drops.
    const s = await slipway({ settings: { ...KEYS, copyAfterDrop: false, pasteName: '{kind} of {date}' } })
    await expect.poll(() => trayMenu(s.app)).toContain('Take screenshot and upload')
    await closeWindow(s.app)
    await expect.poll(() => isVisible(s.app)).toBe(false)

    await test.step('a picture', async () => {
      await copyPicture(s, PNG)
      expect(await pressShortcut(s.app, KEYS.clipboardShortcut)).toBe(true)
      await expect.poll(async () => bytesBehind(await clipboardText(s.app))).toEqual(PNG)
      expect(liveNames(s)).toEqual([expect.stringMatching(/^Picture of [\d-]{10}\.png$/)])
      expect(await isVisible(s.app)).toBe(false)
    })

    await test.step('text, which is shown before it is published', async () => {
      await copyElsewhere(s.app, 'correct horse battery staple')
      const asked = await answerQuestions(s.app, 1)
      await pressShortcut(s.app, KEYS.clipboardShortcut)
      await expect.poll(() => asked()).toHaveLength(1)
      expect((await asked())[0]?.detail).toContain('correct horse battery staple')
      expect(await clipboardText(s.app)).toBe('correct horse battery staple')
      await answerQuestions(s.app, 0)
      await pressShortcut(s.app, KEYS.clipboardShortcut)
      await expect
        .poll(async () => fetched(await clipboardText(s.app)).catch(() => ''))
        .toBe('correct horse battery staple')
      expect(uploads(s)).toBe(2)
    })

    if (process.platform === 'linux')
      await test.step('a part of the screen', async () => {
        const shot = Buffer.concat([PNG, Buffer.from('of the screen')])
        const dir = makeFiles(s.home, 'Pictures', { 'Screenshot 1.png': shot })
        // A key that is pressed while the system's tool is open does nothing, so the last one is pressed until it
        // has an effect.
        const pressed = async <T>(seen: () => Promise<T>): Promise<T> => {
          await pressShortcut(s.app, KEYS.regionShortcut)
          return seen()
        }
        const title = async () => (await notifications(s.app)).at(-1)?.title
        const before = await title()
        s.bus().setPortal([{ response: 1 }])
        await pressShortcut(s.app, KEYS.regionShortcut)
        s.bus().setPortal([{ response: 0, uri: pathToFileURL(join(dir, 'Screenshot 1.png')).href }])
        await expect.poll(() => pressed(async () => bytesBehind(await clipboardText(s.app)))).toEqual(shot)
        // A cancelled picture is no error.
        expect(before).not.toContain('screenshot')
        expect(liveNames(s)).toContainEqual(expect.stringMatching(/^Screenshot of [\d-]{10}\.png$/))
        s.bus().setPortal(null)
        await expect
          .poll(() => pressed(title))
          .toBe('This desktop has no tool for screenshots that Slipway can use.')
      })

    await test.step('a key of the desktop, which starts the program again', async () => {
      const before = uploads(s)
      await copyPicture(s, Buffer.concat([PNG, Buffer.from('again')]))
      expect(await startAgain(s, ['--upload-clipboard'])).toBe(0)
      await expect.poll(() => uploads(s)).toBe(before + 1)
      expect(await isVisible(s.app)).toBe(false)
    })
  })

  test('the shelf takes drops, shows what becomes of them, and closes with Escape', async ({ slipway }) => {
    const s = await slipway({ settings: { ...KEYS, undoSeconds: 60 } })
    const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b', '.env': 'TOKEN=abc' })
    const show = async (): Promise<Page> => {
      const opened = s.app.waitForEvent('window')
      await pressShortcut(s.app, KEYS.shelfShortcut)
      const page = await opened
      await page.getByRole('main', { name: 'Shelf' }).waitFor()
      return page
    }
    const shelf = await show()
    await expect(shelf.getByText('Drop files here')).toBeVisible()
    const onTop = await s.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((one) => one.isAlwaysOnTop()),
    )
    expect(new Set(onTop)).toEqual(new Set([false, true]))

    await dropFiles(shelf, [join(desk, 'a.txt'), join(desk, 'b.txt')])
    await expect(shelf.getByText('2 links copied')).toBeVisible()
    await expect(shelf.getByRole('listitem')).toHaveCount(2)
    expect(await Promise.all((await clipboardText(s.app)).split('\n').map(fetched))).toEqual(['a', 'b'])
    // Both windows show the same.
    await expect(fileRow(s.page, 'a.txt')).toBeVisible()
    await copyElsewhere(s.app, 'something else')
    await shelf.getByRole('button', { name: 'Copy 2 links' }).click()
    await expect.poll(async () => (await clipboardText(s.app)).split('\n').length).toBe(2)

    // What is deleted is neither counted nor copied.
    await fileRow(s.page, 'a.txt').click()
    await s.page.keyboard.press(DELETE_KEY)
    await expect(shelf.getByRole('listitem')).toHaveCount(1)
    await expect(shelf.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await s.page.keyboard.press('ControlOrMeta+Z')
    await expect(shelf.getByRole('listitem')).toHaveCount(2)

    // The shelf's page asks for nothing else, and can't.
    expect(logOf(s)).not.toContain('ipc.stranger')
    const refused = await shelf.evaluate(() =>
      Promise.all(
        ['uploadClipboard', 'change', 'release', 'deleteFiles', 'letGo'].map((name) =>
          (
            globalThis as unknown as { slipway: { call(...args: unknown[]): Promise<{ ok: boolean }> } }
          ).slipway.call(name, {}, null),
        ),
      ),
    )
    expect(refused.map((one) => one.ok)).toEqual([false, false, false, false, false])

    const closed = shelf.waitForEvent('close')
    // The page may be gone before the key is released.
    await shelf.keyboard.press('Escape').catch(() => undefined)
    await closed
    const again = await show()
    await expect(again.getByRole('listitem')).toHaveCount(2)
    await s.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find((one) => one.isAlwaysOnTop())
        ?.close(),
    )
    await expect.poll(() => s.app.windows().length).toBe(1)
    await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
  })
}

test('text and pictures from a browser are uploaded, and what can’t be taken is said', async ({
  slipway,
}) => {
  const s = await slipway()
  const heading = s.page.getByRole('heading', { name: 'Files', exact: true })

  await test.step('text, after the question that shows it', async () => {
    const asked = await answerQuestions(s.app, 1)
    await dropText(heading, 'just words')
    await expect.poll(() => asked()).toHaveLength(1)
    expect((await asked())[0]).toMatchObject({ message: 'Upload the dropped text as a file?' })
    await answerQuestions(s.app, 0)
    await dropText(heading, 'more words')
    await expect.poll(async () => fetched(await clipboardText(s.app)).catch(() => '')).toBe('more words')
    expect(liveNames(s)).toEqual([expect.stringMatching(/^Text .*\.txt$/)])
  })

  await test.step('a picture without a file', async () => {
    await dropFromBrowser(s.page, [{ name: 'cat.jpg', base64: PNG.toString('base64') }])
    await expect(fileRow(s.page, 'cat.png')).toBeVisible()
    await expect.poll(async () => bytesBehind(await clipboardText(s.app))).toEqual(PNG)
  })

  await test.step('what is neither', async () => {
    await dropFromBrowser(s.page, [{ name: 'letter.eml', base64: btoa('From: ada') }])
    await expect(s.page.getByText('What you dropped isn’t a file.')).toBeVisible()
    expect(uploads(s)).toBe(2)
  })

  await test.step('while a menu or a dialog is open', async () => {
    const desk = makeFiles(s.home, 'desk', { 'menu.txt': 'behind a menu', 'dialog.txt': 'behind a dialog' })
    await fileRow(s.page, 'cat.png').click({ button: 'right' })
    await s.page.getByRole('menu').first().waitFor()
    await dropFiles(s.page, [join(desk, 'menu.txt')])
    await expect.poll(() => liveNames(s)).toContain('menu.txt')
    await s.page.keyboard.press('Escape')
    await command(s.page, 'Custom link format')
    await s.page.getByRole('dialog').waitFor()
    await dropFiles(s.page, [join(desk, 'dialog.txt')])
    await expect.poll(() => liveNames(s)).toContain('dialog.txt')
    await s.page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await expect(fileRow(s.page, 'dialog.txt')).toBeVisible()
  })

  await test.step('a picture of which there is only the address is not loaded', async () => {
    await s.page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.setData('text/uri-list', 'http://127.0.0.1:9/cat.png')
      dataTransfer.setData('text/html', '<img src="http://127.0.0.1:9/cat.png">')
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    })
    await expect(s.page.getByText('The browser passed on only the picture’s address.')).toBeVisible()
    expect(uploads(s)).toBe(4)
  })

  await test.step('the name of what is pasted is chosen in Settings', async () => {
    await openSection(s.page, 'Uploads')
    const field = s.page.getByRole('textbox', { name: 'Names of pasted files' })
    await expect(field).toHaveValue('{kind} {date} at {time}')
    await field.fill('Shot: {kind}/1')
    await expect(s.page.getByText('Shot- Screenshot-1.png')).toBeVisible()
    await field.press('Enter')
    await open(s.page, 'Files')
    await dropText(heading, 'named words')
    await expect.poll(() => liveNames(s)).toContain('Shot- Text-1.txt')
  })
})

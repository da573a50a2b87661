// Slipway without its window: the tray's menu, uploading the clipboard, files from outside, the shortcut,
// notifications, closing and quitting. Needs the stand-in's desktop. How a real desktop draws this isn't
// tested.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  clickNotification,
  clickTray,
  closeWindow,
  hasRecords,
  isVisible,
  notifications,
  pressShortcut,
  startAgain,
  trayMenu,
  trayToolTip,
  watchQuietTimer,
  withoutNotifications,
} from './desk.ts'
import { expect, test } from './fixture.ts'
import {
  answerUploads,
  copyElsewhere,
  doneCount,
  fetched,
  fileRow,
  liveNames,
  openSection,
  UPLOADS_UNANSWERED,
  uploads,
  watchFolder,
} from './hands.ts'
import { needsElectron } from './provable.ts'
import { answerDialogs, clipboardText, dropFiles, makeFiles, reload, type Slipway } from './slipway.ts'

const linkOf = async (s: Slipway): Promise<string> =>
  fetched(await clipboardText(s.app)).catch(() => 'no link')

if (hasRecords) {
  test('the settings say that the system has no notifications, and the tray says what happened', async ({
    slipway,
  }) => {
    const s = await slipway()
    await withoutNotifications(s.app)
    await reload(s.page)
    await openSection(s.page, 'Notifications')
    await expect(s.page.getByText('This system shows no notifications.')).toBeVisible()
    // Without a tray, closing the window would quit.
    await expect.poll(() => trayMenu(s.app)).toContain('Open Slipway')
    await closeWindow(s.app)
    const dir = makeFiles(s.home, 'desk', { 'a.txt': 'a' })
    await startAgain(s, [join(dir, 'a.txt')])
    await expect.poll(() => trayMenu(s.app)).toContain('Copy link: a.txt')
    expect(await notifications(s.app)).toEqual([])
  })

  test('the tray’s menu', async ({ slipway }) => {
    const s = await slipway()
    await test.step('the clipboard’s content can be uploaded: text, a picture, a list of files', async () => {
      needsElectron({ electron: 44 }, 'ClipboardItem came with Electron 44')
      await expect.poll(() => trayMenu(s.app)).toContain('Upload from clipboard')
      await copyElsewhere(s.app, '{"a text": "that is JSON"}')
      await clickTray(s.app, 'Upload from clipboard')
      await expect.poll(() => linkOf(s)).toBe('{"a text": "that is JSON"}')

      const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64')
      await s.app.evaluate(async ({ clipboard, ClipboardItem }, base64) => {
        await clipboard.write([
          new ClipboardItem({
            'image/png': new Blob([Buffer.from(base64, 'base64')], { type: 'image/png' }),
          }),
        ])
      }, picture)
      await clickTray(s.app, 'Upload from clipboard')
      await expect.poll(async () => (await clipboardText(s.app)).startsWith('http')).toBe(true)
      const bytes = Buffer.from(await (await fetch(await clipboardText(s.app))).arrayBuffer())
      expect(bytes.toString('base64')).toBe(picture)

      const desk = makeFiles(s.home, 'desk', {
        'ä 1.txt': 'first of the list',
        'b.txt': 'second of the list',
      })
      const list = [join(desk, 'ä 1.txt'), join(desk, 'b.txt')]
        .map((path) => pathToFileURL(path).href)
        .join('\r\n')
      await s.app.evaluate(async ({ clipboard, ClipboardItem }, uris) => {
        await clipboard.write([new ClipboardItem({ 'text/plain': uris, 'text/uri-list': uris })])
      }, list)
      await clickTray(s.app, 'Upload from clipboard')
      // The list of addresses that was uploaded has two lines as well.
      await expect
        .poll(async () => (await clipboardText(s.app)).split('\n').map((line) => line.startsWith('http')))
        .toEqual([true, true])
      const links = (await clipboardText(s.app)).split('\n')
      expect(await Promise.all(links.map(fetched))).toEqual(['first of the list', 'second of the list'])
      expect(liveNames(s)).toEqual([
        expect.stringMatching(/^Picture .*\.png$/),
        expect.stringMatching(/^Text .*\.json$/),
        'b.txt',
        'ä 1.txt',
      ])

      // A command of the window does the same. If there is nothing to upload, the window says so.
      await copyElsewhere(s.app, '   ')
      await s.page.keyboard.press('ControlOrMeta+K')
      await s.page.getByRole('combobox').fill('Upload from clipboard')
      await s.page.keyboard.press('Enter')
      await expect(s.page.getByText('Nothing on the clipboard to upload.')).toBeVisible()
      expect(uploads(s)).toBe(4)
    })
    await test.step('the menu shows the status, a click copies the latest link, and pauses and snoozes', async () => {
      await expect.poll(() => trayMenu(s.app)).toContain('(Every file accounted for)')
      await expect.poll(() => trayToolTip(s.app)).toBe('Slipway · Every file accounted for')
      const desk = makeFiles(s.home, 'desk', { 'a & b.txt': 'a and b', 'c.txt': 'c' })
      await dropFiles(s.page, [join(desk, 'a & b.txt'), join(desk, 'c.txt')])
      await expect(s.page.getByText('2 links copied')).toBeVisible()
      await expect.poll(async () => (await clipboardText(s.app)).split('\n').length).toBe(2)
      const both = await clipboardText(s.app)
      // A single & would underline the next letter.
      await expect
        .poll(() => trayMenu(s.app))
        .toEqual(expect.arrayContaining(['(Click to copy a link)', 'a && b.txt']))
      await clickTray(s.app, 'a && b.txt')
      await expect.poll(() => linkOf(s)).toBe('a and b')
      // The newest link comes first, and the format that was chosen last is the first of the others.
      expect((await trayMenu(s.app))[0]).toBe('Copy link: c.txt')
      await clickTray(s.app, 'Copy link: c.txt')
      await expect.poll(() => linkOf(s)).toBe('c')
      await clickTray(s.app, 'Copy this link as', 'HTML')
      await expect.poll(() => clipboardText(s.app)).toMatch(/^<a href="http.*">c\.txt<\/a>$/)
      await expect.poll(async () => (await trayMenu(s.app))[2]).toBe('Copy this link as > HTML')
      await clickTray(s.app, 'Copy 2 links of the last drop')
      await expect.poll(() => clipboardText(s.app)).toBe(both)

      const before = uploads(s)
      await expect.poll(() => trayMenu(s.app)).toContain('Pause')
      await clickTray(s.app, 'Pause')
      await expect.poll(() => trayMenu(s.app)).toEqual(expect.arrayContaining(['(Paused)', 'Resume']))
      await expect(s.page.getByText('New ones start when you resume.')).toBeVisible()
      const late = makeFiles(s.home, 'late', { 'a.txt': 'a' })
      await dropFiles(s.page, [join(late, 'a.txt')])
      await expect.poll(() => trayMenu(s.app)).toContain('(Paused · 1 file waiting)')
      expect(uploads(s)).toBe(before)
      await clickTray(s.app, 'Resume')
      await expect(fileRow(s.page, 'a.txt')).toBeVisible()
      await expect.poll(() => linkOf(s)).toBe('a')

      await clickTray(s.app, 'Snooze notifications', 'For 1 hour')
      await expect
        .poll(async () =>
          (await trayMenu(s.app)).filter((line) => line.startsWith('Notifications snoozed until')),
        )
        .toHaveLength(2)
      const line = (await trayMenu(s.app)).find((one) => one.startsWith('Notifications snoozed until')) ?? ''
      await clickTray(s.app, line, 'Turn on notifications')
      await expect.poll(() => trayMenu(s.app)).toContain('Snooze notifications')
    })
  })

  test('closing hides the window; what the tray, the shortcut and a second start bring is uploaded, and quitting asks only meanwhile', async ({
    slipway,
  }) => {
    const s = await slipway({ settings: { shortcut: 'CommandOrControl+Shift+U' } })
    const desk = makeFiles(s.home, 'desk', { 'tray.txt': 'from the tray', 'keys.txt': 'from the keys' })
    await expect.poll(() => trayMenu(s.app)).toContain('Upload files…')
    await answerDialogs(s.app, [join(desk, 'tray.txt')])
    await clickTray(s.app, 'Upload files…')
    await expect.poll(() => linkOf(s)).toBe('from the tray')
    await answerDialogs(s.app, [join(desk, 'keys.txt')])
    expect(await pressShortcut(s.app, 'CommandOrControl+Shift+U')).toBe(true)
    await expect.poll(() => linkOf(s)).toBe('from the keys')
    expect(uploads(s)).toBe(2)
    await test.step('the tray, the system and a second start bring the window back', () => bringBack(s))
    await test.step('quitting asks only while files are being uploaded, and ends the process', () => quit(s))
  })

  async function bringBack(s: Slipway): Promise<void> {
    await expect.poll(() => trayMenu(s.app)).toContain('Open Slipway')
    await closeWindow(s.app)
    await expect.poll(() => isVisible(s.app)).toBe(false)
    await clickTray(s.app, 'Open Slipway')
    await expect.poll(() => isVisible(s.app)).toBe(true)
    await closeWindow(s.app)
    await expect.poll(() => isVisible(s.app)).toBe(false)
    await s.app.evaluate(({ app }) => app.emit('activate', {}))
    await expect.poll(() => isVisible(s.app)).toBe(true)
    await closeWindow(s.app)
    await expect.poll(() => isVisible(s.app)).toBe(false)

    // If a file is given, the window stays hidden, because the user asked only for the upload.
    const desk = makeFiles(s.home, 'given', { 'given file.txt': 'given by the command line' })
    // Words on the command line aren't files, even if a file with that name exists.
    expect(await startAgain(s, ['plan', desk], desk)).toBe(2)
    expect(await startAgain(s, ['given file.txt'], desk)).toBe(2)
    expect(await startAgain(s, ['./given file.txt'], desk)).toBe(0)
    await expect.poll(() => linkOf(s)).toBe('given by the command line')
    expect(await isVisible(s.app)).toBe(false)
    expect(await startAgain(s, [])).toBe(0)
    await expect.poll(() => isVisible(s.app)).toBe(true)
    await expect(fileRow(s.page, 'given file.txt')).toBeVisible()
    expect(uploads(s)).toBe(3)
  }

  test('a batch is reported once, if the window isn’t focused, and its action copies the links', async ({
    slipway,
  }) => {
    const s = await slipway({ settings: { copyAfterDrop: false, undoSeconds: 60 } })
    const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    const paths = ['b.txt', 'a.txt', 'c.txt'].map((name) => join(desk, name))
    // The user looks at the window, so no notification is needed.
    await s.page.bringToFront()
    await s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.focus())
    await expect
      .poll(() => s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null))
      .toBe(true)
    await dropFiles(s.page, [join(desk, 'a.txt')])
    await expect(fileRow(s.page, 'a.txt')).toBeVisible()
    await expect.poll(() => doneCount(s.page)).toBe(1)
    // A drop is reported as soon as its last file is done.
    expect(await notifications(s.app)).toEqual([])

    await closeWindow(s.app)
    await expect.poll(() => isVisible(s.app)).toBe(false)
    expect(await startAgain(s, paths)).toBe(0)
    await expect
      .poll(() => notifications(s.app))
      .toEqual([
        {
          title: '3 links are ready',
          body: 'b.txt, a.txt and c.txt',
          actions: ['Copy 3 links', 'Copy as Markdown', 'Undo', 'Show'],
        },
      ])
    expect(await clipboardText(s.app)).toBe('')
    await clickNotification(s.app, 0, 0)
    await expect.poll(async () => (await clipboardText(s.app)).split('\n').length).toBe(3)
    expect(await Promise.all((await clipboardText(s.app)).split('\n').map(fetched))).toEqual(['b', 'a', 'c'])
    await clickNotification(s.app, 0, 1)
    await expect.poll(() => clipboardText(s.app)).toMatch(/^- \[b\.txt\]|^\[b\.txt\]/)
    // One of the three had been uploaded before, and stays.
    await clickNotification(s.app, 0, 2)
    await expect.poll(async () => (await notifications(s.app))[1]?.title).toMatch(/^Deleting 2 files in/)
    await clickNotification(s.app, 0, 3)
    await expect.poll(() => isVisible(s.app)).toBe(true)
    await expect(s.page.getByRole('heading', { name: 'Files', exact: true })).toBeVisible()
    await s.page.getByRole('button', { name: 'Undo' }).click()
    await expect(fileRow(s.page, 'b.txt')).not.toContainText('Deleting')
  })

  test('a burst in a watched folder causes one notification, or none while snoozed', async ({ slipway }) => {
    const s = await slipway()
    const share = makeFiles(s.home, 'Share', {})
    await watchFolder(s, share)
    await expect(s.page.getByRole('button', { name: 'Share, Empty' })).toBeVisible()
    // Without a tray, closing the window would quit.
    await expect.poll(() => trayMenu(s.app)).toContain('Open Slipway')
    await closeWindow(s.app)
    await expect.poll(() => isVisible(s.app)).toBe(false)
    for (const name of ['one.txt', 'two.txt']) writeFileSync(join(share, name), name)
    await expect.poll(() => notifications(s.app)).toHaveLength(1)
    const [told] = await notifications(s.app)
    expect(told).toMatchObject({
      title: '2 links are ready',
      actions: ['Copy 2 links', 'Copy as Markdown', 'Show'],
    })
    await clickNotification(s.app, 0, null)
    await expect.poll(async () => (await clipboardText(s.app)).split('\n').length).toBe(2)

    await clickTray(s.app, 'Snooze notifications', 'For 30 minutes')
    const isReported = await watchQuietTimer(s.app)
    writeFileSync(join(share, 'three.txt'), 'three.txt')
    await expect.poll(() => liveNames(s)).toHaveLength(3)
    await expect.poll(() => doneCount(s.page)).toBe(3)
    // A burst is reported after three quiet seconds. Its absence can only be checked afterwards.
    await expect.poll(isReported).toBe(true)
    await clickTray(s.app, 'Open Slipway')
    await expect(s.page.getByRole('button', { name: 'Share, 3 of 3 done' })).toBeVisible()
    expect(await notifications(s.app)).toHaveLength(1)
  })

  async function quit(s: Slipway): Promise<void> {
    s.service.setFaults(UPLOADS_UNANSWERED)
    await s.app.evaluate(({ dialog }) => {
      const asked: unknown[] = []
      Reflect.set(globalThis, 'askedBoxes', asked)
      dialog.showMessageBox = (async (options: Electron.MessageBoxOptions) => {
        asked.push([options.message, options.buttons])
        return { response: 1, checkboxChecked: false }
      }) as never
    })
    const desk = makeFiles(s.home, 'last', { 'a.txt': 'a' })
    await dropFiles(s.page, [join(desk, 'a.txt')])
    await expect(s.page.getByRole('progressbar', { name: 'a.txt' })).toBeVisible()
    await clickTray(s.app, 'Quit')
    await expect
      .poll(() => s.app.evaluate(() => Reflect.get(globalThis, 'askedBoxes') as unknown))
      .toEqual([['Quit during an upload?', ['Quit', 'Keep uploading']]])
    answerUploads(s)
    await expect(fileRow(s.page, 'a.txt')).toBeVisible()
    await expect(s.page.getByRole('progressbar', { name: 'a.txt' })).toHaveCount(0)
    const gone = new Promise((resolve) => s.app.process().once('exit', resolve))
    await clickTray(s.app, 'Quit').catch(() => undefined)
    expect(await gone).toBe(0)
    expect(uploads(s)).toBe(4)
  }
}

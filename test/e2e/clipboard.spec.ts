// The clipboard belongs to the user: what they copy during an upload stays, in any format. Links of saved
// files are copied only where the user asked for it, and nothing claims to be copied if it wasn't. Unit tests
// cover the decisions; here they go through the window and the desktop.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makePng } from '../demo/png.ts'
import {
  clickNotification,
  clickTray,
  closeWindow,
  hasRecords,
  isVisible,
  notifications,
  pastedText,
  startAgain,
  trayMenu,
} from './desk.ts'
import { expect, test } from './fixture.ts'
import {
  answerQuestions,
  answerUploads,
  copyElsewhere,
  doneCount,
  fetched,
  fileRow,
  folderState,
  open,
  transferRow,
  UPLOADS_UNANSWERED,
  uploads,
  watchFolder,
} from './hands.ts'
import { needsElectron } from './provable.ts'
import { clipboardText, dropFiles, makeFiles, type Slipway } from './slipway.ts'

/** One black pixel. */
const PIXEL = makePng({ width: 1, height: 1, color: 2 }, new Uint8Array(4))
const linkOf = async (s: Slipway): Promise<string> =>
  fetched(await clipboardText(s.app)).catch(() => 'no link')
const folderDone = (s: Slipway, name: string, state: string) =>
  s.page.getByRole('button', { name: `${name}, ${state}` })

test('pictures and pasted content', async ({ slipway }) => {
  const s = await slipway()
  await test.step('a picture that was copied in the meantime stays on the clipboard', async () => {
    needsElectron({ electron: 44 }, 'ClipboardItem came with Electron 44')
    s.service.setFaults(UPLOADS_UNANSWERED)
    const desk = makeFiles(s.home, 'desk', { 'slow.txt': 'slow' })
    await dropFiles(s.page, [join(desk, 'slow.txt')])
    await expect(s.page.getByRole('progressbar', { name: 'slow.txt' })).toBeVisible()
    await s.app.evaluate(
      async ({ clipboard, ClipboardItem }, bytes) => {
        await clipboard.write([
          new ClipboardItem({ 'image/png': new Blob([new Uint8Array(bytes)], { type: 'image/png' }) }),
        ])
      },
      [...PIXEL],
    )
    answerUploads(s)
    await expect(fileRow(s.page, 'slow.txt')).toBeVisible()
    await expect.poll(() => doneCount(s.page)).toBe(1)
    await expect(s.page.getByRole('progressbar', { name: 'slow.txt' })).toHaveCount(0)
    await expect(s.page.getByText('Link copied')).toHaveCount(0)
    expect(await s.app.evaluate(({ clipboard }) => clipboard.has('image/png'))).toBe(true)
  })
  await test.step('Ctrl+V anywhere in the window uploads what was copied, text after a question', async () => {
    const asked = await answerQuestions(s.app, 0)
    const questions = async () => (await asked()).map((one) => one.message)
    await copyElsewhere(s.app, 'a pasted thought')
    await s.page.keyboard.press('ControlOrMeta+2')
    await s.page.getByRole('heading', { name: 'Transfers', exact: true }).click()
    await s.page.keyboard.press('ControlOrMeta+V')
    await expect.poll(() => s.service.ledger.live().length).toBe(2)
    expect(await questions()).toEqual(['Upload the copied text as a file?'])
    expect(readFileSync(s.service.blobPath(s.service.ledger.live()[1]?.fileId ?? 0) ?? '', 'utf8')).toBe(
      'a pasted thought',
    )

    // Its link is copied. What is copied before that would race with it.
    await expect.poll(() => clipboardText(s.app)).toContain('http')
    await expect(transferRow(s.page, 'Pasted')).toContainText('Text ')

    // Files need no question, and go out from any view.
    const desk = makeFiles(s.home, 'desk', { 'b.txt': 'b' })
    const { href } = pathToFileURL(join(desk, 'b.txt'))
    await copyElsewhere(s.app, `x-special/nautilus-clipboard\ncopy\n${href}\n`)
    await s.page.keyboard.press('ControlOrMeta+3')
    await s.page.keyboard.press('ControlOrMeta+V')
    await expect.poll(() => s.service.ledger.live().map((one) => one.filename)).toContain('b.txt')
    expect(await questions()).toHaveLength(1)

    await expect.poll(() => clipboardText(s.app)).toContain('http')
    // In a field, text stays text.
    await copyElsewhere(s.app, 'for the search')
    await s.page.keyboard.press('ControlOrMeta+1')
    await s.page.getByRole('searchbox').click()
    await s.page.keyboard.press('ControlOrMeta+V')
    expect(await questions()).toHaveLength(1)

    // A secret is held, which is said at once, wherever the user is.
    await copyElsewhere(s.app, '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n')
    await s.page.keyboard.press('ControlOrMeta+3')
    await s.page.keyboard.press('ControlOrMeta+V')
    const card = s.page.locator('.notice-card').filter({ hasText: 'Held: looks like a secret' })
    await card.getByRole('button', { name: 'Review' }).click()
    await expect(transferRow(s.page, 'Held: looks like a secret')).toContainText('Text ')

    // The question can be the last one, and be asked for again.
    await answerQuestions(s.app, 0, 0, true)
    for (const text of ['a second thought', 'a third thought']) {
      const before = s.service.ledger.live().length
      await copyElsewhere(s.app, text)
      await s.page.keyboard.press('ControlOrMeta+V')
      await expect.poll(() => s.service.ledger.live().length).toBe(before + 1)
      await expect.poll(() => clipboardText(s.app)).toContain('http')
    }
    expect(await questions()).toHaveLength(3)
    await open(s.page, 'Settings')
    await s.page.getByRole('searchbox').fill('pasted text')
    const asks = s.page.getByRole('switch', { name: 'Ask before uploading pasted text' })
    await expect(asks).not.toBeChecked()
    await asks.focus()
    await s.page.keyboard.press('Space')
    await expect(asks).toBeChecked()
  })
})

test('the link of a saved file is copied if its folder is set to copy links', async ({ slipway }) => {
  const s = await slipway()
  const share = makeFiles(s.home, 'Share', { 'old.txt': 'old' })
  await watchFolder(s, share, true)
  await expect(folderDone(s, 'Share', '1 of 1 done')).toBeVisible()
  // A folder that was just chosen copies the links of new files, unless the user switches that off.
  writeFileSync(join(share, 'wanted.txt'), 'wanted')
  await expect.poll(() => linkOf(s)).toBe('wanted')

  await open(s.page, 'Settings')
  await s.page.getByRole('button', { name: 'Folders' }).click()
  await s.page.getByRole('button', { name: 'Rules…, Share' }).click()
  const copy = s.page.getByRole('switch', { name: 'Copy links of new files' })
  await expect(copy).toBeChecked()
  await copy.focus()
  await s.page.keyboard.press('Space')
  await s.page.getByRole('button', { name: 'Save rules' }).click()
  await expect(copy).toHaveCount(0)
  writeFileSync(join(share, 'not asked.txt'), 'not asked')
  await expect(folderDone(s, 'Share', '3 of 3 done')).toBeVisible()
  expect(await linkOf(s)).toBe('wanted')
  expect(uploads(s)).toBe(3)
})

// On other systems this would find the real screenshots folder of the user who runs the test.
if (process.platform === 'linux') {
  test('screenshots are found, and only their links are copied from then on', async ({ slipway }) => {
    const s = await slipway({
      before: ({ home }) => {
        mkdirSync(join(home, 'config'), { recursive: true })
        mkdirSync(join(home, 'My shots'))
        writeFileSync(join(home, 'My shots', 'old.png'), 'old')
        writeFileSync(
          join(home, 'config', 'spectaclerc'),
          `[ImageSave]\nimageSaveLocation=file://${home}/My%20shots/\n`,
        )
      },
    })
    await open(s.page, 'Settings')
    await s.page.getByRole('button', { name: 'Folders' }).click()
    await s.page.getByRole('button', { name: 'Watch screenshots…' }).click()
    const dialog = s.page.getByRole('dialog', { name: 'Watch My shots' })
    await expect(dialog.getByRole('switch', { name: 'Copy links of new files' })).toBeChecked()
    await dialog.getByRole('button', { name: 'Watch folder', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(s.page.getByRole('button', { name: 'My shots, Scanned' })).toBeVisible()
    await expect.poll(() => folderState(s.page)).toBe('watching')
    writeFileSync(join(s.home, 'My shots', 'new.png'), 'new')
    await expect.poll(() => linkOf(s)).toBe('new')
    expect(uploads(s)).toBe(1)
  })
}

if (hasRecords) {
  test('a restart forgets neither the links of the last drop nor a drop that is still waiting', async ({
    slipway,
  }) => {
    const s = await slipway()
    const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    await dropFiles(s.page, [join(desk, 'a.txt'), join(desk, 'b.txt')])
    await expect(s.page.getByText('2 links copied')).toBeVisible()
    const again = await s.restart()
    await expect.poll(() => trayMenu(again.app)).toContain('Copy 2 links of the last drop')
    await clickTray(again.app, 'Copy 2 links of the last drop')
    await expect
      .poll(async () =>
        Promise.all(
          (await clipboardText(again.app)).split('\n').map((link) => fetched(link).catch(() => '')),
        ),
      )
      .toEqual(['a', 'b'])
  })

  test('Wayland, with the focus and without', async ({ slipway }) => {
    const s = await slipway({ env: { XDG_SESSION_TYPE: 'wayland' } })
    await test.step('with the focus on Wayland links are copied, as elsewhere', async () => {
      const desk = makeFiles(s.home, 'desk', { 'focus.txt': 'in focus' })
      await s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.focus())
      await dropFiles(s.page, [join(desk, 'focus.txt')])
      await expect(s.page.getByText('Link copied')).toBeVisible()
      expect(await fetched(await pastedText(s.app))).toBe('in focus')
    })
    await test.step('without the focus on Wayland, nothing claims to be copied, and the notification offers to copy', async () => {
      const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b' })
      // Without a tray, closing the window would quit.
      await expect.poll(() => trayMenu(s.app)).toContain('Open Slipway')
      await closeWindow(s.app)
      await expect.poll(() => isVisible(s.app)).toBe(false)
      expect(await startAgain(s, [join(desk, 'a.txt'), join(desk, 'b.txt')])).toBe(0)
      await expect
        .poll(() => notifications(s.app))
        .toEqual([
          {
            title: '2 links are ready',
            body: 'a.txt and b.txt',
            actions: ['Copy 2 links', 'Copy as Markdown', 'Undo', 'Show'],
          },
        ])
      expect(await fetched(await pastedText(s.app))).toBe('in focus')
      await clickNotification(s.app, 0, 0)
      await expect
        .poll(async () =>
          Promise.all((await pastedText(s.app)).split('\n').map((link) => fetched(link).catch(() => ''))),
        )
        .toEqual(['a', 'b'])
      expect(await isVisible(s.app)).toBe(true)
    })
  })
}

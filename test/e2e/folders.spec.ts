// A watched folder in the sidebar: its files, its menu, its pause, and its rules, among them those that are new
// to the form (types, size, a question for changed files, what happens after the upload).
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import {
  answerQuestions,
  fetched,
  fileRow,
  liveNames,
  open,
  transferRow,
  undoesNext,
  watchFolder,
} from './hands.ts'
import { answerDialogs, clipboardText, makeFiles, resizePage } from './slipway.ts'

test('a watched folder shows its files, pauses, and follows the rules of its form', async ({ slipway }) => {
  const s = await slipway()
  const { page } = s
  const share = makeFiles(s.home, 'Share', { 'plan.txt': 'first plan', 'sub/notes.txt': 'notes' })
  await watchFolder(s, makeFiles(s.home, 'Other', { 'other.txt': 'other' }))
  await watchFolder(s, share)
  /** What the link on the clipboard leads to. */
  const copied = async (): Promise<string> => fetched(await clipboardText(s.app))
  const folder = page.getByRole('button', { name: /^Share, / })
  const chip = page.getByRole('button', { name: 'Only files of Share. Show all files' })
  await expect(fileRow(page, 'plan.txt')).toBeVisible()
  await expect(fileRow(page, 'notes.txt')).toBeVisible()
  await expect(fileRow(page, 'other.txt')).toBeVisible()

  await test.step('a click shows only its files, from any view, until the chip is clicked', async () => {
    await open(page, 'Usage')
    await folder.click()
    await expect(fileRow(page, 'other.txt')).toHaveCount(0)
    await expect(fileRow(page, 'plan.txt')).toBeVisible()
    await expect(fileRow(page, 'notes.txt')).toBeVisible()
    await chip.click()
    await expect(fileRow(page, 'other.txt')).toBeVisible()
  })

  await test.step('so does the palette', async () => {
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type('files of other')
    await page.keyboard.press('Enter')
    await expect(fileRow(page, 'plan.txt')).toHaveCount(0)
    await expect(fileRow(page, 'other.txt')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type('all folders')
    await page.keyboard.press('Enter')
    await expect(fileRow(page, 'plan.txt')).toBeVisible()
  })

  const choose = async (name: string): Promise<void> => {
    await folder.click({ button: 'right' })
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  await test.step('its menu copies the links of its files', async () => {
    await choose('Copy links')
    await expect.poll(async () => (await clipboardText(s.app)).split('\n').length).toBe(2)
    const contents = (await clipboardText(s.app)).split('\n').map(fetched)
    expect((await Promise.all(contents)).toSorted()).toEqual(['first plan', 'notes'])
  })

  await test.step('paused, it sends nothing, and says so in the row and in the sidebar', async () => {
    await choose('Pause')
    await expect(page.getByRole('button', { name: 'Share, Paused' })).toBeVisible()
    writeFileSync(join(share, 'later.txt'), 'later')
    await open(page, 'Transfers')
    await expect(transferRow(page, 'later.txt')).toContainText('Its folder is paused')
    // By the keyboard, this time.
    await folder.focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Resume', exact: true }).press('Enter')
    await expect.poll(() => liveNames(s)).toContain('later.txt')
  })

  await test.step('its rules ignore types and sizes, and show what is ignored anyway', async () => {
    await choose('Rules…')
    const dialog = page.getByRole('dialog', { name: 'Rules of Share' })
    await dialog.getByRole('button', { name: 'When a file changes' }).click()
    await page.getByRole('option', { name: 'Ask' }).click()
    await dialog.getByRole('button', { name: 'Which files' }).click()
    await dialog.getByRole('button', { name: 'File types' }).click()
    await page.getByRole('option', { name: 'Only these types' }).click()
    await expect(dialog.getByRole('button', { name: 'Save rules' })).toBeDisabled()
    await dialog.getByRole('textbox', { name: 'Extensions' }).fill('*.TXT, md')
    await dialog.getByRole('button', { name: 'What is always ignored' }).click()
    // However small the window and large the text, the buttons are in sight, wherever the form is scrolled.
    const large = (isOn: boolean): Promise<void> =>
      page.evaluate((on) => document.documentElement.style.setProperty('font-size', on ? '32px' : ''), isOn)
    await resizePage(s, 480, 560)
    await large(true)
    for (const name of ['When a file changes', 'What is always ignored']) {
      await dialog.getByRole('button', { name }).scrollIntoViewIfNeeded()
      await expect(dialog.getByRole('button', { name: 'Save rules' })).toBeInViewport({ ratio: 1 })
    }
    await large(false)
    await resizePage(s, 1180, 760)
    await expect(dialog).toContainText('*.crdownload')
    await expect(dialog).toContainText('System Volume Information/')
    await dialog.getByRole('button', { name: 'Save rules' }).click()
    await expect(dialog).toHaveCount(0)
    writeFileSync(join(share, 'picture.png'), 'picture')
    writeFileSync(join(share, 'readme.md'), 'readme')
    await expect.poll(() => liveNames(s)).toContain('readme.md')
    await expect(page.getByText('1 ignored')).toBeVisible()
    expect(liveNames(s)).not.toContain('picture.png')
  })

  await test.step('a changed file waits for an answer, which two clicks give', async () => {
    await open(page, 'Files')
    await fileRow(page, 'plan.txt').getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => copied()).toBe('first plan')
    const old = await clipboardText(s.app)
    writeFileSync(join(share, 'plan.txt'), 'second plan')
    await open(page, 'Transfers')
    const row = transferRow(page, 'plan.txt').first()
    await expect(row).toContainText('Held: has changed since its upload')
    const asked = await answerQuestions(s.app, 1)
    await row.getByRole('button', { name: 'Review' }).click()
    // The old version, whose link has just been used, lives for another hour.
    await expect.poll(() => liveNames(s).filter((name) => name === 'plan.txt')).toHaveLength(2)
    await expect(row).not.toContainText('Held')
    expect(await asked()).toMatchObject([
      {
        message: 'plan.txt has changed. Upload it?',
        buttons: ['Upload with a new link', 'Replace', 'Don’t upload', 'Decide later'],
        defaultId: 3,
      },
    ])
    await row.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(copied).toBe('second plan')
    expect((await fetch(old)).status).toBe(200)
  })

  await test.step('uploaded files move to a folder, once the user agrees, and back', async () => {
    const done = makeFiles(s.home, 'Done', {})
    await answerDialogs(s.app, [done])
    const asked = await answerQuestions(s.app, 0)
    await choose('Rules…')
    const dialog = page.getByRole('dialog', { name: 'Rules of Share' })
    await dialog.getByRole('button', { name: 'After the upload' }).click()
    await page.getByRole('option', { name: 'Move it to a folder' }).click()
    await expect(dialog).toContainText(done)
    await dialog.getByRole('button', { name: 'Save rules' }).click()
    await expect(dialog).toHaveCount(0)
    expect((await asked()).at(-1)).toMatchObject({
      message: 'Move files out of Share after their upload?',
      detail: expect.stringContaining(done),
      buttons: ['Move files', 'Keep files'],
      defaultId: 1,
    })
    writeFileSync(join(share, 'moving.txt'), 'moving')
    const row = transferRow(page, 'moving.txt')
    await expect(row).toContainText('now in Done')
    expect([existsSync(join(share, 'moving.txt')), existsSync(join(done, 'moving.txt'))]).toEqual([
      false,
      true,
    ])
    await undoesNext(s, 'Move moving.txt back')
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(page.getByText('Moved back')).toBeVisible()
    await expect(row).not.toContainText('now in')
    expect([existsSync(join(share, 'moving.txt')), existsSync(join(done, 'moving.txt'))]).toEqual([
      true,
      false,
    ])
  })
})

// The life of a watched folder: files are added, renamed, changed and deleted; the folder itself disappears
// and comes back. Every step is checked in the window and in the service's ledger, and the sums in the
// sidebar and status bar add up. The bench measures the speed.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixture.ts'
import {
  banner,
  command,
  fetched,
  fileRow,
  lengthenHighlights,
  liveNames,
  open,
  uploads,
  watchFolder,
} from './hands.ts'
import { answerDialogs, clipboardText, makeFiles, onOpening, type Slipway } from './slipway.ts'

const folder = (s: Slipway, words: string, name = 'Share'): Locator =>
  s.page.getByRole('button', { name: `${name}, ${words}` })

test('files saved in a watched folder are uploaded; a rename keeps the link, a change creates a new one', async ({
  slipway,
}) => {
  const s = await slipway()
  await lengthenHighlights(s.page)
  const share = makeFiles(s.home, 'Share', {
    'plan.txt': 'first plan',
    'half.part': 'left out',
    'sub/notes.txt': 'notes',
  })
  await watchFolder(s, share)
  await expect(folder(s, '2 of 2 done')).toBeVisible()
  expect(liveNames(s)).toEqual(['notes.txt', 'plan.txt'])

  writeFileSync(join(share, 'new.txt'), 'new file')
  await open(s.page, 'Files')
  await expect(fileRow(s.page, 'new.txt')).toBeVisible()
  await expect(folder(s, '3 of 3 done')).toBeVisible()

  // Renamed files and folders are recognized by content. A later file shows that they have been processed.
  renameSync(join(share, 'new.txt'), join(share, 'renamed.txt'))
  renameSync(join(share, 'sub'), join(share, 'moved'))
  writeFileSync(join(share, 'after.txt'), 'after the renaming')
  await expect(fileRow(s.page, 'after.txt')).toBeVisible()
  await expect(folder(s, '4 of 4 done')).toBeVisible()
  expect(liveNames(s)).toEqual(['after.txt', 'new.txt', 'notes.txt', 'plan.txt'])
  expect(uploads(s)).toBe(4)

  // A new version gets its own link; the old link keeps the old version.
  await fileRow(s.page, 'plan.txt').getByRole('button', { name: 'Copy' }).click()
  await expect(fileRow(s.page, 'plan.txt')).toContainText('Copied')
  const old = await clipboardText(s.app)
  writeFileSync(join(share, 'plan.txt'), 'second plan')
  await expect(fileRow(s.page, 'plan.txt')).toHaveCount(2)
  await fileRow(s.page, 'plan.txt').first().click()
  await s.page.keyboard.press('ControlOrMeta+C')
  await expect.poll(() => clipboardText(s.app)).not.toBe(old)
  expect(await fetched(await clipboardText(s.app))).toBe('second plan')
  expect(await fetched(old)).toBe('first plan')
  expect(uploads(s)).toBe(5)

  await open(s.page, 'Transfers')
  await expect(s.page.getByText('5 found = 4 uploaded + 1 ignored')).toBeVisible()
  // A file deleted here stays on the service.
  rmSync(join(share, 'after.txt'))
  await expect(s.page.getByText('4 found = 3 uploaded + 1 ignored')).toBeVisible()
  await expect(folder(s, '3 of 3 done')).toBeVisible()
  expect(liveNames(s)).toHaveLength(5)
})

test('what folders say of their files', async ({ slipway }) => {
  const s = await slipway()
  await test.step('a secret in a watched folder is held and counted as such', async () => {
    const share = makeFiles(s.home, 'Share', { 'a.txt': 'a', id_rsa: '-----BEGIN OPENSSH PRIVATE KEY-----' })
    await watchFolder(s, share)
    await expect(folder(s, '1 of 2 done')).toBeVisible()
    await expect(s.page.getByRole('button', { name: '1 file needs attention' })).toBeVisible()
    await open(s.page, 'Transfers')
    await expect(s.page.getByText('2 found = 1 uploaded + 1 held')).toBeVisible()
    expect(liveNames(s)).toEqual(['a.txt'])
  })
  await test.step('the numbers of a folder change together in the sidebar and in the settings', async () => {
    const share = makeFiles(s.home, 'Pair', { 'one.txt': 'one' })
    await watchFolder(s, share)
    await expect(folder(s, '1 of 1 done', 'Pair')).toBeVisible()
    await s.page.keyboard.press('ControlOrMeta+,')
    await s.page.getByRole('button', { name: 'Folders', exact: true }).click()
    await expect(s.page.getByText('1 found = 1 uploaded').first()).toBeVisible()
    writeFileSync(join(share, 'two.txt'), 'two')
    const differing = await s.page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const seen: string[] = []
          const look = (): void => {
            const text = document.body.innerText
            const isListed = text.includes('2 found = 2 uploaded')
            if (isListed !== text.includes('2 of 2 done')) seen.push(text)
            if (isListed || seen.length > 0) resolve(seen)
            else requestAnimationFrame(look)
          }
          look()
        }),
    )
    expect(differing).toEqual([])
  })
  await test.step('a folder isn’t watched while one of its rules is invalid, and then with all the rules typed', async () => {
    const share = makeFiles(s.home, 'Ruled', {
      'plan.txt': 'plan',
      'drafts/early.txt': 'early',
      'private/docs/mine.txt': 'mine',
    })
    await answerDialogs(s.app, [share])
    await s.page.getByRole('button', { name: 'Watch folder', exact: true }).click()
    const dialog = s.page.getByRole('dialog', { name: 'Watch Ruled' })
    const watch = dialog.getByRole('button', { name: 'Watch folder', exact: true })
    await dialog.getByRole('button', { name: 'Which files' }).click()
    await dialog.getByRole('textbox').fill('drafts/\nprivate\\docs')
    await expect(watch).toBeDisabled()
    await expect(watch).toHaveAccessibleDescription('Fix the rules to watch this folder.')
    await expect(dialog).toContainText('Use / between folders, also on Windows.')
    // Corrected and confirmed at once, without leaving the field.
    await dialog.getByRole('textbox').fill('drafts/\nprivate/docs')
    await watch.dispatchEvent('click')
    await expect(dialog).toHaveCount(0)
    await expect(folder(s, '1 of 1 done', 'Ruled')).toBeVisible()
    expect(liveNames(s)).toEqual(['a.txt', 'one.txt', 'plan.txt', 'two.txt'])
  })
})

test('an unavailable folder is reported; once it is back, its uploads continue', async ({ slipway }) => {
  const s = await slipway()
  const share = makeFiles(s.home, 'Share', { 'a.txt': 'a', 'b.txt': 'b' })
  await watchFolder(s, share)
  await expect(folder(s, '2 of 2 done')).toBeVisible()

  renameSync(share, join(s.home, 'Elsewhere'))
  const gone = banner(s.page, 'The folder Share is not available.')
  await expect(gone).toContainText('Reconnect its disk or restore the folder.')
  await expect(folder(s, 'Not available')).toBeVisible()
  onOpening(s.home, 'exit 2')
  await s.app.evaluate(({ shell }) => {
    shell.openPath = async () => 'It does not exist.'
  })
  await folder(s, 'Not available').click({ button: 'right' })
  await s.page.getByRole('menuitem', { name: 'Open folder' }).click()
  await expect(s.page.getByText('Couldn’t open the folder.')).toBeVisible()

  writeFileSync(join(s.home, 'Elsewhere', 'while-away.txt'), 'written while it was away')
  renameSync(join(s.home, 'Elsewhere'), share)
  await open(s.page, 'Files')
  await expect(fileRow(s.page, 'while-away.txt')).toBeVisible()
  await expect(gone).toHaveCount(0)
  await expect(folder(s, '3 of 3 done')).toBeVisible()
  expect(liveNames(s)).toEqual(['a.txt', 'b.txt', 'while-away.txt'])
  expect(uploads(s)).toBe(3)
})

test('a pause holds new files, even across a restart, until it ends', async ({ slipway }) => {
  const s = await slipway()
  const share = join(s.home, 'Share')
  mkdirSync(share)
  await watchFolder(s, share)
  await expect(folder(s, 'Empty')).toBeVisible()
  await command(s.page, 'Pause all')
  await expect(banner(s.page, 'New ones start when you resume.')).toBeVisible()
  writeFileSync(join(share, 'later.txt'), 'later')
  await open(s.page, 'Files')
  await expect(s.page.locator('.status-bar')).toContainText('1 waiting')
  await expect(folder(s, '0 of 1 done')).toBeVisible()

  const again = await s.restart()
  await expect(banner(again.page, 'New ones start when you resume.')).toBeVisible()
  expect(uploads(again)).toBe(0)
  await banner(again.page, 'New ones start when you resume.').getByRole('button', { name: 'Resume' }).click()
  await expect(fileRow(again.page, 'later.txt')).toBeVisible()
  await expect(folder(again, '1 of 1 done')).toBeVisible()
  expect(liveNames(again)).toEqual(['later.txt'])
})

// Cancelling in the window: many files are asked about whichever button ends them, and a confirmation that
// comes after the upload says so, because the link is public by then. So is one that may have arrived, which
// is said before it is given up.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from './fixture.ts'
import { command, DELETE_KEY, doneCount, fileRow, liveNames, open, transferRow } from './hands.ts'
import { ask, dropFiles, KEY, makeFiles } from './slipway.ts'

const COUNT = 22
const many = (bytes: number): Record<string, Uint8Array> =>
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, i) => [
      `scan-${String(i).padStart(2, '0')}.txt`,
      new Uint8Array(bytes).fill(65 + i),
    ]),
  )

test('cancelling in Transfers', async ({ slipway }) => {
  const s = await slipway({ service: { plan: 'pro', key: KEY, limits: { maxFileSize: 2_000_000 } } })
  await test.step('“Don’t upload” on a collapsed group of many files asks first', async () => {
    // A receipt reveals the unit of the limit.
    const desk = makeFiles(s.home, 'desk', { 'small.txt': 'x'.repeat(5000) })
    await dropFiles(s.page, [join(desk, 'small.txt')])
    await expect(fileRow(s.page, 'small.txt')).toBeVisible()
    await dropFiles(s.page, [makeFiles(s.home, 'many', many(2_100_000))])
    await s.page.getByRole('dialog').getByRole('button', { name: 'Add to Transfers' }).click()
    await open(s.page, 'Transfers')
    const fold = transferRow(s.page, `and ${COUNT - 1} more`)
    await fold.getByRole('button', { name: 'Don’t upload' }).click()
    const question = s.page.getByRole('alertdialog', { name: `Don’t upload ${COUNT} files?` })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(fold).toContainText('Held: exceeds the file size limit')

    await fold.getByRole('button', { name: 'Don’t upload' }).click()
    await question.getByRole('button', { name: 'Don’t upload' }).click()
    await expect(fold).toHaveCount(0)
    await expect(transferRow(s.page, 'scan-21.txt')).toContainText('Not uploaded')
    expect(liveNames(s)).toEqual(['small.txt'])
  })
  await test.step('deleting finished uploads in Transfers says that their files are deleted, or where they can be', async () => {
    await ask(s.page, 'change', { undoSeconds: 3 })
    await dropFiles(s.page, [join(makeFiles(s.home, 'desk', { 'done.txt': '1' }), 'done.txt')])
    await open(s.page, 'Transfers')
    const row = transferRow(s.page, 'done.txt')
    await expect(row).toContainText('Copy')
    await row.click()
    await s.page.keyboard.press(DELETE_KEY)
    await expect(s.page.getByText('Too late to cancel 1 upload')).toBeVisible()
    await expect(s.page.getByText('You can delete it in Files.')).toBeVisible()

    const fileIds = s.service.ledger
      .live()
      .filter((file) => file.filename === 'done.txt')
      .map((file) => file.fileId)
    expect(await ask(s.page, 'deleteFiles', { selection: { fileIds } })).toMatchObject({ ok: true })
    await expect(row).toContainText('Deleted')
    await row.click()
    await s.page.keyboard.press(DELETE_KEY)
    await expect(s.page.getByText('Nothing to cancel')).toBeVisible()
  })
  await test.step('a cancellation that is confirmed after the uploads says that the links are public', async () => {
    await command(s.page, 'Pause all')
    await dropFiles(s.page, [makeFiles(s.home, 'few', many(20))])
    await open(s.page, 'Transfers')
    const grid = s.page.getByRole('grid', { name: 'Transfers' })
    await expect(grid.getByRole('row', { name: `Waiting ${COUNT}` })).toBeVisible()
    await grid.focus()
    await s.page.keyboard.press('ControlOrMeta+A')
    await s.page.keyboard.press(DELETE_KEY)
    const question = s.page.getByRole('alertdialog', { name: `Cancel ${COUNT} uploads?` })
    await expect(question).toBeVisible()
    const before = (await doneCount(s.page)) ?? 0
    await ask(s.page, 'resume', {})
    await expect.poll(() => doneCount(s.page)).toBe(before + COUNT)
    await question.getByRole('button', { name: 'Cancel uploads' }).click()
    await expect(s.page.getByText(`Too late to cancel ${COUNT} uploads`)).toBeVisible()
    await expect(s.page.getByText('The files are already uploaded and their links are public.')).toBeVisible()
  })
})

test('“Don’t upload” on a file that may have arrived says so first', async ({ slipway }) => {
  const first = await slipway()
  await command(first.page, 'Pause all')
  const desk = makeFiles(first.home, 'desk', { 'lost.txt': 'lost' })
  await dropFiles(first.page, [join(desk, 'lost.txt')])
  await open(first.page, 'Transfers')
  await expect(transferRow(first.page, 'lost.txt')).toBeVisible()
  await first.app.close()
  // As the engine leaves it if every answer was lost, and the list doesn't show for minutes whether an upload
  // arrived.
  const db = new DatabaseSync(join(first.data, 'journal.db'))
  db.prepare("UPDATE transfers SET state = 'held', reason = 'unconfirmed' WHERE name = ?").run('lost.txt')
  db.close()

  const s = await first.restart()
  await open(s.page, 'Transfers')
  const row = transferRow(s.page, 'lost.txt')
  const question = s.page.getByRole('alertdialog', { name: 'Don’t upload 1 file?' })
  const leave = async (): Promise<void> => {
    await row.getByRole('button', { name: 'Review' }).click()
    await s.page.getByRole('menuitem', { name: 'Don’t upload' }).click()
    await expect(question).toContainText('1 file may already be uploaded and its link public.')
  }
  await leave()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(row).toContainText('Held: was never confirmed by the service')
  await leave()
  await question.getByRole('button', { name: 'Don’t upload' }).click()
  await expect(row).toContainText('Not uploaded')
})

// A deletion can be undone for a few seconds; then the file is deleted on the service. Quitting ends that
// time. The service's ledger shows what was deleted, and by whom. Scenario tests cover the number of
// requests.
import { expect, test } from './fixture.ts'
import { answerQuestions, command, DELETE_KEY, fileList, fileRow, liveNames } from './hands.ts'
import { ask, KEY, reload, type Slipway } from './slipway.ts'

/** Stores these files on the service, the newest last, and waits until the window shows them. */
async function plant(s: Slipway, ...names: readonly string[]): Promise<void> {
  for (const filename of names) s.service.plant({ filename })
  await command(s.page, 'Refresh')
  await expect(fileRow(s.page, names.at(-1) ?? '')).toBeVisible()
}

const deletes = (s: Slipway): number =>
  s.service.requests.list().filter((one) => one.endpoint === 'delete').length

test('deletions and restarts', async ({ slipway }) => {
  const s = await slipway({
    service: { plan: 'business', key: KEY },
    settings: { undoSeconds: 60 },
  })
  await plant(s, 'a.txt', 'b.txt', 'c.txt', 'd.txt')
  let again = s
  await test.step('quitting within the undo period deletes the file at once or at the next start', async () => {
    await fileRow(s.page, 'a.txt').click()
    await s.page.keyboard.press(DELETE_KEY)
    await expect(s.page.locator('.notice-card')).toContainText('a.txt')
    again = await s.restart()
    await expect.poll(() => liveNames(again)).toEqual(['b.txt', 'c.txt', 'd.txt'])
    await expect(fileRow(again.page, 'b.txt')).toBeVisible()
    await expect(fileRow(again.page, 'a.txt')).toHaveCount(0)
  })
  await test.step('without a connection a deletion waits, is listed and survives a restart, and can be cancelled', async () => {
    const { page, service } = again
    await ask(page, 'change', { undoSeconds: 3 })
    await service.goAway()
    for (const name of ['b.txt', 'c.txt']) {
      await fileRow(page, name).click()
      await page.keyboard.press(DELETE_KEY)
    }
    const waits = page.getByRole('status').filter({ hasText: 'Deleting' })
    await expect(waits).toContainText('b.txt, c.txt')
    again = await again.restart()
    const stillWaits = again.page.getByRole('status').filter({ hasText: 'Deleting' })
    await expect(stillWaits).toContainText('b.txt, c.txt')
    await stillWaits.getByRole('button', { name: 'Keep files' }).click()
    await expect(stillWaits).toHaveCount(0)
    await again.service.comeBack()
    await expect(fileRow(again.page, 'b.txt').getByText('Deleting')).toHaveCount(0)
    expect(liveNames(again)).toEqual(['b.txt', 'c.txt', 'd.txt'])
  })
})

test('deleting in Files', async ({ slipway }) => {
  const s = await slipway({
    service: { plan: 'business', key: KEY },
    settings: { undoSeconds: 3 },
    before: ({ service }) => {
      for (let i = 0; i < 12; i++) service.plant({ filename: `file-${i}.txt` })
    },
  })

  await test.step('deleting more than a few files asks in a system dialog whose default is to cancel', async () => {
    await command(s.page, 'Refresh')
    await fileRow(s.page, 'file-3.txt').click()
    await s.page.keyboard.press('ControlOrMeta+A')
    const declined = await answerQuestions(s.app, 1)
    await s.page.keyboard.press(DELETE_KEY)
    await expect
      .poll(declined)
      .toMatchObject([
        { message: 'Delete 12 files?', buttons: ['Delete 12 files', 'Keep files'], defaultId: 1 },
      ])
    await expect(s.page.locator('.notice-card')).toHaveCount(0)
    expect(liveNames(s)).toHaveLength(12)
    await answerQuestions(s.app, 0)
    await s.page.keyboard.press(DELETE_KEY)
    await expect.poll(() => liveNames(s)).toEqual([])
    await expect(fileList(s.page).getByRole('row')).toHaveCount(0)
  })
  await test.step('a reloaded page still offers to undo', async () => {
    await plant(s, 'a.txt', 'b.txt', 'c.txt', 'd.txt')
    await ask(s.page, 'change', { undoSeconds: 50 })
    await fileRow(s.page, 'b.txt').click()
    await s.page.keyboard.press(DELETE_KEY)
    const undo = s.page.locator('.notice-card').getByRole('button', { name: 'Undo' })
    await expect(undo).toBeVisible()
    await reload(s.page)
    await undo.click()
    await expect(undo).toHaveCount(0)
    await expect(fileRow(s.page, 'b.txt')).not.toContainText('Deleting')
  })
  await test.step('several files can be deleted at once, also from the menu, and one that is already gone isn’t an error', async () => {
    await ask(s.page, 'change', { undoSeconds: 6 })
    const gone = s.service.ledger.live().find((one) => one.filename === 'b.txt')
    await fileRow(s.page, 'c.txt').click()
    await fileRow(s.page, 'a.txt').click({ modifiers: ['Shift'] })
    await fileRow(s.page, 'b.txt').click({ button: 'right' })
    // Now, because a list that is read again would no longer have the row.
    s.service.deleteBehindTheBack(gone?.fileId ?? -1)
    await s.page.getByRole('menuitem', { name: 'Delete 3 files' }).click()
    await expect(s.page.locator('.notice-card').filter({ hasText: 'and 2 more' })).toBeVisible()
    await expect(fileList(s.page).getByRole('row')).toHaveCount(2)
    expect(liveNames(s)).toEqual(['d.txt'])
    await expect(s.page.getByText('still on the service')).toHaveCount(0)
  })
  await test.step('Undo keeps the file; otherwise it is deleted on the service', async () => {
    await plant(s, 'a.txt', 'b.txt', 'c.txt')
    await ask(s.page, 'change', { undoSeconds: 50 })
    s.service.requests.clear()
    await fileRow(s.page, 'b.txt').click()
    await s.page.keyboard.press(DELETE_KEY)
    const told = s.page.locator('.notice-card').filter({ hasText: 'Deleting in' })
    await expect(told).toContainText(/Deleting in \d+\ss/)
    // Screen readers announce the full time once, because the number that counts down is hidden from them.
    const spoken = (): Promise<string | null> =>
      told.evaluate((region) => {
        const copy = region.cloneNode(true) as HTMLElement
        for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove()
        return copy.textContent
      })
    const atFirst = await spoken()
    expect(atFirst).toMatch(/Deleting in \d+\ss/)
    const countdown = told.locator('.figures')
    const shown = await countdown.textContent()
    await expect(countdown).not.toHaveText(shown ?? '')
    expect(await spoken()).toBe(atFirst)
    await told.getByRole('button', { name: 'Undo' }).click()
    await expect(told).toHaveCount(0)

    await ask(s.page, 'change', { undoSeconds: 6 })
    await fileRow(s.page, 'c.txt').click()
    await s.page.keyboard.press(DELETE_KEY)
    await expect(told).toBeVisible()
    await expect(fileRow(s.page, 'c.txt')).toHaveCount(0)
    await expect(told).toHaveCount(0)
    // The deletion that was undone would have been carried out first.
    await expect(fileRow(s.page, 'b.txt')).toBeVisible()
    expect(liveNames(s)).toEqual(['a.txt', 'b.txt', 'd.txt'])
    expect(s.service.ledger.files().find((one) => one.filename === 'c.txt')?.deletedBy).toBe('client')
    expect(deletes(s)).toBe(1)
  })
  await test.step('without an undo period the file is deleted at once; a refused deletion is listed and waits', async () => {
    await plant(s, 'c.txt')
    await ask(s.page, 'change', { undoSeconds: 3 })
    await fileRow(s.page, 'a.txt').click()
    await s.page.keyboard.press(DELETE_KEY)
    await expect(fileRow(s.page, 'a.txt')).toHaveCount(0)
    expect(liveNames(s)).toEqual(['b.txt', 'c.txt', 'd.txt'])

    s.service.setFaults({ rules: [{ on: 'delete', kinds: { kind: 'error-before-store', status: 500 } }] })
    await fileRow(s.page, 'b.txt').click()
    await s.page.keyboard.press(DELETE_KEY)
    const waits = s.page.getByRole('status').filter({ hasText: 'Deleting' })
    await expect(waits).toContainText('b.txt')
    await expect(fileRow(s.page, 'b.txt').getByText('Deleting')).toBeAttached()
    await fileRow(s.page, 'b.txt').click()
    const details = s.page.getByRole('complementary', { name: 'Details' })
    await expect(details).toContainText('Being deleted, still public until then')
    expect(liveNames(s)).toEqual(['b.txt', 'c.txt', 'd.txt'])
    s.service.setFaults({ rules: [] })
    await expect(fileRow(s.page, 'b.txt')).toHaveCount(0, { timeout: 60_000 })
    await expect(waits).toHaveCount(0)
    expect(liveNames(s)).toEqual(['c.txt', 'd.txt'])
  })
  await test.step('a file whose deletion the service may have carried out isn’t reported as kept', async () => {
    await plant(s, 'a.txt', 'b.txt')
    // The file is read before it is deleted.
    const later = Array.from({ length: 200 }, (_, at) => at + 2)
    s.service.setFaults({
      rules: [
        { on: 'delete', kinds: 'cut-after-store' },
        { on: ['list', 'stats'], kinds: 'cut-before-body' },
        { on: 'get', nth: later, kinds: 'cut-before-body' },
      ],
    })
    await fileRow(s.page, 'a.txt').click()
    await s.page.keyboard.press(DELETE_KEY)
    await expect.poll(() => liveNames(s)).toEqual(['b.txt', 'c.txt', 'd.txt'])
    const waits = s.page.getByRole('status').filter({ hasText: 'Deleting' })
    await waits.getByRole('button', { name: 'Keep file' }).click()
    await expect(s.page.getByText('Too late to keep 1 file')).toBeVisible()
    await expect(s.page.getByText('The request to delete was already sent.')).toBeVisible()
  })
})

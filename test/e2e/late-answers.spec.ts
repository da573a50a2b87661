// Keys and searches that are faster than the answers of the engine: the window neither says what isn't so
// yet, nor acts on what it showed before.
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import { fileList, fileRow, open, transferRow, watchFor } from './hands.ts'
import { dropFiles, makeFiles } from './slipway.ts'

test('answers that come later than keys', async ({ slipway }) => {
  const s = await slipway({
    before: ({ service }) => {
      for (const filename of ['one.txt', 'two.txt', 'three.txt'])
        service.plant({ filename, size: 5, storedAt: Date.now() - 60_000, downloads: 0 })
    },
  })
  await test.step('Arrow Down right after a search in Files selects the first match', async () => {
    const { page } = s
    await fileRow(page, 'one.txt').click()
    await page.keyboard.press('ControlOrMeta+F')
    // Answers don't arrive before this function has ended.
    await page.evaluate(async () => {
      const field = document.activeElement as HTMLInputElement
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'two')
      field.dispatchEvent(new Event('input', { bubbles: true }))
      for (let i = 0; i < 20; i++) await Promise.resolve()
      field.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'ArrowDown',
          code: 'ArrowDown',
          bubbles: true,
          cancelable: true,
        }),
      )
      for (let i = 0; i < 20; i++) await Promise.resolve()
      if (document.querySelector('[aria-selected=true]') !== null)
        throw new Error('A file of the earlier list is selected.')
    })
    await expect(fileList(page)).toBeFocused()
    await expect(fileList(page).getByRole('row', { selected: true })).toHaveText(/two\.txt/)
  })
  await test.step('a search in Transfers that ends doesn’t say that there are no transfers', async () => {
    const { page } = s
    const desk = makeFiles(s.home, 'desk', { 'sent.txt': 'sent' })
    await dropFiles(page, [join(desk, 'sent.txt')])
    await open(page, 'Transfers')
    await expect(transferRow(page, 'sent.txt')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+F')
    await page.keyboard.type('no such name')
    await expect(page.getByText('“no such name”')).toBeVisible()
    const isSaid = await watchFor(page, /No transfers/)
    await page.keyboard.press('Escape')
    await expect(transferRow(page, 'sent.txt')).toBeVisible()
    expect(await isSaid()).toBe(false)
  })
})

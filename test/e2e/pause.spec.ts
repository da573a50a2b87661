// Pausing everything or a single file, and the uploads under way: either they finish and the window says so,
// or they are stopped at once. Each file is uploaded once. Scenario tests cover a lost answer.
import { join } from 'node:path'
import { clickTray, hasRecords, trayMenu } from './desk.ts'
import { expect, test } from './fixture.ts'
import { banner, command, fileRow, liveNames, open, transferRow, UPLOADS_UNANSWERED } from './hands.ts'
import { dropFiles, makeFiles, type Slipway } from './slipway.ts'

async function upload(s: Slipway, name: string): Promise<void> {
  s.service.setFaults(UPLOADS_UNANSWERED)
  await dropFiles(s.page, [join(makeFiles(s.home, 'desk', { [name]: name }), name)])
  await expect(s.page.getByRole('progressbar', { name })).toBeVisible()
}

async function resumed(s: Slipway, ...names: readonly string[]): Promise<void> {
  s.service.setFaults({ rules: [] })
  await banner(s.page, 'Paused.').getByRole('button', { name: 'Resume' }).click()
  await expect(fileRow(s.page, names.at(-1) ?? '')).toBeVisible({ timeout: 30_000 })
  await expect(s.page.getByText('Every file accounted for')).toBeVisible({ timeout: 30_000 })
  expect(liveNames(s)).toEqual(names)
}

test('a pause says that an upload in progress finishes; “Pause now” stops it', async ({ slipway }) => {
  const s = await slipway()
  await upload(s, 'a.txt')
  await command(s.page, 'Pause all')
  const paused = banner(s.page, 'Paused.')
  await expect(paused).toContainText('1 upload in progress finishes. New ones start when you resume.')
  await paused.getByRole('button', { name: 'Pause now' }).click()
  await expect(paused).toContainText('No uploads in progress. New ones start when you resume.')
  await expect(paused.getByRole('button', { name: 'Pause now' })).toHaveCount(0)
  await expect(s.page.getByRole('progressbar', { name: 'a.txt' })).toHaveCount(0)
  await resumed(s, 'a.txt')

  if (hasRecords)
    await test.step('the tray stops uploads in progress too', async () => {
      await upload(s, 'b.txt')
      await expect.poll(() => trayMenu(s.app)).toContain('Pause after 1 upload in progress')
      await clickTray(s.app, 'Pause now, stop uploads in progress')
      await expect(paused).toContainText('No uploads in progress.')
      await resumed(s, 'a.txt', 'b.txt')
    })
})

test('one upload stays paused while the others continue, even across a restart, until it is resumed', async ({
  slipway,
}) => {
  const s = await slipway({ service: { uploadBytesPerSecond: 60_000 } })
  const desk = makeFiles(s.home, 'desk', { 'long.bin': new Uint8Array(1_500_000), 'short.txt': 'short' })
  await dropFiles(s.page, [join(desk, 'long.bin')])
  await open(s.page, 'Transfers')
  const row = transferRow(s.page, 'long.bin')
  await row.getByRole('button', { name: 'Pause upload' }).click()
  await expect(row).toContainText('Paused')
  await expect(s.page.getByRole('progressbar', { name: 'long.bin' })).toHaveCount(0)
  await expect(banner(s.page, 'Paused.')).toHaveCount(0)
  await dropFiles(s.page, [join(desk, 'short.txt')])
  await expect(transferRow(s.page, 'short.txt')).toContainText('Uploaded')
  expect(liveNames(s)).toEqual(['short.txt'])

  const again = await s.restart()
  await open(again.page, 'Transfers')
  const still = transferRow(again.page, 'long.bin')
  await expect(still).toContainText('Paused')
  again.service.setUploadRate(null)
  await still.click({ button: 'right' })
  await again.page.getByRole('menuitem', { name: 'Resume upload' }).click()
  await expect(still).toContainText('Uploaded')
  expect(liveNames(again)).toEqual(['long.bin', 'short.txt'])
})

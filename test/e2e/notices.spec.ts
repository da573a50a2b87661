// Notices and questions that the window shows on its own. No notice covers a row's Copy button or the plan's
// limits, in any window and text size. Users who upgraded are asked once about links of saved files. A
// duplicate on the service is reported and can be deleted with one click.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { textsOf } from '../../src-shared/i18n/texts.ts'
import { expect, test } from './fixture.ts'
import {
  banner,
  command,
  DELETE_KEY,
  fileRow,
  folderState,
  liveNames,
  open,
  openSection,
  transferRow,
  watchFolder,
  watchFor,
} from './hands.ts'
import { clipboardText, dropFiles, KEY, makeFiles, resizePage, type Slipway } from './slipway.ts'
import { usedStart } from './tour.ts'

const SHAPES = [
  { width: 1180, height: 760, text: 1 },
  { width: 820, height: 600, text: 2 },
  { width: 480, height: 640, text: 1 },
  { width: 480, height: 640, text: 2 },
  { width: 480, height: 400, text: 1 },
] as const

async function shape(
  { app, page }: Slipway,
  { width, height, text }: (typeof SHAPES)[number],
): Promise<void> {
  await resizePage({ app, page }, width, height)
  await page.evaluate(
    (size) => {
      document.documentElement.style.fontSize = size
    },
    `${16 * text}px`,
  )
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/**
 * The visible Copy buttons, gauges and status bars that something covers, each with what a click there would
 * hit instead.
 */
function covered(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const name = (element: Element | null): string =>
      `${element?.className ?? 'nothing'} “${(element?.textContent ?? '').slice(0, 40)}”`
    const grid = document.querySelector('[role=grid]')?.getBoundingClientRect()
    if (grid === undefined || grid.height < 1) return ['no list']
    // The header stays at the top of the list and covers rows that scroll.
    const ceiling =
      document.querySelector('[role=grid] [role=row]:has([role=columnheader])')?.getBoundingClientRect()
        .bottom ?? grid.top
    const points: [Element, number, number][] = []
    for (const copy of document.querySelectorAll('[data-copy]')) {
      const box = copy.getBoundingClientRect()
      if (box.width > 0 && box.top >= ceiling && box.bottom <= grid.bottom)
        points.push([copy, box.left + box.width / 2, box.top + box.height / 2])
    }
    if (points.length === 0) found.push('no Copy in sight')
    for (const around of document.querySelectorAll('.gauge, .status-bar')) {
      const { left, top, right, bottom } = around.getBoundingClientRect()
      // Only the part that is inside the window.
      for (const x of [left + 4, right - 4])
        for (const y of [top + 4, Math.min(bottom, innerHeight) - 4]) points.push([around, x, y])
    }
    for (const [element, x, y] of points) {
      const hit = document.elementFromPoint(x, y)
      if (hit === null || !(element === hit || element.contains(hit)))
        found.push(`${name(element)} is under ${name(hit)}`)
    }
    return found
  })
}

for (const language of ['en', 'de'] as const)
  test(`notices cover neither a Copy button nor a limit (${language})`, async ({ slipway }) => {
    const s = await slipway(usedStart(language))
    const { page } = s
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const t = textsOf(language)
    await expect(
      fileRow(page, '-00000.')
        .or(page.getByRole('row').filter({ hasText: '-00000.' }))
        .first(),
    ).toBeVisible()
    // Three that stay: two deletions that can be undone, and a failed copy.
    for (const part of ['-00003.', '-00004.']) {
      await page.getByRole('row').filter({ hasText: part }).click()
      await page.keyboard.press(DELETE_KEY)
    }
    await s.app.evaluate(({ clipboard }) => {
      clipboard.writeText = () => {
        throw new Error('held by another program')
      }
    })
    await page.getByRole('row').filter({ hasText: '-00000.' }).click()
    await page.keyboard.press('ControlOrMeta+C')
    await expect(page.getByText(t.failures.clipboard.title)).toBeVisible()
    await expect(page.locator('.notice')).toHaveCount(3)
    for (const one of SHAPES) {
      await shape(s, one)
      // On a busy machine, the rows take more than a frame to move apart after a change of the text size.
      await expect.poll(() => covered(page), JSON.stringify(one)).toEqual([])
      // The last row is scrolled into view above the notices.
      await page.getByRole('grid').focus()
      await page.keyboard.press('End')
      await expect(page.getByRole('row').filter({ hasText: '-00059.' })).toBeVisible()
      await expect.poll(() => covered(page), `${JSON.stringify(one)}, at the end`).toEqual([])
      await page.keyboard.press('Home')
    }
  })

/**
 * Closes the app, which might still save its settings, and rewrites them as an earlier version would have,
 * which didn't copy links of saved files.
 */
async function forgetCopying(s: Slipway): Promise<void> {
  await s.app.close()
  const file = join(s.data, 'settings.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  for (const name of ['copyWatched', 'copyFolders', 'copyAsk']) delete settings.app[name]
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 })
}

test('folders watched by an earlier version are asked about once, and their links are copied from then on', async ({
  slipway,
}) => {
  const first = await slipway()
  const share = makeFiles(first.home, 'Share', { 'old.txt': 'old' })
  await watchFolder(first, share)
  await expect(fileRow(first.page, 'old.txt')).toBeVisible()
  await expect(banner(first.page, 'Copy links of saved files?')).toHaveCount(0)
  await forgetCopying(first)

  const s = await first.restart()
  const offer = banner(s.page, 'Copy links of saved files?')
  await expect(offer).toContainText('each file you save in Share')
  await offer.getByRole('button', { name: 'Copy links' }).click()
  await expect(offer).toHaveCount(0)
  // Files found by the initial scan were saved earlier, so their links aren't copied.
  await expect.poll(() => folderState(s.page)).toBe('watching')
  makeFiles(s.home, 'Share', { 'new.txt': 'new' })
  await expect(fileRow(s.page, 'new.txt')).toBeVisible()
  await expect.poll(async () => (await clipboardText(s.app)).startsWith('http')).toBe(true)
  const again = await s.restart()
  await expect(fileRow(again.page, 'new.txt')).toBeVisible()
  await expect(banner(again.page, 'Copy links of saved files?')).toHaveCount(0)
})

test('“Not now” counts as an answer: the question isn’t repeated, and nothing is copied', async ({
  slipway,
}) => {
  const first = await slipway()
  for (const name of ['Share', 'Photos']) {
    await watchFolder(first, makeFiles(first.home, name, {}))
    await expect(first.page.getByRole('dialog')).toHaveCount(0)
  }
  await expect(first.page.getByRole('button', { name: /^Photos,/ })).toBeVisible()
  await forgetCopying(first)
  const s = await first.restart()
  const offer = banner(s.page, 'Copy links of saved files?')
  await expect(offer).toContainText('Share, Photos')
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toHaveCount(0)
  const again = await s.restart()
  await expect(again.page.getByRole('button', { name: /^Photos,/ })).toBeVisible()
  await expect(banner(again.page, 'Copy links of saved files?')).toHaveCount(0)
  expect(JSON.parse(readFileSync(join(again.data, 'settings.json'), 'utf8')).app).toMatchObject({
    copyAsk: [],
    copyFolders: [],
  })
})

/**
 * The state in which the engine leaves a duplicate if another client writes to the account
 * (presence/twins.ts): recorded, not deleted.
 */
function leaveTwin(s: Slipway, filename: string): void {
  const twin = s.service.plant({ filename, size: 6 })
  const db = new DatabaseSync(join(s.data, 'journal.db'))
  const row = db.prepare('SELECT id FROM transfers WHERE name = ?').get(filename)
  db.prepare("INSERT INTO twins (file_id, transfer_id, found_at, fate) VALUES (?, ?, ?, 'left')").run(
    twin.fileId,
    row?.['id'] ?? 0,
    Date.now(),
  )
  db.close()
}

test('a duplicate that was left on the service is shown in the window, and one click deletes it', async ({
  slipway,
}) => {
  const first = await slipway({ service: { plan: 'business', key: KEY }, settings: { undoSeconds: 6 } })
  await watchFolder(first, makeFiles(first.home, 'Share', { 'report.txt': 'report' }))
  await expect(fileRow(first.page, 'report.txt')).toBeVisible()
  const kept = first.service.ledger.live()[0]?.fileId
  await first.app.close()
  leaveTwin(first, 'report.txt')

  const s = await first.restart()
  await command(s.page, 'Refresh')
  await openSection(s.page, 'Folders')
  await expect(banner(s.page, 'Second copy on the service: report.txt.')).toBeVisible()
  await open(s.page, 'Transfers')
  const told = banner(s.page, 'Second copy on the service: report.txt.')
  await told.getByRole('button', { name: 'Delete copy' }).click()
  await expect(s.page.locator('.notice-card')).toContainText('Deleting in')
  await expect(told).toHaveCount(0)
  await expect.poll(() => s.service.ledger.live().map((one) => one.fileId)).toEqual([kept])
  expect(liveNames(s)).toEqual(['report.txt'])
})

test('a duplicate of a dropped file outside watched folders is shown as well', async ({ slipway }) => {
  const first = await slipway({ service: { plan: 'business', key: KEY }, settings: { undoSeconds: 3 } })
  await dropFiles(first.page, [join(makeFiles(first.home, 'desk', { 'report.txt': 'report' }), 'report.txt')])
  await expect(fileRow(first.page, 'report.txt')).toBeVisible()
  const kept = first.service.ledger.live()[0]?.fileId
  await first.app.close()
  leaveTwin(first, 'report.txt')

  const s = await first.restart()
  await command(s.page, 'Refresh')
  await open(s.page, 'Transfers')
  const told = banner(s.page, 'Second copy on the service: report.txt.')
  await told.getByRole('button', { name: 'Dismiss' }).click()
  await expect(told).toHaveCount(0)
  // After the banner is dismissed, the settings still offer to delete the duplicates.
  await openSection(s.page, 'Uploads')
  await told.getByRole('button', { name: 'Delete copy' }).click()
  await expect(told).toHaveCount(0)
  await expect.poll(() => s.service.ledger.live().map((one) => one.fileId)).toEqual([kept])
})

test('a time is shown only while it is in the future', async ({ slipway }) => {
  const s = await slipway({ service: { plan: 'business', key: KEY } })
  await open(s.page, 'Transfers')
  // The answer is lost, and the check that follows gets no answer either.
  s.service.setFaults({
    rules: [
      { on: 'upload', nth: 1, kinds: 'cut-after-store' },
      { on: ['list', 'get', 'stats'], kinds: 'stall-before-store' },
    ],
  })
  const row = transferRow(s.page, 'lost.txt')
  // The time is shown for a few seconds, between two looks of a spec on a busy machine.
  const shown = await watchFor(s.page, /Checking whether the upload arrived, next check at \d\d:\d\d:\d\d/)
  await dropFiles(s.page, [join(makeFiles(s.home, 'desk', { 'lost.txt': 'lost' }), 'lost.txt')])
  await expect.poll(shown).toBe(true)
  await expect(row).toContainText(/Checking whether the upload arrived(?!, next check)/)
})

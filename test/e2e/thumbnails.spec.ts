// Thumbnails in the rows: made by the shell from local pictures, and never larger than a tile needs.
// Without a thumbnail, the icon stays.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { makePng } from '../demo/png.ts'
import { expect, test } from './fixture.ts'
import { fileRow, open, transferRow } from './hands.ts'
import { dropFiles, makeFiles } from './slipway.ts'

/** A picture in a single colour. */
function png(width: number, height: number, color: readonly [number, number, number]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => Buffer.from(color))])
  return makePng({ width, height, color: 2 }, Buffer.concat(Array.from({ length: height }, () => row)))
}

/** The sizes of all images in the page, by URL. */
function pictures(page: Page): Promise<Readonly<Record<string, readonly [number, number]>>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('img')].map((one) => [new URL(one.src).pathname, [one.naturalWidth, one.naturalHeight]] as const),
    ),
  )
}

test('rows of local images show thumbnails; damaged images and other files keep their icon', async ({ slipway }) => {
  const s = await slipway({ env: { XDG_CACHE_HOME: '/nonexistent' } })
  const desk = makeFiles(s.home, 'desk', {
    'wide.png': png(1600, 400, [200, 40, 40]),
    'damaged.png': png(1600, 400, [0, 0, 0]).subarray(0, 200),
    'notes.txt': 'no picture',
  })
  await dropFiles(s.page, [join(desk, 'wide.png'), join(desk, 'damaged.png'), join(desk, 'notes.txt')])
  for (const name of ['wide.png', 'damaged.png', 'notes.txt']) await expect(fileRow(s.page, name)).toBeVisible()
  await expect(fileRow(s.page, 'wide.png').locator('img')).toHaveCSS('opacity', '1')
  await expect(fileRow(s.page, 'damaged.png').locator('img')).toHaveCount(0)
  await expect(fileRow(s.page, 'notes.txt').locator('img')).toHaveCount(0)
  for (const name of ['damaged.png', 'notes.txt']) await expect(fileRow(s.page, name).locator('.kind-tile svg')).toBeVisible()
  await expect.poll(async () => Object.values(await pictures(s.page))).toEqual([[64, 16]])
  await open(s.page, 'Transfers')
  await expect(transferRow(s.page, 'wide.png').locator('img')).toHaveCSS('opacity', '1')
})

// Small pictures in the rows: of local images, made by the shell, never larger than a tile needs.
// Wherever there is none, the icon stays.
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from './fixture.ts'
import { fileRow, open, transferRow } from './hands.ts'
import { dropFiles, makeFiles } from './slipway.ts'

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
  head.writeUInt32BE(data.length)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

/** A picture of one colour. */
function png(width: number, height: number, color: readonly [number, number, number]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => Buffer.from(color))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

/** The sizes of all pictures that the page has, by their addresses. */
function pictures(page: Page): Promise<Readonly<Record<string, readonly [number, number]>>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('img')].map((one) => [new URL(one.src).pathname, [one.naturalWidth, one.naturalHeight]] as const),
    ),
  )
}

test('rows of local images show them, small; damaged ones and other files keep their icon', async ({ slipway }) => {
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
  const sizes = Object.values(await pictures(s.page))
  expect(sizes).toEqual([[64, 16]])
  await open(s.page, 'Transfers')
  await expect(transferRow(s.page, 'wide.png').locator('img')).toHaveCSS('opacity', '1')
})

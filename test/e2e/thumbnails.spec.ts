// Thumbnails in the rows: made by the page from local pictures in every format that it can decode, and never
// larger than a tile needs. Without a thumbnail, the icon stays.
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { makePng } from '../demo/png.ts'
import { expect, test } from './fixture.ts'
import { fileRow, open, transferRow } from './hands.ts'
import { needsElectron } from './provable.ts'
import { dropFiles, makeFiles } from './slipway.ts'

/** A picture in a single colour. */
function png(width: number, height: number, color: readonly [number, number, number]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => Buffer.from(color))])
  return makePng({ width, height, color: 2 }, Buffer.concat(Array.from({ length: height }, () => row)))
}

/** A picture whose upper half is red and whose lower half is blue, encoded by the page. */
async function twoColors(page: Page, type: string, width: number, height: number): Promise<Buffer> {
  const address = await page.evaluate(
    ([as, w, h]) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: w, height: h })
      const context = canvas.getContext('2d')
      for (const [i, color] of ['red', 'blue'].entries()) {
        if (context === null) break
        context.fillStyle = color
        context.fillRect(0, (i * h) / 2, w, h / 2)
      }
      return canvas.toDataURL(as)
    },
    [type, width, height] as const,
  )
  expect(address).toContain(`data:${type};base64,`)
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

/**
 * The same JPEG as a camera saves it that was held upright: its pixels are to be turned by 90 degrees
 * clockwise.
 */
function turned(jpeg: Buffer): Buffer {
  const exif = Buffer.from('ffe100224578696600004d4d002a000000080001011200030000000100060000000000', 'hex')
  return Buffer.concat([jpeg.subarray(0, 2), exif, Buffer.alloc(1), jpeg.subarray(2)])
}

/**
 * The size of a thumbnail, and the colours of its first and last pixel, each as red, green and blue in steps
 * of 64.
 */
function look(thumbnail: Locator): Promise<string> {
  return thumbnail.evaluate((canvas: HTMLCanvasElement) => {
    const at = (x: number, y: number): string =>
      [...(canvas.getContext('2d')?.getImageData(x, y, 1, 1).data ?? [])]
        .slice(0, 3)
        .map((part) => Math.round(part / 64))
        .join('')
    return `${canvas.width}x${canvas.height} ${at(0, 0)} ${at(canvas.width - 1, canvas.height - 1)}`
  })
}

const [RED, BLUE] = ['400', '004']

test('rows of local pictures show thumbnails in every format; huge, damaged and other files keep their icon', async ({
  slipway,
}) => {
  needsElectron(
    { chrome: 131 },
    'Chromium before 131 resizes a picture before it turns it as its EXIF data say',
  )
  const s = await slipway()
  const { page } = s
  const thumbnail = (name: string): Locator => fileRow(page, name).locator('canvas')
  const drop = (files: Readonly<Record<string, Uint8Array | string>>): Promise<void> => {
    const desk = makeFiles(s.home, 'desk', files)
    return dropFiles(
      page,
      Object.keys(files).map((name) => join(desk, name)),
    )
  }
  const requested = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/thumbnail/')) requested.add(pathname)
  })
  const without = {
    // Few bytes, 64 million pixels.
    'huge.png': makePng({ width: 8000, height: 8000, color: 0, depth: 1 }, new Uint8Array(1001 * 8000)),
    'damaged.png': png(1600, 400, [0, 0, 0]).subarray(0, 200),
    'drawing.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    'fake.gif': 'no picture',
    'notes.txt': 'no picture',
  }
  await drop(without)
  await expect.poll(() => requested.size).toBe(4)

  const photo = await twoColors(page, 'image/jpeg', 1600, 800)
  await drop({
    'wide.png': png(1600, 400, [255, 0, 0]),
    'small.png': png(8, 4, [0, 0, 255]),
    'line.png': png(1, 500, [255, 0, 0]),
    'photo.jpg': photo,
    'upright.jpg': turned(photo),
    'web.webp': await twoColors(page, 'image/webp', 300, 600),
  })
  for (const [name, expected] of Object.entries({
    'wide.png': `64x16 ${RED} ${RED}`,
    'small.png': `8x4 ${BLUE} ${BLUE}`,
    'line.png': `1x64 ${RED} ${RED}`,
    'photo.jpg': `64x32 ${RED} ${BLUE}`,
    'upright.jpg': `32x64 ${BLUE} ${RED}`,
    'web.webp': `32x64 ${RED} ${BLUE}`,
  })) {
    await expect(thumbnail(name), name).toBeVisible()
    expect(await look(thumbnail(name)), name).toBe(expected)
  }
  // One thumbnail is made at a time, so those that had been started before are done.
  for (const name of Object.keys(without)) {
    await expect(fileRow(page, name).locator('.kind-tile svg'), name).toBeVisible()
    await expect(thumbnail(name), name).toHaveCount(0)
  }
  await open(page, 'Transfers')
  await expect(transferRow(page, 'wide.png').locator('canvas')).toBeVisible()
})

// `npm run icons`: renders all images of the app from the hand-written SVGs in assets/, with the Chromium
// that the tests use. Creates the same set of files each time and changes nothing else. The images are
// committed, so only a changed SVG requires a run. Check each one at its real size before a commit.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { ROOT } from './tree.ts'

interface Picture {
  readonly size: number
  readonly png: Uint8Array
}

const STATES = ['idle', 'uploading', 'waiting', 'paused', 'problem'] as const

/** Colours for a light and a dark panel: the window's tokens accent, waiting, problem and second. */
const TONES = {
  light: { ink: '#0A6B6B', uploading: '#0A6B6B', waiting: '#8A5200', paused: '#565B62', problem: '#AE2A22' },
  dark: { ink: '#5BC8C0', uploading: '#5BC8C0', waiting: '#EBB55A', paused: '#A9B0B7', problem: '#F48C82' },
} as const

/** Above this size the icon's gradients are visible. For smaller sizes a simplified drawing is clearer. */
const SMALL = 48
/**
 * Apple's grid for app icons: the plate is 824 wide on a canvas of 1024. On other systems the plate fills the
 * canvas.
 */
const MAC_PLATE = 824 / 1024

/** Windows shows small sizes in lists and the taskbar at 100 to 300 %, and 256 in large views. */
const WINDOWS_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256]
/** A notification icon on Windows is 16 px at 100 %, then 20, 24, 32, up to 48 at 300 %. */
const WINDOWS_TRAY_SIZES = [16, 20, 24, 32, 40, 48]
const LINUX_SIZES = [16, 32, 48, 64, 128, 256, 512, 1024]
/**
 * Type codes of images that may be PNG on every macOS. Those for 16 and 32 at single scale are omitted,
 * because some versions display PNG incorrectly there.
 */
const MAC_TYPES = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
] as const

/**
 * A Windows icon: header, one directory entry of 16 bytes per picture, then the PNGs. The largest size is
 * 256, which is written as 0.
 */
export function icoOf(pictures: readonly Picture[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [at, { size, png }] of pictures.entries()) {
    const entry = 6 + 16 * at
    head.writeUInt8(size % 256, entry)
    head.writeUInt8(size % 256, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(png.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map((one) => one.png)])
}

/**
 * A macOS icon: `icns` and the length of the whole, then per picture its type, its length with these 8 bytes,
 * and the PNG.
 */
export function icnsOf(pictures: readonly { readonly type: string; readonly png: Uint8Array }[]): Buffer {
  const chunk = (type: string, body: Uint8Array): Buffer => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32BE(8 + body.length, 4)
    return Buffer.concat([head, body])
  }
  return chunk('icns', Buffer.concat(pictures.map((one) => chunk(one.type, one.png))))
}

function asset(name: string): string {
  return readFileSync(join(ROOT, 'assets', name), 'utf8')
}

function save(name: string, bytes: Uint8Array): void {
  const file = join(ROOT, 'assets', name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  console.log(`assets/${name}`)
}

/** @param share the fraction of the width that the drawing takes; the rest is an even, empty margin. */
async function drawn(page: Page, svg: string, size: number, style = '', share = 1): Promise<Picture> {
  const side = size * share
  const margin = (size - side) / 2
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>html,body{margin:0}svg{display:block;position:absolute;left:${margin}px;top:${margin}px;width:${side}px;height:${side}px;${style}}</style>${svg}`,
  )
  return { size, png: await page.screenshot({ omitBackground: true }) }
}

function shown(tray: string, state: (typeof STATES)[number]): string {
  return STATES.reduce((svg, one) => {
    const [plain, hidden] = [`<g id="${one}">`, `<g id="${one}" display="none">`]
    const bare = svg.replace(hidden, plain)
    if (!bare.includes(plain)) throw new Error(`tray.svg has no group ${one}.`)
    return one === state ? bare : bare.replace(plain, hidden)
  }, tray)
}

async function makeAppIcons(page: Page): Promise<void> {
  const icon = (size: number, share = 1): Promise<Picture> =>
    drawn(page, asset(size <= SMALL ? 'icon-small.svg' : 'icon.svg'), size, '', share)
  for (const size of LINUX_SIZES) save(`icons/${size}.png`, (await icon(size)).png)
  save('icon.png', (await icon(1024)).png)
  const windows: Picture[] = []
  for (const size of WINDOWS_SIZES) windows.push(await icon(size))
  save('icon.ico', icoOf(windows))
  const mac: { type: string; png: Uint8Array }[] = []
  for (const [type, size] of MAC_TYPES) mac.push({ type, png: (await icon(size, MAC_PLATE)).png })
  save('icon.icns', icnsOf(mac))
}

async function makeTrayIcons(page: Page): Promise<void> {
  const tray = asset('tray.svg')
  for (const state of STATES) {
    const svg = shown(tray, state)
    for (const [size, suffix] of [
      [16, ''],
      [32, '@2x'],
    ] as const) {
      save(`tray/${state}Template${suffix}.png`, (await drawn(page, svg, size, 'color:#000')).png)
    }
    for (const tone of ['light', 'dark'] as const) {
      const { ink, ...signs } = TONES[tone]
      const style = `color:${ink};--sign:${state === 'idle' ? ink : signs[state]}`
      const pictures: Picture[] = []
      for (const size of WINDOWS_TRAY_SIZES) pictures.push(await drawn(page, svg, size, style))
      save(`tray/${state}-${tone}.ico`, icoOf(pictures))
      for (const [size, suffix] of [
        [16, ''],
        [32, '@2x'],
      ] as const) {
        save(`tray/${state}-${tone}${suffix}.png`, (await drawn(page, svg, size, style)).png)
      }
    }
  }
}

if (import.meta.main) {
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' })
  try {
    const page = await browser.newPage({ deviceScaleFactor: 1 })
    await makeAppIcons(page)
    await makeTrayIcons(page)
  } finally {
    await browser.close()
  }
}

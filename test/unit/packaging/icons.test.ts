// The committed images in assets/: each exists, has the size that its name or location implies, and has the
// format that its system requires. Only people can judge their look; the files aren't rendered again here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { icnsOf, icoOf } from '../../tools/make-icons.ts'
import { ROOT, treeFiles } from '../../tools/tree.ts'

const STATES = ['idle', 'uploading', 'waiting', 'paused', 'problem']
const RGBA = 6

function bytes(name: string): Buffer {
  return readFileSync(join(ROOT, 'assets', name))
}

/** Width, height and colour type from the header. @throws if it isn't a PNG. */
function pngHead(png: Uint8Array): {
  readonly width: number
  readonly height: number
  readonly colour: number
} {
  const view = Buffer.from(png)
  if (view.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n' || view.toString('latin1', 12, 16) !== 'IHDR')
    throw new Error('This is no PNG.')
  return { width: view.readUInt32BE(16), height: view.readUInt32BE(20), colour: view.readUInt8(25) }
}

function square(size: number): ReturnType<typeof pngHead> {
  return { width: size, height: size, colour: RGBA }
}

/** All images of an .ico: the size in the directory, and the PNG that it refers to. */
function icoPictures(ico: Buffer): { readonly size: number; readonly png: Buffer }[] {
  if (ico.readUInt16LE(0) !== 0 || ico.readUInt16LE(2) !== 1) throw new Error('This is no Windows icon.')
  return Array.from({ length: ico.readUInt16LE(4) }, (_, at) => {
    const entry = 6 + 16 * at
    const [length, offset] = [ico.readUInt32LE(entry + 8), ico.readUInt32LE(entry + 12)]
    return { size: ico.readUInt8(entry) || 256, png: ico.subarray(offset, offset + length) }
  })
}

function icnsPictures(icns: Buffer): { readonly type: string; readonly png: Buffer }[] {
  if (icns.toString('latin1', 0, 4) !== 'icns' || icns.readUInt32BE(4) !== icns.length)
    throw new Error('This is no macOS icon.')
  const found: { type: string; png: Buffer }[] = []
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
    found.push({
      type: icns.toString('latin1', at, at + 4),
      png: icns.subarray(at + 8, at + icns.readUInt32BE(at + 4)),
    })
  }
  return found
}

describe("the app's icon", () => {
  it.each([16, 32, 48, 64, 128, 256, 512, 1024])('is there for Linux at %i px', (size) => {
    expect(pngHead(bytes(`icons/${size}.png`))).toEqual(square(size))
  })

  it('is there as one large picture', () => {
    expect(pngHead(bytes('icon.png'))).toEqual(square(1024))
  })

  it('is there for Windows, from lists at 100 % to large views', () => {
    const pictures = icoPictures(bytes('icon.ico'))
    expect(pictures.map((one) => one.size)).toEqual([16, 20, 24, 32, 40, 48, 64, 128, 256])
    for (const { size, png } of pictures) expect(pngHead(png)).toEqual(square(size))
  })

  it('is there for macOS up to 512 px at double scale', () => {
    const sizes = icnsPictures(bytes('icon.icns')).map(({ type, png }) => [type, pngHead(png).width])
    expect(sizes).toEqual([
      ['ic11', 32],
      ['ic12', 64],
      ['ic07', 128],
      ['ic13', 256],
      ['ic08', 256],
      ['ic14', 512],
      ['ic09', 512],
      ['ic10', 1024],
    ])
  })
})

describe.each(STATES)('the tray picture %s', (state) => {
  it('is there for macOS, black on nothing, so the menu bar can colour it', () => {
    expect(pngHead(bytes(`tray/${state}Template.png`))).toEqual(square(16))
    expect(pngHead(bytes(`tray/${state}Template@2x.png`))).toEqual(square(32))
  })

  it.each(['light', 'dark'])('is there for a %s panel on Linux and Windows', (tone) => {
    expect(pngHead(bytes(`tray/${state}-${tone}.png`))).toEqual(square(16))
    expect(pngHead(bytes(`tray/${state}-${tone}@2x.png`))).toEqual(square(32))
    const pictures = icoPictures(bytes(`tray/${state}-${tone}.ico`))
    expect(pictures.map((one) => one.size)).toEqual([16, 20, 24, 32, 40, 48])
    for (const { size, png } of pictures) expect(pngHead(png)).toEqual(square(size))
  })
})

it('no two tray pictures of one kind are the same', () => {
  for (const kind of ['Template.png', 'Template@2x.png', '-light.png', '-dark@2x.png', '-dark.ico']) {
    const all = STATES.map((state) => bytes(`tray/${state}${kind}`).toString('base64'))
    expect(new Set(all).size).toBe(STATES.length)
  }
})

/**
 * Parts of an SVG that would run code or load external resources. Namespace URIs are names, not locations.
 */
function svgFaults(svg: string): string[] {
  const bare = svg.replaceAll(/\sxmlns(:\w+)?="[^"]*"/g, '')
  const faults = [
    /<script\b/i,
    /<foreignObject\b/i,
    /<image\b/i,
    /<!(?:DOCTYPE|ENTITY)/i,
    /<\?xml-stylesheet/i,
    /\son\w+\s*=/i,
    /javascript:/i,
    /\bhref\s*=\s*["'](?!#)/i,
    /url\(\s*["']?(?!#)/i,
    /@import\b/i,
    /\b(?:https?|data|file):/i,
  ]
  return faults.filter((one) => one.test(bare)).map(String)
}

describe('the SVGs', () => {
  const drawings = treeFiles().filter((file) => file.endsWith('.svg'))

  it('are all found', () => {
    expect(drawings).toEqual(
      expect.arrayContaining([
        'assets/icon-small.svg',
        'assets/icon.svg',
        'assets/mark.svg',
        'assets/tray.svg',
      ]),
    )
  })

  it.each(drawings)('%s runs nothing and reaches for nothing outside', (file) => {
    expect(svgFaults(readFileSync(join(ROOT, file), 'utf8'))).toEqual([])
  })

  it.each([
    '<svg><script>1</script></svg>',
    '<svg onload="x()"/>',
    '<svg><use href="other.svg#a"/></svg>',
    '<svg><a xlink:href="javascript:x()"/></svg>',
    '<svg><path fill="url(other.svg#a)"/></svg>',
    '<svg><style>@import "a.css"</style></svg>',
    '<svg><image width="1"/></svg>',
    '<!DOCTYPE svg><svg/>',
  ])('%s would be refused', (svg) => {
    expect(svgFaults(svg)).not.toEqual([])
  })
})

describe('the containers', () => {
  const png = (fill: number): Buffer => Buffer.alloc(5, fill)

  it('an .ico points at each PNG and writes 256 as 0', () => {
    const ico = icoOf([
      { size: 16, png: png(1) },
      { size: 256, png: png(2) },
    ])
    expect(icoPictures(ico)).toEqual([
      { size: 16, png: png(1) },
      { size: 256, png: png(2) },
    ])
    expect([ico.readUInt8(22), ico.readUInt8(23), ico.length]).toEqual([0, 0, 6 + 2 * 16 + 2 * 5])
  })

  it('an .icns tells the length of itself and of each PNG', () => {
    const pictures = [
      { type: 'ic11', png: png(1) },
      { type: 'ic10', png: png(2) },
    ]
    expect(icnsPictures(icnsOf(pictures))).toEqual(pictures)
  })
})

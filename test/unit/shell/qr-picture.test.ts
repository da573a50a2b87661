// The picture of a QR code is a PNG whose pixels are those of the code, with the quiet zone around it.
import { inflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { qrPicture } from '../../../src-main/shell/window/qr-picture.ts'

interface Picture {
  readonly side: number
  readonly isDark: (x: number, y: number) => boolean
}

/** Reads what any decoder of PNG would, for this kind of picture. */
function decoded(png: Buffer): Picture {
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(0)
  const side = header.readUInt32BE(0)
  expect([header.readUInt32BE(4), ...header.subarray(8)]).toEqual([side, 1, 0, 0, 0, 0])
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  const width = lines.length / side
  return {
    side,
    isDark: (x, y) => (((lines[y * width + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0,
  }
}

it.each(['https://files.example.com/d/k3v9x2', `https://files.example.com/d/${'long/'.repeat(60)}`])(
  '%#',
  (link) => {
    const { side, isDark } = decoded(qrPicture(link))
    const { size, data } = encode(link, { ecc: 'M', border: 0 })
    const step = side / (size + 8)
    expect(Number.isInteger(step)).toBe(true)
    for (let y = -4; y < size + 4; y++)
      for (let x = -4; x < size + 4; x++) {
        const wanted = data[y]?.[x] === true
        const corners = [0, step - 1].map((at) => isDark((x + 4) * step + at, (y + 4) * step + at))
        if (corners.some((dark) => dark !== wanted)) expect.fail(`module ${x}, ${y}`)
      }
  },
)

it('ends its parts with the checksum of PNG', () => {
  const png = qrPicture('https://files.example.com/d/1')
  // The last part is empty, so its checksum is the same in every picture.
  expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082')
})

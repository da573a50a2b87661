// Draws a link's QR code as a PNG picture, for the clipboard or a file. Black on white, with one bit for each
// pixel. Pure.
import { deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** The width of the quiet zone that the standard requires, in modules. */
const QUIET = 4
/** Large enough to be scanned from a screen or a page. */
const PIXELS_PER_MODULE = 10

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function qrPicture(link: string): Buffer {
  const { size, data } = encode(link, { ecc: 'M', border: 0 })
  const side = (size + 2 * QUIET) * PIXELS_PER_MODULE
  const isDark = (x: number, y: number): boolean =>
    data[Math.floor(y / PIXELS_PER_MODULE) - QUIET]?.[Math.floor(x / PIXELS_PER_MODULE) - QUIET] === true
  // Each line begins with the number of its filter, which is 0 for none.
  const bytesPerLine = 1 + Math.ceil(side / 8)
  const lines = Buffer.alloc(bytesPerLine * side)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      if (isDark(x, y)) continue
      const at = y * bytesPerLine + 1 + (x >> 3)
      lines[at] = (lines[at] ?? 0) | (0x80 >> (x & 7))
    }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit per pixel, greyscale.
  header[8] = 1
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(checksum(body), body.length + 4)
  return whole
}

/** CRC-32 as in PNG and ZIP. Electron before 34 has no `zlib.crc32`. */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

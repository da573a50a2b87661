// Extracts a camera's embedded thumbnail from the first bytes of a JPEG file, and adds the picture's orientation to it. Offsets in the file
// are untrusted: each is checked against the bytes that were read.

/** Number of bytes to read from the start of a JPEG. Cameras put the thumbnail in the first segment, which is at most 64 KB long. */
export const JPEG_HEAD_BYTES = 68 * 1024
/** Maximum width and height in pixels. A larger picture isn't a thumbnail. */
const SIDE_MOST = 512
const [EXIF, SCAN] = [0xe1, 0xda]
const [ORIENTATION, OFFSET, LENGTH] = [0x0112, 0x0201, 0x0202]
const SHORT = 3

interface Tiff {
  readonly u16: (at: number) => number
  readonly u32: (at: number) => number
}

/** Returns null if there is no TIFF header. Reading outside the bytes throws a RangeError. */
function tiffOf(bytes: Buffer): Tiff | null {
  const order = bytes.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return null
  const isLittle = order === 'II'
  return {
    u16: (at) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
    u32: (at) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)),
  }
}

/** Returns the numbers in an image file directory by tag, and the offset of the next directory (0 if there is none). */
function directory({ u16, u32 }: Tiff, at: number): { readonly entries: ReadonlyMap<number, number>; readonly next: number } {
  const count = u16(at)
  const entries = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const entry = at + 2 + i * 12
    entries.set(u16(entry), u16(entry + 2) === SHORT ? u16(entry + 8) : u32(entry + 8))
  }
  return { entries, next: u32(at + 2 + count * 12) }
}

/** Returns the payload of the first matching segment before the image data; null if there is none. */
function segment(jpeg: Buffer, fits: (marker: number, data: Buffer) => boolean): Buffer | null {
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff; ) {
    const marker = jpeg[at + 1] ?? 0
    if (marker === SCAN) return null
    const length = jpeg.readUInt16BE(at + 2)
    if (length < 2) return null
    const data = jpeg.subarray(at + 4, at + 2 + length)
    if (fits(marker, data)) return data
    at += 2 + length
  }
  return null
}

/** Whether the dimensions in the JPEG's header are those of a thumbnail. */
function isSmall(jpeg: Buffer): boolean {
  const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
  const frame = segment(jpeg, isFrame)
  if (frame === null || frame.length < 5) return false
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)]
  return width > 0 && height > 0 && width <= SIDE_MOST && height <= SIDE_MOST
}

/** Builds an Exif segment that contains only the orientation, a number from 1 to 8. */
function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(ORIENTATION, 10)
  tiff.writeUInt16LE(SHORT, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, EXIF, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** `head` is the start of a JPEG, up to `JPEG_HEAD_BYTES` long. Returns null if it contains no usable thumbnail. */
export function jpegThumbnail(head: Uint8Array): Buffer | null {
  const jpeg = Buffer.from(head.buffer, head.byteOffset, head.length)
  try {
    const exif = segment(jpeg, (marker, data) => marker === EXIF && data.toString('latin1', 0, 6) === 'Exif\0\0')
    if (exif === null) return null
    const bytes = exif.subarray(6)
    const tiff = tiffOf(bytes)
    if (tiff === null) return null
    const main = directory(tiff, tiff.u32(4))
    if (main.next === 0) return null
    const { entries } = directory(tiff, main.next)
    const [from, length] = [entries.get(OFFSET), entries.get(LENGTH)]
    if (from === undefined || length === undefined || from + length > bytes.length) return null
    const found = bytes.subarray(from, from + length)
    if (!isSmall(found)) return null
    const orientation = main.entries.get(ORIENTATION) ?? 1
    if (orientation < 2 || orientation > 8) return Buffer.from(found)
    return Buffer.concat([found.subarray(0, 2), orientationSegment(orientation), found.subarray(2)])
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

// Scales a PNG down to a thumbnail, for systems on which Electron can't make thumbnails. The functions take and return bytes. Call
// `scalePng` in a separate thread, because a large screenshot takes tenths of a second. Pictures that are interlaced or have too many
// pixels get no thumbnail.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Maximum number of pixels in the source. A screenshot of an 8K screen has 33 million. */
const PIXELS_MOST = 40_000_000
/** Approximate number of source pixels that are averaged along each side of a target pixel. More would make no visible difference. */
const SAMPLES = 4
/** Number of channels by PNG colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const PALETTE = 3

interface Header {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly color: number
  readonly channels: number
  readonly rowBytes: number
}

interface Source {
  readonly header: Header
  readonly rows: Buffer
  /** RGBA, four bytes per colour; used for colour type 3. */
  readonly palette: Uint8Array
}

function chunksOf(file: Buffer): readonly { readonly type: string; readonly data: Buffer }[] | null {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = SIGNATURE.length; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > file.length) return null
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end) })
    at = end + 4
  }
  return chunks
}

/**
 * `data` is the content of the header chunk. Returns null if it is missing or invalid, or if the picture's format or size isn't supported.
 */
function headerOf(data: Buffer | undefined): Header | null {
  if (data === undefined || data.length !== 13) return null
  const [width, height, depth, color] = [data.readUInt32BE(0), data.readUInt32BE(4), data.readUInt8(8), data.readUInt8(9)]
  const channels = CHANNELS[color]
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth) || data.readUInt8(12) !== 0) return null
  if (width === 0 || height === 0 || width * height > PIXELS_MOST) return null
  return { width, height, depth, color, channels, rowBytes: Math.ceil((width * channels * depth) / 8) }
}

/** Reads width and height from the header of a PNG. Returns null if the file isn't a PNG. */
export function pngSize(file: Uint8Array): { readonly width: number; readonly height: number } | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  if (bytes.length < 24 || !bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Returns the value of an uncompressed text chunk; null if there is none with this name. */
export function pngText(file: Uint8Array, name: string): string | null {
  for (const { type, data } of chunksOf(Buffer.from(file.buffer, file.byteOffset, file.length)) ?? []) {
    const end = data.indexOf(0)
    if (type === 'tEXt' && data.toString('latin1', 0, end) === name) return data.toString('latin1', end + 1)
  }
  return null
}

function read(file: Buffer): Source | null {
  const chunks = chunksOf(file)
  const header = headerOf(chunks?.find((one) => one.type === 'IHDR')?.data)
  if (chunks === null || header === null) return null
  const packed = Buffer.concat(chunks.filter((one) => one.type === 'IDAT').map((one) => one.data))
  if (packed.length === 0) return null
  const size = (header.rowBytes + 1) * header.height
  // Limit the output to the size in the header, so that a decompression bomb can't exhaust memory.
  const rows = inflateSync(packed, { maxOutputLength: size })
  if (rows.length < size) return null
  const colors = chunks.find((one) => one.type === 'PLTE')?.data ?? Buffer.alloc(0)
  const alphas = chunks.find((one) => one.type === 'tRNS')?.data ?? Buffer.alloc(0)
  const palette = new Uint8Array(256 * 4)
  for (let i = 0; i < 256; i++) {
    for (let c = 0; c < 3; c++) palette[i * 4 + c] = colors[i * 3 + c] ?? 0
    palette[i * 4 + 3] = alphas[i] ?? 255
  }
  return { header, rows, palette }
}

/**
 * Reverses the filter of the row at byte offset `at` in place. The row above must already be unfiltered. Returns false if the filter is
 * unknown.
 */
function unfilter(rows: Buffer, at: number, { rowBytes, channels, depth }: Header): boolean {
  const filter = rows[at] ?? 0
  const from = at + 1
  const end = from + rowBytes
  const step = Math.max(1, (channels * depth) >> 3)
  /** The distance from a byte to the one above it; 0 in the first row. */
  const line = at === 0 ? 0 : rowBytes + 1
  // Each filter has its own loop, because this runs for every byte of the picture.
  switch (filter) {
    case 0:
      return true
    case 1:
      for (let i = from + step; i < end; i++) rows[i] = (rows[i] ?? 0) + (rows[i - step] ?? 0)
      return true
    case 2:
      if (line > 0) for (let i = from; i < end; i++) rows[i] = (rows[i] ?? 0) + (rows[i - line] ?? 0)
      return true
    case 3:
      for (let i = from; i < end; i++) {
        const left = i - from < step ? 0 : (rows[i - step] ?? 0)
        const up = line === 0 ? 0 : (rows[i - line] ?? 0)
        rows[i] = (rows[i] ?? 0) + ((left + up) >> 1)
      }
      return true
    case 4:
      for (let i = from; i < end; i++) {
        const isFirst = i - from < step
        const left = isFirst ? 0 : (rows[i - step] ?? 0)
        const up = line === 0 ? 0 : (rows[i - line] ?? 0)
        const corner = isFirst || line === 0 ? 0 : (rows[i - line - step] ?? 0)
        const toLeft = Math.abs(up - corner)
        const toUp = Math.abs(left - corner)
        const toCorner = Math.abs(left + up - 2 * corner)
        rows[i] = (rows[i] ?? 0) + (toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner)
      }
      return true
    default:
      return false
  }
}

/** Writes the RGBA values of a pixel to `out`. `row` is the byte offset of the row's first sample in `rows`. */
function pixel({ header, rows, palette }: Source, row: number, x: number, out: Uint8Array): void {
  const { depth, color, channels } = header
  const sample = (channel: number): number => {
    const index = x * channels + channel
    if (depth === 8) return rows[row + index] ?? 0
    // The low byte of a 16-bit sample makes no visible difference.
    if (depth === 16) return rows[row + index * 2] ?? 0
    const bit = index * depth
    const value = ((rows[row + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
    return color === PALETTE ? value : Math.round((value * 255) / ((1 << depth) - 1))
  }
  const first = sample(0)
  if (color === PALETTE) {
    for (let c = 0; c < 4; c++) out[c] = palette[first * 4 + c] ?? 0
    return
  }
  const isGrey = channels < 3
  out[0] = first
  out[1] = isGrey ? first : sample(1)
  out[2] = isGrey ? first : sample(2)
  out[3] = channels === 4 ? sample(3) : channels === 2 ? sample(1) : 255
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

/** Encodes 8-bit RGBA pixels as a PNG. */
function encode(width: number, height: number, pixels: Uint8Array): Buffer {
  const rows = Buffer.alloc((width * 4 + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

/** Returns a PNG whose longer side has at most `most` pixels; null if the file isn't a supported PNG. May throw if the file is damaged. */
export function scalePng(file: Uint8Array, most: number): Buffer | null {
  const source = read(Buffer.from(file.buffer, file.byteOffset, file.length))
  if (source === null) return null
  const { header, rows } = source
  const scale = Math.min(1, most / Math.max(header.width, header.height))
  const [width, height] = [Math.max(1, Math.round(header.width * scale)), Math.max(1, Math.round(header.height * scale))]
  const stepX = Math.max(1, Math.floor(header.width / width / SAMPLES))
  const stepY = Math.max(1, Math.floor(header.height / height / SAMPLES))
  const sums = new Float64Array(width * height * 4)
  const counts = new Uint32Array(width * height)
  const rgba = new Uint8Array(4)
  for (let y = 0; y < header.height; y++) {
    const at = y * (header.rowBytes + 1)
    if (!unfilter(rows, at, header)) return null
    if (y % stepY !== 0) continue
    const row = Math.floor((y * height) / header.height) * width
    for (let x = 0; x < header.width; x += stepX) {
      pixel(source, at + 1, x, rgba)
      const target = row + Math.floor((x * width) / header.width)
      const alpha = rgba[3] ?? 0
      // Weight colours by opacity, so that transparent pixels don't contribute their colour.
      for (let c = 0; c < 3; c++) sums[target * 4 + c] = (sums[target * 4 + c] ?? 0) + (rgba[c] ?? 0) * alpha
      sums[target * 4 + 3] = (sums[target * 4 + 3] ?? 0) + alpha
      counts[target] = (counts[target] ?? 0) + 1
    }
  }
  const pixels = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const alpha = sums[i * 4 + 3] ?? 0
    for (let c = 0; c < 3; c++) pixels[i * 4 + c] = alpha === 0 ? 0 : Math.round((sums[i * 4 + c] ?? 0) / alpha)
    pixels[i * 4 + 3] = Math.round(alpha / Math.max(1, counts[i] ?? 0))
  }
  return encode(width, height, pixels)
}

// Writes PNG files for samples and tests: any header, so that odd and damaged pictures can be made too.
// It draws nothing.
import { crc32, deflateSync } from 'node:zlib'

/** Values of the file's header, as the format numbers them. */
export interface PngHeader {
  readonly width: number
  readonly height: number
  /** 0 grey, 2 red, green and blue, 3 palette, 4 grey with opacity, 6 colours with opacity. */
  readonly color: number
  /** Bits of a sample; 8 unless said otherwise. */
  readonly depth?: number
  readonly interlace?: number
  /** Chunks before the data. */
  readonly extra?: readonly Uint8Array[]
}

const SIGNATURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
  head.writeUInt32BE(data.length)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

/** `rows`: each with its filter byte first. */
export function makePng({ width, height, color, depth = 8, interlace = 0, extra = [] }: PngHeader, rows: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, interlace], 8)
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

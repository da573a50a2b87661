// Writes PNG files for samples and tests, with any header, so that it can create unusual and damaged
// pictures, too. The caller provides the pixels.
import { crc32, deflateSync } from 'node:zlib'

/** Values of the file's header, numbered as in the format. */
export interface PngHeader {
  readonly width: number
  readonly height: number
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA. */
  readonly color: number
  /** Bits per sample; 8 by default. */
  readonly depth?: number
}

const SIGNATURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
  head.writeUInt32BE(data.length)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

/** `rows` contains each row with its leading filter byte. */
export function makePng({ width, height, color, depth = 8 }: PngHeader, rows: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

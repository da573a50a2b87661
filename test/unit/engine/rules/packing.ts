// Writers of zip, tar, gzip and UTF-16 for tests, based on the formats' specifications and independent of the
// readers under test. They also write unusual variants that other programs produce.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

export interface Packed {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ZipOptions {
  readonly stored?: boolean
  /** Sets only the flag; the bytes aren't encrypted. */
  readonly encrypted?: boolean
  /** Writes sizes after the data, like a program that can't seek. */
  readonly descriptors?: boolean
  readonly comment?: string
  /** 64-bit sizes and offsets, as for archives larger than 4 GiB. */
  readonly zip64?: boolean
  /** How many bytes too early the end record places the directory. */
  readonly misplaced?: number
}

export function zipOf(files: readonly Packed[], options: ZipOptions = {}): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let position = 0
  const push = (part: Buffer): void => {
    parts.push(part)
    position += part.length
  }
  const flags = (options.encrypted === true ? 1 : 0) | (options.descriptors === true ? 8 : 0) | 0x800
  for (const { name, bytes } of files) {
    const data = options.stored === true ? Buffer.from(bytes) : deflateRawSync(bytes)
    const [crc, title, at] = [crc32(bytes), Buffer.from(name), position]
    const sizes = (into: Buffer, offset: number): void => {
      into.writeUInt32LE(crc, offset)
      into.writeUInt32LE(data.length, offset + 4)
      into.writeUInt32LE(bytes.length, offset + 8)
    }
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(flags, 6)
    local.writeUInt16LE(options.stored === true ? 0 : 8, 8)
    if (options.descriptors !== true) sizes(local, 14)
    local.writeUInt16LE(title.length, 26)
    push(local)
    push(title)
    push(data)
    if (options.descriptors === true) {
      const behind = Buffer.alloc(16)
      behind.writeUInt32LE(0x08074b50, 0)
      sizes(behind, 4)
      push(behind)
    }
    const extra = Buffer.alloc(options.zip64 === true ? 28 : 0)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(options.stored === true ? 0 : 8, 10)
    sizes(entry, 16)
    entry.writeUInt16LE(title.length, 28)
    entry.writeUInt16LE(extra.length, 30)
    entry.writeUInt32LE(at, 42)
    if (options.zip64 === true) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      extra.writeBigUInt64LE(BigInt(bytes.length), 4)
      extra.writeBigUInt64LE(BigInt(data.length), 12)
      extra.writeBigUInt64LE(BigInt(at), 20)
      for (const offset of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, offset)
    }
    directory.push(entry, title, extra)
  }
  const list = Buffer.concat(directory)
  const at = position
  push(list)
  if (options.zip64 === true) {
    const record = Buffer.alloc(56)
    record.writeUInt32LE(0x06064b50, 0)
    record.writeBigUInt64LE(44n, 4)
    record.writeBigUInt64LE(BigInt(files.length), 24)
    record.writeBigUInt64LE(BigInt(files.length), 32)
    record.writeBigUInt64LE(BigInt(list.length), 40)
    record.writeBigUInt64LE(BigInt(at), 48)
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(position), 8)
    push(record)
    push(locator)
  }
  const comment = Buffer.from(options.comment ?? '')
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(options.zip64 === true ? 0xffffffff : list.length, 12)
  end.writeUInt32LE(options.zip64 === true ? 0xffffffff : at - (options.misplaced ?? 0), 16)
  end.writeUInt16LE(comment.length, 20)
  push(end)
  push(comment)
  return Buffer.concat(parts)
}

function tarHead(name: string, size: number, type: string): Buffer {
  const head = Buffer.alloc(512)
  head.write(name.slice(0, 100), 0)
  head.write('0000644\0', 100)
  head.write('0001750\0', 108)
  head.write('0001750\0', 116)
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  head.write('15000000000\0', 136)
  head.write('        ', 148)
  head.write(type, 156)
  head.write('ustar\0', 257)
  head.write('00', 263)
  const sum = head.reduce((all, byte) => all + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
}

/** Writes long names like GNU tar. */
export function tarOf(files: readonly Packed[]): Uint8Array {
  const parts: Uint8Array[] = []
  const put = (head: Buffer, bytes: Uint8Array): void =>
    void parts.push(head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512))
  for (const { name, bytes } of files) {
    const title = Buffer.from(`${name}\0`)
    if (title.length > 100) put(tarHead('././@LongLink', title.length, 'L'), title)
    put(tarHead(name, bytes.length, '0'), bytes)
  }
  parts.push(Buffer.alloc(1024))
  return Buffer.concat(parts)
}

export function gzipped(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes)
}

/** UTF-16. */
export function wide(text: string, order: 'le' | 'be', mark: boolean): Uint8Array {
  const bytes = Buffer.from(mark ? `\uFEFF${text}` : text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

/** UTF-32. */
export function wider(text: string, order: 'le' | 'be', mark: boolean): Uint8Array {
  const chars = [...(mark ? `\uFEFF${text}` : text)]
  const bytes = Buffer.alloc(chars.length * 4)
  for (const [i, char] of chars.entries()) {
    const code = char.codePointAt(0) ?? 0
    if (order === 'le') bytes.writeUInt32LE(code, i * 4)
    else bytes.writeUInt32BE(code, i * 4)
  }
  return bytes
}

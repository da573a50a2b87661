// How much of a large or damaged archive is read.
import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { archiveEntries } from '../../../../src-main/engine/rules/secrets/archives.ts'
import { secretByContent } from '../../../../src-main/engine/rules/secrets.ts'
import { tarOf, zipOf } from './packing.ts'

/**
 * A zip as programs write it that don't know an entry's size in advance, cut off before the central
 * directory.
 */
function interruptedZip(entries: number): Buffer {
  const parts: Buffer[] = []
  for (let i = 0; i < entries; i++) {
    const name = Buffer.from(`${i}.txt`)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(8, 6)
    header.writeUInt16LE(8, 8)
    header.writeUInt16LE(name.length, 26)
    const content = Buffer.alloc(40_000)
    for (let at = 0; at < content.length; at += 4)
      content.writeUInt32LE(Math.imul(at + i, 2_654_435_761) >>> 0, at)
    parts.push(header, name, deflateRawSync(content))
  }
  return Buffer.concat(parts)
}

it('finds every entry of an interrupted download without reading it again for each', () => {
  const zip = interruptedZip(300)
  let read = 0
  const source = {
    size: zip.length,
    read: (position: number, length: number) => {
      const bytes = zip.subarray(position, position + length)
      read += bytes.length
      return bytes
    },
  }
  const found = [...archiveEntries(source, 'zip', 'interrupted.zip')]
  expect(found.map(({ name }) => name)).toEqual(Array.from({ length: 300 }, (_, i) => `${i}.txt`))
  expect(found.every(({ bytes }) => bytes?.length === 40_000)).toBe(true)
  expect(read).toBeLessThan(6 * zip.length)
})

const MIB = 1024 * 1024

/** Lines of a table, which shrink to about a quarter when they are packed. */
function table(size: number): Buffer {
  const bytes = Buffer.alloc(size, ' ')
  for (let at = 0, n = 1; at + 64 <= size; at += 64) {
    n = (Math.imul(n, 1_103_515_245) + 12_345) >>> 0
    bytes.write(`${at}\t${n}\tdelivered, paid by invoice`, at)
    bytes.write('\n', at + 63)
  }
  return bytes
}

const key = { name: 'home/.ssh/id_rsa', bytes: Buffer.from('x') }
const dump = (size: number): { readonly name: string; readonly bytes: Buffer } => ({
  name: 'dump.sql',
  bytes: table(size),
})
const token = `\nghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}\n`

function withToken(bytes: Buffer, at: number): Buffer {
  bytes.write(token, at)
  return bytes
}

it.each<readonly [string, string, () => Uint8Array]>([
  [
    'a name far into a compressed tar that is too large to unpack',
    'a.tgz',
    () => gzipSync(tarOf([dump(40 * MIB), key, dump(40 * MIB)])),
  ],
  [
    'a token far into a gzip file that is too large to unpack',
    'a.sql.gz',
    () => gzipSync(withToken(table(80 * MIB), 60 * MIB)),
  ],
  [
    'a token far into an entry of a zip that is too large to unpack',
    'a.zip',
    () => zipOf([{ name: 'a.sql', bytes: withToken(table(24 * MIB), 15 * MIB) }]),
  ],
  [
    'a token before what shrinks a thousandfold',
    'a.sql.gz',
    () => gzipSync(Buffer.concat([withToken(table(8 * MIB), 7 * MIB), Buffer.alloc(100 * MIB)])),
  ],
])('finds %s', (_what, name, create) => {
  expect(secretByContent(create(), name)).not.toBeNull()
})

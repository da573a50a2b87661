// How much of a damaged archive is read.
import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { archiveEntries } from '../../../../src-main/engine/admission/secrets/archives.ts'

/** A zip as programs write it that don't know an entry's size in advance, cut off before the central directory. */
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
    for (let at = 0; at < content.length; at += 4) content.writeUInt32LE(Math.imul(at + i, 2_654_435_761) >>> 0, at)
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

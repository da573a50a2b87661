// The search for secrets gets files from anyone, cut off and damaged anywhere. It may miss a secret in them,
// but never throws: a file that can't be searched is never uploaded.
import { expect, it } from 'vitest'
import { secretByContent } from '../../src-main/engine/rules/secrets.ts'
import { gzipped, tarOf, zipOf } from '../unit/engine/rules/packing.ts'
import { secretFiles } from '../unit/engine/rules/secret-files.ts'
import { seeded } from '../unit/engine/seeded.ts'

const FILES = [
  { name: 'notes.txt', bytes: Buffer.from('nothing to see here\n'.repeat(40)) },
  { name: 'deep/er/photo.bin', bytes: Buffer.alloc(700, 9) },
]
const ARCHIVES: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['a.zip', zipOf(FILES)],
  ['b.zip', zipOf(FILES, { comment: 'by hand', zip64: true })],
  ['c.zip', zipOf(FILES, { descriptors: true })],
  ['d.tar', tarOf(FILES)],
  ['e.tgz', gzipped(tarOf(FILES))],
]

/** What the search throws, and for which file; null if it ends. */
function fault(name: string, bytes: Uint8Array): string | null {
  try {
    secretByContent(bytes, name)
    return null
  } catch (error) {
    return `${name} of ${bytes.length} bytes, ${Buffer.from(bytes.subarray(0, 40)).toString('hex')}: ${String(error)}`
  }
}

it('files of every first byte and every length up to 80 are searched', () => {
  const r = seeded(7)
  for (let first = 0; first < 256; first++)
    for (const second of [0, 1, 0x30, 0x7f, 0x80, 0xc0, 0xff])
      for (let length = 1; length <= 80; length++) {
        const bytes = r.bytes(length)
        bytes.set([first, second].slice(0, length))
        expect(fault('short.bin', bytes)).toBeNull()
      }
})

it.each([1, 2, 3])('archives and secrets that are cut off or damaged are searched, seed %i', (seed) => {
  const r = seeded(seed)
  const all = [
    ...ARCHIVES,
    ...secretFiles(r).map(({ path, bytes }) => [path.slice(path.lastIndexOf('/') + 1), bytes] as const),
  ]
  for (const [name, bytes] of all) {
    for (let n = 0; n < 12; n++) expect(fault(name, bytes.subarray(0, r.below(bytes.length + 1)))).toBeNull()
    for (let n = 0; n < 12; n++) {
      const damaged = Uint8Array.from(bytes)
      for (let hit = r.below(6); hit >= 0; hit--)
        damaged[r.below(Math.max(1, damaged.length))] = r.pick([0, 1, 0x7f, 0x80, 0xff, r.below(256)])
      expect(fault(name, damaged)).toBeNull()
    }
  }
  expect(all.length).toBeGreaterThan(200)
})

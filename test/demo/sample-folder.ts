// The demo's sample files: many types, odd names and sizes, and the same bytes in every run.
// Writes them to a folder but doesn't upload anything.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makePng } from './png.ts'

/** A repeatable stream of incompressible bytes (xorshift32). */
function noise(size: number, seed: number): Buffer {
  const out = Buffer.allocUnsafe(size + 4)
  let x = seed | 1
  for (let i = 0; i < size; i += 4) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    out.writeInt32LE(x, i)
  }
  return out.subarray(0, size)
}

/** A PNG that shows a hull on a slipway, 320 by 200 pixels. */
function picture(): Buffer {
  const width = 320
  const height = 200
  const rows: Buffer[] = []
  for (let y = 0; y < height; y++) {
    const row = Buffer.alloc(1 + width * 3)
    for (let x = 0; x < width; x++) {
      const ramp = y > 60 + x * 0.35
      const hull = !ramp && y > 40 + x * 0.35 && x > 90 && x < 220
      row.set(hull ? [10, 107, 107] : ramp ? [214, 210, 200] : [243, 242, 238], 1 + x * 3)
    }
    rows.push(row)
  }
  return makePng({ width, height, color: 2 }, Buffer.concat(rows))
}

/**
 * One member of a ustar archive: its header, then its data padded to 512 bytes. Makes a valid archive without
 * a library.
 */
function tarMember(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0)
  head.write('0000644\0', 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  head.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write('00000000000\0', 136)
  head.write('        ', 148)
  head.write('0', 156)
  head.write('ustar\x0000', 257)
  let sum = 0
  for (const byte of head) sum += byte
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, data, Buffer.alloc((512 - (data.length % 512)) % 512)])
}

export interface Sample {
  readonly name: string
  readonly data: Buffer
}

const MB = 1024 * 1024

/**
 * The files in the folder before Slipway starts. Windows doesn't allow double quotes and line breaks in
 * names.
 */
export function firstSamples(platform: NodeJS.Platform = process.platform): readonly Sample[] {
  const archive = gzipSync(
    Buffer.concat([
      tarMember('notes.txt', Buffer.from('Inside an archive.\n')),
      tarMember('picture.png', picture()),
      Buffer.alloc(1024),
    ]),
  )
  return [
    { name: 'notes.txt', data: Buffer.from('A plain text, with umlauts: äöüß, and a line end.\n') },
    { name: 'picture.png', data: picture() },
    { name: 'archive.tar.gz', data: archive },
    { name: 'empty.bin', data: Buffer.alloc(0) },
    { name: 'large file, 60 MB.bin', data: noise(60 * MB, 7) },
    {
      name: 'table.csv',
      data: Buffer.from(Array.from({ length: 500 }, (_, i) => `${i},${i * i}`).join('\n')),
    },
    { name: 'über straße – ½ €.md', data: Buffer.from('# A name beyond ASCII\n') },
    { name: '日本語のファイル.txt', data: Buffer.from('こんにちは\n') },
    { name: 'smile 😀🚀.txt', data: Buffer.from('emoji\n') },
    { name: "apostrophe's and `backticks`.txt", data: Buffer.from('quotes\n') },
    { name: 'per%20cent & plus+semi;colon.txt', data: Buffer.from('escapes\n') },
    { name: '.hidden-but-harmless', data: Buffer.from('hidden\n') },
    { name: `${'long-'.repeat(49)}name.txt`, data: Buffer.from('254 bytes of name\n') },
    { name: 'folder/below/deep.json', data: Buffer.from(JSON.stringify({ deep: true })) },
    { name: 'folder/twin.txt', data: Buffer.from('The same name in two folders, one.\n') },
    { name: 'folder/below/twin.txt', data: Buffer.from('The same name in two folders, two.\n') },
    ...Array.from({ length: 12 }, (_, i) => ({
      name: `pictures/scan-${String(i + 1).padStart(2, '0')}.png`,
      data: Buffer.concat([picture(), noise(1000 + i * 777, i + 11)]),
    })),
    ...(platform === 'win32'
      ? []
      : [
          { name: 'quotes "double".txt', data: Buffer.from('double quotes\n') },
          { name: 'line\nbreak.txt', data: Buffer.from('a newline in the name\n') },
        ]),
  ]
}

/** Files that are added while Slipway runs. */
export function laterSamples(): readonly Sample[] {
  return [
    { name: 'added while running.txt', data: Buffer.from('Saved a moment ago.\n') },
    { name: 'folder/added-below.bin', data: noise(300_000, 99) },
    { name: 'new folder/first.txt', data: Buffer.from('In a folder that is new as well.\n') },
  ]
}

/** Files that must not be uploaded: held for approval, or ignored by a rule. */
export function heldBack(): readonly Sample[] {
  return [
    { name: '.env', data: Buffer.from('TOKEN=only-a-demo\n') },
    { name: 'download.crdownload', data: noise(5000, 3) },
  ]
}

export function write(root: string, samples: readonly Sample[]): void {
  for (const sample of samples) {
    const path = join(root, ...sample.name.split('/'))
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, sample.data)
  }
}

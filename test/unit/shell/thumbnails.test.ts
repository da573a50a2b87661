// Thumbnails on Linux, from bytes written here: PNGs of every kind and filter scaled down, thumbnails inside photos, the file managers'
// cache, and damaged, huge or unrelated data. Then the thread: its own function with files on the disk, when it rests, and what it is asked.
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { inflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { jpegThumbnail } from '../../../src-main/shell/pictures/jpeg-thumbnail.ts'
import { pngSize, pngText, scalePng } from '../../../src-main/shell/pictures/png-scale.ts'
import { cachedPlaces, isCurrent } from '../../../src-main/shell/pictures/thumbnail-cache.ts'
import { type Picture, serveThumbnails, THUMBNAIL_SIDE, type ThumbnailAnswer } from '../../../src-main/shell/pictures/thumbnail-thread.ts'
import { Thumbnails, thumbnailMaker } from '../../../src-main/shell/pictures/thumbnails.ts'
import { makePng, pngChunk } from '../../demo/png.ts'

vi.mock('electron', () => ({ nativeImage: {} }))

/** All RGBA pixels of a PNG written by `scalePng`. */
function pixels(file: Buffer): number[][] {
  const { width, height } = pngSize(file) ?? { width: 0, height: 0 }
  const at = file.indexOf('IDAT') + 4
  const raw = inflateSync(file.subarray(at, at + file.readUInt32BE(at - 8)))
  return Array.from({ length: width * height }, (_, i) => {
    const from = Math.floor(i / width) * (width * 4 + 1) + 1 + (i % width) * 4
    return [...raw.subarray(from, from + 4)]
  })
}

/** A pixel of a single-colour picture after scaling. */
function only(file: Buffer): readonly number[] {
  const scaled = scalePng(file, 64)
  return scaled === null ? [] : (pixels(scaled)[0] ?? [])
}

describe('a PNG', () => {
  it.each([
    ['grey', { color: 0 }, [0, 200], [200, 200, 200, 255]],
    ['grey of one bit', { color: 0, depth: 1 }, [0, 0b1000_0000], [255, 255, 255, 255]],
    ['grey of 16 bits', { color: 0, depth: 16 }, [0, 0x80, 0xff], [128, 128, 128, 255]],
    ['colours', { color: 2 }, [0, 10, 20, 30], [10, 20, 30, 255]],
    ['colours of 16 bits', { color: 2, depth: 16 }, [0, 10, 1, 20, 2, 30, 3], [10, 20, 30, 255]],
    ['grey and opacity', { color: 4 }, [0, 90, 128], [90, 90, 90, 128]],
    ['colours and opacity', { color: 6 }, [0, 10, 20, 30, 40], [10, 20, 30, 40]],
    ['nothing to see', { color: 6 }, [0, 10, 20, 30, 0], [0, 0, 0, 0]],
  ])('of %s is read', (_name, made, row, expected) => {
    expect(only(makePng({ width: 1, height: 1, ...made }, Uint8Array.from(row)))).toEqual(expected)
  })

  it('with a palette of four bits and its opacity is read', () => {
    const extra = [pngChunk('PLTE', Uint8Array.from([1, 2, 3, 4, 5, 6])), pngChunk('tRNS', Uint8Array.from([255, 99]))]
    expect(only(makePng({ width: 1, height: 1, color: 3, depth: 4, extra }, Uint8Array.from([0, 0x10])))).toEqual([4, 5, 6, 99])
  })

  it('is read through every filter', () => {
    // Six rows of three grey pixels, with all five filters. The first row has no row above it.
    const plain = [
      [10, 20, 40],
      [15, 25, 35],
      [200, 100, 50],
      [60, 70, 80],
      [90, 12, 250],
      [3, 2, 1],
    ]
    const paeth = (a: number, b: number, c: number): number => {
      const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
      return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }
    const rows = plain.map((row, y) =>
      row.map((value, x) => {
        const [left, up, corner] = [x > 0 ? (row[x - 1] ?? 0) : 0, plain[y - 1]?.[x] ?? 0, x > 0 ? (plain[y - 1]?.[x - 1] ?? 0) : 0]
        const guess = [paeth(left, up, corner), left, up, (left + up) >> 1, paeth(left, up, corner), 0][y] ?? 0
        return (value - guess) & 255
      }),
    )
    const filters = [4, 1, 2, 3, 4, 0]
    const file = makePng({ width: 3, height: 6, color: 0 }, Uint8Array.from(rows.flatMap((row, y) => [filters[y] ?? 0, ...row])))
    expect(pixels(scalePng(file, 64) ?? Buffer.alloc(0)).map(([grey]) => grey)).toEqual(plain.flat())
  })

  it('becomes small, keeps its shape, and keeps an edge sharp', () => {
    const [width, height] = [1280, 640]
    const rows = Buffer.alloc((width * 3 + 1) * height)
    // The left half is black, the right half white.
    for (let y = 0; y < height; y++) rows.fill(255, y * (width * 3 + 1) + 1 + (width / 2) * 3, (y + 1) * (width * 3 + 1))
    const scaled = scalePng(makePng({ width, height, color: 2 }, rows), 64) ?? Buffer.alloc(0)
    expect(pngSize(scaled)).toEqual({ width: 64, height: 32 })
    const row = pixels(scaled).slice(0, 64)
    expect([row[0], row[31], row[32], row[63]]).toEqual([
      [0, 0, 0, 255],
      [0, 0, 0, 255],
      [255, 255, 255, 255],
      [255, 255, 255, 255],
    ])
    expect(scaled.length).toBeLessThan(1000)
  })

  it('is averaged, colours by their opacity', () => {
    const [width, height] = [256, 128]
    const rows = Buffer.alloc((width * 4 + 1) * height)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = y * (width * 4 + 1) + 1 + x * 4
        // Every fourth column of the left half is white, all others are black. Every second row of the right half is green, the others
        // are red and invisible.
        if (x < width / 2) rows.fill(x % 4 === 0 ? 255 : 0, at, at + 3).writeUInt8(255, at + 3)
        else rows.set(y % 2 === 0 ? [0, 200, 0, 255] : [255, 0, 0, 0], at)
      }
    // Each target pixel covers 4 x 4 pixels of the source.
    const row = pixels(scalePng(makePng({ width, height, color: 6 }, rows), 64) ?? Buffer.alloc(0)).slice(0, 64)
    expect(row).toEqual([...Array.from({ length: 32 }, () => [64, 64, 64, 255]), ...Array.from({ length: 32 }, () => [0, 200, 0, 128])])
  })

  it('of one pixel in width stays one', () => {
    const tall = makePng({ width: 1, height: 1000, color: 0 }, new Uint8Array(2000))
    expect(pngSize(scalePng(tall, 64) ?? tall)).toEqual({ width: 1, height: 64 })
  })

  it.each([
    ['interlaced', makePng({ width: 1, height: 1, color: 0, interlace: 1 }, Uint8Array.from([0, 1]))],
    ['of too many pixels', makePng({ width: 50_000, height: 50_000, color: 0 }, Uint8Array.from([0, 1]))],
    ['of no pixel', makePng({ width: 0, height: 5, color: 0 }, Uint8Array.from([0]))],
    ['of an unknown kind', makePng({ width: 1, height: 1, color: 5 }, Uint8Array.from([0, 1]))],
    ['with too few rows', makePng({ width: 1, height: 5, color: 0 }, Uint8Array.from([0, 1]))],
    ['with an unknown filter', makePng({ width: 1, height: 1, color: 0 }, Uint8Array.from([9, 1]))],
    ['cut off', makePng({ width: 1, height: 1, color: 0 }, Uint8Array.from([0, 1])).subarray(0, 40)],
    ['that is none', Buffer.from('GIF89a')],
    ['that is empty', Buffer.alloc(0)],
  ])('%s has no thumbnail', (_name, file) => {
    expect(scalePng(file, 64)).toBeNull()
  })

  it('that unpacks to more than its header says is not unpacked', () => {
    expect(() => scalePng(makePng({ width: 1, height: 1, color: 0 }, new Uint8Array(50_000_000)), 64)).toThrow(/larger|length/i)
  })

  it('tells its texts', () => {
    const extra = [pngChunk('tEXt', Buffer.from('Thumb::MTime\x00123', 'latin1'))]
    const file = makePng({ width: 1, height: 1, color: 0, extra }, Uint8Array.from([0, 1]))
    expect([pngText(file, 'Thumb::MTime'), pngText(file, 'Thumb::URI')]).toEqual(['123', null])
  })
})

/** The smallest data that states a JPEG's size. */
function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, Buffer.from([0xff, 0xd9])])
}

interface Photo {
  readonly inside: Buffer
  readonly order?: 'II' | 'MM'
  readonly orientation?: number
  readonly offset?: number
  readonly length?: number
}

/** A photo as written by cameras: the orientation in the first directory, the thumbnail in the second. */
function photo({ inside, order = 'II', orientation = 1, offset = 56, length = inside.length }: Photo): Buffer {
  const tiff = Buffer.alloc(56)
  const u16 = (value: number, at: number): unknown => (order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at))
  const u32 = (value: number, at: number): unknown => (order === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at))
  tiff.write(order, 'latin1')
  u16(42, 2)
  u32(8, 4)
  u16(1, 8)
  u16(0x0112, 10)
  u16(3, 12)
  u32(1, 14)
  u16(orientation, 18)
  u32(26, 22)
  u16(2, 26)
  for (const [at, tag, value] of [
    [28, 0x0201, offset],
    [40, 0x0202, length],
  ] as const) {
    u16(tag, at)
    u16(4, at + 2)
    u32(1, at + 4)
    u32(value, at + 8)
  }
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, inside])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([Buffer.from([0xff, 0xd8]), head, body, Buffer.from([0xff, 0xda, 0, 2])])
}

describe('a photo', () => {
  const inside = jpegOf(160, 120)

  it.each(['II', 'MM'] as const)('has its thumbnail inside, in the byte order %s', (order) => {
    expect(jpegThumbnail(photo({ inside, order }))).toEqual(inside)
  })

  it('gives its thumbnail the orientation that it has itself', () => {
    const found = jpegThumbnail(photo({ inside, order: 'MM', orientation: 6 })) ?? Buffer.alloc(0)
    expect(found.subarray(0, 2)).toEqual(inside.subarray(0, 2))
    expect(found.subarray(-inside.length + 2)).toEqual(inside.subarray(2))
    const exif = found.subarray(12, 38)
    expect([exif.toString('latin1', 0, 2), exif.readUInt16LE(10), exif.readUInt16LE(18)]).toEqual(['II', 0x0112, 6])
  })

  it.each([
    ['none inside', jpegOf(4000, 3000)],
    ['one as large as a picture', photo({ inside: jpegOf(4000, 3000) })],
    ['one of no size', photo({ inside: jpegOf(0, 0) })],
    ['something else', photo({ inside: Buffer.from('<script>') })],
    ['one beyond its end', photo({ inside, length: 60_000 })],
    ['one before its beginning', photo({ inside, offset: 0xffff_fff0 })],
    ['half of its directory', photo({ inside }).subarray(0, 40)],
    ['nothing', Buffer.alloc(0)],
    ['another format', Buffer.from('RIFFxxxxWEBP')],
  ])('with %s has no thumbnail', (_name, file) => {
    expect(jpegThumbnail(file)).toBeNull()
  })
})

describe('the cache of the file managers', () => {
  it('names thumbnails as the standard does', () => {
    // The standard's own example.
    expect(cachedPlaces('/home/jens/photos/me.png', '/cache')).toEqual([
      '/cache/thumbnails/normal/c6ee772d9e49320e97ec29a7eb5b1697.png',
      '/cache/thumbnails/large/c6ee772d9e49320e97ec29a7eb5b1697.png',
    ])
  })

  it('is current only for the time at which the file was modified', () => {
    const extra = [pngChunk('tEXt', Buffer.from('Thumb::MTime\x001700000000', 'latin1'))]
    const file = makePng({ width: 128, height: 96, color: 0, extra }, new Uint8Array(129 * 96))
    expect([isCurrent(file, 1_700_000_000_900), isCurrent(file, 1_700_000_001_000), isCurrent(Buffer.alloc(9), 0)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('the thread', () => {
  let home = ''
  let port: MessagePort
  let channel: MessageChannel
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'slipway-thumbnails-'))
    vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'))
    channel = new MessageChannel()
    serveThumbnails(channel.port2)
    port = channel.port1
  })
  afterEach(() => {
    channel.port1.close()
    channel.port2.close()
    vi.unstubAllEnvs()
    rmSync(home, { recursive: true, force: true })
  })
  const ask = (path: string): Promise<ThumbnailAnswer['picture']> =>
    new Promise((resolve) => {
      port.once('message', (answer: ThumbnailAnswer) => resolve(answer.picture))
      port.postMessage({ id: 1, path })
    })
  const grey = (side: number, extra: readonly Buffer[] = []): Buffer =>
    makePng({ width: side, height: side, color: 0, extra }, new Uint8Array((side + 1) * side))

  it('scales a PNG and opens a photo', async () => {
    writeFileSync(join(home, 'a.png'), grey(500))
    writeFileSync(join(home, 'b.JPG'), photo({ inside: jpegOf(160, 120) }))
    const [a, b] = [await ask(join(home, 'a.png')), await ask(join(home, 'b.JPG'))]
    expect([a?.type, b?.type]).toEqual(['image/png', 'image/jpeg'])
    expect(pngSize(a?.bytes ?? new Uint8Array())).toEqual({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE })
  })

  it('prefers a current thumbnail of the file managers, of any kind of picture', async () => {
    const path = join(home, 'c.webp')
    writeFileSync(path, 'no picture that anything here can read')
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    expect(await ask(path)).toBeNull()
    const [place = ''] = cachedPlaces(path, join(home, 'cache'))
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, grey(128, [pngChunk('tEXt', Buffer.from('Thumb::MTime\x001700000000', 'latin1'))]))
    expect((await ask(path))?.bytes.length).toBe(statSync(place).size)
    utimesSync(path, 1_700_000_009, 1_700_000_009)
    expect(await ask(path)).toBeNull()
  })

  it('follows no link, and answers for what is gone, damaged or no file', async () => {
    writeFileSync(join(home, 'real.png'), grey(5))
    symlinkSync(join(home, 'real.png'), join(home, 'link.png'))
    mkdirSync(join(home, 'folder.png'))
    writeFileSync(join(home, 'damaged.png'), grey(5).subarray(0, 50))
    for (const name of ['link.png', 'folder.png', 'damaged.png', 'none.png']) expect(await ask(join(home, name)), name).toBeNull()
  })
})

describe('the thread of the window', () => {
  afterEach(() => vi.useRealTimers())

  it('rests once, counted from the last answer, where requests overlap', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answers = 'parentPort.on("message", ({ id }) => parentPort.postMessage({ id, picture: null }))'
    const make = thumbnailMaker('linux', new URL(`data:text/javascript,import { parentPort } from 'node:worker_threads'; ${answers}`))
    expect(await Promise.all([make('a'), make('b')])).toEqual([null, null])
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(29_000)
    await make('c')
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the thumbnails of the window', () => {
  it('are made once for each version, two at a time, and a failure is none', async () => {
    const made: string[] = []
    const ends: (() => void)[] = []
    const thumbnails = new Thumbnails((path) => {
      made.push(path)
      if (path === 'bad') return Promise.reject(new Error('no'))
      return new Promise((resolve) => ends.push(() => resolve({ type: 'image/png', bytes: Uint8Array.of(1) })))
    })
    const all = ['a', 'b', 'c', 'bad'].map((path) => thumbnails.of({ path, version: '1' }))
    expect(made).toEqual(['a', 'b'])
    expect(thumbnails.of({ path: 'a', version: '1' })).toBe(all[0])
    while (ends.length > 0) {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await Promise.all(all)).map((one) => one?.bytes.length ?? null)).toEqual([1, 1, 1, null])
    expect(made.toSorted()).toEqual(['a', 'b', 'bad', 'c'])
    void thumbnails.of({ path: 'a', version: '2' })
    expect(made).toHaveLength(5)
  })

  it('are made two at a time even where a request comes in while a waiting one is woken', async () => {
    let [now, most] = [0, 0]
    const firstEnds: (() => void)[] = []
    let first = Promise.resolve<Picture | null>(null)
    const thumbnails = new Thumbnails((path) => {
      most = Math.max(most, ++now)
      const made = path.startsWith('slow') ? new Promise<null>((resolve) => firstEnds.push(() => resolve(null))) : Promise.resolve(null)
      const counted = made.then(() => {
        now--
        return null
      })
      if (path === 'slow 1') first = counted
      return counted
    })
    const all = ['slow 1', 'slow 2', 'waiting'].map((path) => thumbnails.of({ path, version: '1' }))
    // This runs after the first one has ended and woken the waiting one, and before the waiting one continues.
    const between = first.then(() => thumbnails.of({ path: 'between', version: '1' }))
    for (const end of firstEnds) {
      end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await Promise.all([...all, between])).toEqual([null, null, null, null])
    expect(most).toBe(2)
    // No place is lost: two more are made at once.
    void thumbnails.of({ path: 'slow 3', version: '1' })
    void thumbnails.of({ path: 'slow 4', version: '1' })
    expect(now).toBe(2)
  })
})

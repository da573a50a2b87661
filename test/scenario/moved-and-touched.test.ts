// A file that was uploaded and is found under another name, where neither its inode nor its timestamp
// identifies it. It is recognized by its content and because its old path no longer exists.
import { describe, expect, it } from 'vitest'
import { DiskError } from '../../src-main/engine/ports.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000
const OTHER = '/home/other'
/** Larger than the size up to which a file is read completely before it is sent. */
const LARGE = 'the first'.repeat(200_000)

async function linkOf(w: World, path: string): Promise<string | null> {
  const found = await w.handlers.links({ selectors: [path] })
  return found.ok ? (found.value[0]?.row?.publicLink ?? null) : null
}

async function settle(w: World): Promise<void> {
  await w.pass(15 * MINUTE)
  await w.until(() => w.allSettled())
}

/** Watches the folder until the process ends. */
async function watch(w: World, path: string, ignore: readonly string[] = []): Promise<void> {
  const got = await w.handlers.watch({
    path,
    existing: 'upload',
    onChange: 'new-link',
    ignore: [...ignore],
    keep: false,
  })
  expect(got.ok).toBe(true)
}

/** Watches the folder and uploads `a.txt`. Returns its link. */
async function uploaded(content: string): Promise<readonly [World, string]> {
  const w = await openWorld()
  w.disk.mkdir(OTHER)
  w.disk.write(`${FOLDER}/a.txt`, content)
  await watch(w, FOLDER)
  await settle(w)
  return [w, (await linkOf(w, `${FOLDER}/a.txt`)) ?? 'none']
}

describe.each([
  ['small', 'the first'],
  ['large', LARGE],
])('a %s file that was moved and touched while nothing ran', (_size, content) => {
  it('keeps its link if it is found before it is missed', async () => {
    const [w, before] = await uploaded(content)
    await w.crash()
    w.disk.rename(`${FOLDER}/a.txt`, `${OTHER}/b.txt`)
    w.disk.setMtime(`${OTHER}/b.txt`, w.clock.now())
    await w.clock.advance(MINUTE)
    await watch(w, OTHER)
    await settle(w)
    // The folder that the file came from is watched only now.
    await watch(w, FOLDER)
    await settle(w)
    expect(w.service.ledger.files()).toHaveLength(1)
    expect(await linkOf(w, `${OTHER}/b.txt`)).toBe(before)
    // The old name has been matched already, so a copy is another file.
    w.disk.write(`${OTHER}/copy.txt`, content)
    await settle(w)
    expect(w.service.ledger.live()).toHaveLength(2)
    expect(await linkOf(w, `${OTHER}/b.txt`)).toBe(before)
  })

  it('keeps its link if a rule had excluded it under its old name', async () => {
    const [w, before] = await uploaded(content)
    await w.crash()
    await watch(w, FOLDER, ['a.*'])
    await settle(w)
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/b.txt`)
    await settle(w)
    expect(w.service.ledger.files()).toHaveLength(1)
    expect(await linkOf(w, `${FOLDER}/b.txt`)).toBe(before)
  })

  it('keeps its link if a rules file had excluded its directory', async () => {
    const [w] = await uploaded('another')
    w.disk.mkdir(`${FOLDER}/sub`)
    w.disk.write(`${FOLDER}/sub/c.txt`, content)
    await settle(w)
    const before = await linkOf(w, `${FOLDER}/sub/c.txt`)
    w.disk.write(`${FOLDER}/.slipwayignore`, 'sub/\n')
    await settle(w)
    w.disk.rename(`${FOLDER}/sub/c.txt`, `${FOLDER}/d.txt`)
    await settle(w)
    expect(w.service.ledger.files()).toHaveLength(2)
    expect(await linkOf(w, `${FOLDER}/d.txt`)).toBe(before)
  })
})

describe('a file whose response was lost, moved and touched while nothing ran', () => {
  it('is sent once if it is found before it is missed', async () => {
    const lost = { on: 'upload', nth: 1, kinds: 'cut-after-store' } as const
    const w = await openWorld({
      faults: { rules: [lost, { on: 'list', kinds: { kind: 'error-before-body', status: 503 } }] },
    })
    w.disk.mkdir(OTHER)
    w.disk.write(`${FOLDER}/a.txt`, 'the first')
    await watch(w, FOLDER)
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    await w.crash()
    w.disk.rename(`${FOLDER}/a.txt`, `${OTHER}/b.txt`)
    w.disk.setMtime(`${OTHER}/b.txt`, w.clock.now())
    await w.clock.advance(MINUTE)
    await watch(w, OTHER)
    // During this time the service can't say what became of the first file.
    await w.pass(MINUTE)
    w.service.setFaults(null)
    // Either of the two files may be recognized first. If it is the new one, the old one waits until its
    // folder is watched.
    await w.pass(15 * MINUTE)
    await watch(w, FOLDER)
    await settle(w)
    expect(w.service.ledger.files()).toHaveLength(1)
    expect(await w.byName('b.txt')).toMatchObject({ state: 'done' })
    expect(await linkOf(w, `${OTHER}/b.txt`)).toMatch(/download/)
  })
})

describe('a file with the same bytes', () => {
  it('has its own link if two of them appear for one that has vanished', async () => {
    const [w, before] = await uploaded('the first')
    w.disk.remove(`${FOLDER}/a.txt`)
    w.disk.write(`${FOLDER}/b.txt`, 'the first')
    w.disk.write(`${FOLDER}/c.txt`, 'the first')
    await settle(w)
    const links = [await linkOf(w, `${FOLDER}/b.txt`), await linkOf(w, `${FOLDER}/c.txt`)]
    expect(w.service.ledger.live()).toHaveLength(2)
    expect(new Set(links).size).toBe(2)
    expect(links).toContain(before)
  })

  it('has its own link in addition to the first one', async () => {
    const [w, before] = await uploaded('the first')
    w.disk.write(`${FOLDER}/b.txt`, 'the first')
    await settle(w)
    expect(w.service.ledger.live()).toHaveLength(2)
    expect(await linkOf(w, `${FOLDER}/a.txt`)).toBe(before)
  })

  it('has its own link while the disk of the first one is missing', async () => {
    const [w, before] = await uploaded('the first')
    await w.crash()
    w.disk.rename(FOLDER, '/home/unplugged')
    w.disk.write(`${OTHER}/b.txt`, 'the first')
    await w.clock.advance(MINUTE)
    await watch(w, OTHER)
    await settle(w)
    expect(w.service.ledger.live()).toHaveLength(2)
    w.disk.rename('/home/unplugged', FOLDER)
    await watch(w, FOLDER)
    await settle(w)
    expect(w.service.ledger.live()).toHaveLength(2)
    expect(await linkOf(w, `${FOLDER}/a.txt`)).toBe(before)
  })

  it('is sent again under another name if the user requests it', async () => {
    const [w, before] = await uploaded('the first')
    await w.crash()
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/b.txt`)
    await w.handlers.upload({ paths: [`${FOLDER}/b.txt`], again: true, token: 't' })
    await settle(w)
    expect(w.service.ledger.live()).toHaveLength(2)
    expect(await linkOf(w, `${FOLDER}/b.txt`)).not.toBe(before)
  })
})

describe('two uploaded files that swap names', () => {
  it.each(['upload', 'skip'] as const)(
    'while nothing runs keep their links, with existing files: %s',
    async (existing) => {
      const w = await openWorld()
      const start = async (): Promise<void> => {
        const got = await w.handlers.watch({
          path: FOLDER,
          existing,
          onChange: 'new-link',
          ignore: [],
          keep: false,
        })
        expect(got.ok).toBe(true)
      }
      await start()
      await w.pass(MINUTE)
      w.disk.write(`${FOLDER}/one.txt`, 'the bytes of one')
      w.disk.write(`${FOLDER}/two.txt`, 'and these of the other')
      await settle(w)
      const links = [await linkOf(w, `${FOLDER}/one.txt`), await linkOf(w, `${FOLDER}/two.txt`)]
      await w.crash()
      w.disk.rename(`${FOLDER}/one.txt`, `${FOLDER}/between.txt`)
      w.disk.rename(`${FOLDER}/two.txt`, `${FOLDER}/one.txt`)
      w.disk.rename(`${FOLDER}/between.txt`, `${FOLDER}/two.txt`)
      await w.clock.advance(MINUTE)
      await start()
      await settle(w)
      expect([await linkOf(w, `${FOLDER}/two.txt`), await linkOf(w, `${FOLDER}/one.txt`)]).toEqual(links)
      expect(w.service.ledger.files()).toHaveLength(2)
    },
  )
})

it('a file that was only touched counts as uploaded where changes are ignored, even if it couldn’t be read at first', async () => {
  const w = await openWorld()
  w.disk.write(`${FOLDER}/a.txt`, 'the first')
  w.disk.write(`${FOLDER}/b.txt`, 'another')
  await w.watch({ onChange: 'ignore' })
  await settle(w)
  let reads = 0
  w.disk.onceRead(`${FOLDER}/a.txt`, () => {
    reads++
    throw new DiskError({ code: 'io', message: 'read error' })
  })
  w.disk.setMtime(`${FOLDER}/a.txt`, w.clock.now())
  w.disk.write(`${FOLDER}/b.txt`, 'changed')
  // The touch is found by the next rescan.
  await w.pass(11 * MINUTE)
  expect(reads).toBe(1)
  await w.crash()
  await settle(w)
  expect(await w.handlers.audit({ path: FOLDER, rescan: true })).toMatchObject({
    value: { sums: { uploaded: 1, ignored: 1 } },
  })
  // The changed one isn't read again and again.
  expect(w.sql('SELECT name FROM files WHERE ctime = -1')).toEqual([])
  expect(w.service.ledger.files()).toHaveLength(2)
})

it.each([
  ['other bytes', 'written', 'ignored'],
  ['its bytes again', 'uploaded', 'uploaded'],
])(
  'a large file in use is not read again and again where changes are ignored, and in the end has %s',
  async (_what, last, list) => {
    const w = await openWorld()
    // Of constant size, like a disk image or a database.
    const image = (content: string): string => content.repeat(200_000)
    w.disk.write(`${FOLDER}/image.bin`, image('uploaded'))
    w.disk.write(`${FOLDER}/other.txt`, 'another')
    await w.watch({ onChange: 'ignore' })
    await settle(w)
    const before = w.disk.opened()
    for (let i = 0; i < 200; i++) {
      // It changes while it is read, too.
      w.disk.onceRead(`${FOLDER}/image.bin`, () =>
        w.disk.write(`${FOLDER}/image.bin`, image(`as read${i % 10}`)),
      )
      w.disk.write(`${FOLDER}/image.bin`, image(`in use ${i % 10}`))
      await w.pass(300)
    }
    expect(w.disk.opened() - before).toBeLessThan(4)
    w.disk.onceRead(`${FOLDER}/image.bin`, () => undefined)
    // From time to time, long enough for a whole read in between.
    for (let i = 0; i < 50; i++) {
      w.disk.write(`${FOLDER}/image.bin`, image(`seldom ${i % 10}`))
      await w.pass(5000)
    }
    expect(w.disk.opened() - before).toBeLessThan(4)
    w.disk.write(`${FOLDER}/image.bin`, image(last.padEnd(8)))
    await w.pass(15 * MINUTE)
    expect(w.disk.opened() - before).toBeLessThan(6)
    expect(w.sql('SELECT name FROM files WHERE ctime = -1')).toEqual([])
    const audit = await w.handlers.audit({ path: FOLDER, rescan: true })
    expect(audit).toMatchObject({
      value: { sums: { uploaded: list === 'uploaded' ? 2 : 1, ignored: list === 'uploaded' ? 0 : 1 } },
    })
    expect(w.service.ledger.files()).toHaveLength(2)
  },
)

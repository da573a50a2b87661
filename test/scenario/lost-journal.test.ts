// A journal that is new, lost, emptied, or older than the last upload proves nothing. Files that the service
// already has are recognized by content and adopted, whatever the service does to names and sizes. Only
// missing files are sent.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Gate } from '../../src-shared/model.ts'
import type { Dialect } from '../service/dialect.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

async function open(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  return openWorld({ plan: 'enterprise', ...options })
}
const SUFFIXES = ['', '-wal', '-shm', '-seal']
const remove = (journal: string, ...more: readonly string[]): void => {
  for (const suffix of [...SUFFIXES, ...more]) rmSync(journal + suffix, { force: true })
}
const downloads = (w: World): number =>
  w.service.requests.list().filter((request) => request.endpoint === 'download').length
const uploads = (w: World): number =>
  w.service.requests.list().filter((request) => request.endpoint === 'upload').length
/**
 * Most files are of equal size. Of every five, the second and the third have the same content, and the fifth
 * is longer.
 */
const plant = (w: World, from: number, to: number): void => {
  for (let i = from; i < to; i++) {
    const n = i % 5 === 2 ? i - 1 : i
    w.disk.write(
      `${FOLDER}/file ${i}.txt`,
      i % 5 === 4 ? `longer content ${i}` : `content ${String(n).padStart(2, '0')}`,
    )
  }
}
const links = async (w: World): Promise<Readonly<Record<string, string | null>>> =>
  Object.fromEntries(
    (await w.transfers()).filter((t) => t.state === 'done').map((t) => [t.name, t.publicLink]),
  )

describe.each<{ name: string; lose: (w: World) => Promise<void> }>([
  { name: 'deleted', lose: (w) => w.crash((journal) => remove(journal)) },
  { name: 'deleted with all beside it', lose: (w) => w.crash((journal) => remove(journal, '-stamp')) },
  {
    name: 'emptied',
    lose: (w) =>
      w.crash((journal) => {
        remove(journal)
        writeFileSync(journal, '')
      }),
  },
  {
    name: 'damaged',
    lose: (w) =>
      w.crash((journal) => {
        remove(journal)
        writeFileSync(journal, 'no journal any more '.repeat(1000))
      }),
  },
])('a journal that is $name', ({ lose }) => {
  it('sends nothing twice, and new files once', async () => {
    const w = await open()
    plant(w, 0, 20)
    await w.watch()
    await w.until(() => w.allSettled())
    const before = await links(w)
    await w.pass(5000)
    await lose(w)
    w.disk.write(`${FOLDER}/new.txt`, 'content xx')
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 21 && (await w.allSettled()))
    expect(await links(w)).toMatchObject(before)
    expect({ files: w.service.ledger.files().length, uploads: uploads(w) }).toEqual({
      files: 21,
      uploads: 21,
    })
    const adopted = (await w.transfers()).filter((t) => t.adopted).map((t) => t.name)
    expect(adopted.length).toBe(20)
    expect(adopted).not.toContain('new.txt')
    // Each of the service's files is downloaded at most once, and that isn't reported as a download.
    expect(downloads(w)).toBeLessThanOrEqual(20)
    await w.list({ limit: 100 })
    await w.pass(1000)
    expect(
      w.events.filter((event) => event.kind === 'notice' && event.about?.what === 'first-download'),
    ).toEqual([])
  })
})

async function gateOf(w: World): Promise<Gate | null> {
  const now = await w.handlers.snapshot({})
  return now.ok ? now.value.gate : null
}

describe('the forecast after the journal was lost', () => {
  it('includes the files to compare with the service, once its list is known', async () => {
    const w = await open()
    plant(w, 0, 4)
    await w.watch()
    await w.until(() => w.allSettled())
    await w.pass(5000)
    await w.crash((journal) => remove(journal))
    w.disk.write(`${FOLDER}/new.txt`, 'content of a size of its own')
    await w.list({ limit: 100 })
    await w.pass(5000)
    const got = await valueOf(w.handlers.plan({ paths: [FOLDER] }))
    expect(got).toMatchObject({ files: 5, already: 0, compared: 4, now: 1, later: 0 })
  })
})

describe('a journal that is older than what was sent', () => {
  it.each([
    ['alone', false],
    ['with all that is beside it', true],
  ])('is recognised, restored %s', async (_name, whole) => {
    const w = await open()
    let copy: readonly (readonly [string, Buffer])[] = []
    plant(w, 0, 10)
    await w.watch()
    await w.until(() => w.allSettled())
    await w.handlers.stats({})
    await w.crash((journal) => {
      const kept = whole ? [...SUFFIXES, '-stamp'] : SUFFIXES
      copy = kept
        .filter((suffix) => existsSync(journal + suffix))
        .map((suffix) => [suffix, readFileSync(journal + suffix)] as const)
    })
    await w.watch()
    await w.pass(30 * 60_000)
    plant(w, 10, 20)
    await w.until(async () => (await w.transfers()).length === 20 && (await w.allSettled()))
    await w.pass(10_000)
    await w.crash((journal) => {
      remove(journal)
      for (const [suffix, bytes] of copy) writeFileSync(journal + suffix, bytes)
    })
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 20 && (await w.allSettled()))
    expect({ files: w.service.ledger.files().length, uploads: uploads(w) }).toEqual({
      files: 20,
      uploads: 20,
    })
  })

  it('is recognised if its log was lost', async () => {
    const w = await open()
    let early = Buffer.alloc(0)
    await w.crash((journal) => {
      early = readFileSync(journal)
    })
    plant(w, 0, 12)
    await w.watch()
    await w.until(() => w.allSettled())
    await w.crash((journal) => {
      remove(journal)
      writeFileSync(journal, early)
    })
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 12 && (await w.allSettled()))
    expect(w.service.ledger.files().length).toBe(12)
  })
})

describe('a comparison', () => {
  it.each<readonly [string, Partial<Dialect>]>([
    ['names are replaced', { filename: 'suffixed' }],
    ['sizes are kilobytes', { sizeUnit: 'KB' }],
    ['sizes are megabytes', { sizeUnit: 'MB' }],
    ['the list tells no sizes', { listFields: 'no-size' }],
    ['the list tells no links', { listFields: 'no-link' }],
    [
      'the list is in no order, ten a page',
      { ids: 'random', listOrder: 'name', listCap: 10, listDefault: 10 },
    ],
  ])('finds each file where %s', async (_name, dialect) => {
    const w = await open({ dialect })
    plant(w, 0, 15)
    await w.watch()
    await w.until(() => w.allSettled())
    await w.crash((journal) => remove(journal))
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 15 && (await w.allSettled()), 3)
    expect({ files: w.service.ledger.files().length, uploads: uploads(w) }).toEqual({
      files: 15,
      uploads: 15,
    })
  })

  it('also applies to files that the user uploads, unless the user wants them sent', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    w.disk.write(`${FOLDER}/b.txt`, 'two')
    const upload = async (again: boolean, token: string): Promise<void> => {
      await w.handlers.upload({ paths: [`${FOLDER}/a.txt`, `${FOLDER}/b.txt`], again, token })
      await w.until(() => w.allSettled())
    }
    await upload(false, 'first-token')
    await w.crash((journal) => remove(journal))
    await upload(false, 'second-token')
    expect(w.service.ledger.files().length).toBe(2)
    expect((await w.transfers()).map((t) => t.adopted)).toEqual([true, true])
    await upload(true, 'third-token')
    expect(w.service.ledger.files().length).toBe(4)
  })

  it('matches one remote file with one local one, that of the same name, and sends the other', async () => {
    const w = await open()
    w.service.plant({ filename: 'b.txt', bytes: Buffer.from('the same bytes') })
    for (const name of ['a', 'b', 'c']) w.disk.write(`${FOLDER}/${name}.txt`, 'the same bytes')
    await w.crash((journal) => remove(journal))
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 3 && (await w.allSettled()))
    const rows = Object.fromEntries((await w.transfers()).map((t) => [t.name, t.adopted]))
    expect(rows).toEqual({ 'a.txt': false, 'b.txt': true, 'c.txt': false })
    expect({ files: w.service.ledger.files().length, downloads: downloads(w) }).toEqual({
      files: 3,
      downloads: 1,
    })
  })

  it('asks the user if the bytes of a file with this name and size can’t be read', async () => {
    const w = await open()
    w.service.plant({ filename: 'a.txt', size: 9 })
    w.disk.write(`${FOLDER}/a.txt`, 'nine char')
    w.disk.write(`${FOLDER}/other.txt`, 'of another size')
    await w.crash((journal) => remove(journal))
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 2 && (await w.allSettled()))
    const held = await w.byName('a.txt')
    expect(held).toMatchObject({ state: 'held', reason: 'ambiguous' })
    expect((await w.byName('other.txt'))?.state).toBe('done')
    await w.handlers.release({ ids: [held?.id ?? 0] })
    await w.until(() => w.allSettled())
    expect((await w.byName('a.txt'))?.state).toBe('done')
  })

  it.each(['no-size', 'id-name'] as const)(
    'asks about each file once if the service shows no details of single files: list %s',
    async (listFields) => {
      const w = await open({ dialect: { listFields, singleFile: 'never' } })
      for (let i = 0; i < 20; i++)
        w.service.plant({ filename: `planted ${i}.bin`, bytes: Buffer.from(`planted ${i}`) })
      plant(w, 0, 20)
      await w.pass(1000)
      await w.watch()
      await w.until(() => w.allSettled())
      const asked = w.service.requests.list().filter((request) => request.endpoint === 'get').length
      expect(asked).toBeLessThanOrEqual(40)
    },
  )

  it('is shown while it lasts, and waits if the list can’t be read', async () => {
    const w = await open()
    w.service.plant({ filename: 'x.txt', bytes: Buffer.from('some bytes') })
    w.disk.write(`${FOLDER}/a.txt`, 'some words')
    await w.crash((journal) => remove(journal))
    w.service.setFaults({ rules: [{ on: 'list', kinds: ['error-before-store'] }] })
    await w.watch()
    await w.until(async () => (await w.byName('a.txt'))?.reason === 'comparing')
    await w.pass(3000)
    expect(await gateOf(w)).toMatchObject({ message: expect.stringContaining("can't be read. ") })
    w.service.setFaults({ rules: [{ on: 'list', kinds: { kind: 'rate-limited', seconds: 7 } }] })
    await w.until(async () => (await gateOf(w))?.reason === 'server-pause')
    await w.pass(60_000)
    expect(uploads(w)).toBe(0)
    expect((await w.byName('a.txt'))?.state).toBe('waiting')
    w.service.setFaults(null)
    await w.until(() => w.allSettled())
    expect((await w.byName('a.txt'))?.state).toBe('done')
  })

  it('is over if nothing waits for a list that can’t be read', async () => {
    const w = await open()
    w.service.plant({ filename: 'x.txt', bytes: Buffer.from('some bytes') })
    w.disk.write(`${FOLDER}/a.txt`, 'some words')
    await w.crash((journal) => remove(journal))
    w.service.setFaults({ rules: [{ on: 'list', kinds: ['error-before-store'] }] })
    await w.handlers.upload({ paths: [`${FOLDER}/a.txt`], again: false, token: 'some-token' })
    await w.until(async () => (await w.byName('a.txt'))?.reason === 'comparing')
    await w.pass(20_000)
    await w.handlers.cancel({ ids: [(await w.byName('a.txt'))?.id ?? 0] })
    await w.pass(120_000)
    const now = await w.handlers.snapshot({})
    expect(now.ok && now.value.gate).toBeNull()
  })

  it.each<readonly [string, Partial<Dialect>]>([
    ['newest first', {}],
    ['oldest first', { listOrder: 'oldest' }],
    ['in no order', { listOrder: 'shuffled', ids: 'random' }],
  ])('ends where files are deleted while the list is paged, %s', async (_name, order) => {
    const w = await open({ dialect: { listShift: 'delete', listCap: 10, listDefault: 10, ...order } })
    plant(w, 0, 25)
    await w.watch()
    await w.until(() => w.allSettled())
    // Files of another client. One of them is deleted with each page that is read, so no pass over the list
    // is ever complete.
    for (let i = 0; i < 200; i++)
      w.service.plant({ filename: `another ${i}.bin`, bytes: Buffer.from(`others ${i}`) })
    await w.crash((journal) => remove(journal))
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 25 && (await w.allSettled()), 2 / 60)
    expect(uploads(w)).toBe(25)
  })

  it('doesn’t adopt a file that was deleted since the list was read', async () => {
    const w = await open({ dialect: { listShift: 'delete', listCap: 10, listDefault: 10 } })
    for (let i = 100; i < 160; i++)
      w.service.plant({ filename: `another ${i}.bin`, bytes: Buffer.from(`others ${i}`) })
    w.disk.write(`${FOLDER}/a.txt`, 'content 00')
    await w.crash((journal) => remove(journal))
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 1 && (await w.allSettled()))
    expect((await w.byName('a.txt'))?.state).toBe('done')
  })

  it('of many old files doesn’t hold up a new one', async () => {
    const w = await open()
    w.service.plant({ filename: 'x.txt', bytes: Buffer.from('some bytes') })
    for (let i = 0; i < 400; i++) w.disk.write(`${FOLDER}/old ${i}.txt`, 'some words')
    await w.crash((journal) => remove(journal))
    w.service.setFaults({ rules: [{ on: 'list', kinds: ['error-before-store'] }] })
    await w.watch()
    await w.until(async () => (await w.byName('old 3.txt'))?.reason === 'comparing')
    await w.pass(30_000)
    w.disk.write(`${FOLDER}/new.txt`, 'brand new')
    await w.pass(120_000)
    expect((await w.byName('new.txt'))?.state).toBe('done')
    expect(uploads(w)).toBe(1)
  })

  it('sends no request for an empty account, or for files that are newer than the journal', async () => {
    const w = await open()
    plant(w, 0, 3)
    await w.watch()
    await w.until(() => w.allSettled())
    const lists = (): number =>
      w.service.requests.list().filter((request) => request.endpoint === 'list').length
    const before = lists()
    await w.crash()
    await w.pass(60_000)
    w.disk.write(`${FOLDER}/later.txt`, 'content 00')
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 4 && (await w.allSettled()))
    expect({
      lists: lists() - before,
      downloads: downloads(w),
      files: w.service.ledger.files().length,
    }).toMatchObject({
      downloads: 0,
      files: 4,
    })
  })

  it('keeps an adopted file, which others may link to, when a newer version replaces it', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/a.txt`, 'first words')
    await w.watch({ onChange: 'replace' })
    await w.until(() => w.allSettled())
    await w.crash((journal) => remove(journal))
    await w.watch({ onChange: 'replace' })
    await w.until(() => w.allSettled())
    await w.pass(5000)
    w.disk.write(`${FOLDER}/a.txt`, 'second words')
    await w.pass(5000)
    await w.until(() => w.allSettled())
    await w.pass(60_000)
    expect(w.service.ledger.live().map((file) => file.size)).toEqual([11, 12])
  })
})

// Services whose file IDs aren't integers below 2^53, or whose links are references: every way of a file from
// its upload to its deletion works, and everything that a person or a script sees has the service's ID.
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { idSelector } from '../../src-shared/file-id.ts'
import type { FileId } from '../../src-shared/model.ts'
import type { Dialect } from '../service/dialect.ts'
import type { FaultPlan } from '../service/faults.ts'
import { valueOf } from '../world/value-of.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'
import { createIdFront, type IdForm, type IdFront } from './id-front.ts'

let world: World | null = null
let front: IdFront | null = null
afterEach(async () => {
  await world?.end()
  await front?.close()
  world = null
  front = null
})

interface Form extends IdForm {
  readonly shown: (id: number) => FileId
}

const snowflake = (id: number): string => String(1_797_693_134_862_315n * 1000n + BigInt(id))
/** A UUID of version 5 (RFC 9562, section 5.5): it comes from a hash, so its order says nothing. */
const uuid = (id: number): string =>
  createHash('sha1')
    .update(`file ${id}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')
const quoted = (form: (id: number) => string): Form => ({
  json: (id) => JSON.stringify(form(id)),
  segment: (id) => encodeURIComponent(form(id)),
  shown: form,
})

const FORMS: Readonly<Record<string, Form>> = {
  'integers beyond 2^53': { json: snowflake, segment: snowflake, shown: snowflake },
  'snowflakes in quotes': quoted(snowflake),
  UUIDs: quoted(uuid),
  'text with delimiters': quoted((id) => `f/${'z'.repeat(9 - (id % 9))}?${id}#é`),
  'digits with zeros in front': quoted((id) => String(id).padStart(12, '0')),
}

const LIST = { search: '', sort: 'date', descending: true, offset: 0, limit: 100, fresh: 'need' } as const

async function open(form: Form, faults?: FaultPlan, dialect: Partial<Dialect> = {}): Promise<World> {
  const options = { plan: 'enterprise', dialect, ...(faults === undefined ? {} : { faults }) }
  const made = await createWorld(options, {
    front: async (service) => {
      front = await createIdFront(service.url, form)
      return front.url
    },
  })
  world = made
  return made
}

const live = (w: World): string[] => w.service.ledger.live().map((file) => file.filename)
/** The ID that the reference service gave this file, as it is shown. */
function idOf(w: World, form: Form, name: string): FileId {
  const file = w.service.ledger.live().find((one) => one.filename === name)
  if (file === undefined) throw new Error(`${name} isn't stored`)
  return form.shown(file.fileId)
}

describe.each(Object.entries(FORMS))('with %s as IDs', (_name, form) => {
  it('an upload, the list and one file show the ID, and by it the file is found and deleted', async () => {
    const w = await open(form)
    await w.watch()
    await w.upload('a.txt', 'one')
    await w.upload('b.txt', 'two')
    const [a, b] = [idOf(w, form, 'a.txt'), idOf(w, form, 'b.txt')]
    expect(await w.byName('a.txt')).toMatchObject({ fileId: a })
    const list = await valueOf(w.answered(w.handlers.catalog(LIST)))
    expect(new Map(list.rows.map((row) => [row.filename, row.fileId]))).toEqual(
      new Map([
        ['a.txt', a],
        ['b.txt', b],
      ]),
    )
    expect(list).not.toHaveProperty('unnumbered')
    const info = await w.answered(w.handlers.info({ selector: idSelector(b) }))
    expect(info).toMatchObject({
      value: { remote: { fileId: b, filename: 'b.txt' }, transfers: [{ fileId: b }] },
    })
    const links = await w.answered(w.handlers.links({ selectors: [idSelector(a)] }))
    expect(links).toMatchObject({ ok: true, value: [{ row: { fileId: a, filename: 'a.txt' } }] })
    const removed = await w.answered(
      w.handlers.remove({ selectors: [idSelector(a)], which: 'all', later: false }),
    )
    expect(removed).toMatchObject({ value: [{ outcome: 'deleted', fileId: a }] })
    expect(live(w)).toEqual(['b.txt'])
  })

  it('answers that were lost are adopted, and nothing is sent twice', async () => {
    const w = await open(form, { rules: [{ on: 'upload', nth: [1, 2, 3, 4], kinds: 'cut-after-store' }] })
    await w.watch()
    for (let i = 0; i < 8; i++) w.disk.write(`${FOLDER}/${i}.txt`, `file ${i}`)
    await w.until(() => w.allSettled(), 3)
    await w.pass(30 * 60_000)
    expect(live(w).toSorted()).toEqual(Array.from({ length: 8 }, (_, i) => `${i}.txt`))
    expect(w.service.requests.list().filter((one) => one.endpoint === 'upload')).toHaveLength(8)
    const transfers = await w.transfers()
    expect(transfers.every((one) => one.state === 'done' && one.fileId === idOf(w, form, one.name))).toBe(
      true,
    )
    expect(transfers.filter((one) => one.adopted)).toHaveLength(4)
    // The order of these IDs is unknown, so nothing is concluded from it.
    expect(w.sql('SELECT DISTINCT intent_above FROM transfers')).toEqual([{ intent_above: null }])
  })

  it('a newer version replaces the old one, also after a restart', async () => {
    const w = await open(form)
    await w.watch({ onChange: 'replace' })
    await w.upload('a.txt', 'version 1')
    await w.crash()
    await w.pass(60_000)
    w.disk.write(`${FOLDER}/a.txt`, 'version two')
    await w.until(async () => (await w.byName('a.txt'))?.size === 11 && (await w.allSettled()))
    await w.until(() => live(w).length === 1)
    await w.pass(60_000)
    expect(w.service.ledger.live()).toMatchObject([{ filename: 'a.txt', size: 11 }])
    expect(await w.byName('a.txt')).toMatchObject({ state: 'done', fileId: idOf(w, form, 'a.txt') })
  })

  it('a queued deletion names the ID, and can be undone by it', async () => {
    const w = await open(form)
    await w.watch()
    await w.upload('a.txt', 'one')
    const id = idOf(w, form, 'a.txt')
    w.service.setFaults({ rules: [{ on: 'delete', kinds: 'error-before-store' }] })
    const queued = await w.answered(
      w.handlers.remove({ selectors: [`${FOLDER}/a.txt`], which: 'all', later: true }),
    )
    expect(queued).toMatchObject({ value: [{ outcome: 'queued', fileId: id }] })
    const snapshot = await w.handlers.snapshot({})
    expect(snapshot).toMatchObject({ value: { deleting: { fileIds: [id] } } })
    expect(await w.answered(w.handlers.keepFiles({ fileIds: [id] }))).toMatchObject({ value: { count: 1 } })
    await w.pass(60_000)
    expect(live(w)).toEqual(['a.txt'])
    expect(await w.byName('a.txt')).toMatchObject({ fileId: id, publicLink: expect.stringContaining('http') })
  })
})

it('a file that is missing from a complete list counts as gone', async () => {
  const w = await open(FORMS['UUIDs'] as Form)
  await w.watch()
  await w.upload('a.txt', 'one')
  await w.upload('b.txt', 'two')
  await w.answered(w.handlers.catalog(LIST))
  await w.pass(3_600_000)
  const gone = w.service.ledger.live().find((file) => file.filename === 'a.txt')
  expect(w.service.deleteBehindTheBack(gone?.fileId ?? 0)).toBe(true)
  await w.pass(60_000)
  await w.answered(w.handlers.catalog(LIST))
  await w.until(async () => (await w.byName('a.txt'))?.ended === 'gone')
  expect((await w.byName('b.txt'))?.ended).toBeUndefined()
})

describe.each<readonly [string, NonNullable<IdForm['link']>]>([
  ['an absolute path', (path) => path],
  ['a relative path', (path) => path.slice(1)],
  ['relative to the scheme', (path, host) => `//${host}${path}`],
  ['without a scheme', (path, host) => `${host}${path}`],
])('with links that are %s', (_name, link) => {
  const form: Form = { json: String, segment: String, shown: (id) => id, link }

  it('an upload has a link that leads to its bytes', async () => {
    const w = await open(form)
    await w.watch()
    await w.upload('a.txt', 'one')
    const url = (await w.byName('a.txt'))?.publicLink ?? ''
    expect(url.startsWith(new URL('/', front?.url).href)).toBe(true)
    expect(await (await fetch(url)).text()).toBe('one')
    const found = await w.answered(w.handlers.info({ selector: url }))
    expect(found).toMatchObject({ value: { remote: { filename: 'a.txt', publicLink: url } } })
  })

  it('an answer that was lost is adopted, although the bytes have to be compared', async () => {
    const faults: FaultPlan = { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-store' }] }
    const w = await open(form, faults, { filename: 'uuid', ids: 'random' })
    await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'file one')
    await w.until(() => w.allSettled(), 3)
    expect(await w.byName('a.txt')).toMatchObject({ state: 'done', adopted: true })
    expect(w.service.requests.list().filter((one) => one.endpoint === 'upload')).toHaveLength(1)
  })
})

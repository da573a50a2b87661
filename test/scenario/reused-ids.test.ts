// A service that gives the ID of a deleted file to the next one: what is known about the former file doesn't
// apply to the new one, whether or not the deletion was noticed before.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { FaultPlan } from '../service/faults.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

/** Two uploads, of which the second was deleted by someone else, so that the next upload gets its ID. */
async function withDeleted(isNoticed: boolean, faults?: FaultPlan): Promise<World> {
  const w = await openWorld({ dialect: { ids: 'reused' }, ...(faults === undefined ? {} : { faults }) })
  await w.watch()
  await w.upload('first.txt', 'the first')
  await w.upload('second.txt', 'the second')
  expect(w.service.deleteBehindTheBack(Number((await w.byName('second.txt'))?.fileId))).toBe(true)
  if (!isNoticed) return w
  await w.pass(60_000)
  await w.list()
  await w.until(() => w.sql('SELECT file_id FROM remote WHERE gone_at IS NOT NULL').length === 1)
  return w
}

async function contentOf(w: World, name: string): Promise<string | null> {
  const fileId = (await w.byName(name))?.fileId
  const path = fileId == null ? null : w.service.blobPath(Number(fileId))
  return path === null ? null : readFileSync(path, 'utf8')
}

it.each([true, false])(
  'a new upload gets its own link, and the deleted one stays deleted (noticed before: %s)',
  async (isNoticed) => {
    const w = await withDeleted(isNoticed)
    await w.upload('third.txt', 'the third')
    await w.pass(60_000)
    await w.list()
    await w.pass(60_000)
    expect(await contentOf(w, 'third.txt')).toBe('the third')
    expect(w.sql("SELECT name FROM transfers WHERE state = 'done' AND ended IS NULL ORDER BY id")).toEqual([
      { name: 'first.txt' },
      { name: 'third.txt' },
    ])
    // The answer named a known ID, but not because the service had these bytes already.
    expect(w.sql("SELECT value FROM meta WHERE key = 'deduplicates'")).toEqual([])
  },
)

it('a lost upload that received the ID of a deleted file is found, and isn’t sent twice', async () => {
  const w = await withDeleted(true, { rules: [{ on: 'upload', nth: 3, kinds: 'cut-after-store' }] })
  await w.upload('third.txt', 'the third')
  expect(await w.byName('third.txt')).toMatchObject({ adopted: true, fileId: 2 })
  expect(w.service.requests.list().filter((request) => request.endpoint === 'upload')).toHaveLength(3)
})

/**
 * The ID of an upload that was deleted elsewhere belongs to a file of someone else now, and a list has shown
 * it.
 */
async function taken(
  onChange: 'new-link' | 'replace' = 'new-link',
): Promise<{ w: World; own: string; id: number; stranger: string }> {
  const w = await openWorld({ dialect: { ids: 'reused' } })
  await w.watch({ onChange })
  await w.upload('first.txt', 'the first')
  await w.upload('second.txt', 'the second')
  const row = await w.byName('second.txt')
  const id = Number(row?.fileId)
  await w.pass(3_600_000)
  expect(w.service.deleteBehindTheBack(id)).toBe(true)
  const stranger = w.service.plant({
    filename: 'stranger.pdf',
    bytes: Buffer.from('of someone else entirely'),
  })
  expect(stranger.fileId).toBe(id)
  await w.pass(60_000)
  await w.answered(w.list())
  await w.pass(60_000)
  return {
    w,
    own: row?.publicLink ?? '',
    id,
    stranger: w.sql(`SELECT public_link FROM remote WHERE file_id = ${id}`)[0]?.['public_link'] as string,
  }
}

it('someone else’s file isn’t shown as the link of the deleted upload', async () => {
  const { w, own, stranger } = await taken()
  expect(stranger).not.toBe(own)
  const links = await valueOf(w.answered(w.handlers.links({ selectors: [`${FOLDER}/second.txt`] })))
  expect(links[0]?.row?.publicLink ?? null).not.toBe(stranger)
  expect((await w.byName('second.txt'))?.publicLink ?? null).toBe(null)
})

it('someone else’s file isn’t deleted with the local path of the deleted upload', async () => {
  const { w, id } = await taken()
  await w.answered(w.handlers.remove({ selectors: [`${FOLDER}/second.txt`], which: 'all', later: false }))
  expect(w.service.ledger.live().some((file) => file.fileId === id)).toBe(true)
})

it('someone else’s file isn’t deleted because a newer version replaces the deleted upload', async () => {
  const { w, id } = await taken('replace')
  w.disk.write(`${FOLDER}/second.txt`, 'the second, changed')
  await w.until(async () => (await w.byName('second.txt'))?.size === 19 && (await w.allSettled()))
  await w.pass(120_000)
  expect(w.service.ledger.live().some((file) => file.fileId === id)).toBe(true)
})

it.each(['new-link', 'replace'] as const)(
  'an upload that gets the ID of someone else’s deleted file keeps its link (%s)',
  async (onChange) => {
    const w = await openWorld({ dialect: { ids: 'reused' } })
    await w.watch({ onChange })
    await w.upload('first.txt', 'the first')
    const foreign = w.service.plant({
      filename: 'foreign.pdf',
      bytes: Buffer.from('of somebody else entirely'),
    })
    await w.pass(60_000)
    await w.list()
    await w.until(() => w.sql(`SELECT file_id FROM remote WHERE file_id = ${foreign.fileId}`).length === 1)
    expect(w.service.deleteBehindTheBack(foreign.fileId)).toBe(true)
    await w.upload('ours.txt', 'our own content')
    await w.pass(60_000)
    expect(await w.byName('ours.txt')).toMatchObject({ state: 'done', fileId: foreign.fileId })
    expect((await w.byName('ours.txt'))?.ended).toBeUndefined()
    expect(await contentOf(w, 'ours.txt')).toBe('our own content')
    w.disk.write(`${FOLDER}/ours.txt`, 'our own content, changed')
    await w.until(() => w.allSettled())
    await w.pass(10 * 60_000)
    expect(w.service.ledger.live()).toHaveLength(onChange === 'replace' ? 2 : 3)
  },
)

/** The names of the rows whose link is shown but doesn't work. */
async function withDeadLink(w: World): Promise<readonly string[]> {
  const rows = (await w.transfers()).filter((row) => row.publicLink !== null)
  const works = await Promise.all(rows.map(async (row) => (await fetch(row.publicLink ?? '')).ok))
  return rows.filter((_, i) => works[i] !== true).map((row) => row.name)
}

it.each(['not noticed', 'noticed', 'not noticed, but its date is known'] as const)(
  'our own upload of the same bytes that gets the ID of the deleted one leaves no dead link (deletion %s)',
  async (how) => {
    const w = await openWorld({ dialect: { ids: 'reused' } })
    const list = () => w.answered(w.list())
    await w.watch()
    await w.upload('first.txt', 'the first')
    await w.upload('second.txt', 'the second')
    await w.pass(60_000)
    if (how === 'not noticed, but its date is known') await list()
    expect(w.service.deleteBehindTheBack(Number((await w.byName('second.txt'))?.fileId))).toBe(true)
    if (how === 'noticed') await list()
    await w.pass(60_000)
    w.disk.mkdir('/home/else')
    w.disk.write('/home/else/copy.txt', 'the second')
    await w.answered(w.handlers.upload({ paths: ['/home/else/copy.txt'], again: true, token: 'copy' }))
    await w.until(() => w.allSettled())
    expect(await withDeadLink(w)).toEqual([])
    await w.pass(60_000)
    await list()
    expect(await withDeadLink(w)).toEqual([])
    expect((await w.byName('copy.txt'))?.publicLink).not.toBeNull()
    expect(w.service.ledger.live()).toHaveLength(2)
    // With the date, it is certain that the service didn't answer with the file that it had.
    const learned = w.sql("SELECT value FROM meta WHERE key = 'deduplicates'")
    if (how !== 'not noticed') expect([(await w.byName('second.txt'))?.ended, learned]).toEqual(['gone', []])
  },
)

/**
 * A folder whose second upload was deleted elsewhere unnoticed, so that its ID belongs to someone else's file.
 */
async function unnoticed(stranger: { readonly filename: string; readonly bytes: Buffer }): Promise<World> {
  const w = await openWorld({ dialect: { ids: 'reused' } })
  await w.watch()
  await w.upload('first.txt', 'the first')
  await w.upload('second.txt', 'the second')
  await w.pass(60_000)
  expect(w.service.deleteBehindTheBack(2)).toBe(true)
  expect(w.service.plant(stranger).fileId).toBe(2)
  await w.crash(() => undefined)
  return w
}

it.each([
  ['another name and size', { filename: 'stranger.pdf', bytes: Buffer.from('of someone else entirely') }],
  ['another name', { filename: 'stranger.pdf', bytes: Buffer.from('the secOnd') }],
  ['the same name and size', { filename: 'second.txt', bytes: Buffer.from('the secOnd') }],
  ['another size', { filename: 'second.txt', bytes: Buffer.from('of someone else entirely') }],
])(
  'a file of someone else with the ID of a deleted one is neither shown nor deleted: %s',
  async (_, stranger) => {
    const w = await unnoticed(stranger)
    const path = `${FOLDER}/second.txt`
    const links = await w.answered(w.handlers.links({ selectors: [path], confirm: true }))
    expect(links).toMatchObject({ value: [{ row: null, ended: 'gone' }] })
    const other = await unnoticed(stranger)
    const removed = await other.answered(
      other.handlers.remove({ selectors: [path], which: 'all', later: false }),
    )
    expect(removed).toMatchObject({ value: [{ ok: true, outcome: 'was-gone' }] })
    for (const { service } of [w, other])
      expect(service.ledger.live().map((file) => file.fileId)).toEqual([1, 2])
  },
)

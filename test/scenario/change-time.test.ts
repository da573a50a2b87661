// Files whose size and modification time say "unchanged" while their change time says otherwise: different
// content is found and uploaded, and a changed mode or name costs only a read.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { OnChange } from '../../src-shared/model.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const liveShas = (w: World): readonly string[] => w.service.ledger.live().map((file) => file.sha256)

async function isIdle(w: World, folderId: number): Promise<boolean> {
  const got = await w.handlers.folderIdle({ folderId, confirm: true })
  return got.ok && got.value.idle
}

/** A watched folder with these files, which have been uploaded and left alone for a minute. */
async function openWith(
  files: Readonly<Record<string, string>>,
  onChange: OnChange = 'new-link',
): Promise<{ w: World; id: number }> {
  const w = await openWorld({ plan: 'enterprise' })
  for (const [name, text] of Object.entries(files)) w.disk.write(`${FOLDER}/${name}`, text)
  const id = await w.watch({ onChange })
  await w.until(() => w.allSettled())
  await w.pass(60_000)
  return { w, id }
}

async function mtimeOf(w: World, path: string): Promise<number> {
  const [stat] = await w.disk.stat([path])
  if (stat == null || 'code' in stat) throw new Error('no file')
  return stat.mtime
}

describe('new bytes with the same size and time', () => {
  it.each([
    ['new-link', ['version one', 'version two']],
    ['replace', ['version two']],
    ['ignore', ['version one']],
  ] as const)('go out as --on-change %s says', async (onChange, expected) => {
    const { w, id } = await openWith({ 'a.txt': 'version one' }, onChange)
    const path = `${FOLDER}/a.txt`
    const mtime = await mtimeOf(w, path)
    w.disk.write(path, 'version two')
    w.disk.setMtime(path, mtime)
    await w.until(() => isIdle(w, id))
    await w.pass(60_000)
    expect(liveShas(w).toSorted()).toEqual(expected.map(sha).toSorted())
  })

  it('are found by the rescan if there was no event', async () => {
    const { w } = await openWith({ 'a.txt': 'version one' })
    const path = `${FOLDER}/a.txt`
    const mtime = await mtimeOf(w, path)
    w.disk.setDeaf(true)
    w.disk.write(path, 'version two')
    w.disk.setMtime(path, mtime)
    await w.pass(20 * 60_000)
    expect(liveShas(w)).toContain(sha('version two'))
  })

  it('are found if the file was missing in between', async () => {
    const { w } = await openWith({ 'a.txt': 'version one', 'b.txt': 'stays' })
    const path = `${FOLDER}/a.txt`
    const mtime = await mtimeOf(w, path)
    w.disk.remove(path)
    await w.pass(60_000)
    w.disk.write(path, 'version two')
    w.disk.setMtime(path, mtime)
    await w.pass(20 * 60_000)
    expect(liveShas(w)).toContain(sha('version two'))
  })
})

describe('a file that is named again', () => {
  const upload = async (w: World, path: string): Promise<readonly string[]> => {
    await valueOf(w.handlers.upload({ paths: [path], again: false, token: `${w.clock.now()}` }))
    await w.until(() => w.allSettled())
    await w.pass(5000)
    return liveShas(w)
  }

  it('is sent if its bytes changed despite the same size and time, and otherwise returns its link', async () => {
    const w = await openWorld({ plan: 'enterprise' })
    const path = '/home/named.txt'
    w.disk.write(path, 'version one')
    expect(await upload(w, path)).toEqual([sha('version one')])
    const opened = w.disk.opened()
    expect(await upload(w, path)).toEqual([sha('version one')])
    expect(w.disk.opened()).toBe(opened)
    w.disk.chmod(path)
    expect(await upload(w, path)).toEqual([sha('version one')])
    const planned = await w.handlers.plan({ paths: [path] })
    expect(planned.ok && planned.value).toMatchObject({ already: 1, now: 0 })
    const mtime = await mtimeOf(w, path)
    w.disk.write(path, 'version two')
    w.disk.setMtime(path, mtime)
    const changed = await w.handlers.plan({ paths: [path] })
    expect(changed.ok && changed.value).toMatchObject({ already: 0, now: 1 })
    expect(await upload(w, path)).toEqual(['version one', 'version two'].map(sha))
  })
})

describe('a change of only the change time', () => {
  it('costs one read of each file, no request and no row', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `${i}.txt`)
    const { w, id } = await openWith(Object.fromEntries(names.map((name) => [name, name])))
    const before = { opened: w.disk.opened(), requests: w.service.requests.list().length }
    w.disk.setDeaf(true)
    for (const name of names) w.disk.chmod(`${FOLDER}/${name}`)
    w.disk.setDeaf(false)
    const events = w.events.length
    // Although 300 files are due to be read, a new file is uploaded as usual.
    w.disk.write(`${FOLDER}/new.txt`, 'new')
    await w.handlers.rescan({ folderId: id })
    await w.until(async () => (await w.byName('new.txt'))?.state === 'done')
    await w.until(() => isIdle(w, id))
    expect(w.disk.opened() - before.opened).toBe(301)
    expect(w.service.requests.list().length - before.requests).toBe(1)
    expect((await w.transfers()).length).toBe(301)
    const told = w.events
      .slice(events)
      .flatMap((event) => (event.kind === 'transfers' ? event.items.map((item) => item.name) : []))
    expect(new Set(told)).toEqual(new Set(['new.txt']))
    await w.pass(30 * 60_000)
    expect(w.disk.opened() - before.opened).toBe(301)
  })

  it('by a rename keeps the link', async () => {
    const { w, id } = await openWith({ 'a.txt': 'version one' })
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/b.txt`)
    await w.until(() => isIdle(w, id))
    await w.pass(60 * 60_000)
    expect(w.service.ledger.files().length).toBe(1)
    expect((await w.transfers()).map((t) => [t.name, t.state])).toEqual([['b.txt', 'done']])
  })

  it('of a file that can’t be read leaves it as it is, and is checked no more often than by the rescan', async () => {
    const { w } = await openWith({ 'a.txt': 'version one' })
    const path = `${FOLDER}/a.txt`
    w.disk.deny(path, true)
    w.disk.chmod(path)
    await w.pass(60 * 60_000)
    expect((await w.transfers()).map((t) => t.state)).toEqual(['done'])
    w.disk.deny(path, false)
    const mtime = await mtimeOf(w, path)
    w.disk.write(path, 'version two')
    w.disk.setMtime(path, mtime)
    await w.pass(20 * 60_000)
    expect(liveShas(w)).toContain(sha('version two'))
  })
})

describe('a journal from before change times were recorded', () => {
  it('adopts them as they are, without reading any file', async () => {
    const { w } = await openWith({ 'a.txt': 'version one' })
    const opened = w.disk.opened()
    w.sql('UPDATE files SET ctime = NULL')
    await w.crash()
    await w.pass(20 * 60_000)
    expect(w.disk.opened()).toBe(opened)
    expect(w.service.ledger.files().length).toBe(1)
    expect(w.sql('SELECT ctime IS NULL AS missing FROM files')).toEqual([{ missing: 0 }])
  })
})

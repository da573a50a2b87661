// What the user sets for a watched folder besides its patterns: a pause of this folder alone, files left out by
// size and type, a question for each changed file, and why a file is held as a secret.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { live } from '../world/live.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const shas = (w: World): readonly string[] => w.service.ledger.live().map((file) => file.sha256)
const OTHER = '/home/other'

const watch = (onChange: 'new-link' | 'ask', limits = {}) => ({
  path: FOLDER,
  existing: 'upload' as const,
  onChange,
  ignore: [],
  limits: { maxBytes: null, onlyTypes: [], notTypes: [], ...limits },
  keep: true,
  changeRules: true,
})

describe('a paused folder', () => {
  it('sends nothing, also after a crash, while other folders do, and then everything', async () => {
    const w = await openWorld({ plan: 'pro' })
    const folderId = await w.watch()
    w.disk.mkdir(OTHER)
    await w.watch({ ...watch('new-link'), path: OTHER })
    await w.pass(1000)
    await w.handlers.pauseFolder({ folderId, paused: true })
    w.disk.write(`${FOLDER}/waits.txt`, 'waits')
    w.disk.write(`${OTHER}/goes.txt`, 'goes')
    await w.pass(60_000)
    expect(live(w)).toEqual(['goes.txt'])
    expect(await w.byName('waits.txt')).toMatchObject({ state: 'waiting', reason: 'folder-paused' })
    await w.crash()
    await w.pass(60_000)
    expect(live(w)).toEqual(['goes.txt'])
    const got = await w.handlers.folderIdle({ folderId })
    expect(got).toMatchObject({ value: { idle: false, reason: 'folder-paused', waitsUntil: null } })
    await w.handlers.pauseFolder({ folderId, paused: false })
    await w.pass(60_000)
    expect(live(w)).toEqual(['goes.txt', 'waits.txt'])
  })

  it('is no longer paused when it is watched again after the user had stopped', async () => {
    const w = await openWorld({ plan: 'pro' })
    const folderId = await w.watch()
    await w.handlers.pauseFolder({ folderId, paused: true })
    await w.handlers.unwatch({ folderId })
    expect(await w.handlers.pauseFolder({ folderId, paused: true })).toMatchObject({ ok: false })
    await w.watch()
    await w.upload('a.txt', 'a')
    expect(live(w)).toEqual(['a.txt'])
    // A folder that moves from another account may begin as paused.
    w.disk.mkdir(OTHER)
    w.disk.write(`${OTHER}/b.txt`, 'b')
    await w.watch({ ...watch('new-link'), path: OTHER, paused: true })
    await w.pass(60_000)
    // What is handed over with it waits, too.
    await w.handlers.upload({ paths: [`${OTHER}/b.txt`], again: false, token: 'moved' })
    await w.pass(60_000)
    expect(live(w)).toEqual(['a.txt'])
  })
})

it('a folder leaves out files by size and type, for drops, too, and uploads them when that is lifted', async () => {
  const w = await openWorld({ plan: 'pro' })
  await w.watch(watch('new-link', { maxBytes: 5, onlyTypes: ['txt', 'md'] }))
  for (const [name, text] of [
    ['small.txt', 'small'],
    ['LARGE.TXT', 'larger'],
    ['photo.png', 'png'],
    ['none', 'none'],
  ] as const)
    w.disk.write(`${FOLDER}/${name}`, text)
  await w.pass(60_000)
  expect(live(w)).toEqual(['small.txt'])
  const dropped = await w.handlers.upload({ paths: [`${FOLDER}/photo.png`], again: false, token: 'a' })
  expect(dropped).toMatchObject({
    value: { items: [{ outcome: 'ignored', reason: 'not of a chosen type' }] },
  })
  const plan = await w.handlers.plan({ paths: [FOLDER], ignore: [], limits: watch('ask').limits })
  expect(plan).toMatchObject({ value: { ignored: 0, now: 3 } })
  // The command line keeps what only the window can set.
  const { limits: _limits, ...asCommand } = watch('new-link')
  await w.watch({ ...asCommand, existing: 'upload', ignore: ['*.md'] })
  await w.pass(60_000)
  expect(live(w)).toEqual(['small.txt'])
  await w.watch(watch('new-link'))
  await w.pass(60_000)
  expect(live(w)).toEqual(['LARGE.TXT', 'none', 'photo.png', 'small.txt'])
})

it('a type can have several parts', async () => {
  const w = await openWorld({ plan: 'pro' })
  await w.watch(watch('new-link', { notTypes: ['tar.gz'] }))
  for (const name of ['backup.tar.gz', 'BACKUP.TAR.GZ', 'page.gz', 'tar.gz.txt', 'tar.gz'])
    w.disk.write(`${FOLDER}/${name}`, name)
  await w.pass(60_000)
  expect(live(w)).toEqual(['page.gz', 'tar.gz', 'tar.gz.txt'])
})

describe('a changed file in a folder that asks', () => {
  const changed = async (): Promise<{ readonly w: World; readonly id: number }> => {
    const w = await openWorld({ plan: 'pro' })
    await w.watch(watch('ask'))
    await w.pass(1000)
    await w.upload('a.txt', 'first')
    w.disk.write(`${FOLDER}/a.txt`, 'second')
    await w.pass(120_000)
    const held = await w.byName('a.txt')
    expect(held).toMatchObject({ state: 'held', reason: 'changed' })
    expect(shas(w)).toEqual([sha('first')])
    return { w, id: held?.id ?? 0 }
  }

  it('gets a new link, and the earlier one stays', async () => {
    const { w, id } = await changed()
    await w.handlers.release({ ids: [id] })
    await w.pass(2 * 3_600_000)
    expect(shas(w)).toEqual([sha('first'), sha('second')])
  })

  it('replaces its earlier version', async () => {
    const { w, id } = await changed()
    await w.handlers.release({ ids: [id], replace: true })
    await w.pass(2 * 3_600_000)
    expect(shas(w)).toEqual([sha('second')])
  })

  it('isn’t uploaded, and the next change is asked about again', async () => {
    const { w, id } = await changed()
    await w.handlers.cancel({ ids: [id] })
    await w.pass(120_000)
    expect(shas(w)).toEqual([sha('first')])
    w.disk.write(`${FOLDER}/a.txt`, 'third')
    await w.pass(120_000)
    const held = await w.byName('a.txt')
    expect(held).toMatchObject({ state: 'held', reason: 'changed' })
    await w.handlers.release({ ids: [held?.id ?? 0], replace: true })
    await w.pass(2 * 3_600_000)
    expect(shas(w)).toEqual([sha('third')])
  })

  it('raises no question if only its time has changed', async () => {
    const { w, id } = await changed()
    await w.handlers.release({ ids: [id] })
    await w.pass(60_000)
    w.disk.write(`${FOLDER}/a.txt`, 'second')
    await w.pass(120_000)
    expect((await w.byName('a.txt'))?.state).not.toBe('held')
    expect(shas(w)).toEqual([sha('first'), sha('second')])
  })

  it('keeps its earlier link if the folder no longer asks before the change is sent', async () => {
    const w = await openWorld({ plan: 'pro' })
    await w.watch(watch('ask'))
    await w.pass(1000)
    await w.upload('a.txt', 'first')
    await w.handlers.pause({})
    w.disk.write(`${FOLDER}/a.txt`, 'second')
    await w.pass(60_000)
    await w.watch(watch('new-link'))
    await w.handlers.resume({})
    await w.pass(2 * 3_600_000)
    expect(shas(w)).toEqual([sha('first'), sha('second')])
  })
})

describe('a file held as a secret', () => {
  const heldLines = async (name: string, text: string) => {
    const w = await openWorld({ plan: 'pro' })
    await w.watch()
    w.disk.write(`${FOLDER}/${name}`, text)
    await w.pass(60_000)
    const held = await w.byName(name)
    expect(held).toMatchObject({ state: 'held', reason: 'secret' })
    const ids = [held?.id ?? 0]
    return { w, ids, lines: await w.handlers.heldLines({ ids }) }
  }
  const SECRET = 'k9Zq3vT7xWm2Lp8RbN4c'

  it('names the line, with the secret masked, and nothing once the file has changed', async () => {
    const { w, ids, lines } = await heldLines(
      'deploy.conf',
      `# deploy\nuser = ada\ndb_password = ${SECRET}\n`,
    )
    expect(lines).toMatchObject({ value: [{ by: 'content', line: { number: 3 } }] })
    expect(lines.ok && lines.value[0]?.line?.text).toBe('db_password = ••••••••')
    w.disk.write(`${FOLDER}/deploy.conf`, `token: ${SECRET}x`)
    expect(await w.handlers.heldLines({ ids })).toEqual({ ok: true, value: [] })
  })

  it('says that its name is why', async () => {
    const { lines } = await heldLines('.env', `TOKEN=${SECRET}`)
    expect(lines).toEqual({ ok: true, value: [{ id: expect.any(Number), by: 'name' }] })
  })
})

// Another data folder of Slipway: that of another SLIPWAY_DATA_DIR, or a copy. Nothing in it is uploaded, wherever it is.
import { afterEach, describe, expect, it } from 'vitest'
import { createWorld, FOLDER, type World } from '../world/world.ts'

const OTHER = `${FOLDER}/backup/Slipway`
const OWN_RULE = "Slipway's own data"

let world: World | null = null
async function open(): Promise<World> {
  world = await createWorld({ plan: 'enterprise' })
  return world
}
afterEach(async () => {
  await world?.end()
  world = null
})

const live = (w: World): readonly string[] =>
  w.service.ledger
    .live()
    .map((file) => file.filename)
    .toSorted()

function put(w: World, path: string): void {
  w.disk.mkdir(path.slice(0, path.lastIndexOf('/')))
  w.disk.write(path, path)
}

function putData(w: World, dir: string, files: readonly string[] = ['owner.db', 'journal.db', 'journal.db-stamp']): void {
  for (const name of [...files, 'control.key', 'slipway.log', 'pasted/note.txt', 'accounts/second/journal.db']) put(w, `${dir}/${name}`)
}

async function upload(w: World, path: string): Promise<readonly string[]> {
  const got = await w.engine().handlers.upload({ paths: [path], again: false, token: `${Math.random()}` })
  if (!got.ok) throw new Error(got.failure.title)
  await w.pass(10_000)
  return got.value.items.map((item) => `${item.outcome} ${item.reason ?? ''}`)
}

async function sums(w: World) {
  const audit = await w.engine().handlers.audit({ path: FOLDER, rescan: true })
  if (!audit.ok) throw new Error(audit.failure.title)
  return audit.value.sums
}

describe('another data folder of Slipway', () => {
  it.each([
    ['with journal and lock', ['owner.db', 'journal.db']],
    ['with journal and stamp', ['journal.db', 'journal.db-stamp']],
    ['with accounts only', ['accounts.json', 'accounts.lock']],
  ])('%s is left out of a watched folder', async (_what, files) => {
    const w = await open()
    putData(w, OTHER, files)
    put(w, `${FOLDER}/a.txt`)
    await w.watch()
    await w.pass(30_000)
    w.disk.write(`${OTHER}/slipway.log`, 'more')
    put(w, `${OTHER}/accounts/second/slipway.log`)
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['a.txt'])
    expect((await w.transfers()).length).toBe(1)
    expect(await sums(w)).toMatchObject({ seen: 2, uploaded: 1, ignored: 1 })
  })

  it('that appears later is left out, too, and what waits in it is called off', async () => {
    const w = await open()
    await w.watch()
    await w.pass(5000)
    await w.engine().handlers.pause({})
    put(w, `${OTHER}/slipway.log`)
    await w.pass(10_000)
    expect((await w.transfers()).map((t) => t.state)).toEqual(['waiting'])
    for (const name of ['owner.db', 'journal.db', 'journal.db-stamp', 'control.key']) {
      put(w, `${OTHER}/${name}`)
      await w.pass(3000)
    }
    await w.engine().handlers.resume({})
    await w.pass(60_000)
    expect(live(w)).toEqual([])
    expect(await sums(w)).toMatchObject({ seen: 1, ignored: 1 })
  })

  it('is left out of an upload of a folder above it, and refused by name', async () => {
    const w = await open()
    putData(w, OTHER)
    put(w, `${FOLDER}/a.txt`)
    expect(await upload(w, FOLDER)).toEqual(['queued ', `ignored ${OWN_RULE}`])
    for (const path of [OTHER, `${OTHER}/pasted`, `${OTHER}/pasted/note.txt`, `${OTHER}/control.key`])
      expect(await upload(w, path)).toEqual([`ignored ${OWN_RULE}`])
    expect(live(w)).toEqual(['a.txt'])
  })

  it('can’t be watched, and neither can a folder in it', async () => {
    const w = await open()
    putData(w, OTHER)
    for (const path of [OTHER, `${OTHER}/pasted`]) {
      const got = await w.engine().handlers.watch({ path, existing: 'upload', onChange: 'new-link', ignore: [], keep: true })
      expect(got).toMatchObject({ ok: false, failure: { refusal: 'own-data' } })
    }
  })

  it('is an ordinary folder again once it is none any more', async () => {
    const w = await open()
    putData(w, OTHER)
    await w.watch()
    await w.pass(30_000)
    for (const name of ['owner.db', 'journal.db', 'journal.db-stamp', 'control.key', 'accounts/second/journal.db'])
      w.disk.remove(`${OTHER}/${name}`)
    await w.pass(30 * 60_000)
    expect(live(w)).toEqual(['note.txt', 'slipway.log'])
  })
})

it('uploads a folder that merely has a file journal.db', async () => {
  const w = await open()
  for (const name of ['journal.db', 'accounts.json', 'notes.txt']) put(w, `${FOLDER}/books/${name}`)
  w.disk.mkdir(`${FOLDER}/books/owner.db`)
  await w.watch()
  await w.pass(30_000)
  expect(live(w)).toEqual(['accounts.json', 'journal.db', 'notes.txt'])
})

// Services without requests for single files: a 404 there doesn't prove that a file is gone, removes no link,
// and causes no second upload. On a service that supports them, a lost file is recognized as lost.
import { describe, expect, it } from 'vitest'
import { live } from '../world/live.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

async function open(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  return openWorld({ plan: 'enterprise', ...options })
}
async function upload(w: World, path: string): Promise<string> {
  const got = await valueOf(w.handlers.upload({ paths: [path], again: false, token: `${Math.random()}` }))
  return got.items.map((item) => item.outcome).join()
}

describe('a request for an ID that no file has yet', () => {
  it('removes no link from the upload that receives the ID before the response arrives', async () => {
    let isHeld = false
    const asked = Promise.withResolvers<() => void>()
    const hold = (request: string): Promise<void> | undefined =>
      request === 'file' && isHeld ? new Promise((release) => asked.resolve(release)) : undefined
    const w = await openWorld({ plan: 'enterprise' }, { onAnswer: hold })
    await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    await w.until(() => w.allSettled())
    const first = Number((await w.byName('a.txt'))?.fileId)
    await w.answered(w.handlers.info({ selector: String(first) }))
    isHeld = true
    const asking = w.handlers.info({ selector: String(first + 1) })
    const release = await w.answered(asked.promise)
    isHeld = false
    w.disk.write(`${FOLDER}/b.txt`, 'two two')
    await w.until(async () => (await w.byName('b.txt'))?.state === 'done')
    expect(await w.byName('b.txt')).toMatchObject({ fileId: first + 1 })
    release()
    await w.answered(asking)
    const row = await w.byName('b.txt')
    expect(row?.publicLink).toEqual(expect.any(String))
    expect(w.sql(`SELECT ended FROM transfers WHERE id = ${row?.id ?? 0}`)).toEqual([{ ended: null }])
    expect(w.sql(`SELECT gone_at FROM remote WHERE file_id = ${first + 1}`)).toEqual([{ gone_at: null }])
  })

  it('has no later effect on the upload that has received the ID since, even if lists are delayed', async () => {
    const w = await openWorld({ plan: 'enterprise', dialect: { listLag: 'fixed', listLagMs: 300_000 } })
    await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    await w.until(() => w.allSettled())
    const first = Number((await w.byName('a.txt'))?.fileId)
    await w.answered(w.handlers.info({ selector: String(first) }))
    await w.answered(w.handlers.info({ selector: String(first + 1) }))
    w.disk.write(`${FOLDER}/b.txt`, 'two two')
    await w.until(async () => (await w.byName('b.txt'))?.state === 'done')
    await w.pass(1000)
    await w.answered(w.list({ limit: 100 }))
    expect(w.sql(`SELECT gone_at FROM remote WHERE file_id = ${first + 1}`)).toEqual([{ gone_at: null }])
  })
})

describe('a service that returns 404 for every single file', () => {
  const ways = {
    dialect: { listFields: 'id-only' },
    faults: { rules: [{ on: 'get', kinds: { kind: 'error-before-store', status: 404 } }] },
  } as const

  it('doesn’t cause a link to be removed', async () => {
    const w = await open(ways)
    await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'one')
    w.disk.write(`${FOLDER}/b.txt`, 'two two')
    for (let i = 0; i < 12; i++) {
      await w.pass(600_000)
      expect((await w.transfers()).map((t) => t.publicLink !== null)).toEqual([true, true])
    }
  })

  it.each([[1], [3]])(
    'doesn’t cause anything to be sent twice after the user requested one of %i',
    async (files) => {
      const w = await open(ways)
      await w.watch()
      for (let i = 0; i < files; i++) w.disk.write(`${FOLDER}/${i}.txt`, `file ${i}`)
      await w.pass(10_000)
      const fileId = (await w.byName('0.txt'))?.fileId ?? 0
      await w.handlers.info({ selector: String(fileId) })
      expect(await upload(w, `${FOLDER}/0.txt`)).toBe('already')
      await w.pass(60_000)
      expect(live(w)).toHaveLength(files)
    },
  )

  it.each([[1], [3]])('is distinguished from one that has lost the file, of %i', async (files) => {
    const w = await open()
    await w.watch()
    for (let i = 0; i < files; i++) w.disk.write(`${FOLDER}/${i}.txt`, `file ${i}`)
    await w.pass(20_000)
    const fileId = (await w.byName('0.txt'))?.fileId ?? 0
    w.service.deleteBehindTheBack(Number(fileId))
    const got = await w.handlers.info({ selector: String(fileId) })
    expect(got.ok && got.value.remote).toBe(null)
  })
})

it('a deleted file is recognized although the oldest files were deleted with it, and the list has many pages', async () => {
  const w = await open({ stored: 300 })
  await w.pass(600_000)
  await w.answered(w.list({ limit: 1 }))
  const files = w.service.ledger
    .live()
    .map((file) => file.fileId)
    .toSorted((a, b) => a - b)
  for (const fileId of files.slice(0, 150)) w.service.deleteBehindTheBack(fileId)
  await w.answered(w.handlers.info({ selector: String(files[70]) }))
  expect(w.sql(`SELECT gone_at IS NULL AS stays FROM remote WHERE file_id = ${files[70]}`)).toEqual([
    { stays: 0 },
  ])
})

describe('a number that is too large to be exact', () => {
  it('is requested as it was typed, and not as the one next to it', async () => {
    const w = await open({ dialect: { ids: 'big' } })
    await w.pass(1000)
    w.service.requests.clear()
    const typed = ['9007199254740992', '9007199254740993', '9999999999999999']
    for (const selector of typed)
      expect(await w.answered(w.handlers.info({ selector }))).toMatchObject({
        failure: { code: 'not-found' },
      })
    const got = await w.answered(w.handlers.remove({ selectors: ['9007199254740993'], which: 'all' }))
    expect(got.ok && got.value).toMatchObject([{ ok: false }])
    const paths = w.service.requests.list().flatMap((one) => (one.endpoint === 'get' ? [one.path] : []))
    expect(paths).toEqual([...typed, '9007199254740993'].map((id) => `/api/v1/files/${id}`))
    expect(w.service.requests.list().some((one) => one.endpoint === 'delete')).toBe(false)
  })
})

describe('an ID that the service does not find', () => {
  const infoOf = async (w: World, selector: string): Promise<string | undefined> => {
    const got = await w.handlers.info({ selector })
    return got.ok ? 'found' : got.failure.code
  }
  const lists = (w: World): number =>
    w.service.requests.list().filter((request) => request.endpoint === 'list').length

  it('doesn’t cause a list of unknown length to be read', async () => {
    const w = await open({ stored: 1000 })
    expect(await infoOf(w, '99999')).toBe('not-found')
    expect(lists(w)).toBe(0)
  })
})

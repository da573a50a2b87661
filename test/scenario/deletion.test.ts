// Deleting in the simulated world: whose file it is, what is deleted, and that a deleted link is shown
// nowhere and isn't published again automatically. In some tests the service answers an upload of known
// content with the existing file.
import { describe, expect, it } from 'vitest'
import type { AuditEntry, Transfer } from '../../src-shared/model.ts'
import { slashes } from '../world/slashes.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000
const SHARED = { sameBytes: 'existing' } as const

async function open(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  return openWorld({ plan: 'enterprise', ...options })
}

/** The IDs of the existing files on the service in ascending order. */
function live(w: World): readonly number[] {
  return w.service.ledger
    .live()
    .map((file) => file.fileId)
    .toSorted((a, b) => a - b)
}

async function calm(w: World): Promise<void> {
  await w.pass(MINUTE)
  await w.until(() => w.allSettled())
  await w.pass(MINUTE)
}

async function upload(w: World, path: string, again = false): Promise<Transfer> {
  const got = await valueOf(w.handlers.upload({ paths: [path], again, token: `t${w.clock.mono()}` }))
  const id = got.items[0]?.transfer?.id ?? 0
  await w.until(async () =>
    (await w.transfers()).some(
      (t) => t.id === id && ['done', 'held', 'failed', 'cancelled'].includes(t.state),
    ),
  )
  const row = (await w.transfers()).find((t) => t.id === id)
  if (row === undefined) throw new Error('no transfer')
  return row
}

async function remove(
  w: World,
  selector: string,
  which?: 'all' | 'latest' | 'older',
): Promise<readonly string[]> {
  const got = await valueOf(
    w.answered(w.handlers.remove({ selectors: [selector], ...(which === undefined ? {} : { which }) })),
  )
  return got.map((one) => one.message)
}

async function link(w: World, selector: string): Promise<string | null> {
  const got = await w.handlers.links({ selectors: [selector] })
  return got.ok ? (got.value[0]?.row?.publicLink ?? null) : null
}

async function audit(w: World): Promise<{ readonly sums: unknown; readonly entries: readonly AuditEntry[] }> {
  const got = await valueOf(w.handlers.audit({ path: FOLDER, rescan: false }))
  const page = await w.handlers.auditPage({ folderId: got.folder.id, list: null, after: null, limit: 500 })
  return { sums: got.sums, entries: page.ok ? page.value.entries : [] }
}

const NONE = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }

describe('a remote file that serves several local ones', () => {
  it('survives the replacement of a version whose link another upload received, and is deleted with the last of them', async () => {
    const w = await open()
    w.disk.mkdir('/home/other')
    w.disk.write(`${FOLDER}/a.txt`, 'the same bytes')
    await w.watch({ onChange: 'replace' })
    await calm(w)
    w.disk.write('/home/other/b.txt', 'the same bytes')
    const b = await upload(w, '/home/other/b.txt')
    expect(b.publicLink).toBe((await w.byName('a.txt'))?.publicLink)
    w.disk.write(`${FOLDER}/a.txt`, 'another version')
    await calm(w)
    expect(live(w)).toHaveLength(2)
    expect(await link(w, '/home/other/b.txt')).toBe(b.publicLink)
    expect((await w.byName('a.txt'))?.publicLink).not.toBe(b.publicLink)
    expect(await remove(w, '/home/other/b.txt')).toEqual(['deleted'])
    expect(live(w)).toHaveLength(1)
  })

  it('survives the replacement of a version on a service that answers the same bytes with the existing file', async () => {
    const w = await open({ dialect: SHARED })
    w.disk.write(`${FOLDER}/a.txt`, 'the same bytes')
    w.disk.write(`${FOLDER}/b.txt`, 'the same bytes')
    await w.watch({ onChange: 'replace' })
    await calm(w)
    expect(live(w)).toEqual([1])
    w.disk.write(`${FOLDER}/a.txt`, 'a changed')
    await calm(w)
    expect(live(w)).toEqual([1, 2])
    expect(await link(w, `${FOLDER}/b.txt`)).toContain('/download/')
    w.disk.write(`${FOLDER}/b.txt`, 'b changed')
    await calm(w)
    expect(live(w)).toEqual([2, 3])
  })

  it('is replaced even if its file was touched and moved before', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    await w.watch({ onChange: 'replace' })
    await calm(w)
    w.disk.setMtime(`${FOLDER}/a.txt`, w.clock.now() - 5000)
    await w.pass(30 * MINUTE)
    await calm(w)
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/moved.txt`)
    await calm(w)
    w.disk.write(`${FOLDER}/moved.txt`, 'version two')
    await calm(w)
    expect(live(w)).toEqual([2])
  })

  it('is left alone by a torn upload that was answered with it', async () => {
    const path = `${FOLDER}/large.bin`
    let touches = 1
    const w: World = await open({
      dialect: SHARED,
      // The file's time changes after its last byte was sent but before the answer arrives.
      onMoment: (moment, endpoint) => {
        if (endpoint === 'upload' && moment === 'answered' && touches-- > 0)
          w.disk.setMtime(path, w.clock.now())
      },
    })
    const bytes = Buffer.alloc(3_000_000, 1)
    w.service.plant({ filename: 'of-another-device.bin', bytes, storedAt: w.clock.now() - 47 * MINUTE })
    w.disk.write(path, bytes)
    w.disk.setMtime(path, w.clock.now() - MINUTE)
    await w.watch()
    await calm(w)
    expect(live(w)).toEqual([1])
    expect((await w.byName('large.bin'))?.state).toBe('done')
  })

  it('is left alone by a cancelled upload that was answered with it', async () => {
    const w = await open({ dialect: SHARED, latencyMs: 20 })
    w.disk.write(`${FOLDER}/a.txt`, 'the same bytes')
    await w.watch()
    await calm(w)
    w.disk.write(`${FOLDER}/b.txt`, 'the same bytes')
    w.service.setFaults({ rules: [{ on: 'upload', kinds: 'cut-after-store' }] })
    await w.until(async () => (await w.byName('b.txt'))?.state === 'unknown')
    const id = (await w.byName('b.txt'))?.id ?? 0
    await w.handlers.cancel({ ids: [id] })
    w.service.setFaults({ rules: [] })
    await calm(w)
    expect(live(w)).toEqual([1])
    expect(await link(w, `${FOLDER}/a.txt`)).toContain('/download/')
  })

  it('is kept for another path when one path is deleted, and is deleted for both by its ID, with both named', async () => {
    const w = await open({ dialect: SHARED })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) w.disk.write(`${FOLDER}/${name}`, 'the same bytes')
    await w.watch()
    await calm(w)
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual([
      expect.stringMatching(/^kept: .*[bc]\.txt and 1 more have the same link$/),
    ])
    expect(live(w)).toEqual([1])
    expect(await link(w, `${FOLDER}/a.txt`)).toBeNull()
    expect(await link(w, `${FOLDER}/b.txt`)).toContain('/download/')
    expect(await remove(w, '1')).toEqual([
      expect.stringMatching(/^deleted; the link of .*[bc]\.txt and 1 more has stopped working$/),
    ])
    expect(live(w)).toEqual([])
    for (const name of ['a.txt', 'b.txt', 'c.txt']) expect(await link(w, `${FOLDER}/${name}`)).toBeNull()
    expect((await audit(w)).sums).toEqual({ ...NONE, seen: 3, ignored: 3 })
  })

  it('stays if a file found its link while the deletion waited', async () => {
    const w = await open({ dialect: SHARED })
    w.disk.mkdir('/home/other')
    w.disk.write(`${FOLDER}/a.txt`, 'the same bytes')
    await w.watch()
    await calm(w)
    await w.handlers.pause({})
    w.service.setFaults({ rules: [{ on: 'delete', kinds: 'error-before-store' }] })
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual([expect.stringContaining('not deleted yet')])
    await w.handlers.resume({})
    w.disk.write('/home/other/b.txt', 'the same bytes')
    const b = await upload(w, '/home/other/b.txt')
    expect(b.fileId).toBe(1)
    w.service.setFaults({ rules: [] })
    await w.pass(10 * MINUTE)
    expect(live(w)).toEqual([1])
    expect(await link(w, '/home/other/b.txt')).toBe(b.publicLink)
    expect(await link(w, `${FOLDER}/a.txt`)).toBeNull()
  })
})

describe('a deletion by the user', () => {
  const deleted = async (): Promise<World> => {
    const w = await open()
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    w.disk.write(`${FOLDER}/keep.txt`, 'something else')
    await w.watch()
    await calm(w)
    w.disk.write(`${FOLDER}/a.txt`, 'version two')
    await calm(w)
    expect(live(w)).toHaveLength(3)
    return w
  }

  it('covers every version of the path, and its link is no longer shown anywhere', async () => {
    const w = await deleted()
    const path = `${FOLDER}/a.txt`
    const named = await w.handlers.versions({ selectors: [path] })
    expect(named.ok && named.value[0]?.versions.map((one) => one.fileId)).toEqual([3, expect.any(Number)])
    expect(await remove(w, path)).toEqual(['deleted', 'deleted'])
    expect(live(w)).toHaveLength(1)
    expect(await link(w, path)).toBeNull()
    const info = await w.handlers.info({ selector: path })
    expect(info.ok && info.value.remote).toBeNull()
    expect(info.ok && info.value.transfers.every((t) => t.publicLink === null && t.ended === 'deleted')).toBe(
      true,
    )
    const rows = (await w.transfers()).filter((t) => slashes(t.path) === path)
    expect(rows.map((t) => t.publicLink)).toEqual([null, null])
    const { sums, entries } = await audit(w)
    expect(sums).toEqual({ ...NONE, seen: 2, uploaded: 1, ignored: 1 })
    expect(entries.find((entry) => slashes(entry.path) === path)).toMatchObject({
      list: 'ignored',
      reason: 'deleted',
      publicLink: null,
    })
    expect(await remove(w, path)).toEqual(['deleted already'])
    expect(await remove(w, '3')).toEqual(['deleted already'])
  })

  it('covers the newest version, or all but that, if the user says so', async () => {
    const w = await deleted()
    expect(await remove(w, `${FOLDER}/a.txt`, 'older')).toEqual(['deleted'])
    expect(live(w)).toContain(3)
    expect(await link(w, `${FOLDER}/a.txt`)).toContain('/download/')
    expect(await remove(w, `${FOLDER}/a.txt`, 'older')).toEqual(['there is no older version'])
    expect(await remove(w, `${FOLDER}/a.txt`, 'latest')).toEqual(['deleted'])
    expect(live(w)).toHaveLength(1)
  })

  it('isn’t undone by a touch or by watching again, but is by new bytes or by an upload by name', async () => {
    const w = await deleted()
    const path = `${FOLDER}/a.txt`
    await remove(w, path)
    w.disk.write(path, 'version two')
    await calm(w)
    expect(w.service.ledger.files()).toHaveLength(3)
    expect((await audit(w)).sums).toEqual({ ...NONE, seen: 2, uploaded: 1, ignored: 1 })
    await w.crash()
    await w.watch()
    w.disk.setMtime(path, w.clock.now() - 7000)
    await w.pass(30 * MINUTE)
    expect(w.service.ledger.files()).toHaveLength(3)
    expect((await audit(w)).entries.find((entry) => slashes(entry.path) === path)).toMatchObject({
      list: 'ignored',
      reason: 'deleted',
    })
    w.disk.write(path, 'version six')
    await calm(w)
    expect(live(w)).toHaveLength(2)
    expect(await link(w, path)).toContain('/download/')
    await remove(w, path)
    const again = await upload(w, path)
    expect(again.publicLink).not.toBeNull()
    expect(live(w)).toHaveLength(2)
    expect((await audit(w)).sums).toEqual({ ...NONE, seen: 2, uploaded: 2 })
    expect((await audit(w)).entries.find((entry) => slashes(entry.path) === path)?.publicLink).toBe(
      again.publicLink,
    )
  })

  it('prevents an upload that was still waiting', async () => {
    const w = await open()
    const path = `${FOLDER}/a.txt`
    w.disk.write(path, 'version one')
    await w.watch()
    await calm(w)
    await w.handlers.pause({})
    w.disk.write(path, 'version two')
    await w.until(async () => (await w.byName('a.txt'))?.state === 'waiting')
    expect(await remove(w, path)).toEqual(['not uploaded; its upload was cancelled', 'deleted'])
    await w.handlers.resume({})
    await calm(w)
    expect(w.service.ledger.files()).toHaveLength(1)
    expect(live(w)).toEqual([])
    expect((await audit(w)).entries[0]).toMatchObject({ list: 'ignored', reason: 'deleted' })
    // An editor has written the same bytes again.
    w.disk.write(path, 'version two')
    await calm(w)
    expect(w.service.ledger.files()).toHaveLength(1)
    // And again after the file was missing for a while.
    w.disk.remove(path)
    await calm(w)
    w.disk.write(path, 'version two')
    await calm(w)
    expect(w.service.ledger.files()).toHaveLength(1)
    w.disk.write(path, 'version three')
    await calm(w)
    expect(live(w)).toEqual([2])
  })

  it('isn’t undone by a list that was read during the deletion', async () => {
    const w = await deleted()
    w.service.setFaults({ rules: [{ on: 'list', kinds: { kind: 'answer-late', ms: 300 } }] })
    const listing = w.list()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const ids = live(w)
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual(['deleted', 'deleted'])
    const box = { done: false }
    void listing.then(() => {
      box.done = true
    })
    await w.until(() => box.done)
    for (const id of ids)
      expect({ id, link: await link(w, String(id)) }).toEqual({
        id,
        link: live(w).includes(id) ? expect.any(String) : null,
      })
  })

  it('isn’t delayed further each time the app is closed while it is being sent', async () => {
    const closings: Promise<void>[] = []
    const w: World = await openWorld(
      { faults: { rules: [{ on: 'delete', kinds: 'stall-before-store' }] } },
      {
        onRequest: (request) => {
          if ('remove' in request && closings.length < 5) closings.push(w.engine().close(0))
        },
      },
    )
    await w.watch()
    await w.upload('a.txt', 'version one')
    await w.handlers.remove({ selectors: [`${FOLDER}/a.txt`], later: true })
    for (let times = 1; times <= 5; times++) {
      await w.until(() => closings.length === times)
      await closings.at(-1)
      if (times === 5) w.service.setFaults({ rules: [] })
      await w.crash()
    }
    expect(live(w)).toEqual([1])
    await w.pass(MINUTE)
    expect(live(w)).toEqual([])
  })

  it('removes a file whose bytes were just being sent', async () => {
    const w = await open({
      faults: { rules: [{ on: 'upload', kinds: { kind: 'answer-slow', ms: MINUTE } }] },
    })
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    await w.watch()
    // Simulated time stops during a request, so wait in real time here.
    void w.pass(MINUTE)
    await expect.poll(() => w.service.ledger.files()).not.toEqual([])
    expect((await w.byName('a.txt'))?.state).toBe('uploading')
    // Aborted after its last byte, so its answer is lost, and it is looked for.
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual(['deleted; its upload had arrived'])
    expect(live(w)).toEqual([])
    w.service.setFaults({ rules: [] })
    await calm(w)
    await calm(w)
    expect((await w.byName('a.txt'))?.state).toBe('cancelled')
    expect(live(w)).toEqual([])
    expect(await link(w, `${FOLDER}/a.txt`)).toBeNull()
  })

  it('removes a file whose response was lost', async () => {
    const w = await open({ faults: { rules: [{ on: 'upload', kinds: 'cut-after-store' }] } })
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    await w.watch()
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    w.service.setFaults({ rules: [] })
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual(['deleted; its upload had arrived'])
    expect(live(w)).toEqual([])
    await calm(w)
    expect(w.service.ledger.files()).toHaveLength(1)
    expect(live(w)).toEqual([])
    expect((await w.byName('a.txt'))?.state).toBe('cancelled')
  })

  it('isn’t reported as done, nor the file as not uploaded, as long as that isn’t known', async () => {
    const w = await open({
      dialect: { listLag: 'fixed', listLagMs: 60_000, ids: 'random' },
      faults: { rules: [{ on: 'upload', kinds: 'cut-after-store' }] },
    })
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    await w.watch()
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    w.service.setFaults({ rules: [] })
    const versions = await w.handlers.versions({ selectors: [`${FOLDER}/a.txt`] })
    expect(versions).toMatchObject({ value: [{ versions: [{ fileId: null, unconfirmed: true }] }] })
    const unsure =
      'its upload was cancelled, but it may have arrived: it is looked for, and deleted if it is found'
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual([unsure])
    expect(live(w)).toHaveLength(1)
    // Repeating the command gives the same answer, not that the file was deleted before.
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual([unsure])
    await w.pass(3 * MINUTE)
    expect(live(w)).toEqual([])
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual(['deleted already'])
  })

  it('isn’t reported as done if the upload was answered with a file that was there before', async () => {
    const w = await open({ dialect: SHARED })
    for (const content of ['one', 'two'])
      w.service.plant({
        filename: `of-another-device-${content}.txt`,
        bytes: Buffer.from(content),
        storedAt: w.clock.now() - 47 * MINUTE,
      })
    w.disk.write(`${FOLDER}/one.txt`, 'one')
    w.disk.write(`${FOLDER}/two.txt`, 'two')
    // From this upload the engine learns that the service answers known bytes with the existing file.
    expect((await upload(w, `${FOLDER}/one.txt`, true)).fileId).toBe(1)
    w.service.setFaults({ rules: [{ on: 'upload', kinds: 'cut-after-store' }] })
    await w.handlers.upload({ paths: [`${FOLDER}/two.txt`], again: true, token: 'two' })
    await w.until(async () => (await w.byName('two.txt'))?.state === 'unknown')
    w.service.setFaults({ rules: [] })
    expect(await remove(w, `${FOLDER}/two.txt`)).toEqual([
      'kept: its file may be older than its upload, so others may use its link',
    ])
    await calm(w)
    expect(live(w)).toEqual([1, 2])
  })

  it('is awaited once, however many uploads are looked up', async () => {
    const w = await open({
      dialect: { listLag: 'fixed', listLagMs: 3 * MINUTE, ids: 'random' },
      faults: { rules: [{ on: 'upload', kinds: 'cut-after-store' }] },
    })
    const names = ['a.txt', 'b.txt', 'c.txt']
    for (const name of names) w.disk.write(`${FOLDER}/${name}`, name)
    await w.watch()
    await w.until(
      async () => (await w.transfers()).filter((one) => one.state === 'unknown').length === names.length,
    )
    w.service.setFaults({ rules: [] })
    const before = w.clock.mono()
    const asking = w.handlers.remove({ selectors: names.map((name) => `${FOLDER}/${name}`) })
    const box: { tookMs: number | null } = { tookMs: null }
    void asking.then(() => {
      box.tookMs = w.clock.mono() - before
    })
    await w.until(() => box.tookMs !== null)
    expect(await asking).toMatchObject({
      value: names.map((name) => ({ selector: `${FOLDER}/${name}`, outcome: 'unconfirmed' })),
    })
    expect(box.tookMs).toBeLessThan(2 * 20_000)
  })

  it('isn’t reported as uncertain because deletions of other files are due', async () => {
    const w = await open({ plan: 'pro', faults: { rules: [{ on: 'upload', kinds: 'cut-after-body' }] } })
    w.disk.write(`${FOLDER}/sent.txt`, 'sent')
    w.disk.write(`${FOLDER}/queued.txt`, 'queued')
    const { handlers } = w.engine()
    await handlers.upload({ paths: [`${FOLDER}/sent.txt`], again: false, token: 'sent' })
    await w.until(async () => (await w.byName('sent.txt'))?.state === 'unknown')
    await handlers.pause({})
    await handlers.upload({ paths: [`${FOLDER}/queued.txt`], again: false, token: 'queued' })
    const ids = [(await w.byName('sent.txt'))?.id ?? 0, (await w.byName('queued.txt'))?.id ?? 0]
    // More replaced versions than the rate limit lets through in 20 seconds.
    w.sql(`INSERT INTO removals (file_id, reason, created_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      SELECT 1000 + i, 'replaced', 0 FROM n`)
    const asking = handlers.cancel({ ids, confirm: true })
    const box = { isDone: false }
    void asking.then(() => {
      box.isDone = true
    })
    await w.until(() => box.isDone)
    const got = await asking
    expect(got).toMatchObject({ value: { count: 2 } })
    expect(got.ok && got.value.unconfirmed?.ids.includes(ids[1] ?? 0)).not.toBe(true)
    expect(w.sql('SELECT count(*) AS n FROM removals')[0]?.['n']).toBeGreaterThan(0)
  })

  it('isn’t reported as done as long as it fails, if the file had changed before it was found', async () => {
    const path = `${FOLDER}/large.bin`
    const w = await open({
      faults: { rules: [{ on: 'upload', nth: 2, kinds: { kind: 'answer-late', ms: 10 * MINUTE } }] },
    })
    // Shows in which unit the service counts sizes.
    w.disk.write(`${FOLDER}/first.txt`, 'first')
    await upload(w, `${FOLDER}/first.txt`)
    // Large, so that the hash of what is sent isn't known before.
    w.disk.write(path, Buffer.alloc(3_000_000, 1))
    await w.handlers.upload({ paths: [path], again: false, token: 'large' })
    void w.pass(MINUTE)
    await expect.poll(() => w.service.ledger.files().length).toBe(2)
    await w.crash()
    w.service.setFaults({ rules: [{ on: 'delete', kinds: 'error-before-store' }] })
    w.disk.write(path, 'changed')
    expect(await remove(w, path)).toEqual([
      'not deleted yet: the deletion is queued. The service still has its file.',
    ])
    // Nor by the same command again.
    expect(await remove(w, path)).toEqual([
      'not deleted yet: the deletion is queued. The service answered 500: Internal error',
    ])
    expect(live(w)).toEqual([1, 2])
    w.service.setFaults({ rules: [] })
    expect(await remove(w, path)).toEqual(['deleted'])
    expect(live(w)).toEqual([1])
  })

  it('reports that the file isn’t on the service once that is proved', async () => {
    const w = await open({ faults: { rules: [{ on: 'upload', kinds: 'cut-after-body' }] } })
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    await w.watch()
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    w.service.setFaults({ rules: [] })
    expect(await remove(w, `${FOLDER}/a.txt`)).toEqual(['not on the service; its upload was cancelled'])
    await calm(w)
    expect(w.service.ledger.files()).toEqual([])
  })

  it('works for a file that is gone from the service: not shown, counted as ignored, not sent again after a touch', async () => {
    const w = await deleted()
    const path = `${FOLDER}/a.txt`
    await w.pass(20_000)
    w.service.setFaults({ rules: [{ on: 'get', kinds: 'vanish' }] })
    for (const id of live(w)) await w.handlers.info({ selector: String(id) })
    const catalog = await w.list()
    expect(catalog.ok && catalog.value.total).toBe(0)
    expect(await link(w, path)).toBeNull()
    expect((await w.byName('a.txt'))?.ended).toBe('gone')
    expect((await audit(w)).sums).toEqual({ ...NONE, seen: 2, ignored: 2 })
    w.disk.setMtime(path, w.clock.now() - 7000)
    await w.pass(30 * MINUTE)
    expect(live(w)).toEqual([])
  })
})

describe('a new version of a file whose upload was cancelled', () => {
  it('is published and stays', async () => {
    const w = await open()
    await w.watch()
    await w.handlers.pause({})
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    await w.until(async () => (await w.byName('a.txt'))?.state === 'waiting')
    await w.handlers.cancel({ ids: [(await w.byName('a.txt'))?.id ?? 0] })
    await w.handlers.resume({})
    await calm(w)
    w.disk.write(`${FOLDER}/a.txt`, 'version two')
    await calm(w)
    expect(live(w)).toHaveLength(1)
    expect((await w.byName('a.txt'))?.state).toBe('done')
  })
})

describe('a deletion without a connection', () => {
  const offline = async (): Promise<World> => {
    const w = await open()
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    w.disk.write(`${FOLDER}/b.txt`, 'another')
    await w.watch()
    await calm(w)
    w.service.setFaults({
      rules: [{ on: ['delete', 'stats', 'list', 'get', 'upload'], kinds: 'cut-before-body' }],
    })
    return w
  }
  const deleting = async (w: World): Promise<unknown> => {
    const got = await w.handlers.snapshot({})
    return got.ok ? (got.value.deleting ?? null) : null
  }

  it('waits, is listed, survives a restart, and is carried out once there is one again', async () => {
    const w = await offline()
    const got = await remove(w, `${FOLDER}/a.txt`)
    // The request was sent, so the service may have carried it out.
    expect(got).toEqual([expect.stringContaining('not confirmed yet')])
    expect(await link(w, `${FOLDER}/a.txt`)).toBeNull()
    expect(await deleting(w)).toMatchObject({ count: 1, names: ['a.txt'] })
    await w.pass(5 * MINUTE)
    await w.crash()
    expect(await deleting(w)).toMatchObject({ count: 1, names: ['a.txt'] })
    expect(live(w)).toHaveLength(2)
    w.service.setFaults({ rules: [] })
    await w.pass(20 * MINUTE)
    expect(live(w)).toHaveLength(1)
    expect(await deleting(w)).toBeNull()
    expect(await link(w, `${FOLDER}/a.txt`)).toBeNull()
  })

  it.each([
    ['rate-limited', 'waits', 'The service asked to wait.', 'not deleted yet: the deletion is queued.'],
    [
      'error-before-store',
      'waits',
      expect.stringContaining('The service answered 500') as string,
      'not deleted yet: the deletion is queued.',
    ],
    // Not the service's own answer, so the command ends as without one (6).
    [
      'garbage-before-store',
      'server',
      expect.any(String) as string,
      'not confirmed yet: the deletion stays queued.',
    ],
  ] as const)(
    'isn’t given as the reason of a deletion that was answered: %s',
    async (kinds, code, title, state) => {
      const w = await offline()
      w.service.setFaults({ rules: [{ on: 'delete', kinds }] })
      const got = await w.handlers.remove({ selectors: [`${FOLDER}/a.txt`] })
      expect(got).toMatchObject({
        ok: true,
        value: [{ outcome: 'queued', failure: { code, title } }],
      })
      expect(got.ok && got.value[0]?.message).toBe(
        `${state} ${got.ok ? (got.value[0]?.failure?.title ?? '') : ''}`,
      )
    },
  )

  it('can be undone until it is sent', async () => {
    const w = await offline()
    w.service.setFaults({ rules: [] })
    await w.service.goAway()
    const before = await link(w, `${FOLDER}/a.txt`)
    await remove(w, `${FOLDER}/a.txt`)
    expect(await w.handlers.keepFiles({ fileIds: null })).toEqual({
      ok: true,
      value: { count: 1, late: 0 },
    })
    await w.service.comeBack()
    await w.pass(20 * MINUTE)
    expect(live(w)).toHaveLength(2)
    expect(await link(w, `${FOLDER}/a.txt`)).toBe(before)
    expect((await audit(w)).sums).toEqual({ ...NONE, seen: 2, uploaded: 2 })
  })

  /** Uploads a file and starts its `rm`, without waiting for its end. */
  const removing = async (
    w: World,
    before: () => Promise<void> = async () => undefined,
  ): Promise<() => Promise<unknown>> => {
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    await w.watch()
    await calm(w)
    await before()
    const asking = w.handlers.remove({ selectors: [`${FOLDER}/a.txt`] })
    const box = { isDone: false }
    void asking.then(() => {
      box.isDone = true
    })
    return async () => {
      await w.until(() => box.isDone)
      const got = await asking
      return got.ok ? got.value[0] : got.failure
    }
  }
  const keep = async (w: World): Promise<number | null> => {
    const asking = w.handlers.keepFiles({ fileIds: null })
    const box = { isDone: false }
    void asking.then(() => {
      box.isDone = true
    })
    await w.until(() => box.isDone)
    const got = await asking
    expect(got.ok && got.value.count + got.value.late).toBe(1)
    return got.ok ? got.value.count : null
  }

  it('can be undone while it waits for the rate limit', async () => {
    const w = await open()
    const other = w.service.plant({ filename: 'other.txt' })
    const removed = await removing(w, async () => {
      w.service.setFaults({ rules: [{ on: 'get', nth: 1, kinds: { kind: 'rate-limited', seconds: 40 } }] })
      await w.handlers.info({ selector: String(other.fileId) })
    })
    await w.pass(1000)
    expect(await deleting(w)).toMatchObject({ count: 1 })
    expect(await keep(w)).toBe(1)
    expect(await removed()).toMatchObject({
      ok: true,
      outcome: 'kept',
      message: 'kept: the deletion was undone',
    })
    await w.pass(20 * MINUTE)
    expect(live(w)).toHaveLength(2)
    expect(await link(w, `${FOLDER}/a.txt`)).toContain('/download/')
  })

  it('can’t be undone while its request is in flight', async () => {
    const late = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    const onAnswer = (request: string): Promise<void> | undefined => {
      if (request !== 'remove') return undefined
      sent.resolve()
      return late.promise
    }
    const w = await openWorld({ plan: 'enterprise' }, { onAnswer })
    const removed = await removing(w)
    await sent.promise
    expect(await keep(w)).toBe(0)
    late.resolve()
    expect(await removed()).toMatchObject({ ok: true, outcome: 'deleted' })
    expect(await link(w, `${FOLDER}/a.txt`)).toBeNull()
  })

  it.each([
    ['was carried out, not even after a restart', 'cut-after-store', 0],
    ['was not carried out', 'error-before-store', 1],
  ] as const)('whose response was lost: if it %s', async (_name, kind, count) => {
    const w = await open({ faults: { rules: [{ on: 'delete', kinds: kind }] } })
    const removed = await removing(w)
    expect(await removed()).toMatchObject({ ok: false, outcome: 'queued' })
    await w.crash()
    expect(await keep(w)).toBe(count)
    expect(live(w)).toHaveLength(count)
    if (count === 0) expect(await link(w, `${FOLDER}/a.txt`)).toBeNull()
    else expect(await link(w, `${FOLDER}/a.txt`)).toContain('/download/')
    w.service.setFaults({ rules: [] })
    await w.pass(20 * MINUTE)
    expect(live(w)).toHaveLength(count)
    expect(await deleting(w)).toBeNull()
  })

  it('whose response was lost can’t be undone as long as its outcome is unknown', async () => {
    const w = await open({ faults: { rules: [{ on: 'delete', kinds: 'cut-after-store' }] } })
    const removed = await removing(w)
    await removed()
    w.service.setFaults({ rules: [{ kinds: 'cut-before-body' }] })
    expect(await keep(w)).toBe(0)
    expect(await link(w, `${FOLDER}/a.txt`)).toBeNull()
  })

  it('fails at once if the user must act first, and then nothing is half deleted', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/a.txt`, 'version one')
    await w.watch()
    await calm(w)
    w.service.setKey('another-key')
    const got = await w.handlers.remove({ selectors: [`${FOLDER}/a.txt`] })
    expect(got.ok && got.value[0]).toMatchObject({
      ok: false,
      outcome: 'failed',
      failure: { code: 'key-refused' },
    })
    expect(await deleting(w)).toBeNull()
    expect(await link(w, `${FOLDER}/a.txt`)).toContain('/download/')
  })
})

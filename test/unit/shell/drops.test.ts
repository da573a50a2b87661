// Drops from their paths to their links: the order, ends that come before their beginning, the person's own clipboard, an engine that falls.
// The engine is played; what it says and when is the test's.
import { describe, expect, it } from 'vitest'
import { createDrops, type DropEnd } from '../../../src-main/shell/intake/drops.ts'
import type { UploadItem } from '../../../src-shared/contract.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import { fakeLink, GONE, settled } from './fake-link.ts'
import { transfer } from './world.ts'

const item = (row: Transfer | null, changes: Partial<UploadItem> = {}): UploadItem => ({
  path: row?.path ?? '/home/ada/none',
  transfer: row,
  outcome: 'queued',
  reason: null,
  ...changes,
})
const queued = (id: number): Transfer => transfer(id, { state: 'queued', publicLink: null })

function room(answers: Parameters<typeof fakeLink>[0] = {}) {
  const fake = fakeLink(answers)
  const ends: DropEnd[] = []
  const starts: { batch: number; ids: number[] }[] = []
  const clipboard = { text: 'mine' }
  const drops = createDrops({
    link: fake.link,
    readClipboard: async () => clipboard.text,
    onStart: (batch, items) => starts.push({ batch, ids: items.map((one) => one.id) }),
    onEnd: (end) => ends.push(end),
  })
  const tell = async (...items: Transfer[]): Promise<void> => {
    fake.say({ seq: 1, kind: 'transfers', items })
    await settled()
  }
  const drop = (paths: readonly string[] = ['/a']) => drops.upload(paths, { again: false })
  return { ...fake, drops, drop, ends, starts, clipboard, tell }
}

const upload = (...items: UploadItem[]) => ({ upload: () => ({ batch: 1, items, next: null }) })
const urls = (end: DropEnd | undefined): string[] => (end?.links ?? []).map((link) => link.url)
const url = (id: number): string => `https://files.example.com/d/${id}`

describe('a drop', () => {
  it('ends once, with its links in the order of the drop, whatever the order of the uploads', async () => {
    const { drop, tell, ends, drops, starts } = room(upload(item(queued(3)), item(queued(1)), item(queued(2))))
    expect(await drop()).toEqual({ ok: true, value: { queued: 3, already: 0, held: 0, failed: 0, ignored: 0, links: 0 } })
    expect(starts).toEqual([{ batch: 1, ids: [3, 1, 2] }])
    await tell(transfer(2))
    await tell(transfer(1))
    expect(ends).toEqual([])
    expect(drops.last()).toMatchObject({ missing: 1, links: [{ transferId: 1 }, { transferId: 2 }] })
    await tell(transfer(3))
    await tell(transfer(3))
    expect(ends).toHaveLength(1)
    expect(urls(ends[0])).toEqual([url(3), url(1), url(2)])
    expect(ends[0]?.ended.map((one) => one.id)).toEqual([3, 1, 2])
    expect(drops.last()?.missing).toBe(0)
  })

  it('forgets a link whose file was deleted since', async () => {
    const { drop, tell, drops } = room(upload(item(queued(1)), item(queued(2))))
    await drop()
    await tell(transfer(1), transfer(2))
    await tell(transfer(1, { publicLink: null, ended: 'deleted' }))
    expect(drops.last()).toMatchObject({ missing: 0, links: [{ transferId: 2 }] })
  })

  it('takes each file once, also where it was dropped twice in one gesture', async () => {
    const { drop, tell, ends, drops } = room(upload(item(queued(1)), item(queued(1))))
    await drop(['/a', '/a'])
    await tell(transfer(1))
    expect(urls(ends[0])).toEqual([url(1)])
    expect(drops.last()).toMatchObject({ missing: 0 })
  })

  it.each(['held', 'failed', 'cancelled', 'gone'] as const)('ends with %s files as well; they have no link', async (state) => {
    const { drop, tell, ends } = room(upload(item(queued(1)), item(queued(2))))
    await drop()
    await tell(transfer(1, { state, publicLink: null }), transfer(2))
    expect(urls(ends[0])).toEqual([url(2)])
    expect(ends[0]?.ended.map((one) => one.state)).toEqual([state, 'done'])
  })

  it.each(['settling', 'queued', 'uploading', 'waiting', 'unknown'] as const)('does not end while one is %s', async (state) => {
    const { drop, tell, ends } = room(upload(item(queued(1))))
    await drop()
    await tell(transfer(1, { state, publicLink: null }))
    expect(ends).toEqual([])
  })

  it('of files that are up already ends at once', async () => {
    const { drop, ends } = room(upload(item(transfer(1), { outcome: 'already' }), item(transfer(2), { outcome: 'already' })))
    expect(await drop()).toMatchObject({ value: { already: 2, queued: 0, links: 2 } })
    await settled()
    expect(urls(ends[0])).toEqual([url(1), url(2)])
  })

  it('counts what was held at once as held, not as queued', async () => {
    const held = transfer(2, { state: 'held', reason: 'secret', publicLink: null })
    const { drop } = room(upload(item(queued(1)), item(held), item(null, { outcome: 'ignored' }), item(null, { outcome: 'failed' })))
    expect(await drop()).toMatchObject({ value: { queued: 1, held: 1, ignored: 1, failed: 1 } })
  })

  it('of nothing but failures is a failure that says the first reason', async () => {
    const { drop, drops, starts, ends } = room(
      upload(item(null, { outcome: 'failed', reason: 'No such file.' }), item(null, { outcome: 'failed' })),
    )
    expect(await drop()).toEqual({ ok: false, failure: { code: 'not-found', title: 'No such file.', hint: null } })
    await settled()
    expect([drops.last(), starts, ends]).toEqual([null, [], []])
  })

  it('of ignored files only is no failure, and ends nothing', async () => {
    const { drop, drops, ends } = room(upload(item(null, { outcome: 'ignored' })))
    expect(await drop()).toMatchObject({ ok: true, value: { ignored: 1 } })
    await settled()
    expect([drops.last(), ends]).toEqual([null, []])
  })

  it('that the engine refuses is refused, and the newest one stays the one before', async () => {
    let gone = false
    const { drop, drops } = room({ upload: () => (gone ? GONE : { batch: 1, items: [item(transfer(1))], next: null }) })
    await drop()
    gone = true
    expect(await drop()).toEqual(GONE)
    expect(drops.last()?.links.map((one) => one.transferId)).toEqual([1])
  })

  it('of another gesture does not wait for the one before', async () => {
    const batches = [[item(queued(1))], [item(queued(2))]]
    const { drop, tell, ends, starts, drops } = room({ upload: () => ({ batch: 1, items: batches.shift() ?? [], next: null }) })
    await drop()
    await drop()
    expect(starts.map((one) => one.batch)).toEqual([1, 2])
    await tell(transfer(2))
    expect(urls(ends[0])).toEqual([url(2)])
    await tell(transfer(1))
    expect(urls(ends[1])).toEqual([url(1)])
    // Ended later, but not dropped later.
    expect(drops.last()?.links.map((one) => one.transferId)).toEqual([2])
  })
})

describe('many files', () => {
  it('go in calls of a thousand paths, under one token', async () => {
    const { drop, callsOf } = room({
      upload: ({ paths }: { paths: string[] }) => ({ batch: 1, items: paths.map(() => item(null, { outcome: 'ignored' })), next: null }),
    })
    await drop(Array.from({ length: 2500 }, (_, i) => `/f${i}`))
    const inputs = callsOf('upload') as { paths: string[]; token: string }[]
    expect(inputs.map((one) => one.paths.length)).toEqual([1000, 1000, 500])
    expect(inputs.flatMap((one) => one.paths)).toEqual(Array.from({ length: 2500 }, (_, i) => `/f${i}`))
    expect(new Set(inputs.map((one) => one.token)).size).toBe(1)
  })

  it('are read in page by page, and an end that is told before its page counts', async () => {
    const { drop, tell, ends, callsOf, ...fake } = room({
      upload: () => ({ batch: 9, items: [item(queued(1))], next: 1 }),
      batchPage: ({ after }: { after: number }) => {
        // The last one is up before anybody has read that it was queued.
        fake.say({ seq: 1, kind: 'transfers', items: [transfer(3), transfer(77)] })
        return after === 1 ? { batch: 9, items: [item(queued(2))], next: 2 } : { batch: 9, items: [item(queued(3))], next: null }
      },
    })
    expect(await drop()).toMatchObject({ value: { queued: 3, links: 1 } })
    expect(callsOf('batchPage')).toEqual([
      { batch: 9, after: 1 },
      { batch: 9, after: 2 },
    ])
    await tell(transfer(2))
    await tell(transfer(1))
    expect(ends).toHaveLength(1)
    expect(urls(ends[0])).toEqual([url(1), url(2), url(3)])
  })

  it('of which all ended before the call answered end the drop at once', async () => {
    const { drop, ends, ...fake } = room({
      upload: () => {
        fake.say({ seq: 1, kind: 'transfers', items: [transfer(1)] })
        return { batch: 1, items: [item(queued(1))], next: null }
      },
    })
    await drop()
    await settled()
    expect(ends).toHaveLength(1)
    expect(urls(ends[0])).toEqual([url(1)])
  })

  it('a page that fails fails the drop', async () => {
    const { drop, drops } = room({ upload: () => ({ batch: 1, items: [item(queued(1))], next: 5 }), batchPage: () => GONE })
    expect(await drop()).toEqual(GONE)
    expect(drops.last()).toBeNull()
  })
})

describe('the clipboard', () => {
  it('is free when it still holds what it held at the drop', async () => {
    const { drop, tell, ends } = room(upload(item(queued(1))))
    await drop()
    await tell(transfer(1))
    expect(ends[0]?.clipboardFree).toBe(true)
  })

  it('is the person’s own when they copied something else meanwhile', async () => {
    const { drop, tell, ends, clipboard } = room(upload(item(queued(1))))
    await drop()
    clipboard.text = 'a note'
    await tell(transfer(1))
    expect(ends[0]?.clipboardFree).toBe(false)
  })

  it('is looked at before anything is sent, since a small file may be up before the call answers', async () => {
    const { drop, ends, clipboard } = room({
      upload: () => {
        clipboard.text = 'copied while it went up'
        return { batch: 1, items: [item(transfer(1))], next: null }
      },
    })
    await drop()
    await settled()
    expect(ends[0]?.clipboardFree).toBe(false)
  })
})

describe('an engine that falls', () => {
  it('is asked by the next one for what ended meanwhile, page by page', async () => {
    const rows = Array.from({ length: 700 }, (_, i) => transfer(i + 10))
    const { drop, ends, state, callsOf } = room({
      upload: () => ({ batch: 1, items: [item(queued(12)), item(queued(650))], next: null }),
      transfers: ({ afterId, limit }: { afterId: number; limit: number }) => rows.filter((row) => row.id > afterId).slice(0, limit),
    })
    await drop()
    state(false)
    await settled()
    expect(callsOf('transfers')).toEqual([])
    state(true)
    await settled()
    await settled()
    expect(callsOf('transfers')).toEqual([
      { folderId: null, states: [], afterId: 11, limit: 500 },
      { folderId: null, states: [], afterId: 511, limit: 500 },
    ])
    expect(ends).toHaveLength(1)
    expect(urls(ends[0])).toEqual([url(12), url(650)])
  })

  it('that knows them no more leaves the drop open, and asks for ever neither', async () => {
    const { drop, ends, state, callsOf } = room({ ...upload(item(queued(12))), transfers: () => [] })
    await drop()
    state(true)
    await settled()
    expect(ends).toEqual([])
    expect(callsOf('transfers')).toHaveLength(1)
  })

  it('asks for nothing where no drop is open', async () => {
    const { drop, state, callsOf } = room(upload(item(transfer(1))))
    await drop()
    state(true)
    await settled()
    expect(callsOf('transfers')).toEqual([])
  })
})

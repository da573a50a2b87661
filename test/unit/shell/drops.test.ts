// Drops from their paths to their links: the order, files that finish before their drop is listed, when links
// are copied, a crashing engine, a restart. The engine is stubbed; the test determines its answers and
// events.
import { describe, expect, it } from 'vitest'
import type { ClipboardMark, CopyOutcome } from '../../../src-main/shell/clipboard/unasked-copies.ts'
import type { ManyAnswer } from '../../../src-main/shell/intake/many-files.ts'
import { Drops, dropsToSave, readDrops } from '../../../src-main/shell/intake/upload-batches.ts'
import type { UploadItem } from '../../../src-shared/engine-contract.ts'
import type { FileId, Transfer } from '../../../src-shared/model.ts'
import type { Batch } from '../../../src-shared/window-contract.ts'
import { fakeLink, GONE, settled } from './fake-link.ts'
import { NOW, transfer } from './world.ts'

const item = (row: Transfer | null, changes: Partial<UploadItem> = {}): UploadItem => ({
  path: row?.path ?? '/home/ada/none',
  transfer: row,
  outcome: 'queued',
  reason: null,
  ...changes,
})
const queued = (id: number): Transfer => transfer(id, { state: 'queued', publicLink: null })

interface End {
  readonly batch: number
  readonly ids: readonly number[]
  readonly copied: boolean
}

function room(answers: Parameters<typeof fakeLink>[0] = {}, saved: { value: unknown } = { value: null }) {
  const fake = fakeLink(answers)
  const ends: End[] = []
  const starts: { batch: number; ids: number[] }[] = []
  const copies: { readonly urls: readonly string[]; readonly mark: ClipboardMark; readonly always?: true }[] =
    []
  const asked: { readonly paths: readonly string[]; readonly files: number }[] = []
  const person = {
    answer: null as ManyAnswer | null,
    meanwhile: (): unknown => undefined,
    isBusy: false,
  }
  const clipboard = { text: 'mine', outcome: 'copied' as CopyOutcome | 'off' }
  const awaited: Batch[] = []
  const pending = new Set<FileId>()
  let now = NOW
  const timers = new Map<object, { readonly at: number; readonly run: () => void }>()
  const drops = new Drops({
    link: fake.link,
    ask: async (paths, { files }) => {
      asked.push({ paths, files })
      await person.meanwhile()
      return person.answer
    },
    hasQuestion: () => person.isBusy,
    onNews: (batch) => awaited.push(batch),
    notPending: (fileIds) => fileIds.filter((one) => !pending.has(one)),
    mark: async () => clipboard.text,
    copy: async (links, mark, always) => {
      copies.push({ urls: links.map((link) => link.url), mark, ...(always ? { always } : {}) })
      return clipboard.outcome
    },
    onStart: (batch, ids) => starts.push({ batch, ids: [...ids] }),
    onQueued: () => undefined,
    onEnd: (batch, items, copied) => ends.push({ batch, ids: items.map((one) => one.id), copied }),
    saved: {
      read: () => saved.value,
      write: (value) => {
        saved.value = JSON.parse(JSON.stringify(value))
      },
    },
    now: () => now,
    after: (ms, run) => {
      const key = {}
      timers.set(key, { at: now + ms, run })
      return () => timers.delete(key)
    },
  })
  const tell = async (...items: Transfer[]): Promise<void> => {
    fake.say({ seq: 1, kind: 'transfers', items })
    await settled()
  }
  const pass = async (ms: number): Promise<void> => {
    now += ms
    for (const [key, timer] of timers)
      if (timer.at <= now) {
        timers.delete(key)
        timer.run()
      }
    await settled()
  }
  const drop = (paths: readonly string[] = ['/a']) => drops.upload(paths, { again: false })
  return {
    ...fake,
    drops,
    drop,
    ends,
    starts,
    copies,
    clipboard,
    tell,
    pass,
    saved,
    asked,
    person,
    awaited,
    pending,
  }
}

const upload = (...items: UploadItem[]) => ({ upload: () => ({ batch: 1, items, next: null }) })
const url = (id: number): string => `https://files.example.com/d/${id}`

describe('a drop', () => {
  it('says at once that a queued file is held, and how many of its files are', async () => {
    const { drop, tell, awaited } = room(upload(item(queued(1)), item(queued(2)), item(queued(3))))
    await drop()
    const held = (id: number) => transfer(id, { state: 'held', reason: 'secret' })
    await tell(held(2))
    await tell(held(2), transfer(9, { state: 'held' }))
    await tell(held(1))
    expect(awaited).toMatchObject([
      { queued: 0, held: 1, firstHeld: { id: 2, reason: 'secret' } },
      { queued: 0, held: 2, firstHeld: { id: 1 } },
    ])
  })

  it('counts a file as held that was held while the drop was being listed', async () => {
    const held = transfer(1, { state: 'held', reason: 'secret' })
    const r = room({
      upload: async () => {
        await r.tell(held)
        return { batch: 1, items: [item(queued(1))], next: null }
      },
    })
    expect(await r.drop()).toMatchObject({ value: { queued: 0, held: 1, firstHeld: { id: 1 } } })
    expect(r.awaited).toEqual([])
  })

  it('ends once, with its links in the order of the drop, whatever the order of the uploads', async () => {
    const { drop, tell, ends, drops, starts, copies } = room(
      upload(item(queued(3)), item(queued(1)), item(queued(2))),
    )
    expect(await drop()).toEqual({
      ok: true,
      value: { queued: 3, already: 0, held: 0, failed: 0, ignored: 0, links: 0 },
    })
    expect(starts).toEqual([{ batch: 1, ids: [3, 1, 2] }])
    await tell(transfer(2))
    await tell(transfer(1))
    expect(ends).toEqual([])
    expect(drops.last()).toMatchObject({ missing: 1, links: [{ transferId: 1 }, { transferId: 2 }] })
    await tell(transfer(3))
    await tell(transfer(3))
    expect(ends).toHaveLength(1)
    expect(copies[0]?.urls).toEqual([url(3), url(1), url(2)])
    expect(drops.last()?.missing).toBe(0)
  })

  it('forgets what ended during a drop that failed, so that the next one goes by its own answer', async () => {
    let tries = 0
    const { drop, tell, drops, ends } = room({
      upload: async () => {
        if (tries++ > 0) return { batch: 1, items: [item(queued(1))], next: null }
        await tell(transfer(1, { state: 'failed', publicLink: null }))
        return GONE
      },
    })
    expect(await drop()).toEqual(GONE)
    expect(await drop()).toMatchObject({ value: { queued: 1 } })
    expect(ends).toEqual([])
    await tell(transfer(1))
    expect([ends.length, drops.last()?.links.length]).toEqual([1, 1])
  })

  it('waits for a held file that was released, and ends with it', async () => {
    const { drop, tell, ends, copies } = room(upload(item(queued(1)), item(queued(2))))
    await drop()
    await tell(transfer(2, { state: 'held', publicLink: null }))
    await tell(queued(2), transfer(1))
    expect(ends).toEqual([])
    await tell(transfer(2))
    expect(ends).toMatchObject([{ ids: [1, 2] }])
    expect(copies.at(-1)?.urls).toEqual([url(1), url(2)])
  })

  it('forgets a link whose file was deleted since', async () => {
    const { drop, tell, drops } = room(upload(item(queued(1)), item(queued(2))))
    await drop()
    await tell(transfer(1), transfer(2))
    await tell(transfer(1, { publicLink: null, ended: 'deleted' }))
    expect(drops.last()).toMatchObject({ missing: 0, links: [{ transferId: 2 }] })
  })

  it('has only the files that are left: none that was deleted, is being deleted, or is about to be', async () => {
    const { drop, tell, drops, pending } = room(upload(...[1, 2, 3, 4].map((id) => item(queued(id)))))
    await drop()
    await tell(transfer(1), transfer(2), transfer(3))
    // Its link still works for now.
    await tell(transfer(1, { ended: 'deleting' }))
    pending.add(2)
    expect(drops.last()).toMatchObject({ ids: [3, 4], links: [{ transferId: 3 }], missing: 1 })
    pending.clear()
    expect(drops.last()).toMatchObject({ ids: [2, 3, 4], links: [{ transferId: 2 }, { transferId: 3 }] })
  })

  it('takes each file once, also where it was dropped twice in one gesture', async () => {
    const { drop, tell, drops, copies } = room(upload(item(queued(1)), item(queued(1))))
    await drop(['/a', '/a'])
    await tell(transfer(1))
    expect(copies[0]?.urls).toEqual([url(1)])
    expect(drops.last()).toMatchObject({ missing: 0 })
  })

  it.each(['held', 'failed', 'cancelled', 'gone'] as const)(
    'ends with %s files as well; they have no link',
    async (state) => {
      const { drop, tell, copies } = room(upload(item(queued(1)), item(queued(2))))
      await drop()
      await tell(transfer(1, { state, publicLink: null }), transfer(2))
      expect(copies[0]?.urls).toEqual([url(2)])
    },
  )

  it.each(['settling', 'queued', 'uploading', 'waiting', 'unknown'] as const)(
    'does not end while one is %s',
    async (state) => {
      const { drop, tell, ends } = room(upload(item(queued(1))))
      await drop()
      await tell(transfer(1, { state, publicLink: null }))
      expect(ends).toEqual([])
    },
  )

  it('of files that are up already ends at once', async () => {
    const { drop, copies } = room(
      upload(item(transfer(1), { outcome: 'already' }), item(transfer(2), { outcome: 'already' })),
    )
    expect(await drop()).toMatchObject({ value: { already: 2, queued: 0, links: 2 } })
    await settled()
    expect(copies[0]?.urls).toEqual([url(1), url(2)])
  })

  it('counts what was held at once as held, not as queued', async () => {
    const held = transfer(2, { state: 'held', reason: 'secret', publicLink: null })
    const { drop } = room(
      upload(
        item(queued(1)),
        item(held),
        item(null, { outcome: 'ignored' }),
        item(null, { outcome: 'failed' }),
      ),
    )
    expect(await drop()).toMatchObject({ value: { queued: 1, held: 1, ignored: 1, failed: 1 } })
  })

  it('of nothing but failures is a failure that says the first reason', async () => {
    const { drop, drops, starts, ends } = room(
      upload(item(null, { outcome: 'failed', reason: 'No such file.' }), item(null, { outcome: 'failed' })),
    )
    expect(await drop()).toEqual({
      ok: false,
      failure: { code: 'unreadable', title: 'No such file.', hint: null },
    })
    await settled()
    expect([drops.last(), starts, ends]).toEqual([null, [], []])
  })

  it('of ignored files only is no failure, and ends nothing', async () => {
    const { drop, drops, ends } = room(upload(item(null, { outcome: 'ignored' })))
    expect(await drop()).toMatchObject({ value: { ignored: 1 } })
    await settled()
    expect([drops.last(), ends]).toEqual([null, []])
  })

  it('that the engine refuses is refused, and the newest one stays the one before', async () => {
    let gone = false
    const { drop, drops } = room({
      upload: () => (gone ? GONE : { batch: 1, items: [item(transfer(1))], next: null }),
    })
    await drop()
    gone = true
    expect(await drop()).toEqual(GONE)
    expect(drops.last()?.links.map((one) => one.transferId)).toEqual([1])
  })

  it('of another gesture does not wait for the one before', async () => {
    const batches = [[item(queued(1))], [item(queued(2))]]
    const { drop, tell, starts, drops, copies } = room({
      upload: () => ({ batch: 1, items: batches.shift() ?? [], next: null }),
    })
    await drop()
    await drop()
    expect(starts.map((one) => one.batch)).toEqual([1, 2])
    await tell(transfer(2))
    expect(copies[0]?.urls).toEqual([url(2)])
    await tell(transfer(1))
    expect(copies[1]?.urls).toEqual([url(1)])
    // The first drop finished last, but the second one is still the newest.
    expect(drops.last()?.links.map((one) => one.transferId)).toEqual([2])
  })
})

it('what was just read from the clipboard isn’t read again before it is sent', async () => {
  const { drops, tell, copies } = room(upload(item(queued(1))))
  await drops.upload(['/a'], { again: false, pasted: true, mark: 'as it was read' })
  await tell(transfer(1))
  expect(copies[0]?.mark).toBe('as it was read')
})

describe('more files than are uploaded unasked', () => {
  const many = { files: 143, bytes: 5 }
  const answers = {
    upload: ({ paths, most }: { readonly paths: readonly string[]; readonly most?: unknown }) =>
      most === undefined
        ? { batch: 1, items: [item(queued(paths.length))], next: null }
        : { batch: 0, items: [], next: null, many },
    planPart: () => ({}),
  }

  it('are asked about, and none is registered if the user declines', async () => {
    const { drop, asked, callsOf, starts, drops } = room(answers)
    expect(await drop(['/a', '/b'])).toEqual({
      ok: true,
      value: { queued: 0, already: 0, held: 0, failed: 0, ignored: 0, links: 0, isDeclined: true },
    })
    expect(asked).toEqual([{ paths: ['/a', '/b'], files: 143 }])
    expect(callsOf('upload')).toMatchObject([{ most: { files: 100, bytes: 1_000_000_000 } }])
    expect([starts, drops.last()]).toEqual([[], null])
  })

  it('go out in the order that the user chose, all of them in one call', async () => {
    const { drop, person, callsOf } = room(answers)
    person.answer = { order: 'smallest' }
    const paths = Array.from({ length: 2500 }, (_, i) => `/f${i}`)
    expect(await drop(paths)).toMatchObject({ value: { queued: 1 } })
    const parts = callsOf('planPart') as { token: string; paths: string[] }[]
    const [, last] = callsOf('upload') as { paths: string[]; parts: unknown }[]
    expect(callsOf('upload')).toHaveLength(2)
    expect(last).toMatchObject({ order: 'smallest', parts: { token: parts[0]?.token, count: 2000 } })
    expect([...parts, ...(last === undefined ? [] : [last])].flatMap((one) => one.paths)).toEqual(paths)
  })

  it('can be added without being sent', async () => {
    const { drop, person, callsOf, tell, ends } = room(answers)
    person.answer = { paused: true }
    expect(await drop()).toMatchObject({ value: { queued: 1, isPaused: true } })
    expect(callsOf('upload').at(-1)).toMatchObject({ paused: true })
    expect(ends).toEqual([])
    await tell(transfer(1))
    expect(ends).toHaveLength(1)
  })

  it('that come while the user is being asked are kept, said, and asked about next', async () => {
    const { drop, person, asked, awaited, callsOf } = room(answers)
    const answered = Promise.withResolvers<void>()
    person.answer = { order: 'name' }
    person.meanwhile = () => answered.promise
    const [first, second] = [drop(['/a']), drop(['/b', '/c'])]
    await settled()
    expect(asked.map((one) => one.paths)).toEqual([['/a']])
    expect(awaited).toMatchObject([{ queued: 0, awaits: 143 }])
    answered.resolve()
    expect([await first, await second]).toMatchObject([{ value: { queued: 1 } }, { value: { queued: 1 } }])
    expect(asked.map((one) => one.paths)).toEqual([['/a'], ['/b', '/c']])
    // The forecast of the second question counts what the first one added.
    const sent = callsOf('upload') as { paths: string[]; most?: unknown }[]
    expect(sent.at(-1)?.paths).toEqual(['/b', '/c'])
    expect(sent.filter((one) => one.most === undefined).map((one) => one.paths)).toEqual([
      ['/a'],
      ['/b', '/c'],
    ])
  })

  it('that come while something else is being asked say so', async () => {
    const { drop, person, awaited } = room(answers)
    person.isBusy = true
    await drop()
    expect(awaited).toMatchObject([{ awaits: 143 }])
  })

  it('are added without being sent once three drops wait for the user', async () => {
    const { drop, person, asked } = room(answers)
    const answered = Promise.withResolvers<void>()
    person.meanwhile = () => answered.promise
    const waiting = [1, 2, 3, 4].map((n) => drop([`/${n}`]))
    await settled()
    expect(await drop(['/5'])).toMatchObject({ value: { queued: 1, isPaused: true } })
    answered.resolve()
    await Promise.all(waiting)
    expect(asked.map((one) => one.paths[0])).toEqual(['/1', '/2', '/3', '/4'])
  })

  it('take what is on the clipboard after the answer for what was there when they came', async () => {
    const { drop, person, clipboard, copies, tell } = room(answers)
    person.answer = { order: 'name' }
    person.meanwhile = () => {
      clipboard.text = 'copied while the question was open'
    }
    await drop()
    await tell(transfer(1))
    expect(copies[0]?.mark).toBe('copied while the question was open')
  })
})

describe('many files', () => {
  it('go in calls of a thousand paths, under one token', async () => {
    const { drop, callsOf } = room({
      upload: ({ paths }: { paths: string[] }) => ({
        batch: 1,
        items: paths.map(() => item(null, { outcome: 'ignored' })),
        next: null,
      }),
    })
    await drop(Array.from({ length: 2500 }, (_, i) => `/f${i}`))
    const inputs = callsOf('upload') as { paths: string[]; token: string }[]
    expect(inputs.map((one) => one.paths.length)).toEqual([1000, 1000, 500])
    expect(inputs.flatMap((one) => one.paths)).toEqual(Array.from({ length: 2500 }, (_, i) => `/f${i}`))
    expect(new Set(inputs.map((one) => one.token)).size).toBe(1)
  })

  it('are read in page by page, and an end that is told before its page counts', async () => {
    const { drop, tell, ends, callsOf, copies, ...fake } = room({
      upload: () => ({ batch: 9, items: [item(queued(1))], next: 1 }),
      batchPage: ({ after }: { after: number }) => {
        // The last file is uploaded before the response with its queued state has been read.
        fake.say({ seq: 1, kind: 'transfers', items: [transfer(3), transfer(77)] })
        return after === 1
          ? { batch: 9, items: [item(queued(2))], next: 2 }
          : { batch: 9, items: [item(queued(3))], next: null }
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
    expect(copies[0]?.urls).toEqual([url(1), url(2), url(3)])
  })

  it('of which all ended before the call answered end the drop at once', async () => {
    const { drop, ends, copies, ...fake } = room({
      upload: () => {
        fake.say({ seq: 1, kind: 'transfers', items: [transfer(1)] })
        return { batch: 1, items: [item(queued(1))], next: null }
      },
    })
    await drop()
    await settled()
    expect(ends).toHaveLength(1)
    expect(copies[0]?.urls).toEqual([url(1)])
  })

  const named = (paths: readonly string[], first: number): UploadItem[] =>
    paths.map((path, i) => item(transfer(first + i, { path, state: 'queued', publicLink: null })))

  it('of which a later call fails are a drop of those that were queued, and the rest is said with the reason', async () => {
    let calls = 0
    const { drop, drops, tell, starts, copies, ends } = room({
      upload: ({ paths }: { paths: string[] }) =>
        ++calls === 2 ? GONE : { batch: calls, items: named(paths, 1), next: null },
    })
    const got = await drop(Array.from({ length: 2500 }, (_, i) => `/f${i}`))
    const counts = { queued: 1000, already: 0, held: 0, failed: 0, ignored: 0, links: 0 }
    expect(got).toEqual({ ok: true, value: { ...counts, rest: { count: 1500, code: 'closing' } } })
    expect(calls).toBe(2)
    expect(starts.map((one) => one.ids.length)).toEqual([1000])
    expect(drops.last()).toMatchObject({ links: [], missing: 1000 })
    await tell(...Array.from({ length: 1000 }, (_, i) => transfer(i + 1)))
    expect(copies[0]?.urls).toHaveLength(1000)
    expect(ends).toMatchObject([{ batch: 1, copied: true }])
  })

  it('whose later page fails are a drop of those that were listed', async () => {
    const paths = ['/a', '/b', '/folder']
    const { drop, drops } = room({
      upload: () => ({ batch: 1, items: named(['/a', '/folder/c'], 1), next: 2 }),
      batchPage: () => GONE,
    })
    expect(await drop(paths)).toMatchObject({ value: { queued: 2, rest: { count: 2, code: 'closing' } } })
    expect(drops.last()?.missing).toBe(2)
  })

  it('of which none was queued before a call failed are refused', async () => {
    let calls = 0
    const { drop, drops } = room({
      upload: ({ paths }: { paths: string[] }) =>
        ++calls === 2
          ? GONE
          : { batch: 1, items: paths.map((path) => item(null, { path, outcome: 'ignored' })), next: null },
    })
    expect(await drop(Array.from({ length: 1001 }, (_, i) => `/f${i}`))).toEqual(GONE)
    expect(drops.last()).toBeNull()
  })
})

describe('the links', () => {
  it('are copied when they are ready, not when the last file of the drop is', async () => {
    const { drop, tell, pass, copies, ends } = room(upload(item(queued(1)), item(queued(2)), item(queued(3))))
    await drop()
    await tell(transfer(2))
    expect(copies).toEqual([])
    await pass(1000)
    expect(copies).toEqual([{ urls: [url(2)], mark: 'mine' }])
    await tell(transfer(1))
    await pass(1000)
    expect(copies.at(-1)?.urls).toEqual([url(1), url(2)])
    expect(ends).toEqual([])
    await tell(transfer(3, { state: 'waiting', publicLink: null }))
    await tell(transfer(3, { state: 'held', publicLink: null }))
    expect(ends).toMatchObject([{ batch: 1, copied: true }])
  })

  it('of files that follow each other are copied together, but none waits longer than three seconds', async () => {
    const { drop, tell, pass, copies } = room(upload(...[1, 2, 3, 4, 5, 6].map((id) => item(queued(id)))))
    await drop()
    for (const id of [1, 2, 3, 4]) {
      await tell(transfer(id))
      await pass(800)
    }
    expect(copies.map((one) => one.urls.length)).toEqual([4])
  })

  it('are no longer copied once the person copied something else', async () => {
    const { drop, tell, pass, copies, clipboard, ends } = room(upload(item(queued(1)), item(queued(2))))
    await drop()
    clipboard.outcome = 'changed'
    await tell(transfer(1))
    await pass(1000)
    clipboard.outcome = 'copied'
    await tell(transfer(2))
    expect(copies).toHaveLength(1)
    expect(ends).toMatchObject([{ batch: 1, copied: false }])
  })

  it.each(['changed', 'refused', 'off'] as const)(
    'that are not copied (%s) are not said to be',
    async (outcome) => {
      const { drop, tell, clipboard, ends } = room(upload(item(queued(1))))
      clipboard.outcome = outcome
      await drop()
      await tell(transfer(1))
      expect(ends).toMatchObject([{ batch: 1, copied: false }])
    },
  )

  it('are compared with the clipboard before anything is sent, since a small file may be up before the call answers', async () => {
    const { drop, copies, clipboard } = room({
      upload: () => {
        clipboard.text = 'copied while it went up'
        return { batch: 1, items: [item(transfer(1))], next: null }
      },
    })
    await drop()
    await settled()
    expect(copies).toEqual([{ urls: [url(1)], mark: 'mine' }])
  })
})

describe('a restart', () => {
  const rows = [transfer(1), transfer(2, { state: 'waiting', publicLink: null })]
  const asked = { transfers: ({ afterId }: { afterId: number }) => rows.filter((row) => row.id > afterId) }

  it('forgets no drop: what is open is followed to its end, with a clipboard that is not known', async () => {
    const before = room(upload(item(queued(1)), item(queued(2))))
    await before.drop()
    const after = room(asked, before.saved)
    expect(after.drops.last()).toBeNull()
    after.state(true)
    await settled()
    expect(after.starts).toEqual([{ batch: 1, ids: [1, 2] }])
    expect(after.drops.last()).toMatchObject({ links: [{ transferId: 1 }], missing: 1 })
    await after.tell(transfer(2))
    expect(after.ends).toMatchObject([{ batch: 1, copied: true }])
    expect(after.copies).toEqual([{ urls: [url(1), url(2)], mark: null }])
  })

  it('keeps the links of the newest drop, and reports nothing again', async () => {
    const before = room(upload(item(queued(1))))
    await before.drop()
    await before.tell(transfer(1))
    const after = room(asked, before.saved)
    after.state(true)
    await settled()
    expect(after.drops.last()).toMatchObject({ links: [{ transferId: 1 }], missing: 0 })
    expect([after.starts, after.ends, after.copies]).toEqual([[], [], []])
  })

  it('still copies the links of a drop that asked for it whatever the settings say', async () => {
    const before = room(upload(item(queued(1)), item(queued(2))))
    await before.drops.upload(['/a'], { again: false, copyLink: true })
    const after = room(asked, before.saved)
    after.state(true)
    await settled()
    await after.tell(transfer(2))
    expect(after.copies).toEqual([{ urls: [url(1), url(2)], mark: null, always: true }])
    expect(after.starts).toEqual([{ batch: 1, ids: [1, 2] }])
  })

  it('with a journal that numbers from the beginning again knows none of them', async () => {
    const before = room(upload(item(queued(1))))
    await before.drop()
    const after = room({ transfers: () => [transfer(1, { createdAt: NOW + 5 })] }, before.saved)
    after.state(true)
    await settled()
    expect(after.drops.last()).toBeNull()
  })

  it('asks the next engine where the first went away', async () => {
    const before = room(upload(item(queued(1))))
    await before.drop()
    let isUp = false
    const after = room({ transfers: () => (isUp ? rows : GONE) }, before.saved)
    after.state(true)
    await settled()
    isUp = true
    after.state(true)
    await settled()
    expect(after.drops.last()).not.toBeNull()
  })

  it.each([['text'], [{ drops: [{ ids: 'x' }] }], [7]])(
    'with a file that says %j begins without drops',
    (value) => {
      expect(room({}, { value }).drops.last()).toBeNull()
    },
  )
})

describe('an engine that falls', () => {
  it('is asked by the next one for what ended meanwhile, page by page', async () => {
    const rows = Array.from({ length: 700 }, (_, i) => transfer(i + 10))
    const { drop, ends, state, callsOf, copies } = room({
      upload: () => ({ batch: 1, items: [item(queued(12)), item(queued(650))], next: null }),
      transfers: ({ afterId, limit }: { afterId: number; limit: number }) =>
        rows.filter((row) => row.id > afterId).slice(0, limit),
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
      { folderId: null, states: [], afterId: 649, limit: 1 },
    ])
    expect(ends).toHaveLength(1)
    expect(copies[0]?.urls).toEqual([url(12), url(650)])
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

describe('another account', () => {
  it('whose rows have the same IDs ends no drop and lends it no link', async () => {
    const { drop, drops, ends, copies, tell } = room(upload(item(queued(1))))
    await drop()
    await tell(transfer(1, { createdAt: NOW + 5000 }))
    expect({ ends, copies }).toEqual({ ends: [], copies: [] })
    expect(drops.last()).toMatchObject({ links: [], missing: 1 })
  })

  it('leaves nothing of the drops before it, not even after a restart', async () => {
    const { drop, drops, ends, tell, saved } = room(upload(item(queued(1)), item(transfer(2))))
    await drop()
    expect(drops.last()?.links).toHaveLength(1)
    drops.forget()
    await tell(transfer(1))
    expect({ last: drops.last(), ends }).toEqual({ last: null, ends: [] })
    expect(room({ transfers: () => [transfer(1), transfer(2)] }, saved).drops.last()).toBeNull()
  })
})

it('keeps all files of a large drop across a restart', () => {
  const ids = Array.from({ length: 100_000 }, (_, i): [number, number] => [i + 1, 1000])
  expect(readDrops(JSON.parse(JSON.stringify(dropsToSave([{ ids, open: true }]))))).toEqual([
    { ids, open: true },
  ])
})

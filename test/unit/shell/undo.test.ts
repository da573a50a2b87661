// What can be undone, newest first: deletions, uploads that were sent or not, and folders that are no longer
// watched. The engine and the desktop are fakes.
import { beforeEach, expect, it, vi } from 'vitest'
import { textsOf } from '../../../src-shared/i18n/texts.ts'
import type { Folder, Transfer } from '../../../src-shared/model.ts'
import { undoneWords } from '../../../src-shared/undone-words.ts'
import type { Undone } from '../../../src-shared/window-contract.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { remoteRow } from '../views.ts'
import { createRoom, type Room } from './room.ts'
import { FORMATS, folder, snapshot, transfer } from './world.ts'

vi.mock('electron', () => ({ protocol: {} }))

let home = ''
beforeEach(() => {
  home = tempFolder()
})

const NOTHING = { ok: true, value: null }
const links = ({ selectors }: { readonly selectors: readonly string[] }) =>
  selectors.map((selector) => ({
    selector,
    row: remoteRow(Number(selector), { filename: `${selector}.txt` }),
  }))
/** No other transfer has the file. */
const info = () => ({ remote: null, transfers: [], downloads: [] })

function room({ answers, ...given }: Room = {}): ReturnType<typeof createRoom> {
  return createRoom(home, { ...given, answers: { links, info, ...answers } })
}

it('undoes the newest deletion first, then the one before, then says that there is nothing', async () => {
  const { h, undo } = room()
  await h.deleteFiles({ selection: { fileIds: [5] } })
  await h.deleteFiles({ selection: { fileIds: [6, 7] } })
  expect(undo.last()).toMatchObject({ what: 'delete', name: '6.txt', count: 2 })
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'delete', name: '6.txt', count: 2 } })
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'delete', name: '5.txt', count: 1 } })
  expect(await h.undo({ token: null })).toEqual(NOTHING)
  expect(undo.last()).toBeNull()
})

it('undoes what a card offers, even if something else happened since, and only once', async () => {
  const { h, undo } = room()
  await h.deleteFiles({ selection: { fileIds: [5] } })
  const token = undo.last()?.token ?? ''
  await h.deleteFiles({ selection: { fileIds: [6] } })
  expect(await h.undo({ token })).toMatchObject({ value: { name: '5.txt' } })
  expect(await h.undo({ token })).toEqual(NOTHING)
  expect(undo.last()).toMatchObject({ name: '6.txt' })
})

it('brings back what was moved after its upload, files of one folder that went together at once', async () => {
  let now = 1000
  const { h, undo, callsOf, told } = room({
    now: () => now,
    answers: { bringBack: ({ ids }: { readonly ids: readonly number[] }) => ({ count: ids.length }) },
  })
  const moved = (id: number, at: number, path: string | null = `/done/${id}`): Transfer =>
    transfer(id, { folderId: 1, putAway: { where: path === null ? 'bin' : 'folder', path, at } })
  undo.putAway([moved(1, 900), transfer(9)])
  undo.putAway([moved(1, 900), moved(2, 950)])
  expect(told.at(-1)).toMatchObject({ kind: 'undo', last: { what: 'put-away', count: 2 } })
  now = 60_000
  // Only the system knows where the last one is.
  undo.putAway([moved(3, 59_000), moved(4, 59_000, null)])
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'put-away', count: 1 } })
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'put-away', count: 2 } })
  expect(callsOf('bringBack')).toEqual([{ ids: [3] }, { ids: [1, 2] }])
  // What was moved long ago is shown again when a transfer changes.
  undo.putAway([moved(1, 900), moved(5, -600_000)])
  expect(await h.undo({ token: null })).toEqual(NOTHING)
})

const open = (id: number): Transfer => transfer(id, { state: 'queued', fileId: null, publicLink: null })

/** Answers `cancel` as the engine: what is being sent is looked up before it ends. */
const cancels =
  (rows: Transfer[]) =>
  ({ ids }: { readonly ids: readonly number[] }) => {
    for (const [at, row] of rows.entries())
      if (ids.includes(row.id) && row.state === 'queued') rows[at] = { ...row, state: 'cancelled' }
    return { count: ids.length }
  }

it('cancels an upload that hasn’t been sent', async () => {
  const rows = [open(1), open(2)]
  const { h, undo, callsOf, told } = room({ rows, answers: { cancel: cancels(rows) } })
  undo.uploaded([open(1), open(2)])
  expect(told.at(-1)).toMatchObject({ kind: 'undo', last: { what: 'upload', count: 2 } })
  expect(await h.undo({ token: null })).toMatchObject({
    value: { what: 'upload', count: 2, cancelled: 2, checking: 0, deleting: 0, kept: 0 },
  })
  expect(callsOf('cancel')).toEqual([{ ids: [1, 2] }])
  expect(told.at(-1)).toMatchObject({ kind: 'undo', last: { what: 'cancel', count: 2 } })
})

/** Answers `restore` as the engine: what hasn't been sent is queued again. */
const restores =
  (rows: Transfer[]) =>
  ({ ids }: { readonly ids: readonly number[] }) => {
    const back = rows.filter((row) => ids.includes(row.id) && row.state === 'cancelled')
    for (const row of back) rows[rows.indexOf(row)] = { ...row, state: 'queued' }
    return { count: back.length }
  }

it('a second Ctrl+Z brings back all files of a drop: those that were sent, and those that were held', async () => {
  const held = { ...open(2), name: 'secret.txt', state: 'held', reason: 'secret' } as const
  const rows: Transfer[] = [transfer(1, { fileId: 11, name: 'sent.txt' }), { ...held, state: 'queued' }]
  const { h, undo, deletes, callsOf } = room({
    rows,
    answers: { cancel: cancels(rows), restore: restores(rows) },
  })
  undo.uploaded([...rows])
  const undone = await h.undo({ token: null })
  expect(undone).toMatchObject({ value: { what: 'upload', cancelled: 1, deleting: 1 } })
  expect(undo.last()).toMatchObject({ what: 'cancel', name: 'secret.txt', count: 2 })
  // The card of the deletion, and the one that says what became of the files, undo the same.
  expect(undone.ok && undone.value?.redo).toBe(deletes.pending()[0]?.token)
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'cancel', count: 2 } })
  expect([deletes.pending(), callsOf('restore'), rows[1]?.state]).toEqual([[], [{ ids: [2] }], 'queued'])
  expect(await h.undo({ token: null })).toEqual(NOTHING)
})

it('brings back held files of an undone drop although the others are deleted by then', async () => {
  let now = 1000
  const rows: Transfer[] = [transfer(1, { fileId: 11 }), open(2)]
  const { h, undo } = room({
    rows,
    now: () => now,
    answers: {
      cancel: cancels(rows),
      restore: restores(rows),
      keepFiles: () => ({ count: 0, late: 1 }),
    },
  })
  undo.uploaded([...rows])
  await h.undo({ token: null })
  now = 60_000
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'cancel', count: 1 } })
  expect(rows[1]?.state).toBe('queued')
})

it('undoes that uploads were cancelled, any number of them in one step', async () => {
  const rows: Transfer[] = Array.from({ length: 1500 }, (_, i) => open(i + 1))
  rows[2] = transfer(3)
  const { h, undo, callsOf } = room({ rows, answers: { cancel: cancels(rows), restore: restores(rows) } })
  const got = await h.cancel({ ids: rows.map(({ id }) => id) })
  expect(got).toMatchObject({
    value: { uploaded: 1, undone: { what: 'upload', name: rows[0]?.name, count: 1499, cancelled: 1499 } },
  })
  expect(callsOf('cancel')).toHaveLength(2)
  expect(undo.last()).toMatchObject({ what: 'cancel', count: 1499 })
  expect(await h.undo({ token: got.ok ? (got.value.undone?.redo ?? null) : '' })).toMatchObject({
    value: { what: 'cancel', count: 1499 },
  })
  expect(rows.every(({ state }) => state !== 'cancelled')).toBe(true)
  expect(await h.cancel({ ids: [3] })).toEqual({ ok: true, value: { uploaded: 1, undone: null } })
})

it('never undoes an older upload in place of a deletion that has gone out', async () => {
  let now = 1000
  const rows = [transfer(1, { fileId: 11 }), transfer(2, { fileId: 12 })]
  const { h, undo, deletes, callsOf } = room({
    rows,
    now: () => now,
    answers: { keepFiles: () => ({ count: 0, late: 1 }) },
  })
  undo.uploaded(rows)
  await h.deleteFiles({ selection: { fileIds: [11] } })
  expect(undo.last()).toMatchObject({ what: 'delete' })
  now = 30_000
  expect(undo.last()).toBeNull()
  for (const _ of [1, 2]) expect(await h.undo({ token: null })).toEqual(NOTHING)
  expect([callsOf('cancel'), deletes.pending().flatMap(({ fileIds }) => fileIds)]).toEqual([[], [11]])
})

it('deletes an upload that was sent, which can be undone in turn', async () => {
  const rows = [transfer(1, { fileId: 11 }), transfer(2, { fileId: 12 })]
  const { h, undo, callsOf, deletes } = room({ rows })
  undo.uploaded(rows)
  expect(await h.undo({ token: null })).toMatchObject({
    value: { what: 'upload', cancelled: 0, deleting: 2 },
  })
  expect(deletes.pending()).toMatchObject([{ fileIds: [11, 12] }])
  expect(callsOf('cancel')).toEqual([])
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'delete', count: 2 } })
  expect(deletes.pending()).toEqual([])
  expect(await h.undo({ token: null })).toEqual(NOTHING)
})

it('says of each file of a half-sent drop what became of it', async () => {
  const rows = [
    transfer(1, { fileId: 11, name: 'shared.txt' }),
    transfer(2, { fileId: 12, name: 'sent.txt' }),
    open(3),
    open(4),
    transfer(5, { state: 'cancelled', fileId: null, publicLink: null }),
  ]
  const { h, undo, deletes } = room({
    rows,
    answers: {
      cancel: cancels(rows),
      info: ({ selector }: { readonly selector: string }) => ({
        ...info(),
        transfers: selector.endsWith('11') ? [transfer(90, { fileId: 11 })] : [],
      }),
    },
  })
  undo.uploaded(rows)
  expect(await h.undo({ token: null })).toMatchObject({
    value: { count: 5, cancelled: 2, checking: 0, deleting: 1, kept: 1 },
  })
  expect(deletes.pending()).toMatchObject([{ fileIds: [12], name: 'sent.txt' }])
})

it('never says that an upload is cancelled while that is being checked, and says later what came of it', async () => {
  const rows = [
    open(1),
    ...[2, 3, 4].map((id) => transfer(id, { state: 'unknown', fileId: null, publicLink: null })),
    transfer(5, { state: 'uploading', fileId: null, publicLink: null }),
  ]
  const checked = Promise.withResolvers<void>()
  const { h, undo, told, callsOf } = room({
    rows,
    answers: {
      cancel: async (input: { readonly ids: readonly number[]; readonly confirm?: boolean }) => {
        if (input.confirm !== true) return cancels(rows)(input)
        await checked.promise
        const gone = { state: 'cancelled', publicLink: null } as const
        rows[1] = { ...transfer(2), ...gone, fileId: null }
        rows[2] = { ...transfer(3), ...gone, ended: 'deleted' }
        rows[3] = { ...transfer(4), ...gone, fileId: null, leftPublic: true }
        return { count: 0, unconfirmed: { ids: [5], failure: { code: 'waits', title: 'x', hint: null } } }
      },
    },
  })
  undo.uploaded(rows)
  expect(await h.undo({ token: null })).toMatchObject({
    value: { count: 5, cancelled: 1, checking: 4, kept: 0 },
  })
  expect(callsOf('cancel')).toEqual([{ ids: [1, 2, 3, 4, 5] }, { ids: [2, 3, 4, 5], confirm: true }])
  expect(told.filter((one) => one.kind === 'undone')).toEqual([])
  checked.resolve()
  await vi.waitFor(() =>
    expect(told.at(-1)).toMatchObject({
      kind: 'undone',
      undone: { what: 'upload', count: 4, cancelled: 1, deleted: 1, kept: 1, checking: 1 },
    }),
  )
})

it('names what was undone in words, in both languages', () => {
  const undone = {
    what: 'upload',
    name: 'a',
    count: 1,
    cancelled: 0,
    checking: 0,
    deleting: 0,
    deleted: 0,
    kept: 0,
  } as const
  const said = (counts: Partial<Undone>, language: 'en' | 'de' = 'en'): string | null =>
    undoneWords(textsOf(language), FORMATS, { ...undone, ...counts })
  expect(said({ cancelled: 1 })).toBe('Upload cancelled')
  expect(said({ checking: 1 })).toBe('Checking whether it was uploaded')
  // The card of the deletion has its own countdown.
  expect(said({ deleting: 1 })).toBeNull()
  expect(said({ count: 6, cancelled: 2, checking: 1, deleting: 2, kept: 1 })).toBe(
    '2 cancelled · 1 being checked · 2 being deleted · 1 still on the service',
  )
  expect(said({ count: 3, cancelled: 2, checking: 1 }, 'de')).toBe('2 abgebrochen · 1 wird geprüft')
})

it('leaves the transfers of a rebuilt journal or another account, which have the same IDs', async () => {
  const before = [transfer(1, { fileId: 11, createdAt: 1 }), open(2)]
  const { h, undo, callsOf, deletes } = room({
    rows: [transfer(1, { fileId: 77, createdAt: 2 }), { ...open(2), createdAt: 2 }],
  })
  undo.uploaded(before.map((row) => ({ ...row, createdAt: 1 })))
  expect(await h.undo({ token: null })).toEqual(NOTHING)
  expect([deletes.pending(), callsOf('cancel')]).toEqual([[], []])
  undo.uploaded(before)
  undo.forget()
  expect(undo.last()).toBeNull()
})

it('leaves a file whose link an earlier upload has as well', async () => {
  const rows = [transfer(2, { fileId: 11 })]
  const { h, undo, deletes } = room({
    rows,
    answers: { info: () => ({ ...info(), transfers: [transfer(1, { fileId: 11 }), ...rows] }) },
  })
  undo.uploaded(rows)
  expect(await h.undo({ token: null })).toEqual(NOTHING)
  expect(deletes.pending()).toEqual([])
})

it('asks before it deletes many, and offers it again if the user declines', async () => {
  const rows = Array.from({ length: 11 }, (_, i) => transfer(i + 1, { fileId: i + 100 }))
  const { h, undo, deletes, questions } = room({ rows, confirms: [false, true] })
  undo.uploaded(rows)
  expect(await h.undo({ token: null })).toMatchObject({
    value: { what: 'upload', cancelled: 0, deleting: 0, kept: 11 },
  })
  expect([questions.length, deletes.pending()]).toEqual([1, []])
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'upload', deleting: 11 } })
})

it('offers to undo an upload for ten minutes, because an older link may be in use', async () => {
  let over = (): void => undefined
  let now = 0
  const { h, undo, told } = room({
    rows: [transfer(1)],
    now: () => now,
    wait: (ms) =>
      new Promise((resolve) => {
        if (ms === 600_000) over = resolve
      }),
  })
  undo.uploaded([transfer(1)])
  now = 599_999
  expect(undo.last()).toMatchObject({ what: 'upload' })
  now = 600_000
  over()
  await vi.waitFor(() => expect(told.at(-1)).toEqual({ kind: 'undo', last: null }))
  expect(await h.undo({ token: null })).toEqual(NOTHING)
})

it('watches a folder again with its rules, and uploads what waited in it', async () => {
  const limits = { maxBytes: 1000, onlyTypes: [], notTypes: [] }
  const rules = {
    onChange: 'replace',
    ignore: ['*.mov'],
    limits,
    graceSeconds: 10,
    after: 'bin',
    paused: true,
  } as const
  const share: Folder = { ...folder('/home/ada/Share'), ...rules, ignore: [...rules.ignore] }
  const snap = { ...snapshot(), folders: [share] }
  const waiting = transfer(3, {
    path: '/home/ada/Share/a.txt',
    state: 'waiting',
    reason: 'daily-uploads',
    message: 'm',
  })
  const { h, undo, callsOf } = room({
    snapshot: snap,
    // Its countdown still runs: the user can still decide against it.
    rows: [waiting, transfer(4, { path: '/home/ada/Share/new.txt', state: 'waiting', reason: 'grace' })],
    answers: {
      unwatch: () => {
        snap.folders = []
        return {}
      },
      watch: () => share,
      auditPage: () => ({ entries: [], next: null }),
    },
  })
  const ended = await h.unwatch({ folderId: share.id })
  expect(undo.last()).toMatchObject({ what: 'unwatch', name: 'Share' })
  // The card offers it.
  expect(ended).toEqual({ ok: true, value: { undo: undo.last()?.token } })
  expect(await h.undo({ token: null })).toMatchObject({ value: { what: 'unwatch', name: 'Share' } })
  expect(callsOf('watch')).toMatchObject([{ path: share.path, ...rules }])
  expect(callsOf('upload')).toMatchObject([
    { paths: ['/home/ada/Share/a.txt'] },
    { paths: ['/home/ada/Share/new.txt'], paused: true },
  ])
  expect(undo.last()).toBeNull()
})

it('keeps what could not be undone because the engine restarts', async () => {
  const { h, undo } = room()
  undo.uploaded([open(1)])
  const { h: gone, undo: kept } = createRoom(home, {
    call: async () => ({ ok: false, failure: { code: 'closing', title: 'x', hint: null } }),
  })
  kept.uploaded([open(1)])
  expect(await gone.undo({ token: null })).toMatchObject({ ok: false })
  expect(kept.last()).toMatchObject({ what: 'upload' })
  expect(await h.undo({ token: null })).toEqual(NOTHING)
})

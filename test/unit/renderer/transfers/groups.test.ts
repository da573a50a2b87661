// The flat list: which row is in which group, what is folded, the headings of past days, and the numbers in
// headings. Paged lists are created by hand; nothing is read.
import { describe, expect, it } from 'vitest'
import {
  buildList,
  chosenOf,
  commonReason,
  type GroupInput,
  type Item,
  isFoundBy,
  linksOfToday,
  startOfDay,
  WAITING_SHOWN,
} from '../../../../src-renderer/views/transfers/groups.ts'
import {
  emptyList,
  firstCursor,
  markStale,
  PAGE_ROWS,
  type PagedList,
  takeRows,
} from '../../../../src-renderer/views/transfers/paged-list.ts'
import { Ended, FailedReason, HeldReason, type Transfer } from '../../../../src-shared/model.ts'
import { counts, transfer } from './sample.ts'

const NOW = new Date(2026, 10, 20, 14, 3).getTime()
const HOUR = 3_600_000

const paged = (rows: readonly Transfer[], newestFirst = false): PagedList =>
  takeRows(emptyList(newestFirst), firstCursor(newestFirst), rows)

function list(fields: Partial<GroupInput>): readonly Item[] {
  return buildList({
    live: [],
    waiting: paged([]),
    paused: paged([]),
    needs: paged([]),
    ended: paged([], true),
    counts: null,
    gate: null,
    waitingOpen: false,
    foldsOpen: new Set(),
    now: NOW,
    ...fields,
  })
}

/** A short name for each item. */
const shape = (items: readonly Item[]): string[] =>
  items.map((item) => {
    switch (item.kind) {
      case 'head':
        return `# ${item.group} ${item.count ?? '?'}${item.more ? '+' : ''}`
      case 'row':
        return `${item.inFold ? '  ' : ''}${item.transfer.id}`
      case 'fold':
        return `${item.reason} x${item.rows.length}`
      case 'rest':
        return `… ${item.hidden ?? '?'}`
      default:
        return item.kind
    }
  })

const waitingRows = (n: number): Transfer[] =>
  Array.from({ length: n }, (_, i) => transfer({ id: i + 1, state: 'waiting', reason: 'rate-minute' }))
const done = (id: number, doneAt: number): Transfer =>
  transfer({ id, state: 'done', publicLink: 'https://files.example.com/download/x', doneAt })

describe('a row that stands in two lists for a moment', () => {
  const held = (id: number): Transfer => transfer({ id, state: 'held', reason: 'secret' })
  const rowsOf = (items: readonly Item[]): string[] =>
    items.flatMap((item) =>
      item.kind === 'row' ? [`${item.group} ${item.transfer.id} ${item.transfer.state}`] : [],
    )

  it('stands where it ended', () => {
    const items = list({
      waiting: paged(waitingRows(2)),
      needs: paged([held(3)]),
      ended: paged([done(3, NOW), done(2, NOW)], true),
    })
    expect(rowsOf(items)).toEqual(['waiting 1 waiting', 'today 3 done', 'today 2 done'])
  })

  it('stands in the one that was read later, and in needs where both are as old', () => {
    const [waiting, needs] = [paged(waitingRows(1)), paged([held(1)])]
    expect(rowsOf(list({ waiting, needs }))).toEqual(['needs 1 held'])
    expect(rowsOf(list({ waiting, needs: markStale(needs) }))).toEqual(['waiting 1 waiting'])
    expect(rowsOf(list({ waiting: markStale(waiting), needs }))).toEqual(['needs 1 held'])
  })

  it('stands among the paused ones when it is paused', () => {
    const [waiting, row] = [paged(waitingRows(2)), transfer({ id: 2, state: 'waiting', reason: 'paused' })]
    expect(rowsOf(list({ waiting, paused: paged([row]) }))).toEqual(['waiting 1 waiting', 'paused 2 waiting'])
  })
})

describe('the list', () => {
  it('has nothing to show where nothing is', () => {
    expect(list({})).toEqual([])
  })

  it('has its groups in one order', () => {
    const items = list({
      live: [transfer({ id: 9, state: 'uploading' }), transfer({ id: 8, state: 'uploading' })],
      waiting: paged(waitingRows(2)),
      paused: paged([transfer({ id: 10, state: 'waiting', reason: 'paused' })]),
      needs: paged([transfer({ id: 20, state: 'held', reason: 'secret' })]),
      ended: paged([done(30, NOW - HOUR), done(29, NOW - 30 * HOUR)], true),
    })
    expect(shape(items)).toEqual([
      '# uploading 2',
      '8',
      '9',
      '# waiting 2',
      '1',
      '2',
      '# paused 1',
      '10',
      '# needs 1',
      '20',
      '# today 1',
      '30',
      '# history 1',
      '29',
    ])
  })

  it('folds a long queue, and shows a short one whole', () => {
    expect(shape(list({ waiting: paged(waitingRows(WAITING_SHOWN + 2)) }))).toHaveLength(WAITING_SHOWN + 3)
    const folded = list({ waiting: paged(waitingRows(40)) })
    expect(shape(folded)).toHaveLength(WAITING_SHOWN + 2)
    expect(shape(folded).at(-1)).toBe(`… ${40 - WAITING_SHOWN}`)
    expect(shape(list({ waiting: paged(waitingRows(40)), waitingOpen: true }))).toHaveLength(41)
  })

  it('counts what is not read by the figures of the engine', () => {
    const waiting = paged(waitingRows(PAGE_ROWS))
    const open = list({ waiting, waitingOpen: true, counts: counts({ queued: 99_000, waiting: 1000 }) })
    expect(shape(open)[0]).toBe('# waiting 100000')
    expect(open.at(-1)?.kind).toBe('tail')
    // During a search the totals count other rows, too, so only rows that have been read are counted.
    expect(shape(list({ waiting, waitingOpen: true }))[0]).toBe(`# waiting ${PAGE_ROWS}+`)
  })

  it('leaves a row out that has moved on, so that none stands in two groups', () => {
    const items = list({ live: [transfer({ id: 2, state: 'uploading' })], waiting: paged(waitingRows(3)) })
    expect(shape(items)).toEqual(['# uploading 1', '2', '# waiting 2', '1', '3'])
  })

  it('names files that are still being written where no row waits', () => {
    expect(list({ counts: counts({ settling: 2 }) })).toMatchObject([
      { kind: 'head', group: 'waiting', count: 0, settling: 2 },
    ])
  })

  it('folds what needs a person for the same reason, and opens it', () => {
    const needs = paged([
      transfer({ id: 1, state: 'held', reason: 'too-big' }),
      transfer({ id: 2, state: 'held', reason: 'secret' }),
      transfer({ id: 3, state: 'held', reason: 'too-big' }),
      transfer({ id: 4, state: 'failed', reason: 'unreadable' }),
    ])
    expect(shape(list({ needs }))).toEqual(['# needs 4', 'too-big x2', '2', '4'])
    expect(shape(list({ needs, foldsOpen: new Set(['fold-too-big']) }))).toEqual([
      '# needs 4',
      'too-big x2',
      '  1',
      '  3',
      '2',
      '4',
    ])
  })

  it.each([...HeldReason.options, ...FailedReason.options])(
    'folds what needs a person because of "%s" under that reason',
    (reason) => {
      const state = HeldReason.safeParse(reason).success ? 'held' : 'failed'
      const needs = paged([transfer({ id: 1, state, reason }), transfer({ id: 2, state, reason })])
      expect(shape(list({ needs }))).toEqual(['# needs 2', `${reason} x2`])
    },
  )

  it('says how many more need a person than were read', () => {
    const needs = paged(
      Array.from({ length: PAGE_ROWS }, (_, i) =>
        transfer({ id: i + 1, state: 'failed', reason: 'refused' }),
      ),
    )
    expect(shape(list({ needs, counts: counts({ failed: 600 }) }))).toEqual([
      '# needs 600',
      `refused x${PAGE_ROWS}`,
      '… 100',
    ])
  })

  it('opens no day twice, though ids are as old as their place in the queue', () => {
    const ended = paged(
      [done(9, NOW - HOUR), done(8, NOW - 40 * HOUR), done(7, NOW - 2 * HOUR), done(6, NOW - 41 * HOUR)],
      true,
    )
    expect(shape(list({ ended }))).toEqual(['# today 2', '9', '7', '# history 2', '8', '6'])
  })

  it('never opens a newer day below an older one, across pages', () => {
    const full = Array.from({ length: PAGE_ROWS }, (_, i) => done(2000 - i, NOW - 40 * HOUR))
    const last = full.at(-1)?.id ?? 0
    const ended = takeRows(paged(full, true), last, [done(5, NOW - HOUR)])
    expect(shape(list({ ended })).filter((one) => one.startsWith('#'))).toEqual([
      `# history ${PAGE_ROWS + 1}`,
    ])
  })

  it('counts all rows of a day, also those that were cancelled', () => {
    const ended = paged(
      [done(3, NOW - HOUR), transfer({ id: 2, state: 'cancelled', createdAt: NOW - HOUR })],
      true,
    )
    const items = list({ ended })
    expect(shape(items)).toEqual(['# today 2', '3', '2'])
    expect(linksOfToday(items)).toEqual([3])
  })

  it('has the newest links only, up to a page that is not in memory', () => {
    const full = Array.from({ length: PAGE_ROWS }, (_, i) => done(3000 - i, NOW - HOUR))
    const older = Array.from({ length: PAGE_ROWS }, (_, i) => done(2000 - i, NOW - HOUR))
    let ended = takeRows(paged(full, true), full.at(-1)?.id ?? 0, older)
    ended = takeRows(ended, older.at(-1)?.id ?? 0, [done(5, NOW - HOUR)])
    expect(linksOfToday(list({ ended }))).toHaveLength(2 * PAGE_ROWS + 1)
    const part = { ...ended, pages: ended.pages.map((page, i) => (i === 1 ? { ...page, rows: null } : page)) }
    expect(linksOfToday(list({ ended: part }))).toEqual(full.map((one) => one.id))
  })

  it('has no link of what was deleted or replaced since', () => {
    const ended = Ended.options.map((one, i): Transfer => ({ ...done(i + 10, NOW), ended: one }))
    expect(linksOfToday(list({ ended: paged([...ended, done(1, NOW)], true) }))).toEqual([1])
  })

  it('puts what a clock of the future has done under today', () => {
    expect(list({ ended: paged([done(1, NOW + 48 * HOUR)], true) })[0]).toMatchObject({
      group: 'today',
      day: startOfDay(NOW),
    })
  })
})

describe('what a command applies to', () => {
  const held = [3, 4].map((id) => transfer({ id, state: 'held', reason: 'secret' }))
  const items = list({ waiting: paged([transfer({ id: 1 }), transfer({ id: 2 })]), needs: paged(held) })
  const meant = (active: string | null, ...chosen: readonly string[]): readonly number[] =>
    chosenOf(items, { active, anchor: null, chosen: new Set(chosen) }).meant.map((one) => one.id)

  it('is what is selected, or else the active row', () => {
    expect(meant('t1', 't2')).toEqual([2])
    expect(meant('t1')).toEqual([1])
    expect(meant('fold-secret')).toEqual([3, 4])
    expect(meant('head-waiting')).toEqual([])
    expect(meant(null)).toEqual([])
  })

  it('is not the row that became active because the selected one has left the list', () => {
    expect(meant('t1', 't9')).toEqual([])
    expect(meant('fold-secret', 't9')).toEqual([])
    expect(meant('t1', 't9', 't2')).toEqual([2])
  })
})

describe('a search among running uploads', () => {
  it.each([
    ['', true],
    ['resume', true],
    ['RÉSUMÉ', true],
    // The accent as a separate character, as macOS stores names.
    ['re\u0301sume\u0301', true],
    ['file of', true],
    ['share/', true],
    ['resumes', false],
  ])('%j finds Résumé, ﬁle of Ada.pdf: %s', (search, isFound) => {
    const one = transfer({ id: 1, state: 'uploading', path: '/home/ada/Share/Résumé, ﬁle of Ada.pdf' })
    expect(isFoundBy(search, one)).toBe(isFound)
  })
})

describe('commonReason', () => {
  it.each([
    ['none', [], null],
    ['one without a reason', [transfer({ id: 1 })], null],
    ['two reasons', [transfer({ id: 1, reason: 'backoff' }), transfer({ id: 2, reason: 'offline' })], null],
    [
      'one reason, the earliest time',
      [transfer({ id: 1, reason: 'backoff', until: 9 }), transfer({ id: 2, reason: 'backoff', until: 5 })],
      { reason: 'backoff', until: 5 },
    ],
    ['one reason without a time', [transfer({ id: 1, reason: 'paused' })], { reason: 'paused', until: null }],
  ] as const)('%s', (_name, rows, expected) => {
    expect(commonReason(rows)).toEqual(expected)
  })
})

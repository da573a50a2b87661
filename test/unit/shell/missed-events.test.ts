// Which events are kept for the next page while the window has none: problems until they are solved, and
// informational notices for as long as a page would show them. Times are plain numbers.
import { expect, it } from 'vitest'
import { MissedEvents } from '../../../src-main/shell/window/missed-events.ts'
import type { NoticeAbout } from '../../../src-shared/events.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import type { WindowEvent } from '../../../src-shared/window-contract.ts'
import { gate, snapshot } from './world.ts'

const COPIED = {
  kind: 'copied',
  count: 1,
  fileIds: [1],
  asked: false,
  file: { fileId: 1, transferId: null, name: 'a' },
  undo: null,
} satisfies WindowEvent

function notice(
  title: string,
  level: 'info' | 'warning' | 'problem',
  what?: NoticeAbout['what'],
): WindowEvent {
  const about = what === undefined ? {} : { about: { what, name: '', count: 1 } }
  return { kind: 'engine', event: { seq: 1, kind: 'notice', level, title, hint: null, ...about } }
}
function state(now: Snapshot): WindowEvent {
  return { kind: 'engine', event: { seq: 1, kind: 'state', snapshot: now } }
}
function titles(events: readonly WindowEvent[]): readonly string[] {
  return events.map((one) =>
    one.kind === 'engine' && one.event.kind === 'notice' ? one.event.title : one.kind,
  )
}

it('keeps problems until a page takes them, once', () => {
  const missed = new MissedEvents(() => 0)
  expect(missed.take(notice('full', 'problem', 'disk'))).toBe(true)
  expect(missed.take(notice('blind', 'warning', 'watch-blind'))).toBe(true)
  expect(titles(missed.due())).toEqual(['full', 'blind'])
  expect(missed.due()).toEqual([])
})

it('keeps what informs for six seconds', () => {
  let now = 0
  const missed = new MissedEvents(() => now)
  expect(missed.take(notice('first download', 'info'))).toBe(true)
  expect(missed.take(COPIED)).toBe(true)
  now = 3000
  missed.take(notice('newer', 'info'))
  now = 6000
  expect(titles(missed.due())).toEqual(['newer'])
})

it('leaves the rest to the state that a page starts with', () => {
  const missed = new MissedEvents(() => 0)
  expect(missed.take(state(snapshot()))).toBe(false)
  expect(missed.take({ ...COPIED, asked: true })).toBe(false)
  expect(missed.take({ kind: 'accounts', accounts: [] })).toBe(false)
  expect(missed.due()).toEqual([])
})

it('forgets a problem that is solved before anyone could see it', () => {
  const missed = new MissedEvents(() => 0)
  missed.take(notice('full', 'problem', 'disk'))
  missed.take(state(snapshot({ gate: gate('disk') })))
  missed.take(notice('refused', 'problem', 'key-refused'))
  missed.take(state(snapshot({ account: 'key-refused' })))
  expect(titles(missed.due())).toEqual(['refused'])
})

it('keeps the newest four, and one of each title', () => {
  const missed = new MissedEvents(() => 0)
  for (const title of ['a', 'b', 'c', 'd', 'e', 'b']) missed.take(notice(title, 'problem'))
  expect(titles(missed.due())).toEqual(['c', 'd', 'e', 'b'])
})

it('keeps a problem, whatever informs after it', () => {
  let now = 0
  const missed = new MissedEvents(() => now)
  missed.take(notice('full', 'problem', 'disk'))
  // Each link that is copied for a saved file.
  for (let i = 0; i < 5; i++, now += 60_000) missed.take(COPIED)
  expect(titles(missed.due())).toEqual(['full'])
  missed.take(notice('full', 'problem', 'disk'))
  for (const title of ['a', 'b', 'c', 'd', 'e']) missed.take(notice(title, 'info'))
  expect(titles(missed.due())).toEqual(['full', 'c', 'd', 'e'])
})

it('keeps only the last report of links that were copied, as a page does', () => {
  const missed = new MissedEvents(() => 0)
  missed.take(COPIED)
  missed.take({ ...COPIED, count: 2 })
  expect(missed.due()).toEqual([{ ...COPIED, count: 2 }])
})

it('tells nothing of an account that is not in the window any more', () => {
  const missed = new MissedEvents(() => 0)
  missed.take(notice('full', 'problem', 'disk'))
  missed.take({
    kind: 'switched',
    connection: { host: null, baseUrl: null, key: null },
    snapshot: null,
    stopped: null,
    left: null,
  })
  expect(missed.due()).toEqual([])
})

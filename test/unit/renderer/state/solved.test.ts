// Notices disappear with their cause: a new key, a better plan, a restored connection. If no state shows the
// cause, the notice stays. Snapshots are plain values.
import { afterEach, expect, it } from 'vitest'
import { closeSolvedNotices, notify } from '../../../../src-renderer/state/notices.ts'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { isSolved } from '../../../../src-shared/solved.ts'
import { folder, gate, snapshot } from '../../shell/world.ts'

const initial = appStore.getState()
afterEach(() => appStore.setState(initial))

const rescanned = { ...folder('/share'), watching: 'rescans' as const }

it.each([
  ['key-refused', snapshot({ account: 'key-refused' }), snapshot({ account: 'unproved' }), false],
  ['key-refused', snapshot({ account: 'unproved' }), snapshot(), true],
  ['no-key', snapshot({ account: 'none' }), snapshot(), true],
  ['no-api', snapshot({ account: 'no-api' }), snapshot(), true],
  ['no-api', snapshot({ account: 'no-api' }), snapshot({ account: 'no-api' }), false],
  // The answer may arrive before the snapshot with the offline state.
  ['no-connection', snapshot(), snapshot(), false],
  ['no-connection', snapshot({ account: 'offline' }), snapshot(), true],
  ['no-connection', snapshot(), snapshot({ account: 'offline' }), true],
  ['no-connection', snapshot({ gate: gate('offline') }), snapshot({ account: 'offline' }), false],
  ['disk', snapshot({ gate: gate('disk') }), snapshot(), true],
  ['disk', snapshot(), snapshot(), false],
  ['keychain', snapshot({ account: 'none' }), snapshot({ account: 'unproved' }), true],
  ['keychain', snapshot(), snapshot(), false],
  ['watch-limit', snapshot({ folders: [rescanned] }), snapshot({ folders: [folder('/share')] }), true],
  ['watch-blind', snapshot({ folders: [rescanned] }), snapshot({ folders: [rescanned] }), false],
  ['watch-blind', null, snapshot(), false],
  ['not-deleted', snapshot({ account: 'offline' }), snapshot(), false],
  ['server', snapshot({ account: 'offline' }), snapshot(), false],
] as const)('%s %#: %s', (code, before, after, expected) => {
  expect(isSolved(code, before, after)).toBe(expected)
})

it('that files can’t be moved is over for each folder by itself', () => {
  closeSolvedNotices()
  const stuck = (...notMoved: string[]) => ({ ...snapshot(), notMoved })
  appStore.setState({ snapshot: stuck('/a', '') })
  for (const about of ['/a', ''])
    notify({ level: 'warning', code: 'not-moved', about, title: about, hint: null })
  const left = (): unknown[] => appStore.getState().notices.map(({ about }) => about)
  appStore.setState({ snapshot: stuck('/a') })
  expect(left()).toEqual(['/a'])
  appStore.setState({ snapshot: snapshot() })
  expect(left()).toEqual([])
})

it('what is over leaves the window, what is not stays', () => {
  closeSolvedNotices()
  appStore.setState({ snapshot: snapshot({ account: 'key-refused' }), engineUp: false })
  notify({ level: 'problem', code: 'key-refused', title: 'key', hint: null })
  notify({ level: 'problem', code: 'closing', title: 'closing', hint: null })
  notify({ level: 'problem', code: 'server', title: 'server', hint: null })
  notify({ level: 'problem', title: 'no code', hint: null })
  const titles = (): string[] => appStore.getState().notices.map((one) => one.title)
  appStore.setState({ engineUp: true })
  expect(titles()).toEqual(['key', 'server', 'no code'])
  appStore.setState({ snapshot: snapshot() })
  expect(titles()).toEqual(['server', 'no code'])
})

it('a card about copied links goes when all of its files are being deleted', () => {
  closeSolvedNotices()
  const card = { name: 'a', count: 2, fileId: 1, transferId: null, fileIds: [1, 2], undo: null }
  notify({ level: 'good', title: 'copied', hint: null, card })
  const pending = (fileIds: number[]) => ({ token: 't', fileIds, count: fileIds.length, at: 1, name: 'a' })
  appStore.setState({ deletes: [pending([1])] })
  expect(appStore.getState().notices).toHaveLength(1)
  appStore.setState({ deletes: [pending([1]), pending([2])] })
  expect(appStore.getState().notices).toEqual([])
})

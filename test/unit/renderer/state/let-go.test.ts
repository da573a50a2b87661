// Unloading the window's page and loading it again: the new page shows what the old one showed, and a page
// isn't unloaded if something couldn't be restored. Each page is a fresh import of the window's modules.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Snapshot } from '../../../../src-shared/model.ts'
import { DEFAULT_APP_SETTINGS } from '../../../../src-shared/settings.ts'
import type { ListQuery } from '../../../../src-shared/window-contract.ts'
import { gate, snapshot } from '../../shell/world.ts'
import { remoteRow } from '../../views.ts'
import { bootOf, type FakeBridge, installBridge, ok } from '../fake-bridge.ts'

const QUERY: ListQuery = {
  search: 'plan',
  kind: null,
  since: null,
  unopened: false,
  folderId: null,
  sort: 'name',
  descending: false,
}
const NOTICE = { code: 'disk', level: 'problem', title: 'The disk is full.', hint: null } as const

const CONNECTED = {
  connection: { host: 'h', baseUrl: 'https://h', key: 'keychain', accountId: 'ada' },
  settings: { ...DEFAULT_APP_SETTINGS, welcomed: true },
  snapshot: snapshot(),
} as const

let bridge: FakeBridge
/** The dialog or menu that is open above the page, as `querySelector` returns it. */
let floating: object | null

async function page(
  place: string | null = null,
  changes: { readonly account?: string; readonly snapshot?: Snapshot } = {},
) {
  vi.resetModules()
  bridge = installBridge()
  const modules = {
    ...(await import('../../../../src-renderer/state/store.ts')),
    ...(await import('../../../../src-renderer/state/notices.ts')),
    ...(await import('../../../../src-renderer/lib/range-selection.ts')),
    ...(await import('../../../../src-renderer/views/files/files-store.ts')),
    ...(await import('../../../../src-renderer/views/files/file-selection.ts')),
    ...(await import('../../../../src-renderer/views/files/offset-pages.ts')),
    ...(await import('../../../../src-renderer/state/transfers-store.ts')),
    ...(await import('../../../../src-renderer/state/client.ts')),
    ...(await import('../../../../src-renderer/state/page-release.ts')),
  }
  const { start } = await import('../../../../src-renderer/state/events.ts')
  start()
  const connection = {
    host: 'h',
    baseUrl: 'https://h',
    key: 'keychain',
    accountId: changes.account ?? 'ada',
  } as const
  const settings = { ...DEFAULT_APP_SETTINGS, welcomed: true }
  await bridge.answer(
    'boot',
    ok(bootOf({ place, connection, settings, snapshot: changes.snapshot ?? snapshot(), seq: 4 })),
  )
  return modules
}

type Page = Awaited<ReturnType<typeof page>>

/** Asks the page whether it can be unloaded. Returns its place, or null if it stays. */
function letGo(): string | null {
  bridge.say(5, { kind: 'let-go' })
  const asked = bridge.calls.find((one) => one.name === 'letGo')
  const input = asked?.input as { readonly place: string; readonly seq: number } | undefined
  expect(input?.seq ?? 5).toBe(5)
  return input?.place ?? null
}

function fill(p: Page, total: number): void {
  const rows = new Map([[3, Array.from({ length: p.PAGE_ROWS }, (_, i) => remoteRow(300 + i))]])
  const pages = p.createOffsetPages(QUERY, {
    total,
    asOf: 5,
    pages: rows,
    revision: 'r1',
    revisions: new Map([[3, 'r1']]),
  })
  pages.want(310, 330)
  p.filesStore.setState({ pages, filter: 'document', linkStyle: 'markdown' })
  p.selectRows(p.chosen(320, 'only'))
  p.selectRows(p.chosen(321, 'extend'))
  p.transfersStore.setState({ search: 'x', isWaitingOpen: true, foldsOpen: new Set(['a']) })
}

beforeEach(() => {
  floating = null
  vi.stubGlobal('document', { querySelector: () => floating, querySelectorAll: () => [] })
})
afterEach(() => vi.unstubAllGlobals())

it('the next page has view, lists, selection and problems of the one before', async () => {
  const first = await page()
  fill(first, 900)
  first.go('transfers')
  await bridge.answer('change', ok({ ...DEFAULT_APP_SETTINGS, welcomed: true }))
  first.notify(NOTICE)
  first.notify({ level: 'info', title: 'Over in a moment.', hint: null })
  const before = first.filesStore.getState()
  const place = letGo()
  const second = await page(place)
  expect(second.appStore.getState().view).toBe('transfers')
  expect(second.appStore.getState().notices).toMatchObject([NOTICE])
  expect(second.transfersStore.getState()).toEqual(first.transfersStore.getState())
  const { pages, ...rest } = second.filesStore.getState()
  expect({ ...rest, pages: null }).toEqual({ ...before, pages: null })
  expect(pages?.query).toEqual(QUERY)
  expect(pages?.get()).toMatchObject({ total: 900, asOf: 5, answered: true })
  expect(pages?.at(320)).toEqual(remoteRow(320))
  // A new notice must not get the ID of a restored one.
  second.notify({ level: 'problem', title: 'Another one.', hint: null })
  expect(new Set(second.appStore.getState().notices.map((one) => one.id)).size).toBe(2)
})

it('a view that is loaded later gets what it left, also if it was not loaded in the page between', async () => {
  const first = await page()
  fill(first, 900)
  let place = letGo()
  for (const _page of ['without the view', 'with it']) {
    vi.resetModules()
    bridge = installBridge()
    const { start } = await import('../../../../src-renderer/state/events.ts')
    start()
    await bridge.answer('boot', ok(bootOf({ ...CONNECTED, place, seq: 4 })))
    place = letGo()
  }
  const { transfersStore } = await import('../../../../src-renderer/state/transfers-store.ts')
  expect(transfersStore.getState()).toEqual(first.transfersStore.getState())
})

it('a view that is loaded later gets nothing of another account', async () => {
  const first = await page()
  fill(first, 900)
  const place = letGo()
  vi.resetModules()
  bridge = installBridge()
  const { start } = await import('../../../../src-renderer/state/events.ts')
  start()
  await bridge.answer(
    'boot',
    ok(bootOf({ ...CONNECTED, connection: { ...CONNECTED.connection, accountId: 'bob' }, place, seq: 4 })),
  )
  const { transfersStore } = await import('../../../../src-renderer/state/transfers-store.ts')
  expect(transfersStore.getState()).toEqual(transfersStore.getInitialState())
})

it('a problem that was solved meanwhile is not shown', async () => {
  const first = await page(null, { snapshot: snapshot({ gate: gate('disk') }) })
  first.notify(NOTICE)
  const place = letGo()
  const second = await page(place)
  expect(second.appStore.getState().notices).toEqual([])
})

it('another account in the window gets nothing of the one before', async () => {
  const first = await page()
  fill(first, 900)
  first.notify(NOTICE)
  const second = await page(letGo(), { account: 'bob' })
  expect(second.appStore.getState().notices).toEqual([])
  expect(second.filesStore.getState()).toMatchObject({ pages: null, selection: { ranges: [] } })
})

it.each<[string, number, number]>([
  ['as long as the list is the same', 9000, 500],
  ['but not in a list that changed, where others may be at their places', 9001, 0],
])('a selection with rows that are not in memory stays, %s', async (_name, total, left) => {
  const first = await page()
  fill(first, 9000)
  first.selectRows(first.chosen(1, 'only'))
  first.selectRows(first.chosen(500, 'extend'))
  const second = await page(letGo())
  const { pages } = second.filesStore.getState()
  expect(second.filesStore.getState().selection).toEqual(first.filesStore.getState().selection)
  pages?.renew()
  await bridge.answer('catalog', ok({ rows: [], total, asOf: 5, revision: `r${total - 8999}` }))
  expect(second.selectedCount(second.filesStore.getState().selection)).toBe(left)
})

it('all files stay all, and the next page knows of which list', async () => {
  const first = await page()
  fill(first, 9000)
  first.selectRows(first.allChosen)
  const second = await page(letGo())
  second.filesStore.getState().pages?.renew()
  await bridge.answer('catalog', ok({ rows: [], total: 9001, asOf: 5, revision: 'r2' }))
  expect(second.filesStore.getState().selection).toMatchObject({
    ranges: [[0, 9000]],
    isAll: true,
    revision: 'r1',
  })
})

it.each<[string, (p: Page) => void]>([
  ['a dialog is open', () => void (floating = {})],
  ['the palette is open', (p) => p.openPalette(true)],
  ['a request is on its way', (p) => void p.call('stats', {})],
  ['files are being dropped', (p) => void p.dropFiles({ files: [] })],
  ['a notice has a button', (p) => p.notify({ ...NOTICE, action: { label: 'Retry', run: () => undefined } })],
  [
    'a deletion can be undone',
    (p) =>
      p.appStore.setState({
        deletes: [{ token: 't', fileIds: [1], count: 1, at: Date.now() + 9000, name: 'a' }],
      }),
  ],
  ['the first steps are shown', (p) => p.appStore.setState({ settings: DEFAULT_APP_SETTINGS })],
])('the page stays while %s', async (_what, happens) => {
  const p = await page()
  happens(p)
  expect(letGo()).toBeNull()
})

it('saves what is being typed before Slipway quits, and says so after that', async () => {
  const { onSaveTyped, call } = await page()
  const end = onSaveTyped(() => void call('change', { proxy: 'typed' }))
  onSaveTyped(() => undefined)
  bridge.say(5, { kind: 'save-typed' })
  expect(bridge.calls.slice(1).map(({ name }) => name)).toEqual(['change', 'typedSaved'])
  end()
  bridge.say(6, { kind: 'save-typed' })
  expect(bridge.calls.slice(3).map(({ name }) => name)).toEqual(['typedSaved'])
})

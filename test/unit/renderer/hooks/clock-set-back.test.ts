// Lists and figures that are read at most every so often, after the clock was set back: they are still read
// again after each change. The hooks run in components that draw nothing, so they need no page.
import { act, createElement } from 'react'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FolderSumsProvider } from '../../../../src-renderer/hooks/use-folder-sums.tsx'
import { useSecondCopies } from '../../../../src-renderer/hooks/use-second-copies.ts'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { useOffsetPages } from '../../../../src-renderer/views/files/use-offset-pages.ts'
import type { ListQuery } from '../../../../src-shared/window-contract.ts'
import { folder, snapshot } from '../../shell/world.ts'
import { type FakeBridge, installBridge, ok } from '../fake-bridge.ts'
import { createHookRoot } from '../hook-root.ts'

const QUERY: ListQuery = {
  search: '',
  sort: 'date',
  descending: true,
  kind: null,
  since: null,
  unopened: false,
  folderId: null,
}

let bridge: FakeBridge
let root: Root

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  bridge = installBridge()
  root = createHookRoot()
  appStore.setState({ engineUp: true, snapshot: { ...snapshot(), folders: [folder('/home/ada/Share')] } })
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Reader(): null {
  useOffsetPages(QUERY)
  useSecondCopies()
  return null
}

it.each([
  ['the list of files', 'catalog', ok({ rows: [], total: 0, asOf: null, revision: 'r' })],
  ['the sums of folders', 'folderSums', ok([])],
  ['the duplicates', 'secondCopies', ok([])],
])('%s is read again', async (_name, call, answer) => {
  const reads = (): number => bridge.calls.filter((one) => one.name === call).length
  await act(async () => root.render(createElement(FolderSumsProvider, null, createElement(Reader))))
  await act(async () => vi.advanceTimersByTime(60_000))
  for (let answered = 0; answered < reads(); answered++) await act(() => bridge.answer(call, answer))
  const before = reads()
  vi.setSystemTime(Date.now() - 3_600_000)
  await act(async () =>
    appStore.setState(({ catalogVersion, transfersVersion }) => ({
      catalogVersion: catalogVersion + 1,
      transfersVersion: transfersVersion + 1,
    })),
  )
  await act(async () => vi.advanceTimersByTime(60_000))
  expect(reads()).toBeGreaterThan(before)
})

// The keys of the transfer list that act on rows: held down, they act once.
// The grid is a stand-in without rows.
import type { KeyboardEvent } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Item } from '../../../../src-renderer/views/transfers/groups.ts'
import type { ListHandlers } from '../../../../src-renderer/views/transfers/list-handlers.ts'
import { listKeys } from '../../../../src-renderer/views/transfers/list-keys.ts'
import { transfer } from '../../shell/world.ts'

class FakeElement {
  readonly clientHeight = 440
  focus(): void {
    // Nothing else here can have the focus.
  }
}
const grid = new FakeElement()

beforeEach(() => {
  vi.stubGlobal('HTMLElement', FakeElement)
  vi.stubGlobal('document', { getElementById: () => null })
})
afterEach(() => vi.unstubAllGlobals())

/**
 * Presses a key, or keeps it held (`repeat`), on the first of two rows. Returns what it did, and whether the
 * browser still handles it.
 */
function pressed(key: string, repeat: boolean) {
  const done: string[] = []
  let isDefault = true
  const items = [1, 2].map(
    (id): Item => ({
      kind: 'row',
      key: `t${id}`,
      group: 'waiting',
      transfer: transfer(id),
      page: 0,
      inFold: false,
    }),
  )
  const handlers = {
    enter: () => done.push('enter'),
    pick: (row: string, gesture: string) => done.push(`${gesture} ${row}`),
    key: () => done.push('key'),
  } as unknown as ListHandlers
  const event = {
    key,
    repeat,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    target: grid,
    currentTarget: grid,
    preventDefault: () => {
      isDefault = false
    },
  }
  const keys = listKeys({
    items,
    activeAt: 0,
    rowHeight: 44,
    handlers,
    isStop: () => true,
    scrollTo: () => undefined,
  })
  keys(event as unknown as KeyboardEvent<HTMLElement>)
  return { done, isDefault }
}

it.each([
  ['Enter', 'enter'],
  [' ', 'toggle t1'],
  ['Delete', 'key'],
])('%j acts once, however long it is held', (key, action) => {
  expect(pressed(key, false)).toEqual({ done: [action], isDefault: false })
  expect(pressed(key, true)).toEqual({ done: [], isDefault: false })
})

it('the arrow keys go on for as long as they are held', () => {
  expect(pressed('ArrowDown', true).done).toEqual(['only t2'])
})

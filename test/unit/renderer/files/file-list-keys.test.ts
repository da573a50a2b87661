// The keys of the file list, as its grid receives them: those of a focused column header are left to it.
// The grid is a stand-in; only its rows' places are read.
import type { KeyboardEvent } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Range } from '../../../../src-renderer/lib/range-selection.ts'
import { type FileListKeyProps, fileListKeys } from '../../../../src-renderer/views/files/file-list-keys.ts'
import {
  type FileSelection,
  NO_FILES_SELECTED,
  type SelectionChange,
} from '../../../../src-renderer/views/files/file-selection.ts'
import { createOffsetPages } from '../../../../src-renderer/views/files/offset-pages.ts'
import type { ListQuery } from '../../../../src-shared/window-contract.ts'
import { remoteRow } from '../../views.ts'

const ROW_HEIGHT = 44
const QUERY: ListQuery = {
  search: '',
  kind: null,
  since: null,
  unopened: false,
  folderId: null,
  sort: 'date',
  descending: true,
}
const MODIFIERS = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }

class FakeElement {
  readonly tagName = 'BUTTON'
}
const grid = {
  clientHeight: 440,
  querySelector: () => ({ getBoundingClientRect: () => ({ left: 0, bottom: 88 }) }),
}

beforeEach(() => vi.stubGlobal('HTMLElement', FakeElement))
afterEach(() => vi.unstubAllGlobals())

/**
 * Presses a key, or keeps it held (`repeat`), with a list of five rows. Returns what it did, and whether the
 * browser still handles it.
 */
function pressed(key: string, selection: FileSelection, target: unknown = grid, repeat = false) {
  const done: string[] = []
  let next = selection
  const state = { ...createOffsetPages(QUERY).get(), total: 5 }
  let isDefault = true
  const props = {
    gridRef: { current: grid },
    pages: { at: (index: number) => remoteRow(index) },
    state,
    selection,
    onSelection: (change: SelectionChange) => {
      next = change(next, state)
      done.push('select')
    },
    onOpen: (row: { readonly fileId: number }) => done.push(`open ${row.fileId}`),
    onCopy: () => done.push('copy'),
    onCopyRow: (row: { readonly fileId: number }) => done.push(`copy ${row.fileId}`),
    onDelete: () => done.push('delete'),
    onMenu: () => done.push('menu'),
    onType: (letter: string) => done.push(`type ${letter}`),
  }
  const shiftKey = key.startsWith('Shift+')
  const event = {
    ...MODIFIERS,
    key: key.replace(/^(?:Shift|Ctrl)\+/, ''),
    shiftKey,
    ctrlKey: key.startsWith('Ctrl+'),
    repeat,
    target,
    currentTarget: grid,
    preventDefault: () => (isDefault = false),
  }
  fileListKeys(
    props as unknown as FileListKeyProps,
    ROW_HEIGHT,
    () => undefined,
  )(event as unknown as KeyboardEvent)
  return { done, selection: next, isDefault }
}

const of = (ranges: readonly Range[], active: number, anchor = active): FileSelection => ({
  ...NO_FILES_SELECTED,
  ranges,
  active,
  anchor,
})
const second = of([[1, 1]], 1)

describe('Enter and Space', () => {
  it('copy the link of the active row, or open it with Ctrl, and toggle it', () => {
    expect(pressed('Enter', second)).toMatchObject({ done: ['copy'], isDefault: false })
    expect(pressed('Ctrl+Enter', second)).toMatchObject({ done: ['open 1'], isDefault: false })
    // The active row isn't one of the selected ones, or none is selected.
    expect(pressed('Enter', of([[3, 4]], 1)).done).toEqual(['copy 1'])
    expect(pressed('Enter', of([], 1)).done).toEqual(['copy 1'])
    expect(pressed(' ', second)).toMatchObject({
      done: ['select'],
      selection: { ranges: [], active: 1 },
      isDefault: false,
    })
  })

  it.each(['Enter', ' ', 'Delete'])('act once, however long they are held: %j', (key) => {
    expect(pressed(key, second).done).toHaveLength(1)
    expect(pressed(key, second, grid, true)).toMatchObject({ done: [], isDefault: false })
    expect(pressed('ArrowDown', second, grid, true).done).toEqual(['select'])
  })

  it.each(['Enter', ' '])('belong to a column header that has the focus: %j', (key) => {
    expect(pressed(key, second, new FakeElement())).toMatchObject({ done: [], isDefault: true })
  })
})

describe('the menu key', () => {
  it('is about the active row where nothing is selected', () => {
    const cleared = of([], 1)
    for (const key of ['ContextMenu', 'Shift+F10'])
      expect(pressed(key, cleared)).toMatchObject({
        done: ['select', 'menu'],
        selection: { ranges: [[1, 1]], active: 1 },
      })
  })

  it('is about the selected rows where there are some', () => {
    const others = of([[2, 4]], 1, 2)
    expect(pressed('ContextMenu', others)).toMatchObject({ done: ['menu'], selection: others })
  })
})

it('the arrow keys work from a column header as well', () => {
  expect(pressed('ArrowDown', second, new FakeElement()).selection).toMatchObject({
    ranges: [[2, 2]],
    active: 2,
  })
  expect(pressed('ArrowDown', NO_FILES_SELECTED).selection).toMatchObject({ ranges: [[0, 0]], active: 0 })
})

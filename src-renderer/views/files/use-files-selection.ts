// The selection in the file list, for the views: its rows, their number and size, and the files that actions
// apply to. file-selection.ts updates the selection when the list changes.
import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { RemoteRow } from '../../../src-shared/model.ts'
import type { Selection } from '../../../src-shared/window-contract.ts'
import { countOf, deletionOf, type FileSelection, selectionOf } from './file-selection.ts'
import { filesStore, selectRows } from './files-store.ts'
import { type OffsetPages, type PagesState, rowAt } from './offset-pages.ts'

export interface FilesSelection {
  readonly rows: FileSelection
  readonly setRows: typeof selectRows
  readonly count: number
  /** The selected row, if exactly one is selected and it is in memory. */
  readonly only: RemoteRow | null
  /**
   * The total size in bytes; null if nothing is selected, or if one of the rows isn't in memory or its size
   * isn't known.
   */
  readonly bytes: number | null
  /** The files that actions apply to; null if nothing is selected. */
  readonly files: Selection | null
  /**
   * Like `files`, but for deletion: if it may include files that the user hasn't seen, the shell refuses to
   * delete them.
   */
  readonly deletion: Selection | null
}

/** Returns the selected rows, or null if one of them isn't in memory. */
export function knownRows({ ids }: FileSelection, state: PagesState): readonly RemoteRow[] | null {
  const known = [...(ids ?? [])].flatMap(([id, place]) => {
    const row = rowAt(state, place)
    return row?.fileId === id ? row : []
  })
  return known.length === ids?.size ? known : null
}

function sumOfBytes(rows: readonly RemoteRow[]): number | null {
  let sum = 0
  for (const { bytes } of rows) {
    if (bytes === null) return null
    sum += bytes
  }
  return sum
}

/** Returns the selection in the list. `pages` and `state` belong to the query that is shown. */
export function useFilesSelection(pages: OffsetPages, state: PagesState): FilesSelection {
  const rows = useStore(filesStore, ({ selection }) => selection)
  const count = countOf(rows)
  const known = useMemo(() => knownRows(rows, state), [rows, state])
  const files = useMemo(() => selectionOf(rows, pages.query), [rows, pages])
  return {
    rows,
    setRows: selectRows,
    count,
    only: count === 1 ? (known?.[0] ?? null) : null,
    bytes: known === null ? null : sumOfBytes(known),
    files,
    deletion: useMemo(() => deletionOf(rows, pages.query), [rows, pages]),
  }
}

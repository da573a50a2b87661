// Reads the rows that the window refers to: files by ID or by ranges of a query, and transfers by ID. Long
// ranges are read in several calls.

import type { Result } from '../../../src-shared/engine-contract.ts'
import { idSelector } from '../../../src-shared/file-id.ts'
import type { FileId, RemoteRow, Transfer, TransferState } from '../../../src-shared/model.ts'
import type { ListQuery, Selection } from '../../../src-shared/window-contract.ts'
import type { EngineLink } from '../engine/protocol.ts'
import { fail } from './handler-results.ts'

const PAGE = 500
/** Maximum number of rows to read for one action. */
const MOST = 200_000

/** Number of rows to step back in a list that has changed, to find a file that was read before the change. */
const STEP_BACK = 250

type RangeSelection = Extract<Selection, { readonly query: ListQuery }>

function readPage(link: EngineLink, query: ListQuery, offset: number, limit: number) {
  const { kind, since, folderId, ...rest } = query
  return link.call('catalog', {
    ...rest,
    ...(kind === null ? {} : { kind }),
    ...(since === null ? {} : { since }),
    ...(folderId === null ? {} : { folderId }),
    offset,
    limit,
    fresh: 'cache',
  })
}

/** Reads all files of a query, even if files are added or deleted meanwhile. */
async function allRows(link: EngineLink, query: ListQuery): Promise<Result<readonly RemoteRow[]>> {
  // Rows are collected by ID, because a file that is added meanwhile moves others to the next page, where
  // they are read again.
  const rows = new Map<FileId, RemoteRow>()
  let revision: string | undefined
  let isJoined = true
  for (let offset = 0; rows.size < MOST; ) {
    const page = await readPage(link, query, offset, PAGE)
    if (!page.ok) return page
    const { rows: read, total } = page.value
    // If a file is deleted meanwhile, others move to earlier pages and may be missed. None is missed if the
    // list hasn't changed, or if the page contains a file that has been read already.
    isJoined =
      offset === 0 ||
      (isJoined && page.value.revision === revision) ||
      read.some((row) => rows.has(row.fileId))
    revision = page.value.revision
    if (!isJoined) {
      offset = Math.max(0, offset - STEP_BACK)
      continue
    }
    for (const row of read) rows.set(row.fileId, row)
    offset += PAGE
    if (offset >= total) break
  }
  return { ok: true, value: [...rows.values()] }
}

async function byRanges(
  link: EngineLink,
  { query, ranges, revision }: RangeSelection,
): Promise<Result<readonly RemoteRow[]>> {
  const rows: RemoteRow[] = []
  for (const [first, last] of ranges)
    for (let offset = first; offset <= last && rows.length < MOST; offset += PAGE) {
      const limit = Math.min(PAGE, last - offset + 1)
      const page = await readPage(link, query, offset, limit)
      if (!page.ok) return page
      if (page.value.revision !== revision)
        return fail('usage', 'The list of files has changed.', 'Select the files again.')
      rows.push(...page.value.rows)
      if (page.value.rows.length < limit) break
    }
  return { ok: true, value: rows }
}

/**
 * Reads the selected files, skipping those that no longer exist. In a selection by ID, `asked` also counts
 * the skipped files. A selection by ranges fails if the list has changed since, because the ranges would
 * refer to other files. `canGrow`: if the user selected all files of a query, files that have been added
 * since are selected, too.
 */
export async function selectedRows(
  link: EngineLink,
  selection: Selection,
  { canGrow }: { readonly canGrow: boolean },
): Promise<Result<{ readonly rows: readonly RemoteRow[]; readonly asked: number }>> {
  if ('query' in selection) {
    const got = await (canGrow && selection.isAll
      ? allRows(link, selection.query)
      : byRanges(link, selection))
    return got.ok ? { ok: true, value: { rows: got.value, asked: got.value.length } } : got
  }
  const got = await link.call('links', { selectors: selection.fileIds.map(idSelector) })
  if (!got.ok) return got
  const rows = got.value.map((one) => one.row).filter((row) => row !== null)
  return { ok: true, value: { rows, asked: selection.fileIds.length } }
}

/** Returns the known transfers in the order of `ids`. IDs that are close together are read in one call. */
export async function transfersByIds(
  link: EngineLink,
  ids: readonly number[],
  states: readonly TransferState[] = [],
): Promise<Result<readonly Transfer[]>> {
  const sorted = [...new Set(ids)].toSorted((a, b) => a - b)
  const found = new Map<number, Transfer>()
  for (let at = 0; at < sorted.length; ) {
    const from = sorted[at] ?? 0
    const to = sorted.at(-1) ?? from
    const limit = Math.min(PAGE, to - from + 1)
    const page = await link.call('transfers', {
      folderId: null,
      states: [...states],
      afterId: Math.max(0, from - 1),
      limit,
    })
    if (!page.ok) return page
    for (const row of page.value) found.set(row.id, row)
    // Fewer rows than requested mean that no further transfers exist.
    const readTo = page.value.length < limit ? to : (page.value.at(-1)?.id ?? to)
    while (at < sorted.length && (sorted[at] ?? 0) <= readTo) at++
  }
  return { ok: true, value: ids.flatMap((id) => found.get(id) ?? []) }
}

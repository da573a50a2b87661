// Reads the rows that the window refers to: files by ID or by ranges of a query, and transfers by ID. Long ranges are read in several
// calls.
import type { ListQuery, Selection } from '../../../src-shared/app.ts'
import type { Result } from '../../../src-shared/contract.ts'
import type { RemoteRow, Transfer, TransferState } from '../../../src-shared/model.ts'
import type { EngineLink } from '../engine/protocol.ts'

const PAGE = 500
/** Maximum number of rows to read for one action. */
const MOST = 200_000

async function byRanges(
  link: EngineLink,
  query: ListQuery,
  ranges: readonly (readonly [number, number])[],
): Promise<Result<readonly RemoteRow[]>> {
  const rows: RemoteRow[] = []
  const { kind, since, ...rest } = query
  for (const [first, last] of ranges) {
    for (let offset = first; offset <= last && rows.length < MOST; ) {
      const limit = Math.min(PAGE, last - offset + 1)
      const page = await link.call('catalog', {
        ...rest,
        ...(kind === null ? {} : { kind }),
        ...(since === null ? {} : { since }),
        offset,
        limit,
        fresh: 'cache',
      })
      if (!page.ok) return page
      rows.push(...page.value.rows)
      if (page.value.rows.length < limit) break
      offset += limit
    }
  }
  return { ok: true, value: rows }
}

/** Reads the selected files, skipping those that no longer exist. In a selection by ID, `asked` also counts the skipped files. */
export async function selectedRows(
  link: EngineLink,
  selection: Selection,
): Promise<Result<{ readonly rows: readonly RemoteRow[]; readonly asked: number }>> {
  if ('query' in selection) {
    const got = await byRanges(link, selection.query, selection.ranges)
    return got.ok ? { ok: true, value: { rows: got.value, asked: got.value.length } } : got
  }
  const got = await link.call('links', { selectors: selection.fileIds.map(String) })
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
    const page = await link.call('transfers', { folderId: null, states: [...states], afterId: Math.max(0, from - 1), limit })
    if (!page.ok) return page
    for (const row of page.value) found.set(row.id, row)
    // Fewer rows than requested mean that no further transfers exist.
    const readTo = page.value.length < limit ? to : (page.value.at(-1)?.id ?? to)
    while (at < sorted.length && (sorted[at] ?? 0) <= readTo) at++
  }
  return { ok: true, value: ids.flatMap((id) => found.get(id) ?? []) }
}

// A selection of the window read out as rows, in the order of the list: by ids, or by index ranges of a query, page by page.
// It changes nothing.
import type { ListQuery, Selection } from '../../../src-shared/app.ts'
import type { Result } from '../../../src-shared/contract.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import type { EngineLink } from '../engine/protocol.ts'

const PAGE = 500
/** More rows than this are not read for one gesture. */
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

/** Rows that are gone meanwhile are left out; `asked` counts them too. */
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

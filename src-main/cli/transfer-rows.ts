// Reads the engine's transfers page by page.
import type { Result } from '../../src-shared/engine-contract.ts'
import type { Transfer, TransferState } from '../../src-shared/model.ts'
import { ask, type Ctx } from './context.ts'

/** Maximum number of rows per call (engine-contract.ts, `transfers`). */
const PAGE = 500

/** Which rows to read: all of them unless limited. */
interface Part {
  readonly folderId?: number
  readonly afterId?: number
  /** Reading ends with the page that reaches this ID. */
  readonly lastId?: number
  readonly most?: number
}

/**
 * Passes each row in one of these states to `take`, in the order of their IDs. No states means all. If a page
 * can't be read, resolves to that failure.
 */
export async function eachRow(
  { client }: Pick<Ctx, 'client'>,
  states: readonly TransferState[],
  take: (row: Transfer) => void,
  { folderId, afterId = 0, lastId, most }: Part = {},
): Promise<Result<void>> {
  let left = most ?? Number.POSITIVE_INFINITY
  for (let after = afterId; left > 0; ) {
    const limit = Math.min(PAGE, left)
    const query = { folderId: folderId ?? null, states: [...states], afterId: after, limit }
    const page = await client.call('transfers', query)
    if (!page.ok) return page
    for (const row of page.value) take(row)
    const last = page.value.at(-1)?.id ?? null
    if (last === null || page.value.length < limit || (lastId !== undefined && last >= lastId)) break
    left -= limit
    after = last
  }
  return { ok: true, value: undefined }
}

/** Reads the first rows in these states. */
export async function readRows(
  ctx: Ctx,
  states: readonly TransferState[],
  part: Part = {},
): Promise<Result<readonly Transfer[]>> {
  const rows: Transfer[] = []
  const read = await ask(
    ctx,
    eachRow(ctx, states, (row) => rows.push(row), part),
  )
  return read.ok ? { ok: true, value: rows } : read
}

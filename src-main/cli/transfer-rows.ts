// Reads the engine's transfers page by page.
import type { Failure } from '../../src-shared/engine-contract.ts'
import type { Transfer, TransferState } from '../../src-shared/model.ts'
import { ask, type Ctx } from './context.ts'

/** Maximum number of rows per call (engine-contract.ts, `transfers`). */
const PAGE = 500

/**
 * Reads the first rows in these states, at most `most`, of one folder (null: of all). If a page can't be
 * read, returns the failure and the rows before it.
 */
export async function readTransfers(
  ctx: Ctx,
  {
    folderId,
    states,
    most,
  }: { readonly folderId: number | null; readonly states: readonly TransferState[]; readonly most: number },
): Promise<{ readonly rows: readonly Transfer[]; readonly failure: Failure | null }> {
  const rows: Transfer[] = []
  for (let afterId = 0; rows.length < most; ) {
    const limit = Math.min(PAGE, most - rows.length)
    const page = await ask(
      ctx,
      ctx.client.call('transfers', { folderId, states: [...states], afterId, limit }),
    )
    if (!page.ok) return { rows, failure: page.failure }
    rows.push(...page.value)
    const last = page.value.at(-1)
    if (last === undefined || page.value.length < limit) break
    afterId = last.id
  }
  return { rows, failure: null }
}

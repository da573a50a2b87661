// Reads rows of the transfers from the engine, page by page.
import type { Input, Result } from '../../../src-shared/engine-contract.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import type { Ctx } from '../context.ts'

const PAGE = 500

/**
 * Passes each row after `afterId` in one of these states to `take`, in the order of their IDs. No states
 * means all. Ends with the page that reaches `lastId`.
 */
export async function eachRow(
  ctx: Pick<Ctx, 'client'>,
  afterId: number,
  states: readonly Input<'transfers'>['states'][number][],
  take: (row: Transfer) => void,
  lastId = Number.POSITIVE_INFINITY,
): Promise<Result<void>> {
  for (let after = afterId; ; ) {
    const page = await ctx.client.call('transfers', {
      folderId: null,
      states: [...states],
      afterId: after,
      limit: PAGE,
    })
    if (!page.ok) return page
    for (const row of page.value) take(row)
    const last = page.value.at(-1)
    if (page.value.length < PAGE || last === undefined || last.id >= lastId)
      return { ok: true, value: undefined }
    after = last.id
  }
}

// Finds the newest transfer, so that a command that follows transfers reports only what happens after its start. The engine has no call for
// this, so the transfer is found by searching with small queries.
import type { Ctx } from '../context.ts'

/**
 * Resolves to the highest row ID, or to 0 if there are no rows. The ID may be too low if a query fails. Takes a few dozen small queries,
 * however many rows there are.
 */
export async function newestRow(ctx: Ctx): Promise<number> {
  const after = async (afterId: number): Promise<number | null> => {
    const page = await ctx.client.call('transfers', { folderId: null, states: [], afterId, limit: 1 })
    return page.ok ? (page.value[0]?.id ?? null) : null
  }
  let low = 0
  let high = 1
  for (let next = await after(low); next !== null; next = await after(high)) {
    low = next
    high = next * 2
  }
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2)
    const next = await after(middle)
    if (next === null) high = middle
    else low = next
  }
  return low
}

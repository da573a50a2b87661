// Reports a folder's files that the engine couldn't examine. They have no transfer and therefore no events.
import type { Ctx } from '../context.ts'
import { failedMessage } from '../output/reason-text.ts'
import { inTime } from './follow.ts'
import type { Reporter } from './reporter.ts'

const PAGE = 500

/** Reports the files that aren't in `reported` yet. Ends early if the engine doesn't respond in time. */
export async function reportUnreadable(
  ctx: Ctx,
  folderId: number,
  reported: ReadonlySet<string>,
  reporter: Pick<Reporter, 'tell'>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof ctx.client.call<'auditPage'>>> | null = await inTime(
      ctx,
      ctx.client.call('auditPage', { folderId, list: 'failed', after, limit: PAGE }),
    )
    if (page?.ok !== true) return
    for (const { path, reason } of page.value.entries)
      if (reason === 'unreadable' && !reported.has(path))
        reporter.tell([{ event: 'failed', id: null, path, reason, message: failedMessage(reason) }])
    after = page.value.next
    if (after === null) return
  }
}

// Settles an upload that was answered with 403: reads `/stats` once for all uploads that were refused together, and applies the verdict of
// limits/plan/upload-limits.ts to the row.
import type { AccountState } from '../account/state.ts'
import type { Bus } from '../bus.ts'
import type { Database } from '../journal/open.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { UploadLimits } from '../limits/plan/upload-limits.ts'
import type { Ports } from '../ports.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'

export interface ForbiddenOptions {
  readonly ports: Pick<Ports, 'log'>
  readonly db: Database
  readonly transfers: Transfers
  readonly account: Pick<AccountState, 'isBlocked'>
  readonly limits: Pick<UploadLimits, 'diagnose'>
  readonly stats: Pick<StatsRefresh, 'diagnose'>
  readonly bus: Pick<Bus, 'changed'>
}

/**
 * Resolves once the verdict is written, or without one if the account is blocked or has changed (`tenure`). The row stays queued until
 * then.
 */
export async function settleForbidden(
  row: TransferRow,
  detail: string | null,
  options: ForbiddenOptions,
  tenure: AbortSignal,
): Promise<void> {
  const { ports, db, transfers, account, limits, stats, bus } = options
  const isAnswered = await stats.diagnose()
  if (tenure.aborted || account.isBlocked()) return
  const found = limits.diagnose(row, detail, isAnswered)
  ports.log.warn('transfer.forbidden', { id: row.id, verdict: found.verdict, asked: isAnswered })
  await db.soon(() => {
    if (found.verdict === 'too-big') transfers.transition(row.id, { kind: 'held', reason: 'too-big', message: found.evidence })
    else if (found.verdict === 'undetermined')
      transfers.transition(row.id, { kind: 'deferred', reason: 'limit', message: found.evidence, until: found.until })
    else transfers.transition(row.id, { kind: 'requeued' })
  })
  bus.changed(row.id)
}

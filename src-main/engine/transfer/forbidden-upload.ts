// Settles an upload that was answered with 403: reads `/stats` once for all uploads that were refused together, and applies the verdict of
// limits/plan/upload-limits.ts to the row.
import type { AccountState } from '../account/state.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { DiagnosedRefusal, UploadLimits } from '../limits/plan/upload-limits.ts'
import type { Ports } from '../ports.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'
import type { RowWriter } from './row-writer.ts'
import type { TransferEvent } from './transitions.ts'

export interface ForbiddenOptions {
  readonly ports: Pick<Ports, 'log'>
  readonly account: Pick<AccountState, 'isAnswered'>
  readonly limits: Pick<UploadLimits, 'diagnose'>
  readonly stats: Pick<StatsRefresh, 'diagnose' | 'control'>
}

/**
 * Resolves to the verdict once it is written; until then, the row stays queued. Writes nothing if the row now has another version or is no
 * longer queued, and resolves to null if the answer wasn't the service's own, or if the account is
 * blocked or has changed (`tenure` aborts).
 */
export async function settleForbidden(
  row: TransferRow,
  detail: string | null,
  options: ForbiddenOptions,
  rows: Pick<RowWriter, 'applyIfQueued'>,
  tenure: AbortSignal,
): Promise<DiagnosedRefusal['verdict'] | null> {
  const { ports, account, limits, stats } = options
  const isAnswered = await stats.diagnose()
  if (tenure.aborted || !account.isAnswered()) return null
  const found = limits.diagnose(row, detail, isAnswered)
  ports.log.warn('transfer.forbidden', { id: row.id, verdict: found.verdict, asked: isAnswered })
  await rows.applyIfQueued(row, eventOf(found))
  return found.verdict
}

function eventOf({ verdict, evidence, until }: DiagnosedRefusal): TransferEvent {
  if (verdict === 'too-big') return { kind: 'held', reason: 'too-big', message: evidence }
  if (verdict === 'undetermined') return { kind: 'deferred', reason: 'limit', message: evidence, until }
  return { kind: 'requeued' }
}

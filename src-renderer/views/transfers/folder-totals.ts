// The totals of all watched folders, for the status bar. Like the engine's figures for each folder, they
// satisfy seen = uploaded + waiting + held + failed + ignored. Pure.
import type { AuditSums } from '../../../src-shared/model.ts'

export const SUM_PARTS = ['uploaded', 'waiting', 'held', 'failed', 'ignored'] as const
export type SumPart = (typeof SUM_PARTS)[number]

/** Adds up the sums of all folders. */
export function addUp(sums: readonly AuditSums[]): AuditSums {
  const total = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
  for (const one of sums) {
    total.seen += one.seen
    for (const part of SUM_PARTS) total[part] += one[part]
  }
  return total
}

/** Returns the parts to show: all that aren't zero, and always `uploaded`. */
export function partsOf(sums: AuditSums): readonly { readonly part: SumPart; readonly count: number }[] {
  return SUM_PARTS.flatMap((part) =>
    sums[part] > 0 || part === 'uploaded' ? [{ part, count: sums[part] }] : [],
  )
}

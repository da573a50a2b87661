// Converts the `/stats` response for a key that has been checked but isn't in use yet to the contract's `StatsView`, so that the window can
// show the limits before an engine knows the account.
import type { StatsView, Window } from '../../../src-shared/model.ts'
import type { Stats } from '../../api/types.ts'
import { sizeLimit } from '../../engine/limits/plan/plan-limits.ts'
import { readQuota } from '../../engine/limits/plan/stats-reader.ts'
import { effectivePlan, readRates } from '../../engine/limits/requests/rate-limits.ts'

export function provedStats(stats: Stats): StatsView {
  const quota = readQuota(stats)
  const { limits, known } = effectivePlan(stats.plan, readRates(stats.limits))
  const size = quota.maxFileSize
  const believed = sizeLimit(size, null)
  const window = (limit: number | null): Window => ({ limit, used: 0, nextAt: null })
  return {
    plan: stats.plan,
    totalFiles: quota.totalFiles,
    totalSize: quota.totalSize,
    stats: { ...stats.stats },
    limits: { ...stats.limits },
    maxFileSize:
      size.kind !== 'limited'
        ? { kind: size.kind, value: null, unit: 'bytes' }
        : believed.kind === 'limited'
          ? { kind: 'limited', value: believed.value, unit: 'bytes' }
          : // The unit isn't known until upload receipts reveal it (see learnUnit).
            { kind: 'limited', value: size.value, unit: 'unknown' },
    minute: window(known ? limits.perMinute : null),
    day: window(known ? limits.perDay : null),
    dailyUploads: { ...window(quota.dailyUploads.kind === 'limited' ? quota.dailyUploads.value : null), used: quota.uploadsToday ?? 0 },
  }
}

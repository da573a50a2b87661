// Formats how much of a limit is used, as text and as JSON, for `status` and `stats`.
// Pure.
import { formatCount, formatWhen, isoSeconds } from '../../../src-shared/format.ts'
import type { Window } from '../../../src-shared/model.ts'
import { usedOf } from '../../../src-shared/overview.ts'

export function windowText(window: Window, now: number): string {
  if (window.limit === null) return `${formatCount(window.used)} used, no limit known`
  const next =
    window.nextAt === null || window.nextAt <= now ? '' : `, next ${formatWhen(window.nextAt, now)}`
  return `${formatCount(usedOf(window))} of ${formatCount(window.limit)} used${next}`
}

export function windowJson(window: Window): {
  readonly limit: number | null
  readonly used: number
  readonly next_at: string | null
} {
  return {
    limit: window.limit,
    used: window.used,
    next_at: window.nextAt === null ? null : isoSeconds(window.nextAt, 'up'),
  }
}

// One budget window in words and as JSON, the same in `status` and `stats`.
// Pure: what the numbers mean was decided by the engine.
import { formatCount, formatWhen, isoSeconds } from '../../src-shared/format.ts'
import type { Window } from '../../src-shared/model.ts'

export function windowText(window: Window, now: number): string {
  if (window.limit === null) return `${formatCount(window.used)} used, no limit known`
  const next = window.nextAt === null || window.nextAt <= now ? '' : `, next ${formatWhen(window.nextAt, now)}`
  return `${formatCount(window.used)} of ${formatCount(window.limit)} used${next}`
}

export function windowJson(window: Window): { readonly limit: number | null; readonly used: number; readonly next_at: string | null } {
  return { limit: window.limit, used: window.used, next_at: window.nextAt === null ? null : isoSeconds(window.nextAt, 'up') }
}

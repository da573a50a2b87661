// Notices when little is left of a limit of the plan: of the day's uploads and requests, of storage and of the
// number of files. The limit of a minute isn't one of them, because it is full and free again within seconds.
// Each level is reported once per period, whatever restarts in between; what is near now is in every snapshot.
import { NEAR_LIMITS, NEAR_PERCENTS } from '../../../src-shared/choices.ts'
import { nearText } from '../../../src-shared/format.ts'
import type { NearLimit, Snapshot, Window } from '../../../src-shared/model.ts'
import type { Database } from '../journal/database.ts'
import type { Facts } from '../journal/single-values.ts'
import type { Bus } from '../tell/bus.ts'
import type { Quota } from './plan-limits.ts'
import { type SizeUnit, unitBytes } from './size-unit.ts'

/**
 * Once use has fallen below this, a new period has begun. It is well below the first level, so that a use that
 * swings around a level, as that of the last 24 hours does, isn't reported again and again.
 */
const OVER_PERCENT = 70

type Use = Pick<NearLimit, 'limit'> & { readonly percent: number }

export interface LimitFigures {
  readonly dailyUploads: Window
  readonly day: Window
  readonly quota: Pick<Quota, 'storage' | 'maxFiles' | 'totalSize'>
  readonly stored: Snapshot['stored']
  readonly unit: SizeUnit | null
}

/** How much of each known limit is used, in whole percent. An unknown or unlimited one is left out. */
export function usesOf({ dailyUploads, day, quota, stored, unit }: LimitFigures): readonly Use[] {
  const { storage, maxFiles, totalSize } = quota
  const use = (limit: Use['limit'], used: number | null, most: number | null): readonly Use[] =>
    used === null || most === null || most <= 0 ? [] : [{ limit, percent: Math.floor((used / most) * 100) }]
  const most = storage.kind === 'limited' ? storage : null
  // Both figures may be in the same unknown unit.
  const isBare = most?.unit === 'bare' && unit === null
  const mostBytes =
    most === null
      ? null
      : most.unit === 'bytes'
        ? most.value
        : unit === null
          ? null
          : most.value * unitBytes[unit]
  return [
    ...use('uploads', dailyUploads.used, dailyUploads.limit),
    ...use('requests', day.used, day.limit),
    ...(isBare ? use('storage', totalSize, most.value) : use('storage', stored.bytes, mostBytes)),
    ...use('files', stored.files, maxFiles.kind === 'limited' ? maxFiles.value : null),
  ]
}

/** The highest level that this use has reached; 0 if none. */
function levelOf(percent: number): number {
  return NEAR_PERCENTS.findLast((level) => percent >= level) ?? 0
}

/** Whether uploads wait for this limit, which everything that shows them says. */
function isWaitedFor({ limit, percent }: Use): boolean {
  return percent >= 100 && (limit === 'uploads' || limit === 'requests')
}

export function nearOf(uses: readonly Use[]): NearLimit[] {
  return uses
    .filter((use) => levelOf(use.percent) > 0 && !isWaitedFor(use))
    .map(({ limit, percent }) => ({ limit, percent: Math.min(100, percent) }))
}

interface NearLimitsOptions {
  readonly db: Pick<Database, 'tx'>
  readonly facts: Pick<Facts, 'get' | 'set'>
  readonly bus: Pick<Bus, 'emit'>
  readonly figures: () => LimitFigures
}

export class NearLimits {
  readonly #options: NearLimitsOptions

  constructor(options: NearLimitsOptions) {
    this.#options = options
  }

  /** Reports each level that was reached since the last call, also one in an earlier process. */
  tick(): void {
    const { db, facts, bus, figures } = this.#options
    const account = facts.get('account')
    const stored = facts.get('near-told')
    const told = stored?.account === account ? stored.levels : {}
    const levels: Partial<Record<NearLimit['limit'], number>> = { ...told }
    const news: Use[] = []
    for (const use of usesOf(figures())) {
      const level = levelOf(use.percent)
      if (use.percent < OVER_PERCENT) delete levels[use.limit]
      else if (level > (told[use.limit] ?? 0)) {
        levels[use.limit] = level
        if (!isWaitedFor(use)) news.push(use)
      }
    }
    if (NEAR_LIMITS.every((limit) => levels[limit] === told[limit])) return
    db.tx(() => facts.set('near-told', { account, levels }))
    for (const { limit, percent } of news) {
      const about = { what: 'near-limit', name: limit, count: Math.min(100, percent) } as const
      bus.emit({
        kind: 'notice',
        level: 'warning',
        title: nearText({ limit, percent: about.count }),
        hint: null,
        about,
      })
    }
  }
}

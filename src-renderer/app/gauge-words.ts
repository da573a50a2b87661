// The sentence below the gauge, which explains how the plan's limits affect uploads right now, and the hints
// of the banners about what else holds them back. Pure; the gauge itself is in sidebar.tsx.

import type { Gate, Snapshot, WaitReason } from '../../src-shared/model.ts'
import { overviewOf } from '../../src-shared/overview.ts'
import type { View } from '../../src-shared/window-contract.ts'
import { isHalted } from '../lib/causes.ts'
import type { Words } from '../lib/words.ts'
import { planOf } from '../views/transfers/upload-plan.ts'

/** What the open view says itself, so that the gauge doesn't repeat it. */
export interface SaidInView {
  /** What the waiting files wait for. */
  readonly gate: boolean
  /** How the daily upload limit splits the files. */
  readonly plan: boolean
  /** All limits. */
  readonly limits: boolean
}
const NOTHING_SAID: SaidInView = { gate: false, plan: false, limits: false }
const LIMITS: ReadonlySet<WaitReason> = new Set(['rate-minute', 'rate-day', 'daily-uploads'])

/** Returns what `view` says at `now` (epoch ms): lists what their files wait for, and Usage all limits. */
export function saidInView(snapshot: Snapshot, view: View, now: number): SaidInView {
  const isList = view === 'files' || view === 'transfers'
  return {
    gate: isList && overviewOf(snapshot).waiting > 0,
    plan: view === 'transfers' && !isHalted(snapshot) && planOf(snapshot, now) !== null,
    limits: view === 'usage',
  }
}

/**
 * Says which limit is reached or what else holds uploads back, or else of which limits little is left, and how
 * many uploads are left today, if the plan limits their number. Leaves out what a banner or the open view says.
 * `now` is in epoch ms.
 */
export function gaugeWords(
  snapshot: Snapshot,
  { t, f }: Words,
  now: number,
  said: SaidInView = NOTHING_SAID,
): string {
  const { dailyUploads, minute, counts } = snapshot
  // The end of a limit says nothing about uploads that something else holds back as well.
  const isOther = isHalted(snapshot)
  const when = (at: number | null): string => (at === null || at <= now || isOther ? '' : f.when(at, now))
  const gate = isOther || (snapshot.gate?.until ?? Number.POSITIVE_INFINITY) <= now ? null : snapshot.gate
  const isLimit = gate !== null && LIMITS.has(gate.reason)
  if (gate !== null && !said.gate && !(isLimit && said.limits)) {
    if (gate.reason === 'rate-minute') return t.gaugeMinute(when(gate.until))
    return isLimit ? t.gaugeDay(when(gate.until)) : t.reasons[gate.reason](when(gate.until))
  }
  if (said.limits || said.plan) return ''
  if (gate === null && minute.nextAt !== null && minute.nextAt > now && counts.queued > 0)
    return t.gaugeMinute(when(minute.nextAt))
  const left = dailyUploads.limit === null ? null : Math.max(0, dailyUploads.limit - dailyUploads.used)
  if (left === 0) return isLimit ? '' : t.gaugeDay(when(dailyUploads.nextAt))
  const near = (snapshot.near ?? []).map(
    ({ limit, percent }) => `${t.nearLimits[limit](f.percent(percent / 100))}.`,
  )
  const parts = [...near, ...(left === null ? [] : [t.gaugeUploads(left, f.count(left))])]
  return parts.join(' ') || (isLimit ? '' : t.gaugeFree)
}

/** Returns the hint about a missing connection, with the time of the next attempt. */
export function offlineWords(snapshot: Pick<Snapshot, 'gate'>, { t, f }: Words, now: number): string {
  return t.offlineHint(nextTry(snapshot, 'offline', f, now))
}

/**
 * Returns the hint about a refused key. A key that worked before is tried again, because the refusal may not
 * be the service's own.
 */
export function refusedKeyWords(snapshot: Pick<Snapshot, 'gate'>, { t, f }: Words, now: number): string {
  return t.accountBlockedHint(nextTry(snapshot, 'account', f, now))
}

/** Returns the hint about a service that refuses or doesn't confirm uploads: what it said, and the next try. */
export function serviceWords(gate: Gate, { t, f }: Words, now: number): string {
  const next = t.nextTry(nextTry({ gate }, gate.reason, f, now))
  // What the service says may lack the full stop.
  const said = t.transfersView.detail(gate.message ?? '').replace(/[\p{L}\p{N}“]$/u, '$&.')
  return [said, next].filter((part) => part !== '').join(' ')
}

/**
 * The time of the next attempt; empty if it is due or unknown. A gate with another reason doesn't say when
 * that is.
 */
function nextTry({ gate }: Pick<Snapshot, 'gate'>, reason: WaitReason, f: Words['f'], now: number): string {
  const until = gate?.reason === reason ? gate.until : null
  return until === null || until <= now ? '' : f.when(until, now)
}

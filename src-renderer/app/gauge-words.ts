// The sentence below the gauge, which explains how the plan's limits affect uploads right now, and the hints
// of the banners about what else holds them back. Pure; the gauge itself is in sidebar.tsx.

import type { Gate, Snapshot, WaitReason } from '../../src-shared/model.ts'
import { isHalted, isInBanner } from '../lib/causes.ts'
import type { Words } from '../lib/words.ts'

/**
 * Says which limit is reached, or else of which limits little is left, and how many uploads are left today, if
 * the plan limits their number. Leaves out what a banner says. `now` is in epoch ms.
 */
export function gaugeWords(snapshot: Snapshot, { t, f }: Words, now: number): string {
  const { gate, dailyUploads, minute, counts } = snapshot
  // The end of a limit says nothing about uploads that something else holds back as well.
  const isOther = isHalted(snapshot)
  const when = (at: number | null): string => (at === null || at <= now || isOther ? '' : f.when(at, now))
  if (gate !== null && !isInBanner(gate.reason) && (gate.until === null || gate.until > now)) {
    if (gate.reason === 'rate-minute') return t.gaugeMinute(when(gate.until))
    if (gate.reason === 'rate-day' || gate.reason === 'daily-uploads') return t.gaugeDay(when(gate.until))
    return t.reasons[gate.reason](when(gate.until))
  }
  if (minute.nextAt !== null && minute.nextAt > now && counts.queued > 0)
    return t.gaugeMinute(when(minute.nextAt))
  const left = dailyUploads.limit === null ? null : Math.max(0, dailyUploads.limit - dailyUploads.used)
  if (left === 0) return t.gaugeDay(when(dailyUploads.nextAt))
  const near = (snapshot.near ?? []).map(
    ({ limit, percent }) => `${t.nearLimits[limit](f.percent(percent / 100))}.`,
  )
  return [...near, ...(left === null ? [] : [t.gaugeUploads(left, f.count(left))])].join(' ') || t.gaugeFree
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
  return [gate.message ?? '', next].filter((part) => part !== '').join(' ')
}

/**
 * The time of the next attempt; empty if it is due or unknown. A gate with another reason doesn't say when
 * that is.
 */
function nextTry({ gate }: Pick<Snapshot, 'gate'>, reason: WaitReason, f: Words['f'], now: number): string {
  const until = gate?.reason === reason ? gate.until : null
  return until === null || until <= now ? '' : f.when(until, now)
}

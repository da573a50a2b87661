// Says in words what an upload would do under the plan's limits, and what keeps all uploads from starting. Used by
// the window, and by the shell's question about many files. Pure; the engine provides the figures.
import type { Formats } from './i18n/formats.ts'
import type { Texts } from './i18n/texts.ts'
import type { PlanForecast, Snapshot } from './model.ts'

export interface UploadWords {
  readonly title: string
  /** When the files are uploaded. */
  readonly when: readonly string[]
  /** Which files aren't uploaded now, and why. */
  readonly notes: readonly string[]
}

interface Words {
  readonly t: Texts
  readonly f: Formats
}

/**
 * Returns the reason why no uploads start, unless it is a limit: they are blocked or paused, or there is no
 * connection. Returns null if none of these applies.
 */
export function haltWords({ account, gate, paused }: Snapshot, { t }: Pick<Words, 't'>): string | null {
  if (account.state === 'key-refused') return t.gaugeKey
  if (account.state === 'no-api') return t.gaugeBlocked
  if (gate?.reason === 'policy') return t.gaugePolicy
  if (paused) return t.gaugePaused
  return account.state === 'offline' || gate?.reason === 'offline' ? t.gaugeOffline : null
}

/** Whether the per-minute rate limit delays some of today's uploads. */
export function isSpread({ now, atOnce = now, nowUntil }: PlanForecast): boolean {
  return atOnce < now && nowUntil != null
}

/**
 * Says in one or two lines when dropped files are uploaded. The second line says when the last upload starts,
 * if the first doesn't. `now` is in epoch ms.
 */
function whenWords({ t, f }: Words, forecast: PlanForecast, now: number): readonly string[] {
  const { atOnce = forecast.now, nowUntil, later, doneAt } = forecast
  const bytes = f.bytes(forecast.bytes)
  const hasSoon = isSpread(forecast)
  if (later === 0 && !hasSoon) return [t.dropNow(bytes)]
  const first = hasSoon ? atOnce : forecast.now
  const laterAt = forecast.steps.find((step) => step.at > now)?.at ?? null
  const parts = [
    ...(first > 0 ? [t.dropAtOnce(f.count(first))] : []),
    ...(hasSoon ? [t.dropSoon(f.count(forecast.now - first), f.duration((nowUntil ?? now) - now))] : []),
    ...(later > 0 ? [t.dropLater(f.count(later), laterAt === null ? '' : f.when(laterAt, now))] : []),
  ]
  const hasLast =
    later > 0 && doneAt !== null && (laterAt === null || f.when(doneAt, now) !== f.when(laterAt, now))
  return [
    t.transfersView.progressWords([bytes, parts.join(', ')]),
    ...(hasLast ? [t.dropLast(f.when(doneAt, now))] : []),
  ]
}

/**
 * `sent` counts the files that need no decision: they are uploaded now or later, or first compared with a
 * file on the service. `waits` counts the files that are held until the user decides.
 */
export function countsOf(forecast: PlanForecast): { readonly sent: number; readonly waits: number } {
  return {
    sent: forecast.now + forecast.later + (forecast.compared ?? 0),
    waits: forecast.held + forecast.tooBig,
  }
}

/** `halt`: why no uploads start at the moment (`haltWords`), or null. `now` is in epoch ms. */
export function uploadWords(
  { t, f }: Words,
  forecast: PlanForecast,
  halt: string | null,
  now: number,
): UploadWords {
  const { sent } = countsOf(forecast)
  const when =
    halt === null
      ? whenWords({ t, f }, forecast, now)
      : [t.transfersView.progressWords([f.bytes(forecast.bytes), halt])]
  const note = (n: number, words: (n: number, shown: string) => string): readonly string[] =>
    n === 0 ? [] : [words(n, f.count(n))]
  return {
    title: sent === 0 ? t.dropNothing : t.dropPlanTitle(sent, f.count(sent)),
    when: sent === 0 ? [] : when,
    notes: [
      ...note(forecast.already, t.dropAlready),
      ...note(forecast.held, t.dropHeld),
      ...note(forecast.tooBig, t.dropTooBig),
      ...note(forecast.failed ?? 0, t.dropFailed),
      ...note(forecast.ignored, t.dropIgnored),
    ],
  }
}

// Says in words what an upload would do under the plan's limits, and what keeps all uploads from starting. Used by
// the window, and by the shell's question about many files. Pure; the engine provides the figures.
import type { Formats } from './i18n/formats.ts'
import type { Texts } from './i18n/texts.ts'
import type { PlanForecast, Snapshot } from './model.ts'

/** A number of files, and what happens to them. */
export interface Counted {
  readonly figure: string
  readonly words: string
}

export interface UploadWords {
  readonly title: string
  /** The size of the files, and what applies to all of them. Empty if none are uploaded. */
  readonly total: string
  /** How many are uploaded when, unless the same applies to all. */
  readonly when: readonly Counted[]
  /** When the last upload starts, if `when` doesn't say it. */
  readonly last: string | null
  /** How many aren't uploaded now, and why. */
  readonly notes: readonly Counted[]
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

/** Returns no part if `n` is 0. */
export function counted(f: Formats, n: number, words: (n: number) => string): readonly Counted[] {
  return n === 0 ? [] : [{ figure: f.count(n), words: words(n) }]
}

export const inWords = ({ figure, words }: Counted): string => `${figure} ${words}`

/** Says when dropped files are uploaded. `now` is in epoch ms. */
function whenWords(
  { t, f }: Words,
  forecast: PlanForecast,
  now: number,
): Pick<UploadWords, 'total' | 'when' | 'last'> {
  const { atOnce = forecast.now, nowUntil, later, doneAt } = forecast
  const bytes = f.bytes(forecast.bytes)
  const hasSoon = isSpread(forecast)
  const { progressWords } = t.transfersView
  if (later === 0 && !hasSoon) return { total: progressWords([bytes, t.dropNow]), when: [], last: null }
  const first = hasSoon ? atOnce : forecast.now
  const laterAt = forecast.steps.find((step) => step.at > now)?.at ?? null
  const hasLast =
    later > 0 && doneAt !== null && (laterAt === null || f.when(doneAt, now) !== f.when(laterAt, now))
  return {
    total: bytes,
    when: [
      ...counted(f, first, () => t.dropAtOnce),
      ...counted(f, forecast.now - first, () => t.dropSoon(f.duration((nowUntil ?? now) - now))),
      ...counted(f, later, () => t.dropLater(laterAt === null ? '' : f.when(laterAt, now))),
    ],
    last: hasLast ? t.dropLast(f.when(doneAt, now)) : null,
  }
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
  const forAll = (total: string): ReturnType<typeof whenWords> => ({ total, when: [], last: null })
  const when =
    sent === 0
      ? forAll('')
      : halt === null
        ? whenWords({ t, f }, forecast, now)
        : forAll(t.transfersView.progressWords([f.bytes(forecast.bytes), halt]))
  return {
    title: sent === 0 ? t.dropNothing : t.dropPlanTitle(sent, f.count(sent)),
    ...when,
    notes: [
      ...counted(f, forecast.already, t.dropAlready),
      ...counted(f, forecast.held, t.dropHeld),
      ...counted(f, forecast.tooBig, t.dropTooBig),
      ...counted(f, forecast.failed ?? 0, t.dropFailed),
      ...counted(f, forecast.ignored, t.dropIgnored),
    ],
  }
}

/** The same as lines of text, without the title. */
export function uploadLines({ t }: Pick<Words, 't'>, words: UploadWords): readonly string[] {
  const { total, when, last, notes } = words
  const parts = [total, when.map(inWords).join(', ')].filter((part) => part !== '')
  return [
    ...(total === '' ? [] : [t.transfersView.progressWords(parts)]),
    ...(last === null ? [] : [last]),
    ...notes.map(inWords),
  ]
}

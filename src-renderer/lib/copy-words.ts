// The notice after copying links: how many were copied, and how many files had no link yet.
// Pure; the caller decides whether to show it.
import type { Words } from './words.ts'

interface CopyNotice {
  readonly level: 'good' | 'info'
  readonly title: string
  readonly hint: string | null
}

/** Returns null if nothing was copied and no link was missing. */
export function copyNotice({ t, f }: Words, { count, missing }: { readonly count: number; readonly missing: number }): CopyNotice | null {
  const missed = missing > 0 ? t.missingLinks(missing, f.count(missing)) : null
  if (count > 0) return { level: 'good', title: t.copiedLinks(count, f.count(count)), hint: missed }
  return missed === null ? null : { level: 'info', title: missed, hint: null }
}

// What to say after links were copied: how many, and how many had no link yet.
// Pure; whether it is worth a notice is for the caller to decide.
import type { Words } from './words.ts'

interface CopyNotice {
  readonly level: 'good' | 'info'
  readonly title: string
  readonly hint: string | null
}

/** Null where nothing was copied and nothing was missing. */
export function copyNotice({ t, f }: Words, { count, missing }: { readonly count: number; readonly missing: number }): CopyNotice | null {
  const missed = missing > 0 ? t.missingLinks(missing, f.count(missing)) : null
  if (count > 0) return { level: 'good', title: t.copiedLinks(count, f.count(count)), hint: missed }
  return missed === null ? null : { level: 'info', title: missed, hint: null }
}

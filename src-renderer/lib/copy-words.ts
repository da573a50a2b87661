// The words for copying links: the command for each style, and the notice that says how many links were
// copied and how many files had none yet. Pure; the caller decides whether to show the notice.
import type { Texts } from '../../src-shared/i18n/texts.ts'
import type { LinkStyle } from '../../src-shared/settings.ts'
import type { Words } from './words.ts'

interface CopyNotice {
  readonly level: 'good' | 'info'
  readonly title: string
  readonly hint: string | null
}

/** Returns the title of the command that copies a link in this style, such as `Copy link as Markdown`. */
export function copyTitle(t: Texts, style: LinkStyle): string {
  return style === 'template' ? t.copyCustom : t.copyAs(t.linkStyles[style])
}

/** Returns null if nothing was copied and no link was missing. */
export function copyNotice(
  { t, f }: Words,
  { count, missing }: { readonly count: number; readonly missing: number },
): CopyNotice | null {
  const missed = missing > 0 ? t.missingLinks(missing, f.count(missing)) : null
  if (count > 0) return { level: 'good', title: t.copiedLinks(count, f.count(count)), hint: missed }
  return missed === null ? null : { level: 'info', title: missed, hint: null }
}

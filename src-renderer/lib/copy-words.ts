// The words of the command that copies links in each format. Pure.
import type { Texts } from '../../src-shared/i18n/texts.ts'
import type { LinkStyle } from '../../src-shared/settings.ts'

/** Returns the title of the command that copies a link in this style, such as `Copy link as Markdown`. */
export function copyTitle(t: Texts, style: LinkStyle): string {
  return style === 'template' ? t.copyCustom : t.copyAs(t.linkStyles[style])
}

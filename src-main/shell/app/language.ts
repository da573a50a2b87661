// The language of tray, menus, dialogs and notifications: what the person chose, or else the system's.
// Asked anew each time, because it can be changed while Slipway runs.
import { app } from 'electron'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english, type ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import { createFormats, type Formats } from '../../../src-shared/i18n/formats.ts'
import { languageOf, textsOf } from '../../../src-shared/i18n/texts.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'

export interface Language {
  readonly texts: ShellTexts
  readonly formats: Formats
}

/** Valid once the app is ready. */
export function systemLocale(): string {
  return app.getPreferredSystemLanguages()[0] ?? app.getLocale()
}

export function languageFor(chosen: AppSettings['language'], locale: string): Language {
  const code = languageOf(chosen, locale)
  return {
    texts: code === 'de' ? german : english,
    formats: createFormats(locale.toLowerCase().startsWith(code) ? locale : code, textsOf(code).time),
  }
}

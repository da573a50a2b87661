// Provides texts and formats for tray, menus, dialogs and notifications. The language is the one chosen in
// the settings or, by default, the system's. It can change while Slipway runs, so callers look it up on each
// use.
import { app } from 'electron'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english, type ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import { createFormats, type Formats } from '../../../src-shared/i18n/formats.ts'
import { firstLocale, languageOf } from '../../../src-shared/i18n/language.ts'
import { type Texts, textsOf } from '../../../src-shared/i18n/texts.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'

export interface Language {
  readonly texts: ShellTexts
  /** The window's texts, for messages that appear both in the window and in a notification. */
  readonly window: Texts
  readonly formats: Formats
}

/** Returns the locale that the user prefers, such as `de-AT`. Call only once the app is ready. */
export function systemLocale(): string {
  // Electron's list of the system's languages ignores `--lang`, so read the switch as well.
  return firstLocale([
    app.commandLine.getSwitchValue('lang'),
    ...app.getPreferredSystemLanguages(),
    app.getLocale(),
  ])
}

export function languageFor(chosen: AppSettings['language'], locale: string): Language {
  const code = languageOf(chosen, locale)
  return {
    texts: code === 'de' ? german : english,
    window: textsOf(code),
    formats: createFormats(locale.toLowerCase().startsWith(code) ? locale : code, textsOf(code).time),
  }
}

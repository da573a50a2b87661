// The catalogue of the window's texts in each language, and the choice of language. The shell's texts are separate, in each language's
// shell.ts.
import { common as deCommon } from './de/common.ts'
import { files as deFiles } from './de/files.ts'
import { settings as deSettings } from './de/settings.ts'
import { transfers as deTransfers } from './de/transfers.ts'
import { usage as deUsage } from './de/usage.ts'
import { welcome as deWelcome } from './de/welcome.ts'
import { common as enCommon } from './en/common.ts'
import { files as enFiles } from './en/files.ts'
import { settings as enSettings } from './en/settings.ts'
import { transfers as enTransfers } from './en/transfers.ts'
import { usage as enUsage } from './en/usage.ts'
import { welcome as enWelcome } from './en/welcome.ts'
import type { Widen } from './widen.ts'

const en = {
  ...enCommon,
  filesView: enFiles,
  transfersView: enTransfers,
  usageView: enUsage,
  settingsView: enSettings,
  welcomeView: enWelcome,
}

/** Shared texts at the top level, those of a view under its name. */
export type Texts = Widen<typeof en>

const de: Texts = {
  ...deCommon,
  filesView: deFiles,
  transfersView: deTransfers,
  usageView: deUsage,
  settingsView: deSettings,
  welcomeView: deWelcome,
}

export type LanguageCode = 'en' | 'de'

/** The language chosen by the user, or else the system's (`locale`, BCP 47) if Slipway supports it, or else English. */
export function languageOf(chosen: 'system' | LanguageCode, locale: string): LanguageCode {
  if (chosen !== 'system') return chosen
  return locale.toLowerCase().startsWith('de') ? 'de' : 'en'
}

/** The catalogue of a language; returns the same object each time. */
export function textsOf(language: LanguageCode): Texts {
  return language === 'de' ? de : en
}

// The languages of the window and the shell, and the choice between them. The texts are in a folder for each language; this file doesn't
// import them, so that the page can choose before it loads any.

export type LanguageCode = 'en' | 'de'

/** Returns the language chosen by the user, or else the system's (`locale`, BCP 47) if Slipway supports it, or else English. */
export function languageOf(chosen: 'system' | LanguageCode, locale: string): LanguageCode {
  if (chosen !== 'system') return chosen
  return locale.toLowerCase().startsWith('de') ? 'de' : 'en'
}

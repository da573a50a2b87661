// The languages of the window and the shell, and the choice between them. The texts are in a folder for each
// language; this file doesn't import them, so that the page can choose before it loads any.

export type LanguageCode = 'en' | 'de'

/**
 * Returns the language chosen by the user, or else the system's (`locale`, BCP 47) if Slipway supports it, or
 * else English.
 */
export function languageOf(chosen: 'system' | LanguageCode, locale: string): LanguageCode {
  if (chosen !== 'system') return chosen
  return locale.toLowerCase().startsWith('de') ? 'de' : 'en'
}

/**
 * Returns the first locale name that Intl accepts, in canonical form, or `en` if it accepts none. Linux may
 * report POSIX names such as `de_DE.UTF-8@euro`, which Intl rejects, so everything from the first `.` or `@`
 * on is dropped.
 */
export function firstLocale(names: readonly string[]): string {
  for (const name of names) {
    const [plain = ''] = name.split(/[.@]/)
    try {
      const [locale] = Intl.getCanonicalLocales(plain.replaceAll('_', '-'))
      if (locale !== undefined) return locale
    } catch {
      // Intl rejects this name, for example `C`. Try the next one.
    }
  }
  return 'en'
}

// The texts of the window by language. The system's language is loaded when the page starts, in parallel with
// everything else; another language is loaded when it is needed.
import { createStore } from 'zustand/vanilla'
import { type LanguageCode, languageOf } from '../../src-shared/i18n/language.ts'
import type { Texts } from '../../src-shared/i18n/texts.ts'

const LOADERS: Readonly<Record<LanguageCode, () => Promise<Texts>>> = {
  en: async () => (await import('../../src-shared/i18n/en/english.ts')).en,
  de: async () => (await import('../../src-shared/i18n/de/german.ts')).de,
}

type LoadedTexts = Partial<Readonly<Record<LanguageCode, Texts>>>
export const textsStore = createStore<LoadedTexts>(() => ({}))
const loading = new Map<LanguageCode, Promise<void>>()

/** Loads the texts of a language, once. Rejects if its file can't be read; the next call then retries. */
export function loadTexts(language: LanguageCode): Promise<void> {
  const had = loading.get(language)
  if (had !== undefined) return had
  const done = LOADERS[language]().then((texts) => textsStore.setState({ [language]: texts }))
  loading.set(language, done)
  done.catch(() => loading.delete(language))
  return done
}

/**
 * Loads the texts in the system's language without waiting for the settings, which may contain another
 * language.
 */
export function loadLikelyTexts(): void {
  void loadTexts(languageOf('system', navigator.language))
}

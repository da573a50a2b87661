// The texts of the window, by language, once they are loaded. The likely language is loaded from the start of the page on, in parallel with
// everything else; another one when it is chosen.
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

/** Loads the texts of a language, once. Rejects if its file can't be read. */
export function loadTexts(language: LanguageCode): Promise<void> {
  const had = loading.get(language)
  if (had !== undefined) return had
  const done = LOADERS[language]().then((texts) => textsStore.setState({ [language]: texts }))
  loading.set(language, done)
  return done
}

/** Loads the system's language, which most windows show. The settings, which decide, arrive later. */
export function loadLikelyTexts(): void {
  void loadTexts(languageOf('system', navigator.language))
}

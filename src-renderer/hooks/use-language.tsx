// Provides the texts and formats of the window's language to all components. languageOf chooses the language
// according to the settings, and state/texts.ts loads its texts.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useStore } from 'zustand'
import { createFormats } from '../../src-shared/i18n/formats.ts'
import { languageOf } from '../../src-shared/i18n/language.ts'
import type { Words } from '../lib/words.ts'
import { useApp } from '../state/store.ts'
import { loadTexts, textsStore } from '../state/texts.ts'

const LanguageContext = createContext<Words | null>(null)

interface Spoken {
  readonly words: Words
  readonly code: string
  readonly locale: string
}

/**
 * Shows `waiting` until the language is known and its texts are loaded. When another language is chosen, the
 * previous one stays until the new one is loaded.
 */
export function LanguageProvider({
  children,
  waiting,
}: {
  readonly children: ReactNode
  readonly waiting: ReactNode
}): ReactNode {
  const chosen = useApp((state) => state.settings?.language ?? 'system')
  const system = useApp((state) => state.boot?.locale ?? navigator.language)
  const code = languageOf(chosen, system)
  // Numbers and dates follow the system's region if the system uses the same language.
  const locale = system.toLowerCase().startsWith(code) ? system : code
  const isKnown = useApp((state) => state.boot !== null || state.bootFailure !== null)
  const t = useStore(textsStore, (texts) => (isKnown ? texts[code] : undefined))
  const current = useMemo<Spoken | null>(
    () => (t === undefined ? null : { words: { t, f: createFormats(locale, t.time) }, code, locale }),
    [t, code, locale],
  )
  const [previous, setPrevious] = useState(current)
  if (current !== null && current !== previous) setPrevious(current)
  const spoken = current ?? previous
  useEffect(() => void loadTexts(code), [code])
  useEffect(() => {
    if (spoken !== null) document.documentElement.lang = spoken.code
  }, [spoken])
  if (spoken === null) return waiting
  return (
    <I18nProvider locale={spoken.locale}>
      <LanguageContext value={spoken.words}>{children}</LanguageContext>
    </I18nProvider>
  )
}

/** Returns the texts (`t`) and formats (`f`) in the window's language. */
export function useLanguage(): Words {
  const words = useContext(LanguageContext)
  if (words === null) throw new Error('This component is outside of LanguageProvider.')
  return words
}

// The language of the window: texts and formats by the settings, given to every component below.
// It chooses by languageOf alone.
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { I18nProvider } from 'react-aria-components'
import type { Failure } from '../../src-shared/contract.ts'
import { createFormats, type Formats } from '../../src-shared/i18n/formats.ts'
import { languageOf, type Texts, textsOf } from '../../src-shared/i18n/texts.ts'
import type { Reason } from '../../src-shared/model.ts'
import { useApp } from './store.ts'

interface Language {
  readonly t: Texts
  readonly f: Formats
}

const LanguageContext = createContext<Language>({ t: textsOf('en'), f: createFormats('en', textsOf('en').time) })

export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const chosen = useApp((state) => state.settings?.language ?? 'system')
  const system = useApp((state) => state.boot?.locale ?? 'en')
  const code = languageOf(chosen, system)
  // Figures and dates follow the region of the system where its language is the one shown.
  const locale = system.toLowerCase().startsWith(code) ? system : code
  const value = useMemo(() => {
    const t = textsOf(code)
    return { t, f: createFormats(locale, t.time) }
  }, [code, locale])
  useEffect(() => {
    document.documentElement.lang = code
  }, [code])
  return (
    <I18nProvider locale={locale}>
      <LanguageContext value={value}>{children}</LanguageContext>
    </I18nProvider>
  )
}

/** `t`: texts, `f`: formats. */
export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/** The sentence for a reason, with its time. */
export function reasonSentence({ t, f }: Language, reason: Reason, until: number | null, now: number): string {
  return t.reasons[reason](until === null ? '' : f.when(until, now))
}

/** A failure in the language of the window; what the service or the system said stands behind it. */
export function failureWords({ t }: Language, failure: Failure): { readonly title: string; readonly hint: string } {
  return t.failures[failure.code]
}

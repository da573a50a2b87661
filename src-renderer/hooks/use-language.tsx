// The language of the window: provides texts and formats to all components, according to the settings.
// languageOf chooses the language.
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createFormats } from '../../src-shared/i18n/formats.ts'
import { languageOf, textsOf } from '../../src-shared/i18n/texts.ts'
import type { Words } from '../lib/words.ts'
import { useApp } from '../state/store.ts'

const LanguageContext = createContext<Words>({ t: textsOf('en'), f: createFormats('en', textsOf('en').time) })

export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const chosen = useApp((state) => state.settings?.language ?? 'system')
  const system = useApp((state) => state.boot?.locale ?? 'en')
  const code = languageOf(chosen, system)
  // Numbers and dates follow the system's region if the system uses the same language.
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

/** `t` contains the texts, `f` the formats. */
export function useLanguage(): Words {
  return useContext(LanguageContext)
}

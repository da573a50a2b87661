// The catalogues of the window's texts, with both languages in memory, as the shell needs them. The page
// loads one language at a time (src-renderer/state/texts.ts). The shell's own texts are separate, in each
// language's shell.ts.
import { de } from './de/german.ts'
import { en } from './en/english.ts'
import type { LanguageCode } from './language.ts'
import type { Widen } from './widen.ts'

/** Shared texts at the top level, those of a view under its name. */
export type Texts = Widen<typeof en>

const ALL: Readonly<Record<LanguageCode, Texts>> = { en, de }

/** Returns the catalogue of a language, always as the same object. */
export function textsOf(language: LanguageCode): Texts {
  return ALL[language]
}

// Words that Slipway no longer uses: phrases refused in the texts on screen, and words refused in code
// comments. Each rule takes a text and returns its faults, so that a test can pass it a bad example.

/**
 * Phrases that read like a translation. Matched case-insensitively in the catalogues of src-shared/i18n,
 * except in comments.
 */
const SCREEN_PHRASES: Readonly<Record<'en' | 'de', readonly RegExp[]>> = {
  en: [
    /request budget/,
    /\banew\b/,
    /disk refused/,
    /(?:minute|day) is full/,
    /\bgoes on\b/,
    /\bneeds? you\b/,
    /\b(?:your|a) word\b/,
    /\bstands? here\b/,
    /\bnothing fits\b|\bno \w+ fits\b/,
    /\btold\b|\bdoes not tell\b/,
    /\ball of it\b/,
    /\b(?:up|down)wards\b/,
    /\b(?:is|are|was|were) (?:already )?up\b/,
    /\blook(?:ed|s)? through\b/,
    /\bplan takes\b/,
    /\bon (?:its|their) way\b/,
    /\bof ours\b/,
    /\bleft (?:here|out)\b/,
    /\bby (?:itself|themselves)\b/,
    /\b(?:nobody|somebody|whoever)\b/,
    /\bcounts at once\b/,
    /\b(?:is|are) not there\b/,
    /\bmended\b/,
  ],
  de: [
    /anfragebudget/,
    /\bbrauch(?:t|en) dich\b/,
    /(?:minute|tag) ist voll/,
    /\bdein wort\b/,
    /\bnichts passt\b/,
    /durchgesehen|durchsehen/,
    /nächster blick/,
    /beobachte/,
    /\bunterwegs\b/,
    /\b(?:ist|sind|war|waren) (?:schon )?oben\b/,
    /\bgescheitert\b/,
    /\bbeiseite\b/,
    /\bkern\b/,
    /\bvon selbst\b/,
    /\b(?:ist|sind) nicht da\b/,
  ],
}

/** Old phrases in a catalogue, with line numbers. */
export function screenFaults(language: 'en' | 'de', source: string): string[] {
  return source.split('\n').flatMap((line, at) => {
    if (commentOf(line) !== null) return []
    return SCREEN_PHRASES[language].flatMap((phrase) => {
      const found = new RegExp(phrase, 'iu').exec(line)
      return found === null ? [] : [`${at + 1}: says "${found[0]}"`]
    })
  })
}

/** Words that comments no longer use, and what to write instead. */
export const OLD_WORDS = {
  errand: { pattern: /\berrands?\b/i, instead: 'background job' },
  'in doubt': { pattern: /\bin doubt\b/i, instead: 'unconfirmed' },
  'set back': { pattern: /\bset back\b/i, instead: 'clock rollback' },
  'put by': { pattern: /\bput (?:by|aside)\b/i, instead: 'deferred, or moved aside' },
  'last words': { pattern: /\blast words\b/i, instead: 'shutdown grace period' },
  anew: { pattern: /\banew\b/i, instead: 'again, or a new one' },
  'the like': { pattern: /\bthe like\b/i, instead: 'name the others' },
  nobody: { pattern: /\b(?:nobody|somebody|whoever)\b/i, instead: 'nothing, no caller, the user' },
  told: { pattern: /\b(?:told|tells?)\b(?! (?:\w+ )?apart)/i, instead: 'reports, shows, knows' },
  stands: { pattern: /\bstands?\b(?!-)/i, instead: 'is' },
  mend: { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
} as const satisfies Readonly<Record<string, { readonly pattern: RegExp; readonly instead: string }>>

export type OldWord = keyof typeof OLD_WORDS
export type Room = 'src-shared' | 'src-renderer' | 'src-main'

/**
 * How many comment lines may still use each word. These numbers only ever decrease. A word that isn't listed
 * is forbidden.
 */
const STILL_ALLOWED: Readonly<Record<Room, Partial<Readonly<Record<OldWord, number>>>>> = {
  'src-shared': {},
  'src-renderer': {},
  'src-main': {},
}

/** The comment of a line; null if it has none. Two slashes inside a URL don't begin a comment. */
function commentOf(line: string): string | null {
  return /(?:^|\s)(\/\/.*|\/\*.*)$/.exec(line)?.[1] ?? /^\s*(\*(?:\s.*)?)$/.exec(line)?.[1] ?? null
}

/** The line numbers of comments that use each old word. */
export function oldWordLines(source: string): ReadonlyMap<OldWord, readonly number[]> {
  const found = new Map<OldWord, number[]>()
  for (const [at, line] of source.split('\n').entries()) {
    const comment = commentOf(line)
    if (comment === null) continue
    for (const [word, { pattern }] of Object.entries(OLD_WORDS)) {
      if (!pattern.test(comment)) continue
      const lines = found.get(word as OldWord) ?? []
      lines.push(at + 1)
      found.set(word as OldWord, lines)
    }
  }
  return found
}

export interface CommentCount {
  readonly word: OldWord
  readonly room: Room
  readonly places: readonly string[]
  readonly allowed: number
}

/** All old words in the comments of a source folder, by file. */
export function countComments(room: Room, sources: ReadonlyMap<string, string>): readonly CommentCount[] {
  const places = new Map<OldWord, string[]>()
  for (const [file, source] of sources)
    for (const [word, lines] of oldWordLines(source))
      places.set(word, [...(places.get(word) ?? []), ...lines.map((line) => `${file}:${line}`)])
  return (Object.keys(OLD_WORDS) as OldWord[]).map((word) => ({
    word,
    room,
    places: places.get(word) ?? [],
    allowed: STILL_ALLOWED[room][word] ?? 0,
  }))
}

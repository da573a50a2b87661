// Names what is pasted, taken from the screen or dropped without a name. The user can choose the pattern.
// Every result is a valid file name on every system. Pure; the settings preview it.
import { plainName } from './format.ts'

export type PasteKind = 'picture' | 'text' | 'screenshot'

export interface PasteNameWords {
  /** The pattern that applies unless the user chooses another one. */
  readonly pattern: string
  readonly kinds: Readonly<Record<PasteKind, string>>
}

/** The words that a pattern may contain. */
const WORDS = /\{(kind|date|time)\}/g
/** Maximum length in UTF-16 code units, so that an extension and a number still fit into 255 bytes. */
const LONGEST = 80
/** Names of devices, which Windows takes for these, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|[.\s])/i

function stamp(now: number): { readonly date: string; readonly time: string } {
  const date = new Date(now)
  const two = (n: number): string => String(n).padStart(2, '0')
  return {
    date: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: `${two(date.getHours())}.${two(date.getMinutes())}.${two(date.getSeconds())}`,
  }
}

/** Makes a name valid on every system; '' if nothing of it is left. */
export function fileName(name: string): string {
  const clean = plainName(name)
    .replaceAll(/[/\\:*?"<>|]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .slice(0, LONGEST)
    // A name in which a character is cut in half couldn't be written.
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    // A dot hides a file at the start of its name, and Windows drops it at the end, like a space.
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '')
  return DEVICE.test(clean) ? `_${clean}` : clean
}

/** The name without its extension. `pattern`: null, or one of which nothing is left, means the default. */
export function pasteName(
  pattern: string | null,
  kind: PasteKind,
  now: number,
  words: PasteNameWords,
): string {
  const values: Readonly<Record<string, string>> = { ...stamp(now), kind: words.kinds[kind] }
  const filled = (text: string): string =>
    fileName(text.replaceAll(WORDS, (_all, word: string) => values[word] ?? ''))
  const name = filled(pattern ?? words.pattern)
  return name === '' ? filled(words.pattern) : name
}

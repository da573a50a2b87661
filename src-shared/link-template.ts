// Formats the text to copy for one or more links, in one of the built-in styles or with the user's template.
// The shell copies this text and the window previews it. Control characters in names and addresses are
// escaped or replaced, so that they can't break a line or be executed where the text is pasted, for example
// in a terminal.
import { formatBytes, formatLink, printable } from './format.ts'
import type { LinkStyle } from './settings.ts'

/** The file details that the text copied for a link may include. */
export interface LinkFile {
  readonly name: string
  readonly url: string
  /** Null if unknown. */
  readonly bytes: number | null
  /** The upload time in epoch milliseconds, or null if unknown. */
  readonly at: number | null
}

const WORDS = /\$(url|name|stem|ext|size|date)|\{(url|name|stem|ext|size|date)\}/g
/** Text that looks like a placeholder, whether or not it is one. */
const WORD_LIKE = /\$[a-zA-Z]+|\{[a-zA-Z]+\}/g

/** Returns null if a Date can't hold this time. */
function localDay(at: number): string | null {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return null
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * Marks an unknown value while a template is expanded. If the template itself contains this character, the
 * character is removed first.
 */
const GAP = '\u0000'

/**
 * Removes gaps and the punctuation around them. Without size and date, `$name ($size, $date)` becomes
 * `$name`.
 */
function withoutGaps(template: string): string {
  let text = template
  for (let last = ''; last !== text; ) {
    last = text
    text = text
      .replaceAll(/([([{])[ \t]*\0[ \t]*([)\]}])/g, GAP)
      .replaceAll(/([,;|·–—/-]+)[ \t]*\0[ \t]*[,;|·–—/-]+/g, '$1')
      .replaceAll(/\0[ \t]*[,;|·–—/-]+[ \t]*(?=\S)/g, GAP)
      .replaceAll(/[ \t]*[,;|·–—/-]+[ \t]*\0/g, GAP)
      .replaceAll(/\0[ \t]*\0/g, GAP)
  }
  return text.replaceAll(/[ \t]+\0(?=[ \t]|[:.!?)\]}]|$)/gm, '').replaceAll(/\0[ \t]?/g, '')
}

/**
 * Replaces `$url $name $stem $ext $size $date`, or the same words in braces, in one pass, so that a value
 * that contains one of them isn't expanded again. Unknown values are removed with the punctuation around
 * them.
 */
function expand(template: string, file: LinkFile): string {
  const name = printable(file.name)
  const dot = name.lastIndexOf('.')
  // `.profile` is a stem without an extension.
  const cut = dot > 0 ? dot : name.length
  const size = file.bytes === null ? null : formatBytes(file.bytes)
  const date = file.at === null ? null : localDay(file.at)
  const values: Readonly<Record<string, string | null>> = {
    url: printable(file.url),
    name,
    stem: name.slice(0, cut),
    ext: name.slice(cut + 1),
    size,
    date,
  }
  const known = template
    .replaceAll(GAP, '')
    .replaceAll(WORDS, (whole, dollar?: string, brace?: string) =>
      values[dollar ?? brace ?? ''] === null ? GAP : whole,
    )
  return (known.includes(GAP) ? withoutGaps(known) : known).replaceAll(
    WORDS,
    (whole, dollar?: string, brace?: string) => values[dollar ?? brace ?? ''] ?? whole,
  )
}

/**
 * Returns what is wrong with a template: it is empty, has no link, or contains an unknown placeholder.
 * Returns null if it is valid.
 */
export function templateFault(
  template: string,
): { readonly what: 'empty' | 'no-url' } | { readonly what: 'unknown'; readonly word: string } | null {
  if (template.trim() === '') return { what: 'empty' }
  // A placeholder may be followed directly by other text, as in `$name_1`.
  const word = template.match(WORD_LIKE)?.find((one) => one.search(WORDS) !== 0)
  if (word !== undefined) return { what: 'unknown', word }
  return hasLink(template) ? null : { what: 'no-url' }
}

/** Whether text in this format contains the link. */
export function hasLink(template: string): boolean {
  return template.includes('$url') || template.includes('{url}')
}

/**
 * Whether text in this format is no command if it is pasted into a terminal: each line begins with a
 * placeholder or with punctuation, and nothing in it ends a command or redirects its output.
 */
export function isPlainTemplate(template: string): boolean {
  const literal = template.replaceAll(WORDS, 'x')
  const start = template.trimStart()
  return (
    printable(literal) === literal &&
    !/[;&|<>`$\\]/.test(literal) &&
    (start.search(WORDS) === 0 || /^[[–—•*+-]/.test(start))
  )
}

/**
 * Returns the text to copy, with one line per file in the given order, or several lines per file if the
 * template has several.
 */
export function linkText({
  style,
  template,
  files,
}: {
  readonly style: LinkStyle
  readonly template: string
  readonly files: readonly LinkFile[]
}): string {
  return files
    .map((file) => (style === 'template' ? expand(template, file) : formatLink(style, file)))
    .join('\n')
}

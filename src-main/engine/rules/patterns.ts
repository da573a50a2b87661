// Matches paths against patterns in gitignore syntax, which mean what they mean to git; its tests ask git
// itself. Matching never takes longer than the pattern's length times the path's, whatever a rules file
// contains. Composed and decomposed accents count as the same: keyboards write `ä` as one character, macOS
// and archives made there often as two.

/** Maximum number of directories whose results are cached. */
const CACHED_MAX = 2000
/**
 * Maximum total length, in characters, of patterns that aren't simple. At worst, that many take 0.1 s for a
 * path of 4,000 characters.
 */
const COMPLEX_MAX = 8 * 1024
const SPECIAL = /[*?[\\]/
const SLASH = 0x2f
const [isDigit, isLower, isUpper] = [between('0', '9'), between('a', 'z'), between('A', 'Z')]
const isGraph = between('!', '~')

export interface Tested {
  readonly ignored: boolean
  /** Whether a pattern with `!` re-includes the path. */
  readonly unignored: boolean
  /** The pattern that decided, as written. */
  readonly pattern: string | null
}

interface Pattern {
  readonly text: string
  readonly isNegated: boolean
  readonly isForDirs: boolean
  /** Whether the pattern is matched against the last name of a path instead of the whole path. */
  readonly isForNames: boolean
  readonly matches: (text: string) => boolean
}

export class Patterns {
  readonly #ignoresCase: boolean
  /** Those that take precedence first. */
  readonly #patterns: readonly Pattern[]
  /** The pattern that matches a directory, or null. */
  readonly #dirs = new Map<string, Pattern | null>()

  /** `patterns`: the text of a rules file, or single patterns. Later ones take precedence. */
  constructor(patterns: string | readonly string[], ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase
    this.#patterns = linesOf(patterns)
      .flatMap((line) => parse(this.#comparable(line), line) ?? [])
      .toReversed()
  }

  /**
   * Whether the patterns ignore the path or re-include it. A path with a slash at its end is a directory. A
   * path in an ignored directory is ignored, unless `isReincluded` returns true for that directory (with a
   * slash at its end), because other patterns take precedence.
   */
  test(path: string, isReincluded: (dir: string) => boolean = () => false): Tested {
    for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
      const above = this.#ofDir(path.slice(0, at))
      if (above?.isNegated === false && !isReincluded(path.slice(0, at + 1))) return resultOf(above)
    }
    return resultOf(path.endsWith('/') ? this.#ofDir(path.slice(0, -1)) : this.#find(path, false))
  }

  #ofDir(path: string): Pattern | null {
    const known = this.#dirs.get(path)
    if (known !== undefined) return known
    const found = this.#find(path, true)
    if (this.#dirs.size >= CACHED_MAX) this.#dirs.clear()
    this.#dirs.set(path, found)
    return found
  }

  #find(path: string, isDir: boolean): Pattern | null {
    const text = this.#comparable(path)
    const name = text.slice(text.lastIndexOf('/') + 1)
    return (
      this.#patterns.find((one) => (isDir || !one.isForDirs) && one.matches(one.isForNames ? name : text)) ??
      null
    )
  }

  #comparable(text: string): string {
    const composed = text.normalize('NFC')
    return this.#ignoresCase ? composed.toLowerCase().replaceAll('[:upper:]', '[:lower:]') : composed
  }
}

/**
 * The number of the line at which these patterns become too complex to be matched quickly, counted from 1;
 * null if they don't.
 */
export function tooComplexAt(patterns: string | readonly string[]): number | null {
  let left = COMPLEX_MAX
  const at = linesOf(patterns).findIndex((line) => {
    if (!isSimple(line)) left -= line.length
    return left < 0
  })
  return at < 0 ? null : at + 1
}

function linesOf(patterns: string | readonly string[]): readonly string[] {
  return typeof patterns === 'string' ? patterns.split('\n').map((line) => line.replace(/\r$/, '')) : patterns
}

function resultOf(found: Pattern | null): Tested {
  return {
    ignored: found?.isNegated === false,
    unignored: found?.isNegated === true,
    pattern: found?.text ?? null,
  }
}

/** Null for a comment and an empty line. `written`: the line to report. */
function parse(line: string, written: string): Pattern | null {
  if (line.startsWith('#')) return null
  const trimmed = withoutSpaces(line)
  const isNegated = trimmed.startsWith('!')
  const whole = isNegated ? trimmed.slice(1) : trimmed
  const isForDirs = whole.endsWith('/')
  const body = isForDirs ? whole.slice(0, -1) : whole
  if (body === '') return null
  const isForNames = !body.includes('/')
  const matches = compileGlob(body.startsWith('/') ? body.slice(1) : body)
  return { text: withoutSpaces(written), isNegated, isForDirs, isForNames, matches }
}

/** The line without the spaces at its end, unless a backslash precedes them. */
function withoutSpaces(line: string): string {
  const trimmed = line.replace(/ +$/, '')
  if (trimmed === line) return line
  const backslashes = trimmed.length - trimmed.replace(/\\+$/, '').length
  return backslashes % 2 === 0 ? trimmed : `${trimmed} `
}

// Matches one glob as git's wildmatch does, without its recursion: `*` never crosses a slash, `**` between
// slashes does. Only the last `*` and the last `**` are ever tried again, because what an earlier one might
// have taken instead, a later one can take as well.
type Token =
  /** The pattern itself never matches, for example because a class isn't closed. */
  | { readonly kind: 'never' }
  | { readonly kind: 'literal'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'class'; readonly has: (code: number) => boolean }
  /** Any characters except slashes. */
  | { readonly kind: 'star' }
  /** Nothing, or anything up to a slash. */
  | { readonly kind: 'dirs' }
  /** The rest, whatever it is. */
  | { readonly kind: 'rest' }

/**
 * The function returns whether the glob matches a whole text. It takes time in proportion to the product of
 * their lengths.
 */
function compileGlob(glob: string): (text: string) => boolean {
  const special = glob.search(SPECIAL)
  if (special < 0) return (text) => text === glob
  if (glob[special] === '*' && isSimple(glob))
    return matchesAround(glob.slice(0, special), glob.slice(special + 1))
  // As in git, what precedes the first wildcard is compared first, so that `**` right after it counts as one
  // at the beginning.
  const before = glob.slice(0, special)
  const tokens = tokensOf(glob.slice(special))
  return (text) => text.startsWith(before) && matchesFrom(tokens, text, before.length)
}

/**
 * Whether the glob takes time in proportion to the text alone: without `*`, or with one and no other
 * wildcard.
 */
function isSimple(glob: string): boolean {
  return !glob.includes('*') || !SPECIAL.test(glob.replace('*', ''))
}

/** Matches `before`, anything without a slash, `after`. */
function matchesAround(before: string, after: string): (text: string) => boolean {
  const least = before.length + after.length
  return (text) => {
    if (text.length < least || !text.endsWith(after) || !text.startsWith(before)) return false
    const slash = text.indexOf('/', before.length)
    return slash < 0 || slash >= text.length - after.length
  }
}

function matchesFrom(tokens: readonly Token[], text: string, from: number): boolean {
  let at = from
  let next = 0
  /** The token after the last `*`, and where the text that this `*` takes ends; -1 without one. */
  let [star, starEnd] = [-1, 0]
  let [dirs, dirsEnd] = [-1, 0]
  for (;;) {
    const token = tokens[next]
    if (token?.kind === 'rest') return true
    if (token?.kind === 'star') {
      next++
      ;[star, starEnd] = [next, at]
    } else if (token?.kind === 'dirs') {
      next++
      ;[dirs, dirsEnd] = [next, at]
      star = -1
    } else {
      const length = token === undefined ? 0 : lengthOf(token, text, at)
      if (length > 0) {
        next++
        at += length
      } else if (token === undefined && at === text.length) return true
      else if (star >= 0 && starEnd < text.length && text[starEnd] !== '/') {
        starEnd++
        ;[next, at] = [star, starEnd]
      } else {
        const slash = dirs < 0 ? -1 : text.indexOf('/', dirsEnd)
        if (slash < 0) return false
        dirsEnd = slash + 1
        star = -1
        ;[next, at] = [dirs, dirsEnd]
      }
    }
  }
}

/** How many characters at this position the token matches; 0 if it doesn't match. */
function lengthOf(token: Token, text: string, at: number): number {
  if (token.kind === 'literal') return text[at] === token.char ? 1 : 0
  const code = text.codePointAt(at)
  if (code === undefined || code === SLASH) return 0
  const isMatch = token.kind === 'any' || (token.kind === 'class' && token.has(code))
  return !isMatch ? 0 : code > 0xffff ? 2 : 1
}

function tokensOf(glob: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at)
    if (char === '\\') {
      at++
      tokens.push(at < glob.length ? { kind: 'literal', char: glob.charAt(at) } : { kind: 'never' })
    } else if (char === '?') tokens.push({ kind: 'any' })
    else if (char === '[') {
      const found = classAt(glob, at + 1)
      if (found === null) return [...tokens, { kind: 'never' }]
      tokens.push({ kind: 'class', has: found.has })
      at = found.end
    } else if (char === '*') {
      const start = at
      while (glob[at + 1] === '*') at++
      const rest = glob.slice(at + 1)
      const isDeep = at > start && (start === 0 || glob[start - 1] === '/')
      if (isDeep && rest === '') tokens.push({ kind: 'rest' })
      else if (isDeep && rest.startsWith('/')) {
        tokens.push({ kind: 'dirs' })
        at++
      } else if (isDeep && rest.startsWith('\\/')) tokens.push({ kind: 'dirs' }, { kind: 'star' })
      else tokens.push({ kind: 'star' })
    } else tokens.push({ kind: 'literal', char })
  }
  return tokens
}

function between(first: string, last: string) {
  return (code: number) => code >= first.charCodeAt(0) && code <= last.charCodeAt(0)
}

const isAlpha = (code: number): boolean => isLower(code) || isUpper(code)
const isAlnum = (code: number): boolean => isAlpha(code) || isDigit(code)

const isIn = (chars: string) => (code: number) => chars.includes(String.fromCodePoint(code))

const NAMED: ReadonlyMap<string, (code: number) => boolean> = new Map([
  ['alnum', isAlnum],
  ['alpha', isAlpha],
  ['blank', isIn(' \t')],
  ['cntrl', (code: number) => code < 0x20 || code === 0x7f],
  ['digit', isDigit],
  ['graph', isGraph],
  ['lower', isLower],
  ['print', between(' ', '~')],
  ['punct', (code: number) => isGraph(code) && !isAlnum(code)],
  ['space', isIn(' \t\n\v\f\r')],
  ['upper', isUpper],
  ['xdigit', isIn('0123456789abcdefABCDEF')],
])

/**
 * The class whose first character after the bracket is at `start`. `end`: position of its closing bracket.
 * Null if it is malformed.
 */
function classAt(
  glob: string,
  start: number,
): { readonly has: (code: number) => boolean; readonly end: number } | null {
  const isNegated = glob[start] === '!' || glob[start] === '^'
  const first = isNegated ? start + 1 : start
  const parts: ((code: number) => boolean)[] = []
  /** The character before, with which a range may begin. */
  let from: number | null = null
  let at = first
  for (; at === first || glob[at] !== ']'; at++) {
    if (glob[at] === '-' && from !== null && at + 1 < glob.length && glob[at + 1] !== ']') {
      at += glob[at + 1] === '\\' ? 2 : 1
      const [low, high] = [from, glob.codePointAt(at)]
      if (high === undefined) return null
      parts.push((code) => code >= low && code <= high)
      from = null
      if (high > 0xffff) at++
      continue
    }
    const close = glob.startsWith('[:', at) ? glob.indexOf(']', at + 2) : -1
    if (glob.startsWith('[:', at) && close < 0) return null
    if (close > at + 2 && glob[close - 1] === ':') {
      const named = NAMED.get(glob.slice(at + 2, close - 1))
      if (named === undefined) return null
      parts.push(named)
      from = null
      at = close
      continue
    }
    if (glob[at] === '\\') at++
    const own = glob.codePointAt(at)
    if (own === undefined) return null
    parts.push((code) => code === own)
    from = own
    if (own > 0xffff) at++
  }
  return { has: (code) => parts.some((part) => part(code)) !== isNegated, end: at }
}

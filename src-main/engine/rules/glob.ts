// Matches one glob as git's wildmatch does, without its recursion: `*` never crosses a slash, `**` between slashes does. Only the last `*` and
// the last `**` are ever tried again, because what an earlier one might have taken instead, a later one can take as well.

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

const SPECIAL = /[*?[\\]/

/** The function returns whether the glob matches a whole text. It takes time in proportion to the product of their lengths. */
export function compileGlob(glob: string): (text: string) => boolean {
  const special = glob.search(SPECIAL)
  if (special < 0) return (text) => text === glob
  if (glob[special] === '*' && isSimple(glob)) return matchesAround(glob.slice(0, special), glob.slice(special + 1))
  // As in git, what precedes the first wildcard is compared first, so that `**` right after it counts as one at the beginning.
  const before = glob.slice(0, special)
  const tokens = tokensOf(glob.slice(special))
  return (text) => text.startsWith(before) && matches(tokens, text, before.length)
}

/** Whether the glob takes time in proportion to the text alone: without `*`, or with one and no other wildcard. */
export function isSimple(glob: string): boolean {
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

function matches(tokens: readonly Token[], text: string, from: number): boolean {
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

const SLASH = 0x2f

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

const between = (first: string, last: string) => (code: number) => code >= first.charCodeAt(0) && code <= last.charCodeAt(0)
const [isDigit, isLower, isUpper] = [between('0', '9'), between('a', 'z'), between('A', 'Z')]
const isAlpha = (code: number): boolean => isLower(code) || isUpper(code)
const isAlnum = (code: number): boolean => isAlpha(code) || isDigit(code)
const isGraph = between('!', '~')
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

/** The class whose first character after the bracket is at `start`. `end`: position of its closing bracket. Null if it is malformed. */
function classAt(glob: string, start: number): { readonly has: (code: number) => boolean; readonly end: number } | null {
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

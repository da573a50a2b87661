// Matches paths against patterns in gitignore syntax, which mean what they mean to git; its tests ask git itself. Matching never takes longer
// than the pattern's length times the path's, whatever a rules file contains. Composed and decomposed accents count as the same: keyboards
// write `ä` as one character, macOS and archives made there often as two.
import { compileGlob, isSimple } from './glob.ts'

/** Maximum number of directories whose results are cached. */
const CACHED_MAX = 2000
/** Maximum total length, in characters, of patterns that aren't simple (glob.ts). At worst, that many take 0.1 s for a path of 4,000 characters. */
const COMPLEX_MAX = 8 * 1024

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
   * Whether the patterns ignore the path or re-include it. A path with a slash at its end is a directory. A path in an ignored directory is
   * ignored, unless `isReincluded` returns true for that directory (with a slash at its end), because other patterns take precedence.
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
    return this.#patterns.find((one) => (isDir || !one.isForDirs) && one.matches(one.isForNames ? name : text)) ?? null
  }

  #comparable(text: string): string {
    const composed = text.normalize('NFC')
    return this.#ignoresCase ? composed.toLowerCase().replaceAll('[:upper:]', '[:lower:]') : composed
  }
}

/** The number of the line at which these patterns become too complex to be matched quickly, counted from 1; null if they don't. */
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
  return { ignored: found?.isNegated === false, unignored: found?.isNegated === true, pattern: found?.text ?? null }
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

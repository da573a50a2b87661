// Matches paths against patterns in gitignore syntax. Composed and decomposed accents count as the same: keyboards write `ä` as one
// character, macOS and archives made there often as two. Limits the memory of the library that does the matching, because the library keeps
// the result of every path that it was ever asked about.
import ignore, { type Ignore, type TestResult } from 'ignore'

/** After this many paths, the library's results are dropped. Each takes up to 300 bytes. */
const CACHED_MAX = 2000
/** Maximum number of re-included directories for which patterns are kept. */
const WITHOUT_MAX = 20

export class Patterns {
  readonly #ignoresCase: boolean
  #rules: Ignore
  #asked = 0
  /** These patterns with one more that re-includes a directory, by directory. */
  readonly #without = new Map<string, Patterns>()

  /** `patterns`: the text of a rules file, or single patterns. Later ones take precedence. */
  constructor(patterns: string | readonly (string | Ignore)[], ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase
    this.#rules = this.#create().add(typeof patterns === 'string' ? composed(patterns) : patterns.map(composed))
  }

  /**
   * Whether the patterns ignore the path or re-include it. A path with a slash at its end is a directory. A path in an ignored directory is
   * ignored, unless `isReincluded` returns true for that directory (with a slash at its end), because other patterns take precedence.
   */
  test(path: string, isReincluded: (dir: string) => boolean = () => false): TestResult {
    if (++this.#asked > CACHED_MAX) {
      this.#asked = 0
      this.#rules = this.#create().add(this.#rules)
    }
    const result = this.#rules.test(composed(path))
    const dir = result.ignored ? this.#ignoredAbove(path) : null
    if (dir === null || !isReincluded(dir)) return result
    const without = this.#withoutDir(dir)
    return without.#rules.test(composed(dir)).ignored ? result : without.test(path, isReincluded)
  }

  /** The topmost ignored directory above the path; null if there is none. */
  #ignoredAbove(path: string): string | null {
    for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
      const dir = path.slice(0, at + 1)
      if (this.#rules.test(composed(dir)).ignored) return dir
    }
    return null
  }

  #withoutDir(dir: string): Patterns {
    const known = this.#without.get(dir)
    if (known !== undefined) return known
    if (this.#without.size >= WITHOUT_MAX) this.#without.clear()
    const without = new Patterns([this.#rules, `!/${dir.replaceAll(/[\\*?[\]]/g, '\\$&')}`], this.#ignoresCase)
    this.#without.set(dir, without)
    return without
  }

  #create(): Ignore {
    // Without allowRelativePaths, a path that begins with a drive letter throws on Windows.
    return ignore({ allowRelativePaths: true, ignorecase: this.#ignoresCase })
  }
}

function composed<T>(text: T): T | string {
  return typeof text === 'string' ? text.normalize('NFC') : text
}

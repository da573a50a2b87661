// Matches paths against patterns in gitignore syntax. Limits the memory of the library that does this, because the library keeps the result
// of every path that it was ever asked about.
import ignore, { type Ignore, type TestResult } from 'ignore'

/** After this many paths, the library's results are dropped. Each takes up to 300 bytes. */
const CACHED_MAX = 5000

export class Patterns {
  readonly #ignoresCase: boolean
  #rules: Ignore
  #asked = 0

  /** `patterns`: the text of a rules file, or single patterns. Later ones take precedence. */
  constructor(patterns: string | readonly string[], ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase
    this.#rules = this.#create().add(patterns)
  }

  /** Whether the patterns ignore the path or re-include it. A path with a slash at its end is a directory. */
  test(path: string): TestResult {
    if (++this.#asked > CACHED_MAX) {
      this.#asked = 0
      this.#rules = this.#create().add(this.#rules)
    }
    return this.#rules.test(path)
  }

  #create(): Ignore {
    // Without allowRelativePaths, a path that begins with a drive letter throws on Windows.
    return ignore({ allowRelativePaths: true, ignorecase: this.#ignoresCase })
  }
}

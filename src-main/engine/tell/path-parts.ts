// Keeps the paths of forecasts and uploads that don't fit into one call, until the last call arrives. Only the
// newest CALLS_MOST are kept.
import { refuse } from './answers.ts'

const CALLS_MOST = 4

export const PARTS_MISSING = refuse('usage', 'Some paths are missing.', 'Send all of them again.')

export class PathParts {
  readonly #paths = new Map<string, string[]>()

  add(token: string, paths: readonly string[]): void {
    const all = this.#paths.get(token) ?? []
    for (const path of paths) all.push(path)
    this.#paths.set(token, all)
    for (const old of [...this.#paths.keys()].slice(0, -CALLS_MOST)) this.#paths.delete(old)
  }

  /**
   * Returns the paths kept under this token, followed by `last`, and forgets them. Returns null if they aren't
   * `count` paths, for example because this engine was started after some of them were sent: the result for
   * the others would be wrong.
   */
  take(
    last: readonly string[],
    parts: { readonly token: string; readonly count: number } | undefined,
  ): readonly string[] | null {
    if (parts === undefined) return last
    const paths = this.#paths.get(parts.token) ?? []
    this.#paths.delete(parts.token)
    return paths.length === parts.count ? [...paths, ...last] : null
  }
}

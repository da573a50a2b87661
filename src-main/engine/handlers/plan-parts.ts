// Keeps the paths of forecasts that don't fit into one call, until the last call arrives. Only the newest PLANS_MOST forecasts are kept.

const PLANS_MOST = 4

export class PlanParts {
  readonly #paths = new Map<string, string[]>()

  add(token: string, paths: readonly string[]): void {
    const all = this.#paths.get(token) ?? []
    for (const path of paths) all.push(path)
    this.#paths.set(token, all)
    for (const old of [...this.#paths.keys()].slice(0, -PLANS_MOST)) this.#paths.delete(old)
  }

  /**
   * Returns the paths kept under this token and forgets them. Returns null if they aren't `count` paths, for example because this engine was
   * started after some of them were sent: a forecast of the others would be wrong.
   */
  take(token: string, count: number): readonly string[] | null {
    const paths = this.#paths.get(token) ?? []
    this.#paths.delete(token)
    return paths.length === count ? paths : null
  }
}

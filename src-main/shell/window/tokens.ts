// Stores values, such as paths that the user picked, under random tokens, so that a page can refer to them
// but to nothing else. Only the newest values are kept, so that a page can't exhaust memory.
import { randomUUID } from 'node:crypto'

/** Number of values kept by default. */
const MOST = 20

export class Tokens<T> {
  readonly #values = new Map<string, T>()
  readonly #most: number

  constructor(most: number = MOST) {
    this.#most = most
  }

  add(value: T, token: string = randomUUID()): string {
    this.#values.set(token, value)
    for (const old of [...this.#values.keys()].slice(0, -this.#most)) this.#values.delete(old)
    return token
  }

  /** Returns undefined if the token was used up, dropped, or never issued. */
  get(token: string): T | undefined {
    return this.#values.get(token)
  }

  /** Like `get`, but invalidates the token. */
  take(token: string): T | undefined {
    const value = this.#values.get(token)
    this.#values.delete(token)
    return value
  }
}

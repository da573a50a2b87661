// Reads and writes small JSON files in the data folder, such as the window's position or unfinished drops. Each file is read and written as
// a whole, but not atomically. `read` returns null if the file is missing or invalid. Callers validate the content.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

export class JsonFile {
  readonly #file: string
  readonly #failed: (message: string) => void

  constructor(file: string, failed: (message: string) => void) {
    this.#file = file
    this.#failed = failed
  }

  read(): unknown {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch {
      return null
    }
  }

  /** Returns whether the file has been written. */
  write(state: unknown): boolean {
    return this.#try(() => writeFileSync(this.#file, JSON.stringify(state), { mode: 0o600 }))
  }

  /** Deletes the file. Returns whether it no longer exists. */
  remove(): boolean {
    return this.#try(() => rmSync(this.#file, { force: true }))
  }

  #try(change: () => void): boolean {
    try {
      change()
      return true
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error))
      return false
    }
  }
}

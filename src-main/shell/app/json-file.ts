// Reads and writes small JSON files in the data folder, such as the window's position or unfinished drops.
// Each file is written as a whole and atomically. `read` returns null if the file is missing or invalid.
// Callers validate the content.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setAsideSync } from '../../platform/data/patient-rename.ts'
import { replacePrivateFile } from '../../platform/data/private-file.ts'

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

  /** Returns whether the file has been written. If not, its previous content is unchanged. */
  write(state: unknown): boolean {
    return this.#try(() => replacePrivateFile(this.#file, JSON.stringify(state)))
  }

  /** Deletes the file. Returns whether it no longer exists. */
  remove(): boolean {
    return this.#try(() => rmSync(this.#file, { force: true }))
  }

  /**
   * Renames the file because its content is invalid, and reports its new name. Returns false if there is no
   * file. `now` is in epoch ms.
   */
  setAside(now: number): boolean {
    if (!existsSync(this.#file)) return false
    this.#try(() =>
      this.#failed(`The file couldn't be read and was set aside as ${setAsideSync(this.#file, now)}.`),
    )
    return true
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

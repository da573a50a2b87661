// A small file of the data folder that is read and written as a whole: where the window was, which drops are open. A file that can't be read
// counts as none; what it says is checked by its reader.
import { readFileSync, writeFileSync } from 'node:fs'

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

  write(state: unknown): void {
    try {
      writeFileSync(this.#file, JSON.stringify(state), { mode: 0o600 })
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error))
    }
  }
}

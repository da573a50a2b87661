// Where the window was, kept in a file of the data folder. A file that can't be read counts as none; what it says is checked by
// window/window-state.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import type { SavedWindow } from '../window/window-state.ts'

export class WindowFile {
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

  write(state: SavedWindow): void {
    try {
      writeFileSync(this.#file, JSON.stringify(state), { mode: 0o600 })
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error))
    }
  }
}

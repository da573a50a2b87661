// Stores the deletions that the engine hasn't received yet, in case this process crashes. The next process
// carries out only those marked as final, because the others may have been undone without the file being
// updated.
import * as z from 'zod/mini'
import { FileId } from '../../../src-shared/model.ts'

/** Delay before writing is retried after a failure. */
const RETRY_MS = 5000

/**
 * `final`: the deletion can no longer be undone, and no engine has received it. `link`: null if it is
 * unknown.
 */
const SavedFile = z.object({ fileId: FileId, link: z.nullable(z.string()), final: z.optional(z.boolean()) })
export type SavedFile = z.infer<typeof SavedFile>

/** The file for deletions in the folder of the engine's current account. */
export interface DeletionsFile {
  read(): unknown
  /** Returns whether the value has been stored. */
  write(value: unknown): boolean
  /** Deletes the file. Returns whether it no longer exists. */
  remove(): boolean
  /** Renames the file because its content is invalid. Returns false if there is no file. */
  setAside(): boolean
}

export interface SavedDeletionsOptions {
  readonly file: DeletionsFile
  readonly waiting: () => readonly SavedFile[]
  /** Called when a retry has succeeded. */
  readonly savedLate: () => void
  /** Called if the file is invalid, so that its deletions are unknown. */
  readonly unreadable: () => void
}

export class SavedDeletions {
  readonly #options: SavedDeletionsOptions
  #hasTaken = false
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(options: SavedDeletionsOptions) {
    this.#options = options
  }

  /**
   * Stores the deletions that are waiting now. If that fails, deletes the file and retries later. Returns
   * false if the file may still contain an outdated list.
   */
  save(): boolean {
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#hasTaken = true
    const { file, waiting, savedLate } = this.#options
    const files = waiting()
    if (file.write(files)) return true
    const isRemoved = file.remove()
    if (!isRemoved || files.length > 0)
      this.#retry = setTimeout(() => {
        if (this.save()) savedLate()
      }, RETRY_MS)
    return isRemoved
  }

  /**
   * Returns what an earlier process has stored for this account. Returns nothing if this or `save` was called
   * since the last `end`.
   */
  take(): readonly SavedFile[] {
    if (this.#hasTaken) return []
    this.#hasTaken = true
    const { file, unreadable } = this.#options
    const saved = z.array(SavedFile).safeParse(file.read())
    if (saved.success) return saved.data
    if (file.setAside()) unreadable()
    return []
  }

  /**
   * Stores the waiting deletions for the last time. Call before the process ends or the link changes to
   * another account's engine.
   */
  end(): void {
    if (this.#retry !== undefined || this.#options.waiting().length > 0) this.save()
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#hasTaken = false
  }
}

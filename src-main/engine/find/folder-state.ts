// Keeps the state of a watched folder: its settings as last read, the status shown to the user (for example, scanning or away, with the
// reason), and when a change in the folder was last noticed.
import type { Folder } from '../../../src-shared/model.ts'
import type { Files, FolderRow } from '../journal/files.ts'
import type { Clock } from '../ports.ts'
import { LeftInside } from './left-inside.ts'

const SILENT = "The drive isn't responding. The folder's uploads wait, and nothing counts as deleted."

export interface FolderStateOptions {
  readonly files: Files
  readonly clock: Pick<Clock, 'mono'>
  readonly folderId: number
  /** Called when the view has changed. */
  readonly onChange: () => void
}

export class FolderState {
  readonly id: number
  /** The folders inside this one whose watch has ended. */
  readonly left: LeftInside
  readonly #options: FolderStateOptions
  #row: FolderRow
  #state: Folder['state'] = 'idle'
  #message: string | null = null
  #isSilent = false
  #watching: Folder['watching'] = 'off'
  #limit: Folder['watchLimit']
  #changedAt = 0

  /** Throws if the journal has no such folder. */
  constructor(options: FolderStateOptions) {
    this.id = options.folderId
    this.#options = options
    this.#row = this.#read()
    this.left = new LeftInside({ files: options.files, folder: this.#row })
  }

  /** The folder's settings as last read, by the constructor or by `reload`. */
  get row(): FolderRow {
    return this.#row
  }

  get path(): string {
    return this.#row.path
  }

  get state(): Folder['state'] {
    return this.#state
  }

  /** The reason for the state, as shown to the user; null if it is obvious. */
  get message(): string | null {
    return this.#message
  }

  /** Whether the folder is away because its drive doesn't answer. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  get watching(): Folder['watching'] {
    return this.#watching
  }

  /** When a change in the folder was last noticed, in monotonic milliseconds. */
  get changedAt(): number {
    return this.#changedAt
  }

  reload(): void {
    this.#row = this.#read()
    this.left.reload()
  }

  /** Sets the state that the user sees. `message`: the reason for it; null if it is obvious. */
  show(state: Folder['state'], message: string | null): void {
    this.#show(state, message, false)
  }

  /** Shows the folder as away because its drive doesn't answer. */
  showSilent(): void {
    this.#show('away', SILENT, true)
  }

  /** `limit`: the system's limit because of which the folder is only rescanned. */
  setWatching(watching: Folder['watching'], limit?: Folder['watchLimit']): void {
    this.#watching = watching
    this.#limit = limit
    this.#options.onChange()
  }

  /** Stores the device and inode of the directory to which the folder's path refers now. */
  setRoot(dev: number, ino: number): void {
    this.#options.files.setRoot(this.id, dev, ino)
    this.reload()
    this.#options.onChange()
  }

  noteChange(): void {
    this.#changedAt = this.#options.clock.mono()
  }

  view(): Folder {
    const { path, existing, onChange, ignore } = this.#row
    return {
      id: this.id,
      path,
      existing,
      onChange,
      ignore: [...ignore],
      state: this.#state,
      watching: this.#watching,
      message: this.#message,
      ...(this.#limit === undefined ? {} : { watchLimit: this.#limit }),
      ...(this.#isSilent ? { silent: true } : {}),
      lastScanAt: this.#options.files.folder(this.id)?.lastScanAt ?? null,
    }
  }

  #show(state: Folder['state'], message: string | null, isSilent: boolean): void {
    if (this.#state === state && this.#message === message && this.#isSilent === isSilent) return
    this.#state = state
    this.#message = message
    this.#isSilent = isSilent
    this.#options.onChange()
  }

  #read(): FolderRow {
    const row = this.#options.files.folder(this.id)
    if (row === null) throw new Error('folder without a row')
    return row
  }
}

// Keeps the state of a watched folder: its settings as last read, the status shown to the user, and when a
// change was last noticed. `FolderSums` counts its files by state. folder-watch.ts finds out whether the
// folder is available.

import { setImmediate as yieldNow } from 'node:timers/promises'
import type { AuditSums, Folder } from '../../../src-shared/model.ts'
import type { Database } from '../journal/database.ts'
import type { Files, FolderRow, Place } from '../journal/files.ts'
import type { Clock } from '../ports.ts'
import type { WatchedRoots } from '../rules/path-facts.ts'
import type { Bus } from '../tell/bus.ts'
import { LeftInside } from './left-inside.ts'

const SILENT = "The drive isn't responding. The folder's uploads wait, and nothing counts as deleted."

// Counts a folder's files by state, a few thousand at a time, so that a million files don't block the thread.
// For a busy folder, the counts may be two seconds old, and a change made while counting may or may not be
// included. For an idle folder, they are exact.
const MAX_AGE_MS = 2000

/**
 * Any write to the journal, even for another folder, invalidates a count. After this many attempts, all files
 * are counted in one step.
 */
const ATTEMPTS_MAX = 3

export interface FolderStateOptions {
  readonly files: Files
  readonly clock: Pick<Clock, 'mono'>
  readonly folderId: number
  readonly roots: Pick<WatchedRoots, 'changed' | 'isOpen'>
  readonly bus: Pick<Bus, 'emit' | 'touched'>
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

  /** Reads the folder's settings again, and reports them. */
  announce(): void {
    this.reload()
    this.#changed()
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
    this.#changed()
  }

  /** Stores the device and inode of the directory to which the folder's path refers now. */
  setRoot(dev: number, ino: number): void {
    this.#options.files.setRoot(this.id, dev, ino)
    this.reload()
    this.#changed()
  }

  noteChange(): void {
    this.#changedAt = this.#options.clock.mono()
  }

  view(): Folder {
    const { path, existing, onChange, ignore, limits, paused, graceSeconds, after } = this.#row
    return {
      id: this.id,
      path,
      existing,
      onChange,
      ignore: [...ignore],
      ...(graceSeconds === 0 ? {} : { graceSeconds }),
      ...(after === 'keep' ? {} : { after }),
      ...(limits === null ? {} : { limits }),
      ...(paused ? { paused } : {}),
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
    this.#changed()
  }

  #changed(): void {
    const { files, roots, bus } = this.#options
    roots.changed()
    if (roots.isOpen(this.id))
      bus.emit({ kind: 'folder', folder: this.view(), settling: files.settlingCount(this.id) })
    bus.touched()
  }

  #read(): FolderRow {
    const row = this.#options.files.folder(this.id)
    if (row === null) throw new Error('folder without a row')
    return row
  }
}

interface FolderSumsOptions {
  readonly clock: Pick<Clock, 'mono'>
  readonly db: Pick<Database, 'writes'>
  readonly files: Pick<Files, 'sums' | 'sumsAfter'>
  readonly stop: AbortSignal
}

export class FolderSums {
  readonly #options: FolderSumsOptions
  readonly #known = new Map<
    number,
    { readonly at: number; readonly writes: number; readonly sums: AuditSums }
  >()
  /** Counts in progress, by folder and whether they must be exact. */
  readonly #running = new Map<string, Promise<AuditSums | null>>()

  constructor(options: FolderSumsOptions) {
    this.#options = options
  }

  /**
   * A folder's counts, or null if the engine is closing. `isBusy`: more changes are about to follow, so
   * counts that are up to two seconds old are good enough.
   */
  async of(folderId: number, isBusy: boolean): Promise<AuditSums | null> {
    const { clock, db } = this.#options
    const known = this.#known.get(folderId)
    if (
      known !== undefined &&
      (known.writes === db.writes() || (isBusy && clock.mono() - known.at < MAX_AGE_MS))
    )
      return known.sums
    const key = `${folderId} ${isBusy}`
    const running =
      this.#running.get(key) ?? this.#count(folderId, isBusy).finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }

  async #count(folderId: number, isBusy: boolean): Promise<AuditSums | null> {
    const { clock, db, files, stop } = this.#options
    for (let attempt = 1; ; attempt++) {
      const writes = db.writes()
      const sums = attempt > ATTEMPTS_MAX ? files.sums(folderId) : await this.#inSteps(folderId)
      if (sums === null || stop.aborted) return null
      if (!isBusy && db.writes() !== writes) continue
      this.#known.set(folderId, { at: clock.mono(), writes, sums })
      return sums
    }
  }

  async #inSteps(folderId: number): Promise<AuditSums | null> {
    const { files, stop } = this.#options
    const total = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
    for (let after: Place | null = null; ; ) {
      const { sums, next } = files.sumsAfter(folderId, after)
      for (const list of ['seen', 'uploaded', 'waiting', 'held', 'failed', 'ignored'] as const)
        total[list] += sums[list]
      if (next === null) return total
      after = next
      await yieldNow()
      if (stop.aborted) return null
    }
  }
}

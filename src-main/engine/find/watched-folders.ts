// Manages the folders that are currently watched: opens, shares and closes their sessions, and withdraws a
// folder's queue when the user stops watching it. folder.ts handles a single folder.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { Folder } from '../../../src-shared/model.ts'
import { below } from '../disk/rel-path.ts'
import type { FolderRow } from '../journal/files.ts'
import type { Journal } from '../journal/journal.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Entry, Ports } from '../ports.ts'
import type { RulesRoom, WatchedRoot } from '../rules/path-facts.ts'
import type { Bus } from '../tell/bus.ts'
import { leadsThroughLink } from './entries.ts'
import { LEFT_RULE } from './existing-files.ts'
import { createFolderSession, type FolderSession } from './folder.ts'

export interface WatchedFoldersOptions extends Journal, RulesRoom {
  readonly ports: Ports
  readonly bus: Bus
}

export class WatchedFolders {
  readonly #options: WatchedFoldersOptions
  readonly #sessions = new Map<number, FolderSession>()
  /** The commands that currently watch each folder, by folder ID. */
  readonly #watchers = new Map<number, Set<string>>()
  #isAttended = false
  #isClosed = false

  constructor(options: WatchedFoldersOptions) {
    this.#options = options
    options.files.endAbandoned(options.ports.clock.now())
  }

  sessions(): ReadonlyMap<number, FolderSession> {
    return this.#sessions
  }

  ids(): Iterable<number> {
    return this.#sessions.keys()
  }

  /** The watched folders that aren't paused. */
  sendingIds(): readonly number[] {
    return [...this.#sessions].flatMap(([id, session]) => (session.isPaused() ? [] : [id]))
  }

  pausedIds(): readonly number[] {
    return [...this.#sessions].flatMap(([id, session]) => (session.isPaused() ? [id] : []))
  }

  /** Whether the user has paused this folder. A transfer without a folder is in none. */
  isPaused(folderId: number | null): boolean {
    return folderId !== null && this.#sessions.get(folderId)?.isPaused() === true
  }

  /** Returns false if the folder isn't being watched. The setting outlasts a restart. */
  setPaused(folderId: number, isPaused: boolean): boolean {
    const session = this.#sessions.get(folderId)
    if (session === undefined) return false
    const { files, transfers, bus } = this.#options
    files.setFolderPaused(folderId, isPaused)
    session.announce()
    for (const id of transfers.queuedIds(folderId)) bus.changed(id)
    bus.wake('queue')
    return true
  }

  views(): Folder[] {
    return [...this.#sessions.values()].map((session) => session.view())
  }

  /** Whether transfers of this folder may be sent. Transfers without a folder always may. */
  isOpen(folderId: number | null): boolean {
    return folderId === null || this.#sessions.has(folderId)
  }

  isAttended(): boolean {
    return this.#isAttended
  }

  /**
   * Opens every folder that the app keeps watched. From now on, these folders stay open when the last command
   * stops watching them.
   */
  attend(): void {
    this.#isAttended = true
    for (const folder of this.#options.files.folders()) if (folder.keep) this.open(folder.id)
  }

  open(folderId: number): FolderSession {
    const had = this.#sessions.get(folderId)
    if (had !== undefined) return had
    const { ports, files, transfers, roots, bus } = this.#options
    const session = createFolderSession({ ...this.#options, folderId })
    this.#sessions.set(folderId, session)
    roots.setOpen(folderId, true)
    const now = ports.clock.now()
    for (const outer of this.#around(folderId)) files.nest(outer.id, folderId, now)
    for (const inner of this.#inside(folderId)) files.nest(folderId, inner.id, now)
    bus.wake('queue')
    const others = [
      ...roots.all().map((root) => root.id),
      ...files.endedInside(folderId).map(({ innerId }) => innerId),
    ]
    for (const id of transfers.reclaim(folderId, others)) bus.changed(id)
    this.#rescanAround(folderId)
    return session
  }

  async close(folderId: number): Promise<void> {
    const session = this.#sessions.get(folderId)
    if (session === undefined) return
    const { roots, bus } = this.#options
    this.#sessions.delete(folderId)
    roots.setOpen(folderId, false)
    bus.wake('queue')
    await session.close()
    this.#rescanAround(folderId)
    bus.touched()
  }

  /**
   * Registers a command that watches the folder. The folder stays open until the last command leaves, or
   * longer if the app watches it.
   */
  join(folderId: number, watcher: string): void {
    const all = this.#watchers.get(folderId) ?? new Set()
    this.#watchers.set(folderId, all.add(watcher))
  }

  async leave(folderId: number, watcher: string): Promise<void> {
    const all = this.#watchers.get(folderId)
    if (all?.delete(watcher) !== true || all.size > 0) return
    this.#watchers.delete(folderId)
    const isKept = this.#options.files.folder(folderId)?.keep === true
    if (this.#isAttended && isKept) return
    if (!isKept) this.#endInside(folderId)
    await this.close(folderId)
  }

  /**
   * Ends the watch at the user's request: closes the folder and withdraws its transfers, except those that
   * are in flight or over.
   */
  async end(folderId: number): Promise<void> {
    const { db, files, roots, ports } = this.#options
    db.tx(() => {
      this.#endInside(folderId)
      files.forgetInside(folderId, LEFT_RULE)
      files.setWithdrawn(folderId, ports.clock.now())
    })
    this.#watchers.delete(folderId)
    await this.close(folderId)
    roots.changed()
    await this.#withdraw(folderId)
  }

  /**
   * Withdraws the remaining transfers of folders that the user has stopped watching: uploads that were in
   * flight at that time and would be sent again, and transfers left by a withdrawal that was interrupted.
   */
  withdrawEnded(): void {
    if (this.#isClosed) return
    const { transfers, ports } = this.#options
    for (const folderId of transfers.toWithdraw())
      if (!this.#sessions.has(folderId))
        this.#withdraw(folderId).catch((error: unknown) =>
          ports.log.error('withdraw.failed', { message: String(error) }),
        )
  }

  /**
   * Notifies the session of folder `folderId` (null: none) that the upload of a file has ended, successfully
   * or not.
   */
  ended(row: TransferRow, folderId: number | null): void {
    if (folderId !== null) this.#sessions.get(folderId)?.ended(row)
  }

  /**
   * Passes a version that was found on disk to the session of the row's folder. Call inside a transaction.
   */
  versionChanged(row: TransferRow, entry: Entry): void {
    if (row.folderId !== null) this.#sessions.get(row.folderId)?.versionChanged(row, entry)
  }

  /**
   * Whether the folder of this row can't be reached right now, or has been replaced by another one or by a
   * link.
   */
  async isAway(row: TransferRow): Promise<boolean> {
    if (row.folderId === null) return false
    if (this.#sessions.get(row.folderId)?.isAway() === true) return true
    const folder = this.#options.files.folder(row.folderId)
    if (folder === null) return false
    const { disk } = this.#options.ports
    const root = await disk.resolve(folder.path)
    if ('code' in root || (await leadsThroughLink(disk, folder.path, root.real))) return true
    return folder.rootIno !== null && (root.entry.ino !== folder.rootIno || root.entry.dev !== folder.rootDev)
  }

  /**
   * Interrupts withdrawals in progress, and makes `withdrawEnded` do nothing from now on. Call when the
   * engine closes; `withdrawEnded` completes the withdrawals in a later run.
   */
  stop(): void {
    this.#isClosed = true
  }

  /**
   * Closes all sessions because the engine closes. The next engine determines which of their watches have
   * ended (`endAbandoned`).
   */
  async closeAll(): Promise<void> {
    const { db, files, ports, failed } = this.#options
    const closing = [...this.#sessions.values()].map((session) => session.close())
    try {
      db.tx(() => {
        for (const id of this.#sessions.keys()) files.setWatched(id, ports.clock.now())
      })
    } catch (error) {
      failed(error)
    }
    await Promise.all(closing)
  }

  /**
   * Rescans the folders that contain this one, because opening or closing it changes which folder governs its
   * files.
   */
  #rescanAround(folderId: number): void {
    for (const { id } of this.#around(folderId)) void this.#sessions.get(id)?.rescan()
  }

  /**
   * Records that the watch of this folder ends, so that the folders around it skip what is left in it. Call
   * before closing the session, so that a crash in between publishes nothing.
   */
  #endInside(folderId: number): void {
    const { files, roots, ports } = this.#options
    const outer = this.#around(folderId).map(({ id }) => id)
    // An engine that runs a single command opens no folders, so it may not be recorded yet that this folder
    // is inside others.
    if (roots.all().some(({ id }) => id === folderId))
      for (const id of outer) files.nest(id, folderId, ports.clock.now())
    files.endInside(folderId, ports.clock.now())
    for (const id of outer) this.#sessions.get(id)?.reload()
  }

  /**
   * The other folders that contain this one and that the user hasn't stopped watching, whether or not a command
   * watches them at the moment: `watch --once` does so only now and then.
   */
  #around(folderId: number): readonly Pick<FolderRow, 'id'>[] {
    const { files } = this.#options
    const path = files.folder(folderId)?.path ?? null
    const isAround = (one: FolderRow): boolean =>
      one.id !== folderId && one.withdrawnAt === null && path !== null && below(one.path, path) !== null
    return files.folders().filter(isAround)
  }

  /** The other watched folders inside this one. */
  #inside(folderId: number): readonly WatchedRoot[] {
    const path = this.#options.files.folder(folderId)?.path ?? null
    return path === null
      ? []
      : this.#options.roots.all().filter((root) => root.id !== folderId && below(path, root.path) !== null)
  }

  async #withdraw(folderId: number): Promise<void> {
    const { files, transfers, bus } = this.#options
    // If the folder was watched again while the old session closed, its settling files belong to the new
    // session.
    if (this.#sessions.has(folderId)) return
    files.dropSettling(folderId)
    for (let after: number | null = 0; after !== null && !this.#isClosed && !this.#sessions.has(folderId); ) {
      const step = transfers.withdraw(folderId, after)
      for (const id of step.ids) bus.changed(id)
      after = step.next
      if (after !== null) await yieldNow()
    }
    bus.touched()
  }
}

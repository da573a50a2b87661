// Runs the session of one watched folder: connects the watcher, the aggregator, the scanner and the checks of
// unfinished files, and handles their results. Sends nothing.
import type { Folder } from '../../../src-shared/model.ts'
import { sameVersion } from '../disk/content.ts'
import { absolute, below, child, split } from '../disk/rel-path.ts'
import { writeTrouble } from '../journal/disk-trouble.ts'
import type { Journal } from '../journal/journal.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Entry, Ports } from '../ports.ts'
import type { RulesRoom } from '../rules/path-facts.ts'
import type { Bus } from '../tell/bus.ts'
import { type Aggregator, createAggregator, type Work } from './aggregator.ts'
import { Findings } from './apply-findings.ts'
import {
  type CheckVerdict,
  type ContentCheck,
  createContentCheck,
  createRelook,
  type Doubt,
  MovedBytes,
  type Relook,
} from './content-check.ts'
import { Enqueuer, isUndecided, UNVERIFIED_CTIME } from './enqueue.ts'
import { ExistingFiles } from './existing-files.ts'
import { FolderRules } from './folder-rules.ts'
import { FolderState } from './folder-state.ts'
import { FolderRoot, FolderWatch } from './folder-watch.ts'
import { RESCAN_BLIND_MS, ScanQueue } from './scan-queue.ts'
import { createScanner, type Scanner } from './scanner.ts'
import { createSettle, type Settle } from './settle.ts'

/** Delay before a retry after findings could not be written to the journal. */
const JOURNAL_RETRY_MS = 5000

export interface SessionOptions extends Journal, RulesRoom {
  readonly ports: Ports
  readonly folderId: number
  readonly bus: Bus
}

export interface FolderSession {
  view(): Folder
  /**
   * Starts watching the folder and scans it. Call again to restart the watcher when different directories
   * have to be left out.
   */
  start(): Promise<void>
  rescan(): Promise<void>
  /**
   * Call when a transfer has ended: scans its file now if the file changed while the transfer was in flight.
   */
  ended(row: TransferRow): void
  /**
   * Whether nothing is being scanned, observed or compared, and the last full scan began after the last
   * change.
   */
  isQuiet(): boolean
  /**
   * Scans the folder again if nothing is left to do but the last full scan is older than the last change.
   * Call this when a caller waits for the folder to become quiet.
   */
  confirm(): void
  /** When the next file may be finished (epoch milliseconds); null if none is being observed. */
  settlesAt(): number | null
  /** Whether the whole folder has been scanned since the session began. */
  hasScanned(): boolean
  isAway(): boolean
  /** Whether the folder is away because its drive doesn't answer. */
  isSilent(): boolean
  /** Reads the folder's settings again, and what was left in the folders inside it. */
  reload(): void
  /** Reads the folder's settings again, and reports them. */
  announce(): void
  isPaused(): boolean
  /**
   * Updates the file's row to the version `entry`, which an upload found on disk in place of the queued
   * version.
   */
  versionChanged(row: TransferRow, entry: Entry): void
  close(): Promise<void>
}

/** Opens a session for a folder that is recorded in the journal: starts watching the folder and scans it. */
export function createFolderSession(options: SessionOptions): FolderSession {
  const session = new Session(options)
  void session.start()
  return session
}

class Session implements FolderSession {
  readonly #options: SessionOptions
  readonly #state: FolderState
  readonly #watch: FolderWatch
  readonly #aggregator: Aggregator
  readonly #scans: ScanQueue
  readonly #scanner: Scanner
  readonly #settle: Settle
  readonly #check: ContentCheck
  readonly #relook: Relook
  readonly #enqueuer: Enqueuer
  readonly #findings: Findings
  #isConfirming = false
  #isClosed = false

  constructor(options: SessionOptions) {
    const { ports, db, files, transfers, claims, folderId, admission, guard, roots, bus } = options
    const { clock, disk, log } = ports
    this.#options = options
    const state = new FolderState({ files, clock, folderId, roots, bus })
    const rules = new FolderRules({ clock, disk, admission, guard, state })
    const root = new FolderRoot(disk, files, state, admission)
    const moved = new MovedBytes(transfers)
    const existing = new ExistingFiles(state, transfers)
    const aggregator = createAggregator({
      clock,
      onWork: (work) => this.#onWork(work),
      debug: log.debug?.('aggregator') ?? null,
    })
    const settle = createSettle({
      clock,
      disk,
      onSettled: (list) => this.#onSettled(list),
      onFailed: (error) =>
        log.error('settle.failed', {
          folder: folderId,
          message: error instanceof Error ? error.message : String(error),
        }),
      onGone: (path) => this.#scanPath(path),
      debug: log.debug?.('settle') ?? null,
    })
    const check = createContentCheck({
      clock,
      disk,
      hashing: ports.hashing,
      onVerdict: (doubt, verdict, entry, sha256) => this.#onCompared(doubt, verdict, entry, sha256),
      onIdle: (missed) => {
        if (missed) this.#scans.schedule(0)
        bus.wake('lookups')
      },
    })
    const relook = createRelook({
      clock,
      disk,
      onMoved: (path) => this.#scanPath(path),
      onMapped: (path, entry) => this.#onMapped(path, entry),
    })
    const parts = {
      clock,
      db,
      disk,
      files,
      transfers,
      claims,
      guard,
      state,
      rules,
      root,
      moved,
      existing,
      bus,
    }
    const enqueuer = new Enqueuer({ ...parts, relook, check })
    const findings = new Findings({ ...parts, aggregator, settle, check, enqueuer })
    const scanner = createScanner({ ...parts, sink: findings, debug: log.debug?.('scanner') ?? null })
    this.#state = state
    this.#aggregator = aggregator
    this.#settle = settle
    this.#check = check
    this.#relook = relook
    this.#enqueuer = enqueuer
    this.#findings = findings
    this.#scanner = scanner
    this.#watch = new FolderWatch({
      ...parts,
      watch: ports.watch,
      log,
      own: admission.own,
      aggregator,
      onBlind: () => this.#scans.schedule(RESCAN_BLIND_MS),
    })
    this.#scans = new ScanQueue({
      ...parts,
      random: ports.random,
      log,
      journal: options,
      prepare: async (wasAway) => {
        if (wasAway || this.#watch.needsStart) this.#watch.start()
        // Files that an earlier scan ignored may no longer be ignored, and vice versa.
        if ((await rules.readAbove()) && this.#scans.hasScannedAll) aggregator.add({ kind: 'all' })
      },
      scanAll: (signal) => state.left.counting(() => scanner.tree('', signal)),
      onScannedAll: () => this.#onScannedAll(),
    })
  }

  start(): Promise<void> {
    this.#watch.start()
    return this.#scans.rescan()
  }

  view(): Folder {
    return this.#state.view()
  }

  rescan(): Promise<void> {
    return this.#scans.rescan()
  }

  ended(row: TransferRow): void {
    this.#state.noteChange()
    if (this.#enqueuer.takeRecheck(row.id)) this.#scanPath(row.path)
  }

  isQuiet(): boolean {
    return this.#isIdle() && this.#scans.hasScannedAfter(this.#state.changedAt)
  }

  confirm(): void {
    if (this.#isConfirming || this.isQuiet() || !this.#isIdle() || this.#state.state !== 'watching') return
    this.#isConfirming = true
    void this.#scans.rescan().finally(() => {
      this.#isConfirming = false
    })
  }

  settlesAt(): number | null {
    return this.#settle.nextAt()
  }

  hasScanned(): boolean {
    return this.#scans.hasScannedAll
  }

  isAway(): boolean {
    return this.#state.state === 'away'
  }

  isSilent(): boolean {
    return this.#state.isSilent
  }

  reload(): void {
    this.#state.reload()
  }

  announce(): void {
    this.#state.announce()
  }

  isPaused(): boolean {
    return this.#state.row.paused
  }

  versionChanged(row: TransferRow, entry: Entry): void {
    const { files } = this.#options
    const rel = below(this.#state.path, row.path)
    if (rel === null) return
    const { dir, name } = split(rel)
    const file = files.file(this.#state.id, dir, name)
    if (file !== null)
      files.put({
        ...file,
        size: entry.size,
        mtime: entry.mtime,
        ino: entry.ino,
        dev: entry.dev,
        ctime: entry.ctime,
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#scans.stop()
    this.#aggregator.close()
    this.#settle.close()
    this.#check.close()
    this.#relook.close()
    await this.#watch.close()
    await this.#scans.ended()
  }

  #isIdle(): boolean {
    return this.#scans.isEmpty && this.#settle.size() === 0 && this.#check.size() === 0
  }

  /** Scans one absolute path. Does nothing if it is outside the folder. */
  #scanPath(path: string): void {
    const rel = below(this.#state.path, path)
    if (rel !== null) void this.#scans.add((signal) => this.#scanner.paths([rel], signal))
  }

  async #onWork(work: Work): Promise<void> {
    if (work.all) return this.#scans.rescan()
    if (work.paths.length > 0) await this.#scans.add((signal) => this.#scanner.paths(work.paths, signal))
    if (work.dirs.length > 0) await this.#scans.add((signal) => this.#scanner.dirs(work.dirs, signal))
    for (const tree of work.trees) await this.#scans.add((signal) => this.#scanner.tree(tree, signal))
  }

  #onScannedAll(): void {
    const { files, ports } = this.#options
    const state = this.#state
    if (!state.row.counted) {
      files.setCounted(state.id)
      state.reload()
    }
    files.setScanned(state.id, ports.clock.now())
    // Resumes the observation of files that were still settling when an earlier run ended, or that could not
    // be recorded as finished.
    for (const row of files.settling(state.id)) {
      const path = absolute(state.path, row.dir, row.name)
      if (!this.#settle.isPending(path))
        this.#settle.watch(path, { ...row, kind: 'file', ctime: row.ctime ?? row.mtime })
    }
  }

  #onSettled(list: readonly { readonly path: string; readonly entry: Entry }[]): void {
    const { db, files } = this.#options
    try {
      db.tx(() => {
        for (const { path, entry } of list) {
          const rel = below(this.#state.path, path)
          if (rel === null) continue
          const { dir, name } = split(rel)
          const row = files.file(this.#state.id, dir, name)
          if (row !== null) this.#enqueuer.enqueue({ dir, name, entry, row })
        }
      })
    } catch (error) {
      if (writeTrouble(error) === null) throw error
      // The journal can't be written, for example because the disk is full. The rows still mark these files
      // as settling, so the next scan picks them up.
      this.#options.failed(error)
      this.#scans.schedule(JOURNAL_RETRY_MS)
      return
    }
    this.#state.noteChange()
    this.#options.bus.wake('lookups')
  }

  /**
   * Handles the result of comparing a file's bytes with those that were sent. `sha256`: the file's hash, if
   * it could be read.
   */
  #onCompared(
    { dir, name, transferId }: Doubt,
    verdict: CheckVerdict,
    entry: Entry,
    sha256: string | null,
  ): void {
    const { ports, files, transfers } = this.#options
    if (verdict === 'unreadable') return
    if (verdict === 'changed') {
      // A file that keeps changing would be read over and over. The next rescan compares it.
      if (this.#state.row.onChange === 'ignore' && transferId !== null) return
      void this.#scans.add((signal) => this.#scanner.paths([child(dir, name)], signal))
      return
    }
    const isWritten = this.#write(() => {
      if (transferId === null) {
        if (sha256 !== null) this.#findings.compared(dir, name, entry, sha256)
        return
      }
      const row = files.file(this.#state.id, dir, name)
      if (
        row === null ||
        row.class !== 'tracked' ||
        row.transferId !== transferId ||
        !sameVersion(row, entry)
      )
        return
      if (verdict === 'same') {
        files.put({ ...row, ino: entry.ino, dev: entry.dev, ctime: entry.ctime })
        if (transfers.get(transferId)?.mtime !== entry.mtime) transfers.setMtime(transferId, entry.mtime)
        return
      }
      // Even in a folder that ignores changes, the current content is uploaded if the earlier upload may
      // never have reached the service.
      const t = transfers.get(transferId)
      if (this.#state.row.onChange === 'ignore' && !(t !== null && isUndecided(t)))
        files.put({ ...row, ctime: entry.ctime })
      else this.#findings.otherBytes(row, entry, ports.clock.now())
    })
    // If the write failed, a rescan compares the file again.
    if (!isWritten) this.#scans.schedule(JOURNAL_RETRY_MS)
    else if (verdict === 'other') this.#options.bus.wake('lookups')
  }

  /** Handles a file that a program had mapped for writing: only its bytes show whether it changed. */
  #onMapped(path: string, entry: Entry): void {
    const { files, ports } = this.#options
    const rel = below(this.#state.path, path)
    if (rel === null || this.#isClosed) return
    const { dir, name } = split(rel)
    const isWritten = this.#write(() => {
      const row = files.file(this.#state.id, dir, name)
      if (row === null || row.class !== 'tracked' || !sameVersion(row, entry)) return
      files.put({ ...row, ctime: UNVERIFIED_CTIME })
      this.#findings.touched({ dir, name, entry, row })
    })
    // No rescan would notice this file, because neither its size nor its timestamps have changed.
    if (!isWritten) ports.clock.after(JOURNAL_RETRY_MS, () => this.#onMapped(path, entry))
  }

  /**
   * Runs `work` in a transaction. If that fails, reports the error and returns false, because no caller would
   * catch an exception.
   */
  #write(work: () => void): boolean {
    try {
      this.#options.db.tx(work)
      return true
    } catch (error) {
      this.#options.failed(error)
      return false
    }
  }
}

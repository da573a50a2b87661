// Compares a folder on disk with the journal and reports what is new, changed, moved or gone. Relies only on the disk's current state, not
// on hints. The steps of a scan are in list-ahead.ts, compare-directory.ts, compare-entry.ts, moves.ts and vanished.ts.

import { statInside } from '../disk/links.ts'
import { absolute, split } from '../disk/rel-path.ts'
import { isUnanswered } from '../disk/silence.ts'
import type { FileRow, Files, FolderRow } from '../journal/files.ts'
import type { Database } from '../journal/open.ts'
import type { DebugLog, Disk, DiskFailure, Entry } from '../ports.ts'
import { DirectoryComparer } from './compare-directory.ts'
import { EntryComparer } from './compare-entry.ts'
import { withControls } from './controls.ts'
import { release } from './entries.ts'
import { ListAhead } from './list-ahead.ts'
import { Moves } from './moves.ts'
import { ABORTED, type ListedDirectory, type ScanReport, ScanRun, type SeenEntry, type Stop, unansweredIn } from './scan-run.ts'
import type { Rules, ScanSink } from './scan-sink.ts'
import { isOldEnough } from './settle-rules.ts'
import { Vanished } from './vanished.ts'

export interface ScannerOptions {
  readonly db: Database
  readonly disk: Disk
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly files: Files
  readonly folder: () => FolderRow
  readonly rules: () => Rules
  /** Whether this row records a file that the folder still skips as existing or left (existing-files.ts). */
  readonly skips: (row: FileRow) => boolean
  /** Whether the version in this row is uploaded although it was left by a nested folder. */
  readonly isUploaded: (row: FileRow) => boolean
  /**
   * Whether the folder is still the one that this scan began with. Checked before anything counts as deleted, because a disk may be
   * unplugged during a scan.
   */
  readonly rootHolds: () => Promise<boolean>
  /** Called with a directory's rules file, or null if it has none. Resolves to true if the rules have changed. */
  readonly rulesFile: (dir: string, entry: Entry | null) => Promise<boolean>
  readonly sink: ScanSink
  readonly debug: DebugLog | null
}

interface LookedPath {
  readonly rel: string
  /** Null if nothing exists at the path, or if a directory above it is a link. */
  readonly stat: Entry | DiskFailure | null
  /** Whether a download's control file is next to the file. */
  readonly isDownload: boolean
}

interface Looked {
  readonly paths: readonly LookedPath[]
  readonly stop: Stop
  readonly times: Pick<SeenEntry, 'seenAt' | 'readAt'>
}

/** Each method resolves when its scan has ended, and rejects if the journal can't be written. */
export interface Scanner {
  /** Scans everything at and below `dir` (relative, '' for the whole folder). */
  tree(dir: string, signal: AbortSignal): Promise<ScanReport>
  /** Scans the entries of these directories; new directories in them are scanned recursively. */
  dirs(dirs: readonly string[], signal: AbortSignal): Promise<ScanReport>
  /** Scans only these paths (relative); a new directory among them is scanned recursively. */
  paths(rels: readonly string[], signal: AbortSignal): Promise<ScanReport>
}

export function createScanner(options: ScannerOptions): Scanner {
  return new FolderScanner(options)
}

class FolderScanner implements Scanner {
  readonly #options: ScannerOptions
  /** Directories seen in this session. A directory that isn't among them counts as new and is scanned recursively. */
  readonly #known = new Set<string>()
  readonly #entries: EntryComparer
  readonly #moves: Moves
  readonly #directories: DirectoryComparer
  readonly #vanished: Vanished

  constructor(options: ScannerOptions) {
    const known = this.#known
    this.#options = options
    this.#entries = new EntryComparer({ ...options, known })
    this.#moves = new Moves({ ...options, comparer: this.#entries })
    this.#directories = new DirectoryComparer({ ...options, known, comparer: this.#entries, moves: this.#moves })
    this.#vanished = new Vanished({ ...options, known, comparer: this.#entries, moves: this.#moves })
  }

  async tree(dir: string, signal: AbortSignal): Promise<ScanReport> {
    const run = new ScanRun(signal, dir === '')
    const stop = (await this.#queue(run, [dir], true)) ?? (await this.#drain(run))
    if (stop === null) this.#vanished.collectUnvisited(run, dir)
    return this.#vanished.finish(run, stop)
  }

  async dirs(dirs: readonly string[], signal: AbortSignal): Promise<ScanReport> {
    const run = new ScanRun(signal, false)
    const stop = (await this.#queue(run, dirs, false)) ?? (await this.#drain(run))
    if (stop === null) for (const dir of dirs) if (run.visited.has(dir)) await this.#vanished.collectGoneFrom(run, dir)
    return this.#vanished.finish(run, stop)
  }

  async paths(rels: readonly string[], signal: AbortSignal): Promise<ScanReport> {
    const run = new ScanRun(signal, false)
    const looked = await this.#look(run, rels)
    const stop = looked.stop ?? (await this.#compare(run, looked.paths, looked.times)) ?? (await this.#drain(run))
    return this.#vanished.finish(run, stop)
  }

  /**
   * Queues directories for listing. If something other than a directory is at one of the paths, it is compared like any other entry
   * instead, because listing a link would list the directory to which it leads.
   */
  async #queue(run: ScanRun, dirs: readonly string[], recursive: boolean): Promise<Stop> {
    // The root was checked before the scan.
    const looked = await this.#look(
      run,
      dirs.filter((dir) => dir !== ''),
    )
    if (looked.stop !== null) return looked.stop
    const isDirectory = new Map(looked.paths.map(({ rel, stat }) => [rel, stat !== null && ('code' in stat || stat.kind === 'dir')]))
    for (const dir of dirs) if (isDirectory.get(dir) !== false) run.queue.push({ dir, recursive, ignoredBy: null, late: this.#isLate(dir) })
    return this.#compare(
      run,
      looked.paths.filter(({ rel }) => isDirectory.get(rel) === false),
      looked.times,
    )
  }

  async #look(run: ScanRun, rels: readonly string[]): Promise<Looked> {
    const { disk, now, folder } = this.#options
    const root = folder().path
    const seenAt = now()
    const absolutes = rels.map((rel) => {
      const { dir, name } = split(rel)
      return absolute(root, dir, name)
    })
    const stats = rels.length === 0 ? [] : await statInside(disk, root, absolutes)
    // A file that has just changed is observed anyway.
    const old = absolutes.filter((_, i) => {
      const stat = stats[i] ?? null
      return stat !== null && !('code' in stat) && stat.kind === 'file' && isOldEnough(stat, seenAt)
    })
    const downloads = await withControls(disk, old)
    const times = { seenAt, readAt: now() }
    if (run.signal.aborted) return { stop: ABORTED, paths: [], times }
    const paths = rels.map((rel, i) => ({ rel, stat: stats[i] ?? null, isDownload: downloads.has(absolutes[i] ?? '') }))
    for (const { rel, stat } of paths) if (stat === null || 'code' in stat || stat.kind !== 'dir') run.looked.add(rel)
    return { stop: unansweredIn(stats, rels.length), paths, times }
  }

  async #compare(run: ScanRun, paths: readonly LookedPath[], times: Pick<SeenEntry, 'seenAt' | 'readAt'>): Promise<Stop> {
    const candidates = new Map<string, SeenEntry[]>()
    if (paths.length > 0)
      this.#options.db.tx(() => {
        for (const path of paths) {
          const candidate = this.#path(run, path, times)
          if (candidate !== null) candidates.set(candidate.dir, [...(candidates.get(candidate.dir) ?? []), candidate])
        }
      })
    for (const list of candidates.values()) {
      const stop = await this.#moves.resolve(run, list)
      if (stop !== null) return stop
    }
    return null
  }

  /** Compares one path. Returns its entry if the file may have been moved, otherwise null. Call inside a transaction. */
  #path(run: ScanRun, { rel, stat, isDownload }: LookedPath, times: Pick<SeenEntry, 'seenAt' | 'readAt'>): SeenEntry | null {
    const { files, folder } = this.#options
    const { dir, name } = split(rel)
    const before = files.file(folder().id, dir, name)
    if (stat === null) {
      if (before !== null) run.missing.push(before)
      this.#vanished.collectTree(run, rel)
      return null
    }
    if ('code' in stat) {
      this.#entries.unreadable(run, dir, name, before, stat.message)
      return null
    }
    if (stat.kind !== 'dir' && this.#known.has(rel)) this.#vanished.collectTree(run, rel)
    const late = before?.class === 'unreadable' || this.#isLate(dir)
    const row = this.#entries.usable(before, stat)
    const seen: SeenEntry = { dir, view: stat, row, ...times, recursive: false, late, isDownload }
    if (this.#moves.isCandidate(row, stat)) return seen
    this.#entries.compare(run, { ...seen, recursive: stat.kind === 'dir' && !this.#known.has(rel) })
    return null
  }

  /** Whether a rule ignored the directory or one above it when it was last scanned, or one of them was unreadable. */
  #isLate(dir: string): boolean {
    const { files, folder } = this.#options
    const { id } = folder()
    for (let at = dir; at !== ''; at = split(at).dir) {
      const above = split(at)
      if (files.file(id, at, '') !== null || files.file(id, above.dir, above.name)?.class === 'unreadable') return true
    }
    return false
  }

  /** Lists and compares everything in the queue. Returns null if all of it was scanned. */
  async #drain(run: ScanRun): Promise<Stop> {
    const { disk, now, folder } = this.#options
    const ahead = new ListAhead({ disk, now, root: folder().path, run })
    for (;;) {
      const parts = await ahead.next()
      if (parts === 'aborted') return ABORTED
      if (parts === 'done') return null
      const toCompare: ListedDirectory[] = []
      for (const part of parts) {
        const { failure } = part.list
        if (failure !== null && isUnanswered(failure)) return { reason: 'failed', failure }
        if (failure !== null && part.item.dir === '') return { reason: 'root', failure }
        const rest = await this.#directories.accept(run, part)
        if (rest !== null) toCompare.push(rest)
      }
      const stop = toCompare.length > 0 ? await this.#directories.compare(run, toCompare) : null
      if (stop !== null) return stop
      for (const { list } of parts) release(list)
    }
  }
}

// Compares a folder on disk with the journal and reports what is new, changed, moved or gone. Relies only on
// the disk's current state, not on hints. Lists directories ahead and compares them in batches; single
// entries are compared in compare-entry.ts, and moves.ts and vanished.ts finish the scan.

import { setImmediate as yieldNow } from 'node:timers/promises'
import { absolute, child, split } from '../disk/rel-path.ts'
import type { Clock, Disk, DiskFailure, Entry, Listing } from '../ports.ts'
import { OWN_RULE } from '../rules/data-folder.ts'
import { controlsOf, mayHaveControls } from '../rules/unfinished.ts'
import { isUnanswered } from '../sleep.ts'
import { EntryComparer, type ScanOptions } from './compare-entry.ts'
import {
  bytesOf,
  directoryRow,
  entriesOf,
  failedListing,
  isListedDataFolder,
  namesOf,
  release,
  rulesFileIn,
  statInside,
} from './entries.ts'
import { Moves } from './moves.ts'
import {
  ABORTED,
  BATCH,
  type Directory,
  foldName,
  type ListedDirectory,
  type ScanReport,
  ScanRun,
  type SeenEntry,
  type Stop,
  unansweredIn,
} from './scan-run.ts'
import { isOldEnough, withControls } from './settle.ts'
import { Vanished } from './vanished.ts'

/**
 * Minimum number of directories per request, if that many are queued: enough to keep the disk thread busy
 * while this thread compares.
 */
const DIRS_PER_REQUEST = 24

/** Maximum number of directories per request. */
const DIRS_PER_REQUEST_MAX = 480

/** If directories are small, a request covers more of them, so that it yields about this many entries. */
const ENTRIES_PER_REQUEST = 4000

/**
 * Maximum number of requests in flight: while one response is on its way, the disk thread works on the next
 * request.
 */
const REQUESTS_MAX = 2

/**
 * No request is added once the listings that wait to be compared take this much memory, which is enough for
 * 900,000 entries of 55 bytes each.
 */
const AHEAD_BYTES_MAX = 48 * 1024 * 1024

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

export function createScanner(options: ScanOptions): Scanner {
  return new FolderScanner(options)
}

class FolderScanner implements Scanner {
  readonly #options: ScanOptions
  /**
   * Directories seen in this session. A directory that isn't among them counts as new and is scanned
   * recursively.
   */
  readonly #known = new Set<string>()
  readonly #entries: EntryComparer
  readonly #moves: Moves
  readonly #directories: DirectoryComparer
  readonly #vanished: Vanished

  constructor(options: ScanOptions) {
    const known = this.#known
    this.#options = options
    this.#entries = new EntryComparer({ ...options, known })
    this.#moves = new Moves({ ...options, comparer: this.#entries })
    this.#directories = new DirectoryComparer({
      ...options,
      known,
      comparer: this.#entries,
      moves: this.#moves,
    })
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
    if (stop === null)
      for (const dir of dirs) if (run.visited.has(dir)) await this.#vanished.collectGoneFrom(run, dir)
    return this.#vanished.finish(run, stop)
  }

  async paths(rels: readonly string[], signal: AbortSignal): Promise<ScanReport> {
    const run = new ScanRun(signal, false)
    const looked = await this.#look(run, rels)
    const stop =
      looked.stop ?? (await this.#compare(run, looked.paths, looked.times)) ?? (await this.#drain(run))
    return this.#vanished.finish(run, stop)
  }

  /**
   * Queues directories for listing. If something other than a directory is at one of the paths, it is
   * compared like any other entry instead, because listing a link would list the directory to which it leads.
   */
  async #queue(run: ScanRun, dirs: readonly string[], recursive: boolean): Promise<Stop> {
    // The root was checked before the scan.
    const looked = await this.#look(
      run,
      dirs.filter((dir) => dir !== ''),
    )
    if (looked.stop !== null) return looked.stop
    const isDirectory = new Map(
      looked.paths.map(({ rel, stat }) => [rel, stat !== null && ('code' in stat || stat.kind === 'dir')]),
    )
    for (const dir of dirs)
      if (isDirectory.get(dir) !== false)
        run.queue.push({ dir, recursive, ignoredBy: null, late: this.#isLate(dir) })
    return this.#compare(
      run,
      looked.paths.filter(({ rel }) => isDirectory.get(rel) === false),
      looked.times,
    )
  }

  async #look(run: ScanRun, rels: readonly string[]): Promise<Looked> {
    const { disk, clock, state } = this.#options
    const root = state.row.path
    const seenAt = clock.now()
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
    const times = { seenAt, readAt: clock.now() }
    if (run.signal.aborted) return { stop: ABORTED, paths: [], times }
    const paths = rels.map((rel, i) => ({
      rel,
      stat: stats[i] ?? null,
      isDownload: downloads.has(absolutes[i] ?? ''),
    }))
    for (const { rel, stat } of paths)
      if (stat === null || 'code' in stat || stat.kind !== 'dir') run.looked.add(rel)
    return { stop: unansweredIn(stats, rels.length), paths, times }
  }

  async #compare(
    run: ScanRun,
    paths: readonly LookedPath[],
    times: Pick<SeenEntry, 'seenAt' | 'readAt'>,
  ): Promise<Stop> {
    const candidates = new Map<string, SeenEntry[]>()
    if (paths.length > 0)
      this.#options.db.tx(() => {
        for (const path of paths) {
          const candidate = this.#path(run, path, times)
          if (candidate !== null)
            candidates.set(candidate.dir, [...(candidates.get(candidate.dir) ?? []), candidate])
        }
      })
    for (const list of candidates.values()) {
      const stop = await this.#moves.resolve(run, list)
      if (stop !== null) return stop
    }
    return null
  }

  /**
   * Compares one path. Returns its entry if the file may have been moved, otherwise null. Call inside a
   * transaction.
   */
  #path(
    run: ScanRun,
    { rel, stat, isDownload }: LookedPath,
    times: Pick<SeenEntry, 'seenAt' | 'readAt'>,
  ): SeenEntry | null {
    const { files, state } = this.#options
    const { dir, name } = split(rel)
    const before = files.file(state.row.id, dir, name)
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

  /**
   * Whether a rule ignored the directory or one above it when it was last scanned, or one of them was
   * unreadable.
   */
  #isLate(dir: string): boolean {
    const { files, state } = this.#options
    const { id } = state.row
    for (let at = dir; at !== ''; at = split(at).dir) {
      const above = split(at)
      if (files.file(id, at, '') !== null || files.file(id, above.dir, above.name)?.class === 'unreadable')
        return true
    }
    return false
  }

  /** Lists and compares everything in the queue. Returns null if all of it was scanned. */
  async #drain(run: ScanRun): Promise<Stop> {
    const { disk, clock, state } = this.#options
    const ahead = new ListAhead({ disk, clock, root: state.row.path, run })
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

// Lists a scan's directories ahead of their comparison, in queue order, so that the disk thread reads while
// this thread compares. Listing is faster than comparing, so the memory for waiting listings is limited.

export class ListAhead {
  readonly #disk: Disk
  readonly #clock: Pick<Clock, 'now'>
  readonly #root: string
  readonly #run: ScanRun
  readonly #requested: Promise<readonly ListedDirectory[]>[] = []
  #inFlight = 0
  #bytes = 0
  #dirsPerRequest = DIRS_PER_REQUEST

  /** `root`: absolute path of the folder. */
  constructor(options: {
    readonly disk: Disk
    readonly clock: Pick<Clock, 'now'>
    readonly root: string
    readonly run: ScanRun
  }) {
    this.#disk = options.disk
    this.#clock = options.clock
    this.#root = options.root
    this.#run = options.run
  }

  /**
   * Resolves to the next directories of the queue, with their listings. Resolves to `done` if none are left.
   */
  async next(): Promise<readonly ListedDirectory[] | 'done' | 'aborted'> {
    const { signal } = this.#run
    this.#fill()
    const answer = this.#requested.shift()
    if (answer === undefined) return signal.aborted ? 'aborted' : 'done'
    const parts = await answer
    this.#bytes -= sizeOf(parts)
    return signal.aborted ? 'aborted' : parts
  }

  #fill(): void {
    const { queue, signal } = this.#run
    while (
      this.#inFlight < REQUESTS_MAX &&
      this.#bytes < AHEAD_BYTES_MAX &&
      queue.length > 0 &&
      !signal.aborted
    ) {
      this.#inFlight++
      const answer = this.#request(queue.splice(0, this.#dirsPerRequest))
      this.#requested.push(answer)
      answer.then(
        (parts) => this.#arrived(parts),
        () => this.#arrived([]),
      )
    }
  }

  #arrived(parts: readonly ListedDirectory[]): void {
    this.#inFlight--
    this.#bytes += sizeOf(parts)
    this.#dirsPerRequest = dirsPerRequest(parts)
    this.#fill()
  }

  async #request(items: readonly Directory[]): Promise<readonly ListedDirectory[]> {
    const seenAt = this.#clock.now()
    const lists = await this.#disk.list(items.map((item) => absolute(this.#root, item.dir, '')))
    const readAt = this.#clock.now()
    return items.map((item, i) => ({ item, list: lists[i] ?? unanswered(item.dir), seenAt, readAt }))
  }
}

function sizeOf(parts: readonly ListedDirectory[]): number {
  let bytes = 0
  for (const { list } of parts) bytes += bytesOf(list)
  return bytes
}

/** Number of directories to request next, based on the average number of entries in the last ones. */
function dirsPerRequest(parts: readonly ListedDirectory[]): number {
  let entries = 0
  for (const { list } of parts) entries += list.kinds.length
  const few = Math.floor((ENTRIES_PER_REQUEST * parts.length) / Math.max(1, entries))
  return Math.max(DIRS_PER_REQUEST, Math.min(few, DIRS_PER_REQUEST_MAX))
}

/**
 * Returns a failed listing for a directory that got no response, so that it isn't mistaken for an empty
 * directory.
 */
function unanswered(dir: string): Listing {
  return failedListing(dir, { code: 'interrupted', message: 'the disk gave no answer' })
}

// Compares listed directories with the journal, one batch of entries per transaction. Collects the rows whose
// names are missing and the entries that may have been moved, and counts the files of ignored directories.
interface CompareDirectoryOptions extends ScanOptions {
  readonly comparer: EntryComparer
  readonly moves: Moves
  /** Directories seen in this session. */
  readonly known: Set<string>
}

class DirectoryComparer {
  readonly #options: CompareDirectoryOptions

  constructor(options: CompareDirectoryOptions) {
    this.#options = options
  }

  /**
   * Processes a listing. Returns null if there is nothing to compare: the listing failed, its entries are
   * only counted, the directory was queued again because its rules have changed, or it is a data folder of
   * Slipway.
   */
  async accept(run: ScanRun, listed: ListedDirectory): Promise<ListedDirectory | null> {
    const { known } = this.#options
    const { item, list } = listed
    if (list.failure !== null) {
      this.#failed(run, item, list.failure)
      return null
    }
    run.visited.add(item.dir)
    known.add(item.dir)
    if (item.ignoredBy !== null) {
      this.#countIgnored(run, listed, item.ignoredBy)
      return null
    }
    const isOwn = await isListedDataFolder(this.#options.disk, list)
    this.#options.rules.noteOwnData(item.dir, isOwn)
    if (isOwn) {
      this.#leaveOwn(run, item.dir)
      return null
    }
    if (await this.#options.rules.readFile(item.dir, rulesFileIn(list, this.#options.rules.ignoresCase()))) {
      // The rules changed for everything below: ignored entries may no longer be ignored, and vice versa.
      run.queue.push({ dir: item.dir, recursive: true, ignoredBy: null, late: item.late === true })
      return null
    }
    return listed
  }

  /**
   * Compares directories. Small ones share a transaction, because a transaction costs as much as comparing
   * forty entries. Large ones are split, because a long transaction would block the thread.
   */
  async compare(run: ScanRun, parts: readonly ListedDirectory[]): Promise<Stop> {
    const { db, moves } = this.#options
    const candidates = parts.map((): SeenEntry[] => [])
    const steps = this.#allSteps(run, parts, candidates)
    for (let isDone = false; !isDone; ) {
      db.tx(() => {
        for (let n = 0; n < BATCH && !isDone; n++) isDone = steps.next().done === true
      })
      await yieldNow()
      if (run.signal.aborted) return ABORTED
    }
    for (const list of candidates) {
      const stop = list.length > 0 ? await moves.resolve(run, list) : null
      if (stop !== null) return stop
    }
    return null
  }

  *#allSteps(
    run: ScanRun,
    parts: readonly ListedDirectory[],
    candidates: readonly SeenEntry[][],
  ): Generator<void> {
    for (const [i, part] of parts.entries()) yield* this.#steps(run, part, candidates[i] ?? [])
  }

  /**
   * Compares one directory, one entry per step. Each step must run inside a transaction. Entries that may
   * have been moved are only added to `candidates`.
   */
  *#steps(
    run: ScanRun,
    { item, list, seenAt, readAt }: ListedDirectory,
    candidates: SeenEntry[],
  ): Generator<void> {
    const { files, state, comparer, moves } = this.#options
    const { dir, recursive } = item
    const { id } = state.row
    const rows = new Map(files.inDir(id, dir).map((row) => [row.name, row]))
    const late = item.late === true || rows.has('')
    const names = mayHaveControls(list.names) ? new Set(namesOf(list)) : null
    const isDownload = (name: string): boolean =>
      names !== null && controlsOf(name).some((control) => names.has(control))
    yield
    for (const view of entriesOf(list)) {
      const before = rows.get(view.name) ?? null
      const row = comparer.usable(before, view)
      rows.delete(view.name)
      const seen: SeenEntry = {
        dir,
        view,
        row,
        seenAt,
        readAt,
        recursive,
        late: late || before?.class === 'unreadable',
        isDownload: isDownload(view.name),
      }
      if (moves.isCandidate(row, view)) candidates.push(seen)
      else comparer.compare(run, seen)
      yield
    }
    if (rows.delete('')) files.drop(id, dir, '')
    if (rows.size === 0) return
    // After a rename that changes only case or accents, the old name may still resolve, so looking it up
    // can't prove that it is gone.
    const folded = new Set(namesOf(list).map(foldName))
    for (const row of rows.values()) (folded.has(foldName(row.name)) ? run.replaced : run.missing).push(row)
  }

  /**
   * Counts the entries of an ignored directory without comparing them, so that the audit still accounts for
   * every file.
   */
  #countIgnored(
    run: ScanRun,
    { item, list }: ListedDirectory,
    ignoredBy: { readonly dir: string; readonly rule: string },
  ): void {
    let count = 0
    for (const view of entriesOf(list)) {
      if (view.kind === 'dir') run.queue.push({ dir: child(item.dir, view.name), recursive: true, ignoredBy })
      else count++
    }
    run.countIgnored(ignoredBy, count)
    this.#options.comparer.leaveOut(run, item.dir, ignoredBy.dir, ignoredBy.rule)
  }

  /**
   * Excludes a data folder of Slipway with everything in it. The folder counts as a single entry, as the one
   * in use does.
   */
  #leaveOwn(run: ScanRun, dir: string): void {
    const { files, state, comparer } = this.#options
    run.ignoredCounts.set(dir, { rule: OWN_RULE, count: 1 })
    for (const below of files.dirsBelow(state.row.id, dir)) {
      run.visited.add(below)
      comparer.leaveOut(run, below, dir, OWN_RULE)
    }
  }

  #failed(run: ScanRun, { dir, ignoredBy }: Directory, failure: DiskFailure): void {
    const { db, files, state, known } = this.#options
    const { id } = state.row
    if (failure.code === 'gone' || failure.code === 'not-a-directory') {
      known.delete(dir)
      for (const below of files.dirsBelow(id, dir)) run.missing.push(...files.inDir(id, below))
      return
    }
    // An ignored directory that can't be read counts as one entry.
    if (ignoredBy !== null) return run.countIgnored(ignoredBy, 1)
    // An unreadable directory isn't treated as deleted: its rows are kept, and the audit lists it separately.
    run.unreadable.push({ dir, message: failure.message })
    db.tx(() => files.put(directoryRow(id, dir, 'unreadable', 1, 'unreadable')))
  }
}

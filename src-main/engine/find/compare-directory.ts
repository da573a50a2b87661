// Compares listed directories with the journal, one batch of entries per transaction. Collects the rows whose names are missing and the
// entries that may have been moved, and counts the files of ignored directories.
import { setImmediate as yieldNow } from 'node:timers/promises'
import { child } from '../disk/rel-path.ts'
import type { Files, FolderRow } from '../journal/files.ts'
import type { Database } from '../journal/open.ts'
import type { Disk, DiskFailure, Entry } from '../ports.ts'
import { OWN_RULE } from '../rules/own-files.ts'
import { controlsOf, mayHaveControls } from '../rules/unfinished.ts'
import type { EntryComparer } from './compare-entry.ts'
import { entriesOf, isListedDataFolder, namesOf, rulesFileIn } from './entries.ts'
import { directoryRow } from './file-row.ts'
import type { Moves } from './moves.ts'
import { ABORTED, BATCH, type Directory, foldName, type ListedDirectory, type ScanRun, type SeenEntry, type Stop } from './scan-run.ts'
import type { Rules } from './scan-sink.ts'

export interface CompareDirectoryOptions {
  readonly db: Database
  readonly disk: Disk
  readonly files: Files
  readonly folder: () => FolderRow
  readonly rulesFile: (dir: string, entry: Entry | null) => Promise<boolean>
  readonly rules: () => Pick<Rules, 'ignoresCase' | 'noteOwnData'>
  readonly comparer: EntryComparer
  readonly moves: Moves
  /** Directories seen in this session. */
  readonly known: Set<string>
}

export class DirectoryComparer {
  readonly #options: CompareDirectoryOptions

  constructor(options: CompareDirectoryOptions) {
    this.#options = options
  }

  /**
   * Processes a listing. Returns null if there is nothing to compare: the listing failed, its entries are only counted, the directory was
   * queued again because its rules have changed, or it is a data folder of Slipway.
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
    this.#options.rules().noteOwnData(item.dir, isOwn)
    if (isOwn) {
      this.#leaveOwn(run, item.dir)
      return null
    }
    if (await this.#options.rulesFile(item.dir, rulesFileIn(list, this.#options.rules().ignoresCase()))) {
      // The rules changed for everything below: ignored entries may no longer be ignored, and vice versa.
      run.queue.push({ dir: item.dir, recursive: true, ignoredBy: null, late: item.late === true })
      return null
    }
    return listed
  }

  /**
   * Compares directories. Small ones share a transaction, because a transaction costs as much as comparing forty entries. Large ones are
   * split, because a long transaction would block the thread.
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

  *#allSteps(run: ScanRun, parts: readonly ListedDirectory[], candidates: readonly SeenEntry[][]): Generator<void> {
    for (const [i, part] of parts.entries()) yield* this.#steps(run, part, candidates[i] ?? [])
  }

  /**
   * Compares one directory, one entry per step. Each step must run inside a transaction. Entries that may have been moved are only added to
   * `candidates`.
   */
  *#steps(run: ScanRun, { item, list, seenAt, readAt }: ListedDirectory, candidates: SeenEntry[]): Generator<void> {
    const { files, folder, comparer, moves } = this.#options
    const { dir, recursive } = item
    const { id } = folder()
    const rows = new Map(files.inDir(id, dir).map((row) => [row.name, row]))
    const late = item.late === true || rows.has('')
    const names = mayHaveControls(list.names) ? new Set(namesOf(list)) : null
    const isDownload = (name: string): boolean => names !== null && controlsOf(name).some((control) => names.has(control))
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
    // After a rename that changes only case or accents, the old name may still resolve, so looking it up can't prove that it is gone.
    const folded = new Set(namesOf(list).map(foldName))
    for (const row of rows.values()) (folded.has(foldName(row.name)) ? run.replaced : run.missing).push(row)
  }

  /** Counts the entries of an ignored directory without comparing them, so that the audit still accounts for every file. */
  #countIgnored(run: ScanRun, { item, list }: ListedDirectory, ignoredBy: { readonly dir: string; readonly rule: string }): void {
    let count = 0
    for (const view of entriesOf(list)) {
      if (view.kind === 'dir') run.queue.push({ dir: child(item.dir, view.name), recursive: true, ignoredBy })
      else count++
    }
    run.countIgnored(ignoredBy, count)
    this.#options.comparer.leaveOut(run, item.dir, ignoredBy.dir, ignoredBy.rule)
  }

  /** Excludes a data folder of Slipway with everything in it. The folder counts as a single entry, as the one in use does. */
  #leaveOwn(run: ScanRun, dir: string): void {
    const { files, folder, comparer } = this.#options
    run.ignoredCounts.set(dir, { rule: OWN_RULE, count: 1 })
    for (const below of files.dirsBelow(folder().id, dir)) {
      run.visited.add(below)
      comparer.leaveOut(run, below, dir, OWN_RULE)
    }
  }

  #failed(run: ScanRun, { dir, ignoredBy }: Directory, failure: DiskFailure): void {
    const { db, files, folder, known } = this.#options
    const { id } = folder()
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

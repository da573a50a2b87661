// Handles rows whose files a scan did not find: each path is checked once more before the file counts as
// deleted, and the folder must still be the same one. Also writes the totals of ignored directories.
import { setImmediate as yieldNow } from 'node:timers/promises'
import { absolute, child, hasAncestor } from '../disk/rel-path.ts'
import type { FileRow } from '../journal/files.ts'
import type { DiskFailure, Entry } from '../ports.ts'
import { isRulesFile } from '../rules/ignore-rules.ts'
import type { EntryComparer, ScanOptions } from './compare-entry.ts'
import { directoryRow, statInside } from './entries.ts'
import type { Moves } from './moves.ts'
import {
  ABORTED,
  BATCH,
  foldName,
  type ScanReport,
  type ScanRun,
  type SeenEntry,
  type Stop,
  unansweredIn,
} from './scan-run.ts'

/** Maximum number of missing rows to check in one request. */
const STATS_PER_REQUEST = 1000

export interface VanishedOptions extends ScanOptions {
  readonly comparer: EntryComparer
  readonly moves: Moves
  /** Directories seen in this session. */
  readonly known: Set<string>
}

export class Vanished {
  readonly #options: VanishedOptions

  constructor(options: VanishedOptions) {
    this.#options = options
  }

  /**
   * Ends a scan. Acts on what it collected, such as missing files, unless it was cut short. `stop`: why it
   * was cut short, or null.
   */
  async finish(run: ScanRun, stop: Stop): Promise<ScanReport> {
    const { files, state, sink, debug } = this.#options
    const cut = stop ?? (run.signal.aborted ? ABORTED : await this.#confirm(run))
    debug?.('scanner.end', {
      result: cut?.reason ?? 'complete',
      files: run.files,
      directories: run.visited.size,
      missing: run.missing.length,
      replaced: run.replaced.length,
      unreadable: run.unreadable.length,
    })
    if (cut !== null) return { kind: 'incomplete', ...cut }
    await this.#inBatches(run.taken, (found) => {
      const row = files.file(state.row.id, found.dir, found.name)
      sink.found({ ...found, known: row?.class === 'ignored' ? null : row })
    })
    await this.#inBatches(run.replaced, (row) => this.#vanish(row))
    await this.#inBatches(run.ruledOut, ({ row, rule }) => this.#ruleOut(row, rule))
    this.#writeIgnored(run)
    return {
      kind: 'complete',
      unreadable: run.unreadable,
      files: run.files,
      covers: (rel) => run.covers(rel),
    }
  }

  /**
   * Collects the rows of directories that the scan did not visit. Call only after a scan of everything at and
   * below `dir`.
   */
  collectUnvisited(run: ScanRun, dir: string): void {
    const { files, state, known } = this.#options
    const { id } = state.row
    const unreadable = new Set(run.unreadable.map((u) => u.dir))
    let folded: ReadonlySet<string> | null = null
    for (const below of files.dirsBelow(id, dir)) {
      if (run.visited.has(below) || unreadable.has(below) || hasAncestor(below, unreadable)) continue
      const rows = files.inDir(id, below)
      // An ignored directory may not have been listed. Its entry in `ignoredCounts` shows that it still
      // exists.
      if (rows.every((row) => row.name === '' && run.ignoredCounts.has(below))) continue
      known.delete(below)
      folded ??= new Set([...run.visited].map(foldName))
      ;(folded.has(foldName(below)) ? run.replaced : run.missing).push(...rows)
    }
  }

  /**
   * Collects all rows in subdirectories of `dir` that no longer exist or are no longer directories. Call
   * after `dir` was listed, but not its subdirectories.
   */
  async collectGoneFrom(run: ScanRun, dir: string): Promise<void> {
    const { disk, files, state } = this.#options
    const { id, path } = state.row
    const deeper = files.dirsBelow(id, dir).filter((d) => d !== dir && !run.visited.has(d))
    const tops = [
      ...new Set(
        deeper.map((d) => child(dir, (dir === '' ? d : d.slice(dir.length + 1)).split('/')[0] ?? '')),
      ),
    ]
    const stats = await disk.stat(tops.map((d) => absolute(path, d, '')))
    for (const [i, top] of tops.entries()) if (isNoDirectory(stats[i])) this.collectTree(run, top)
  }

  /** Collects all rows at and below a directory that no longer exists. */
  collectTree(run: ScanRun, dir: string): void {
    const { files, state, known } = this.#options
    const { id } = state.row
    known.delete(dir)
    for (const below of files.dirsBelow(id, dir)) run.missing.push(...files.inDir(id, below))
  }

  /**
   * Checks each missing row once more. If a rename replaces a file while its directory is being read, the
   * listing may lack the file's name. If a disk is unplugged during the scan, every path seems to be missing.
   */
  async #confirm(run: ScanRun): Promise<Stop> {
    const { db, disk, clock, state, root, moves } = this.#options
    const { path } = state.row
    for (let i = 0; i < run.missing.length; i += STATS_PER_REQUEST) {
      if (run.signal.aborted) return ABORTED
      const rows = run.missing.slice(i, i + STATS_PER_REQUEST)
      const seenAt = clock.now()
      const stats = await statInside(
        disk,
        path,
        rows.map((row) => absolute(path, row.dir, row.name)),
      )
      const times = { seenAt, readAt: clock.now() }
      const lost = unansweredIn(stats, rows.length)
      if (lost !== null) return lost
      if (!(await root.isSame())) return { reason: 'root', failure: null }
      const back: SeenEntry[] = []
      for (let j = 0; j < rows.length; j += BATCH) {
        db.tx(() => {
          for (const [k, row] of rows.slice(j, j + BATCH).entries())
            this.#confirmOne(run, row, stats[j + k], times, back)
        })
        await yieldNow()
      }
      for (const seen of back) {
        const stop = await moves.resolve(run, [seen])
        if (stop !== null) return stop
      }
    }
    return null
  }

  /**
   * Checks one missing row. `back`: receives the file if it exists again although its row was moved to
   * another name in this scan.
   */
  #confirmOne(
    run: ScanRun,
    row: FileRow,
    stat: Entry | DiskFailure | null | undefined,
    times: Pick<SeenEntry, 'seenAt' | 'readAt'>,
    back: SeenEntry[],
  ): void {
    const { files, rules, comparer } = this.#options
    if (stat === null && isRulesFile(row.name, rules.ignoresCase())) rules.forgetFile(row.dir)
    if (stat === null || (row.name === '' && isNoDirectory(stat))) return this.#vanish(row)
    if (row.name === '' || stat === undefined) return
    if ('code' in stat) return comparer.unreadable(run, row.dir, row.name, row, stat.message)
    if (stat.kind === 'dir') {
      run.replaced.push(row)
      return
    }
    const seen = {
      dir: row.dir,
      view: stat,
      ...times,
      recursive: false,
      late: row.class === 'unreadable',
      isDownload: false,
    }
    if (files.file(row.folderId, row.dir, row.name) === null) back.push({ ...seen, row: null })
    else comparer.compare(run, { ...seen, row })
  }

  #vanish(row: FileRow): void {
    const { files, sink, debug } = this.#options
    // A file that was seen again or moved in the same scan has not vanished.
    const now = files.file(row.folderId, row.dir, row.name)
    if (now === null || now.transferId !== row.transferId || now.mtime !== row.mtime) return
    debug?.('scanner.vanished', { dir: row.dir, name: row.name, class: row.class })
    files.drop(row.folderId, row.dir, row.name)
    sink.vanished(row)
  }

  #ruleOut(row: FileRow, rule: string): void {
    const { files, sink } = this.#options
    const now = files.file(row.folderId, row.dir, row.name)
    if (now === null) return
    if (now.class === 'ignored' && row.class !== 'ignored') sink.ruledOut(row, rule, false)
    else if (now.class === row.class && now.transferId === row.transferId) {
      // The row of the ignored directory counts the file now.
      files.drop(row.folderId, row.dir, row.name)
      sink.ruledOut(row, rule, false)
    }
  }

  #writeIgnored(run: ScanRun): void {
    const { db, files, state } = this.#options
    const { id } = state.row
    db.tx(() => {
      for (const [dir, { rule, count }] of run.ignoredCounts) {
        const before = files.file(id, dir, '')
        if (count === 0) {
          if (before !== null) files.drop(id, dir, '')
        } else if (
          before === null ||
          before.class !== 'ignored' ||
          before.count !== count ||
          before.rule !== rule
        )
          files.put(directoryRow(id, dir, 'ignored', count, rule))
      }
    })
  }

  async #inBatches<T>(rows: readonly T[], each: (row: T) => void): Promise<void> {
    for (let i = 0; i < rows.length; i += BATCH) {
      this.#options.db.tx(() => rows.slice(i, i + BATCH).forEach(each))
      await yieldNow()
    }
  }
}

/** Whether no directory exists at the path. False if the disk failed or didn't answer. */
function isNoDirectory(stat: Entry | DiskFailure | null | undefined): boolean {
  return stat === null || (stat !== undefined && !('code' in stat) && stat.kind !== 'dir')
}

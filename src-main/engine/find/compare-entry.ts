// Compares one entry on disk with its row. Every file gets exactly one class, so that the audit adds up. New
// and changed files are passed to the sink. Methods that write to the journal must be called inside a
// transaction.

import { sameVersion } from '../disk/content.ts'
import { child } from '../disk/rel-path.ts'
import type { Database } from '../journal/database.ts'
import type { FileRow, Files } from '../journal/files.ts'
import type { Clock, DebugLog, Disk, Entry } from '../ports.ts'
import { UNVERIFIED_CTIME } from './enqueue.ts'
import { directoryRow, fileRow } from './entries.ts'
import { type ExistingFiles, isExisting, LEFT_RULE } from './existing-files.ts'
import type { FolderState } from './folder-state.ts'
import type { FolderRoot } from './folder-watch.ts'
import type { Found, Rules, ScanRun, ScanSink, SeenEntry } from './scan-run.ts'

/** What the steps of a folder's scans share. */
export interface ScanOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly db: Database
  readonly disk: Disk
  readonly files: Files
  readonly state: Pick<FolderState, 'row'>
  readonly rules: Rules
  readonly existing: Pick<ExistingFiles, 'skips' | 'isUploaded'>
  /**
   * Checked before anything counts as deleted, because a disk may be unplugged during a scan.
   */
  readonly root: Pick<FolderRoot, 'isSame'>
  readonly sink: ScanSink
  readonly debug: DebugLog | null
}

export interface CompareEntryOptions extends ScanOptions {
  /**
   * Directories seen in this session. A directory that isn't among them counts as new and is scanned
   * recursively.
   */
  readonly known: ReadonlySet<string>
}

/** How a file that no rule ignores compares with its row. */
export type FileVerdict =
  /** The journal has this version. */
  | 'known'
  /**
   * The journal has this version, but its ctime has changed since, for example by a chmod, a rename, or a
   * write that restored the old mtime.
   */
  | 'touched'
  /** The folder skips it as existing or left (existing-files.ts). */
  | 'existing'
  /**
   * A new file, a new version of a known one, or a file that was ignored or settling at the last scan. A file
   * that is skipped as existing is also `new` until its bytes have been compared.
   */
  | 'new'

/** Classifies a file. `isSkipped`: whether the folder still skips what its row records. Pure. */
export function fileVerdict(view: Entry, row: FileRow | null, isSkipped: boolean): FileVerdict {
  if (row === null || !sameVersion(row, view)) return 'new'
  if (row.class === 'tracked' || row.class === 'unreadable')
    return row.ctime !== null && row.ctime !== view.ctime ? 'touched' : 'known'
  return isSkipped && isExisting(row) && row.ctime !== UNVERIFIED_CTIME ? 'existing' : 'new'
}

export class EntryComparer {
  readonly #options: CompareEntryOptions

  constructor(options: CompareEntryOptions) {
    this.#options = options
  }

  /**
   * Compares one entry with its journal row. Its directory must not be ignored by a rule; the entry itself
   * may be.
   */
  compare(run: ScanRun, seen: SeenEntry): void {
    const { dir, view, row } = seen
    if (view.kind === 'unreadable') return this.unreadable(run, dir, view.name, row, "can't be looked at")
    if (view.kind === 'dir') return this.#directory(run, seen)
    run.files++
    const rule = this.#ruleFor(dir, view)
    if (rule !== null) return this.#ignore(run, seen, rule)
    const { files, sink, debug } = this.#options
    const verdict = fileVerdict(view, row, row !== null && this.#isSkipped(row))
    if (verdict !== 'known')
      debug?.('scanner.file', { dir, name: view.name, verdict, row: row?.class ?? null, late: seen.late })
    if (verdict === 'new' || row === null) return this.#found(run, seen)
    if (verdict === 'existing') {
      if (row.ino !== view.ino || row.dev !== view.dev) files.put({ ...row, ino: view.ino, dev: view.dev })
      return
    }
    const now: FileRow = { ...row, class: 'tracked', rule: null }
    const isTouched = verdict === 'touched'
    if (!isTouched && (row.ino !== view.ino || row.dev !== view.dev || row.ctime !== view.ctime))
      files.put({ ...now, ino: view.ino, dev: view.dev, ctime: view.ctime })
    else if (row.class === 'unreadable') files.put(now)
    // If the file or its directory was skipped or unreadable until now, the file may have been replaced
    // unnoticed, so its content is compared.
    if (isTouched || (seen.late && row.transferId !== null))
      sink.touched({ dir, name: view.name, entry: view, row: now })
  }

  /**
   * Records an unreadable entry as neither present nor gone: the audit counts it once, and its transfer is
   * kept. If a rule ignores it, it is recorded as ignored instead.
   */
  unreadable(run: ScanRun, dir: string, name: string, row: FileRow | null, message: string): void {
    const { files, state, rules, debug } = this.#options
    const rel = child(dir, name)
    const unknown: FileRow = { ...directoryRow(state.row.id, dir, 'unreadable', 1, 'unreadable'), name }
    const caught = rules.file(rel, 0) ?? rules.dir(rel, null)
    if (caught !== null) {
      if (row?.class === 'ignored' && row.rule === caught.rule) return
      files.put({ ...unknown, class: 'ignored', rule: caught.rule })
      if (row !== null && row.transferId !== null) run.ruledOut.push({ row, rule: caught.rule })
      return
    }
    debug?.('scanner.unreadable', { dir, name, message })
    run.unreadable.push({ dir: rel, message })
    if (row !== null && isExisting(row)) return
    if (row?.class !== 'unreadable')
      files.put(row?.transferId == null ? unknown : { ...row, class: 'unreadable', rule: 'unreadable' })
  }

  /**
   * Returns the row to compare with. If the entry was unreadable until now and has no transfer, drops its row
   * and returns null.
   */
  usable(row: FileRow | null, view: Entry): FileRow | null {
    if (row === null || row.class !== 'unreadable' || row.transferId !== null || view.kind === 'unreadable')
      return row
    this.#options.files.drop(row.folderId, row.dir, row.name)
    return null
  }

  /**
   * Marks the rows of `dir` as ruled out. The row of `ignoredDir`, which is `dir` or a directory above it,
   * counts their files instead.
   */
  leaveOut(run: ScanRun, dir: string, ignoredDir: string, rule: string): void {
    const { files, state } = this.#options
    for (const row of files.inDir(state.row.id, dir))
      if (row.name !== '' || dir !== ignoredDir) run.ruledOut.push({ row, rule })
  }

  #isSkipped(row: FileRow): boolean {
    const { existing } = this.#options
    return existing.skips(row) && !(row.rule === LEFT_RULE && existing.isUploaded(row.dir, row))
  }

  #directory(run: ScanRun, { dir, view, row, recursive, late }: SeenEntry): void {
    const { files, state, rules, known, debug } = this.#options
    const rel = child(dir, view.name)
    if (row !== null) run.replaced.push(row)
    const caught = rules.dir(rel, view)
    if (caught !== null) debug?.('scanner.ignored-directory', { dir: rel, rule: caught.rule })
    if (caught?.listed === false) {
      run.ignoredCounts.set(rel, { rule: caught.rule, count: 1 })
      for (const below of files.dirsBelow(state.row.id, rel)) this.leaveOut(run, below, rel, caught.rule)
      return
    }
    if (!recursive && known.has(rel)) return
    if (caught === null) run.queue.push({ dir: rel, recursive: true, ignoredBy: null, late })
    else run.queue.push({ dir: rel, recursive: true, ignoredBy: { dir: rel, rule: caught.rule } })
  }

  #ruleFor(dir: string, view: Entry): string | null {
    if (view.kind === 'link') return 'symbolic link'
    if (view.kind === 'other') return 'not a regular file'
    return this.#options.rules.file(child(dir, view.name), view.size)?.rule ?? null
  }

  #ignore(run: ScanRun, { dir, view, row }: SeenEntry, rule: string): void {
    const { files, state, debug } = this.#options
    if (row !== null && row.transferId !== null) run.ruledOut.push({ row, rule })
    if (row?.class === 'ignored' && row.rule === rule && row.size === view.size && row.mtime === view.mtime)
      return
    debug?.('scanner.ignored', { dir, name: view.name, rule })
    files.put(fileRow(state.row.id, dir, view.name, view, { class: 'ignored', rule }))
  }

  #found(run: ScanRun, { dir, view, row, seenAt, readAt, late, isDownload }: SeenEntry): void {
    const known = row !== null && row.class !== 'ignored' ? row : null
    const wasPassedOver = row !== null && (row.class === 'ignored' || row.class === 'unreadable')
    const wasExisting = row !== null && isExisting(row)
    const found: Found = {
      dir,
      name: view.name,
      entry: view,
      seenAt,
      readAt,
      known,
      late: late || wasPassedOver,
      isDownload,
      skippedAs: wasExisting && sameVersion(row, view) ? row.rule : null,
      hasChanged: wasExisting && !sameVersion(row, view) && this.#options.state.row.counted,
      isWhole: run.isWhole,
    }
    if (known !== null && known.ino !== 0 && known.ino !== view.ino) run.taken.push(found)
    else this.#options.sink.found(found)
  }
}

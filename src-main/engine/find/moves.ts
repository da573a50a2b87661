// Detects moved files: a file under a new name was moved if a row has its inode, size and mtime, it already
// existed when that row was written, and nothing is left at the row's path. A moved file keeps its row and
// its link; a second hard link is a separate file. Where it isn't known since when a file has existed, its
// bytes decide: file systems give the inode of a deleted file to the next new one. Also finds renames that
// change only letter case or accents, where the old path still resolves.
import { setImmediate as yieldNow } from 'node:timers/promises'
import { absolute, child, split } from '../disk/rel-path.ts'
import type { FileRow } from '../journal/files.ts'
import type { Disk, Entry } from '../ports.ts'
import type { EntryComparer, ScanOptions } from './compare-entry.ts'
import { UNVERIFIED_CTIME } from './enqueue.ts'
import { fileRow, namesOf, statInside } from './entries.ts'
import { isExisting } from './existing-files.ts'
import { BATCH, foldName, type ScanRun, type SeenEntry, type Stop, unansweredIn } from './scan-run.ts'

export interface MovesOptions extends ScanOptions {
  readonly comparer: EntryComparer
}

/** A row with the same inode, size and mtime as a file under a new name. */
interface Source {
  readonly row: FileRow
  /** Absolute. */
  readonly path: string
  /**
   * Whether the row was written for this very file. If not, only the bytes can show that the file was moved.
   */
  readonly isProved: boolean
}

/** What is at the old paths of the files that may have moved. */
interface OldPaths {
  /**
   * Paths where the file can no longer be: nothing exists there, the path now leads through a link, or the
   * path resolves only because the disk ignores differences in spelling.
   */
  readonly gone: ReadonlySet<string>
  /** Paths that another file has taken, as in log rotation. */
  readonly taken: ReadonlySet<string>
}

export class Moves {
  readonly #options: MovesOptions

  constructor(options: MovesOptions) {
    this.#options = options
  }

  /**
   * Whether the file may have been moved: some row has its inode, size and mtime, and `row`, the row under
   * the file's name, is null or tracks another file.
   */
  isCandidate(row: FileRow | null, view: Entry): boolean {
    if (view.kind !== 'file' || view.ino === 0) return false
    if (row !== null && (row.class !== 'tracked' || row.ino === 0 || row.ino === view.ino)) return false
    return this.#options.files
      .byInode(view.ino, view.dev, view.size)
      .some((other) => other.mtime === view.mtime)
  }

  /**
   * Decides for each candidate whether it was moved or is compared like any other entry. Opens its own
   * transactions.
   */
  async resolve(run: ScanRun, candidates: readonly SeenEntry[]): Promise<Stop> {
    const { db, disk } = this.#options
    const root = this.#options.state.row.path
    const rows = candidates.map(({ view }) => this.#rowsOf(view))
    const inodes = new Map(rows.flat().map((row) => [this.#pathOf(row), row.ino]))
    const paths = [...inodes.keys()]
    const own = candidates.map(({ dir, view }) => absolute(root, dir, view.name))
    const stats = await statInside(disk, root, [...paths, ...own])
    // Without this check, a missing response would count as a file that is still there, and a moved file
    // would be sent again.
    const lost = unansweredIn(stats, paths.length + own.length)
    if (lost !== null) return lost
    const sources = rows.map((list, i): readonly Source[] => {
      const stat = stats[paths.length + i] ?? null
      const born = stat === null || 'code' in stat ? undefined : stat.born
      return list.flatMap((row) => {
        const isSame = isSameFile(row, born)
        return isSame === false ? [] : [{ row, path: this.#pathOf(row), isProved: isSame === true }]
      })
    })
    const isThere = new Set(paths.filter((_, i) => stats[i] !== null))
    const spelling = await this.#spelling(candidates, sources, isThere)
    if ('stop' in spelling) return spelling.stop
    const gone = new Set([...spelling.misspelled].map((rel) => absolute(root, rel, '')))
    for (const path of paths) if (!isThere.has(path)) gone.add(path)
    const taken = new Set(
      paths.filter((path, i) => {
        const stat = stats[i] ?? null
        return stat !== null && !('code' in stat) && stat.ino !== 0 && stat.ino !== inodes.get(path)
      }),
    )
    for (let i = 0; i < candidates.length; i += BATCH) {
      db.tx(() => {
        // A candidate that the disk lists under another spelling is skipped, because it is the same file as
        // the entry with that spelling.
        for (const [j, seen] of candidates.slice(i, i + BATCH).entries())
          if (!spelling.misspelled.has(pathOf(seen)))
            this.#decide(run, seen, sources[i + j] ?? [], { gone, taken })
      })
      await yieldNow()
    }
    return null
  }

  /**
   * Checks pairs of an old and a new path that differ only in spelling (letter case, accents) while the old
   * one still resolves: a disk may treat both as the same.
   */
  async #spelling(
    candidates: readonly SeenEntry[],
    sources: readonly (readonly Source[])[],
    isThere: ReadonlySet<string>,
  ): Promise<Spelling> {
    const { id, path: root } = this.#options.state.row
    const rels = new Set<string>()
    for (const [i, seen] of candidates.entries()) {
      const now = pathOf(seen)
      for (const { row, path } of sources[i] ?? []) {
        const then = child(row.dir, row.name)
        if (row.folderId === id && isThere.has(path) && then !== now && foldName(then) === foldName(now))
          rels.add(then).add(now)
      }
    }
    return rels.size === 0
      ? { misspelled: new Set() }
      : await findMisspelled(this.#options.disk, root, [...rels])
  }

  #rowsOf(view: Entry): readonly FileRow[] {
    return this.#options.files
      .byInode(view.ino, view.dev, view.size)
      .filter((row) => row.mtime === view.mtime && (row.class !== 'ignored' || isExisting(row)))
  }

  #pathOf(row: FileRow): string {
    const folder = this.#options.state.row
    const root =
      row.folderId === folder.id
        ? folder.path
        : (this.#options.files.folder(row.folderId)?.path ?? folder.path)
    return absolute(root, row.dir, row.name)
  }

  #decide(run: ScanRun, seen: SeenEntry, sources: readonly Source[], old: OldPaths): void {
    const { files, state, rules, existing, sink, comparer, debug } = this.#options
    const { id } = state.row
    const { dir, view } = seen
    const source = sources.find(
      ({ row, path }) => old.gone.has(path) && files.file(row.folderId, row.dir, row.name) !== null,
    )
    const caught = rules.file(child(dir, view.name), view.size)
    const left =
      caught === null
        ? sources.filter((one) => !isExisting(one.row) && (old.taken.has(one.path) || one === source))
        : []
    if (source === undefined)
      debug?.('scanner.not-moved', {
        dir,
        name: view.name,
        why: sources.some(({ path }) => old.taken.has(path)) ? 'old path taken' : 'old path still there',
      })
    // The entry is compared under its own name. Rows whose files are no longer at their paths are marked, so
    // that files with the same bytes can take over their links.
    if (seen.row !== null || (source?.isProved !== true && left.length > 0)) {
      for (const { row } of left) sink.left(row)
      comparer.compare(run, seen)
      return
    }
    // A file that was skipped as existing stays skipped under another name. The same applies to a second hard
    // link to it.
    const skipped =
      caught === null ? sources.find(({ row }) => row.folderId === id && existing.skips(row)) : undefined
    if (skipped !== undefined) {
      run.files++
      files.put(fileRow(id, dir, view.name, view, { class: 'ignored', rule: skipped.row.rule }))
      return
    }
    if (source === undefined || caught !== null || isExisting(source.row)) {
      comparer.compare(run, seen)
      if (source === undefined || caught === null || isExisting(source.row)) return
      files.drop(source.row.folderId, source.row.dir, source.row.name)
      sink.ruledOut(source.row, caught.rule, true)
      return
    }
    run.files++
    this.#move(source, id, dir, view)
  }

  #move({ row: source, path }: Source, folderId: number, dir: string, view: Entry): void {
    const { files, sink, debug } = this.#options
    debug?.('scanner.moved', { from: path, dir, name: view.name })
    const readable = source.class === 'unreadable' ? ({ class: 'tracked', rule: null } as const) : {}
    const row: FileRow = {
      ...source,
      ...readable,
      folderId,
      dir,
      name: view.name,
      ino: view.ino,
      dev: view.dev,
    }
    files.drop(source.folderId, source.dir, source.name)
    files.put(row)
    sink.moved(row, path, view)
  }
}

/**
 * Whether a file that was born at `born` (undefined if unknown) is the one that the row was written for; null
 * if that is unknown. A file that was born after the row's change time is another one with the same inode
 * number.
 */
function isSameFile({ ctime, mtime }: FileRow, born: number | undefined): boolean | null {
  if (born === undefined || ctime === null || ctime === UNVERIFIED_CTIME) return null
  if (born <= ctime) return true
  // Where a file system records no change time, Linux shows the modification time in its place.
  return ctime === mtime ? null : false
}

function pathOf({ dir, view }: SeenEntry): string {
  return child(dir, view.name)
}

// Finds paths that the disk resolves but spells differently. On a disk that ignores letter case or the
// composition of accents, the old path still resolves after a rename that changes only these. Only a listing
// shows the current spelling.
type Spelling = { readonly misspelled: ReadonlySet<string> } | { readonly stop: Exclude<Stop, null> }

/**
 * Returns those of `rels` (paths below `root`, with '/') that the disk doesn't list under exactly this
 * spelling, because it lists another one or the entry has vanished; or why that can't be determined.
 */
async function findMisspelled(disk: Disk, root: string, rels: readonly string[]): Promise<Spelling> {
  const steps = rels.map((rel) => [rel, stepsTo(rel)] as const)
  const dirs = [...new Set(steps.flatMap(([, path]) => path.map(({ dir }) => dir)))]
  const names = new Map<string, ReadonlySet<string>>()
  const lists = await disk.list(dirs.map((dir) => absolute(root, dir, '')))
  if (lists.length < dirs.length) return { stop: { reason: 'failed', failure: null } }
  for (const [i, list] of lists.entries()) {
    const isAway = list.failure?.code === 'gone' || list.failure?.code === 'not-a-directory'
    if (list.failure !== null && !isAway) return { stop: { reason: 'failed', failure: list.failure } }
    names.set(dirs[i] ?? '', new Set(namesOf(list)))
  }
  return {
    misspelled: new Set(
      steps
        .filter(([, path]) => path.some(({ dir, name }) => names.get(dir)?.has(name) === false))
        .map(([rel]) => rel),
    ),
  }
}

/** All names along a relative path, each with its directory. */
function stepsTo(rel: string): readonly { readonly dir: string; readonly name: string }[] {
  const step = split(rel)
  return step.dir === '' ? [step] : [...stepsTo(step.dir), step]
}

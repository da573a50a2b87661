// The truth on disk: compares what a folder holds with what the journal knows, and says what is new, changed, moved or gone.
// It never uploads and never trusts a hint. Every entry it sees ends in exactly one class, so the audit adds up.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { FileRow, Files, FolderRow } from '../journal/files.ts'
import type { Database } from '../journal/open.ts'
import type { Disk, DiskFailure, Entry, Listing } from '../ports.ts'
import { entriesOf } from './entries.ts'
import { directoryRow, fileRow } from './file-row.ts'
import { absolute, child, hasAncestor, split } from './rel-path.ts'

/** Entries taken into one transaction, so that nobody waits long for the thread (law 6). */
const BATCH = 100
/** Directories asked for at once: enough to keep the disk thread busy, few enough that one answer is read in a moment. */
const DIRS_AT_ONCE = 24
/** Questions that the disk thread has at a time: while one answer is on its way, it works on the next. */
const QUESTIONS = 2
/** Missing rows that are asked for once more in one question. */
const STATS_AT_ONCE = 1000
/** Entries that may be listed before they are compared. Listing is faster than comparing; about 100 bytes each. */
const AHEAD = 131_072

export interface Rules {
  file(rel: string, size: number): { readonly rule: string } | null
  /** `listed: false`: not even counted; the directory itself is the one entry. */
  dir(rel: string, view: Entry | null): { readonly rule: string; readonly listed?: boolean } | null
}

/** What the scanner hands on; the folder session decides about settling and queueing. */
export interface ScanSink {
  /** A version that the journal does not know, as it was no earlier than `seenAt` (epoch milliseconds). Called inside a transaction. */
  found(file: {
    readonly dir: string
    readonly name: string
    readonly entry: Entry
    readonly seenAt: number
    readonly known: FileRow | null
    /** Was passed over until now, by a rule or since it could not be read: it may have been there all along. */
    readonly late: boolean
    /** The look was at the whole folder: had the file that was known here moved within it, `left` would have said so before. */
    readonly isWhole: boolean
  }): void
  /** A known version whose inode changed since: its mode, its name, or its bytes under the old time. Called inside a transaction. */
  touched(file: { readonly dir: string; readonly name: string; readonly entry: Entry; readonly row: FileRow }): void
  /** The local file of this transfer is not there any more. Called inside a transaction. */
  vanished(row: FileRow): void
  /** The file of this row has another name now, and the row is not moved. Called inside a transaction. */
  left(row: FileRow): void
  /** The file of this row is elsewhere now; the row has been moved. Called inside a transaction. */
  moved(row: FileRow, from: string, entry: Entry): void
  /** The file is there and a rule leaves it out from now on; `moved`: under another name. Called inside a transaction. */
  ruledOut(row: FileRow, rule: string, moved: boolean): void
}

export interface Unreadable {
  /** Relative path of the entry or directory. */
  readonly dir: string
  readonly message: string
}

/** Why a look ended early. `root`: the folder itself is not there or can't be read. `failed`: the disk's thread gave no answer. */
export type Incomplete = 'aborted' | 'root' | 'failed'

/**
 * What became of a look. Only a complete one may take anything for deleted; what an incomplete one found is true all the same, since each
 * find is a fact by itself.
 */
export type ScanReport =
  | { readonly kind: 'complete'; readonly unreadable: readonly Unreadable[]; readonly files: number }
  | { readonly kind: 'incomplete'; readonly reason: Incomplete; readonly failure: DiskFailure | null }

export interface ScannerOptions {
  readonly db: Database
  readonly disk: Disk
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly files: Files
  readonly folder: () => FolderRow
  readonly rules: () => Rules
  /** Whether the folder is still the one that this look began with. Asked before anything is taken for deleted: a disk may be unplugged midway. */
  readonly rootHolds: () => Promise<boolean>
  /** A directory has (mtime) or has no (null) rules file of its own; true if the rules changed by it. */
  readonly rulesFile: (dir: string, mtime: number | null) => Promise<boolean>
  readonly sink: ScanSink
}

export interface Scanner {
  /** Everything at and below `dir` (relative, '' for the whole folder). */
  tree(dir: string, signal: AbortSignal): Promise<ScanReport>
  /** Just the entries of these directories, and whole trees of directories that are new. */
  dirs(dirs: readonly string[], signal: AbortSignal): Promise<ScanReport>
  /** Just these paths (relative). */
  paths(rels: readonly string[], signal: AbortSignal): Promise<ScanReport>
}

/** A directory to be listed. */
interface Item {
  readonly dir: string
  readonly recursive: boolean
  readonly ignoredBy: { readonly dir: string; readonly rule: string } | null
  /** It, or one above it, was passed over until now. */
  readonly late?: boolean
}

/** A directory as it was listed, to be compared with the journal. */
interface Listed {
  readonly item: Item
  readonly list: Listing
  /** No later than the disk was read. */
  readonly seenAt: number
}

interface Fresh {
  readonly view: Entry
  readonly row: FileRow | null
}

type Found = Parameters<ScanSink['found']>[0]

interface Run {
  readonly signal: AbortSignal
  /** It is at the whole folder. */
  readonly isWhole: boolean
  readonly queue: Item[]
  readonly visited: Set<string>
  /** Rows that a listing lacks, or whose path answered with nothing: asked for once more at the end. */
  readonly missing: FileRow[]
  /** Rows whose place something else has taken: a directory, or the same name in other letter case. */
  readonly replaced: FileRow[]
  /** Known names under which another file is now. Kept for the end: by then it is known whether the earlier file has a new name. */
  readonly taken: Found[]
  /** Rows of files that are there and that a rule now leaves out: their new row is written already. */
  readonly ruledOut: { readonly row: FileRow; readonly rule: string }[]
  readonly unreadable: Unreadable[]
  readonly ignoredCounts: Map<string, { rule: string; count: number }>
  files: number
}

/** Why a part of the look can't go on; null where it can. */
type Stop = { readonly reason: Incomplete; readonly failure: DiskFailure | null } | null
const ABORTED: Stop = { reason: 'aborted', failure: null }

export function createScanner(options: ScannerOptions): Scanner {
  const { db, disk, files, sink } = options
  /** Directories seen in this session: a listed name that is missing here is a new directory and is read whole. */
  const known = new Set<string>()

  const start = (signal: AbortSignal, isWhole = false): Run => ({
    signal,
    isWhole,
    queue: [],
    visited: new Set(),
    missing: [],
    replaced: [],
    taken: [],
    ruledOut: [],
    unreadable: [],
    ignoredCounts: new Map(),
    files: 0,
  })

  /** One entry of a directory that may be read. Called inside a transaction. */
  const entry = (run: Run, dir: string, view: Entry, seenAt: number, row: FileRow | null, recursive: boolean, late = false): void => {
    const folder = options.folder()
    const rel = child(dir, view.name)
    if (view.kind === 'unreadable') return unreadable(run, dir, view.name, row, "can't be looked at")
    if (view.kind === 'dir') {
      if (row !== null) run.replaced.push(row)
      const caught = options.rules().dir(rel, view)
      if (caught?.listed === false) {
        run.ignoredCounts.set(rel, { rule: caught.rule, count: 1 })
        for (const below of files.dirsBelow(folder.id, rel)) leaveOut(run, below, rel, caught.rule)
      } else if (caught !== null) {
        if (recursive || !known.has(rel)) run.queue.push({ dir: rel, recursive: true, ignoredBy: { dir: rel, rule: caught.rule } })
      } else if (recursive || !known.has(rel)) run.queue.push({ dir: rel, recursive: true, ignoredBy: null, late })
      return
    }
    run.files++
    const ignore = (rule: string): void => {
      if (row !== null && row.transferId !== null) run.ruledOut.push({ row, rule })
      if (row?.class !== 'ignored' || row.rule !== rule || row.size !== view.size || row.mtime !== view.mtime)
        files.put(fileRow(folder.id, dir, view.name, view, { class: 'ignored', rule }))
    }
    if (view.kind === 'link') return ignore('symbolic link')
    if (view.kind === 'other') return ignore('not a regular file')
    const caught = options.rules().file(rel, view.size)
    if (caught !== null) return ignore(caught.rule)
    if (row !== null && (row.class === 'tracked' || row.class === 'unreadable') && row.size === view.size && row.mtime === view.mtime) {
      const now: FileRow = { ...row, class: 'tracked', rule: null }
      const isTouched = row.ctime !== null && row.ctime !== view.ctime
      if (!isTouched && (row.ino !== view.ino || row.dev !== view.dev || row.ctime !== view.ctime))
        files.put({ ...now, ino: view.ino, dev: view.dev, ctime: view.ctime })
      else if (row.class === 'unreadable') files.put(now)
      // In a place that could not be read until now, its own times say nothing.
      if (isTouched || (late && row.transferId !== null)) sink.touched({ dir, name: view.name, entry: view, row: now })
      return
    }
    if (row !== null && isOld(row) && folder.existing === 'skip' && row.size === view.size && row.mtime === view.mtime) {
      if (row.ino !== view.ino || row.dev !== view.dev) files.put({ ...row, ino: view.ino, dev: view.dev })
      return
    }
    const tracked = row !== null && row.class !== 'ignored' ? row : null
    const passedOver = row !== null && (row.class === 'ignored' || row.class === 'unreadable')
    const found: Found = { dir, name: view.name, entry: view, seenAt, known: tracked, late: late || passedOver, isWhole: run.isWhole }
    if (tracked !== null && tracked.ino !== 0 && tracked.ino !== view.ino) run.taken.push(found)
    else sink.found(found)
  }

  /** The row of an ignored directory counts what is in it and below, so the files there have none of their own any more. */
  const leaveOut = (run: Run, dir: string, ignoredDir: string, rule: string): void => {
    for (const row of files.inDir(options.folder().id, dir)) if (row.name !== '' || dir !== ignoredDir) run.ruledOut.push({ row, rule })
  }

  /** An entry that can't be looked at is neither there nor gone: it counts once, and what is known of it is kept. */
  const unreadable = (run: Run, dir: string, name: string, row: FileRow | null, message: string): void => {
    const rel = child(dir, name)
    const unknown: FileRow = { ...directoryRow(options.folder().id, dir, 'unreadable', 1, 'unreadable'), name }
    const caught = options.rules().file(rel, 0) ?? options.rules().dir(rel, null)
    if (caught !== null) {
      if (row?.class === 'ignored' && row.rule === caught.rule) return
      files.put({ ...unknown, class: 'ignored', rule: caught.rule })
      if (row !== null && row.transferId !== null) run.ruledOut.push({ row, rule: caught.rule })
      return
    }
    run.unreadable.push({ dir: rel, message })
    if (row?.class === 'ignored' && row.rule === EXISTING) return
    if (row?.class !== 'unreadable') files.put(row?.transferId == null ? unknown : { ...row, class: 'unreadable', rule: 'unreadable' })
  }

  /** A row of something that could not be looked at and had no transfer says nothing once it can. Called inside a transaction. */
  const usable = (row: FileRow | null, view: Entry): FileRow | null => {
    if (row === null || row.class !== 'unreadable' || row.transferId !== null || view.kind === 'unreadable') return row
    files.drop(row.folderId, row.dir, row.name)
    return null
  }

  /** What is left to compare once the directory itself was looked at: null where that is nothing. */
  const listed = async (run: Run, { item, list, seenAt }: Listed): Promise<Listed | null> => {
    const { dir } = item
    if (list.failure !== null) {
      failedListing(run, item, list.failure)
      return null
    }
    run.visited.add(dir)
    known.add(dir)
    if (item.ignoredBy !== null) {
      // Nothing below is compared, only counted, so that the audit still names every file.
      const sum = run.ignoredCounts.get(item.ignoredBy.dir) ?? { rule: item.ignoredBy.rule, count: 0 }
      for (const view of entriesOf(list)) {
        if (view.kind === 'dir') run.queue.push({ dir: child(dir, view.name), recursive: true, ignoredBy: item.ignoredBy })
        else sum.count++
      }
      run.ignoredCounts.set(item.ignoredBy.dir, sum)
      // The row of the ignored directory counts them from now on.
      leaveOut(run, dir, item.ignoredBy.dir, item.ignoredBy.rule)
      return null
    }
    const rulesAt = list.names.indexOf(RULES_FILE)
    if (await options.rulesFile(dir, rulesAt < 0 ? null : (list.stats[rulesAt * 6 + 1] ?? 0))) {
      // Other rules for everything below: what was passed over may count now, and the other way round.
      run.queue.push({ dir, recursive: true, ignoredBy: null, late: item.late === true })
      return null
    }
    return { item, list, seenAt }
  }

  /** Compares one directory, a step an entry. Every step is made inside a transaction; new names that may have been moved are kept for later. */
  const steps = function* (run: Run, { item, list, seenAt }: Listed, fresh: Fresh[]): Generator<void> {
    const folder = options.folder()
    const { dir } = item
    const rows = new Map(files.inDir(folder.id, dir).map((row) => [row.name, row]))
    const late = item.late === true || rows.has('')
    yield
    for (const view of entriesOf(list)) {
      const before = rows.get(view.name) ?? null
      const row = usable(before, view)
      rows.delete(view.name)
      if (isNewAt(row, view) && mayHaveMoved(view)) fresh.push({ view, row })
      else entry(run, dir, view, seenAt, row, item.recursive, late || before?.class === 'unreadable')
      yield
    }
    if (rows.delete('')) files.drop(folder.id, dir, '')
    if (rows.size === 0) return
    // Where the disk folds case, the old name of a file still answers after it was renamed to other letters.
    const folded = new Set(list.names.map(fold))
    for (const row of rows.values()) (folded.has(fold(row.name)) ? run.replaced : run.missing).push(row)
  }

  /** Many small directories share a transaction, a large one takes several: each costs as much as forty entries. */
  const compare = async (run: Run, parts: readonly Listed[]): Promise<Stop> => {
    const fresh = parts.map((): Fresh[] => [])
    const all = (function* (): Generator<void> {
      for (const [i, part] of parts.entries()) yield* steps(run, part, fresh[i] ?? [])
    })()
    for (let done = false; !done; ) {
      db.tx(() => {
        for (let n = 0; n < BATCH && !done; n++) done = all.next().done === true
      })
      await yieldNow()
      if (run.signal.aborted) return ABORTED
    }
    for (const [i, { item, seenAt }] of parts.entries()) {
      const list = fresh[i] ?? []
      const stop = list.length > 0 ? await moves(run, item.dir, list, seenAt, item.recursive) : null
      if (stop !== null) return stop
    }
    return null
  }

  /** A file under a name that the journal does not know, or knows for another file. */
  const isNewAt = (row: FileRow | null, view: Entry): boolean =>
    view.kind === 'file' && (row === null || (row.class === 'tracked' && row.ino !== 0 && row.ino !== view.ino))

  const mayHaveMoved = (view: Entry): boolean =>
    view.ino !== 0 && files.byInode(view.ino, view.dev, view.size).some((row) => row.mtime === view.mtime)

  /** New names whose inode the journal knows under another name: a move keeps its link, a second hard link is a file of its own. */
  const moves = async (run: Run, dir: string, fresh: readonly Fresh[], seenAt: number, recursive: boolean): Promise<Stop> => {
    const folder = options.folder()
    const sources = fresh.map(({ view }) =>
      files.byInode(view.ino, view.dev, view.size).filter((row) => row.mtime === view.mtime && (row.class !== 'ignored' || isOld(row))),
    )
    const roots = new Map<number, string>()
    const pathOf = (row: FileRow): string => {
      const root = roots.get(row.folderId) ?? files.folder(row.folderId)?.path ?? folder.path
      roots.set(row.folderId, root)
      return absolute(root, row.dir, row.name)
    }
    const inodes = new Map(sources.flat().map((row) => [pathOf(row), row.ino]))
    const paths = [...inodes.keys()]
    const stats = await disk.stat(paths)
    // Without an answer a moved file would be taken for a new one, and sent once more.
    const lost = unansweredIn(stats, paths.length)
    if (lost !== null) return lost
    const gone = new Set(paths.filter((_, i) => stats[i] === null))
    /** Another file has the old name by now, as when logs are rotated. */
    const taken = new Set(
      paths.filter((path, i) => {
        const stat = stats[i] ?? null
        return stat !== null && !('code' in stat) && stat.ino !== 0 && stat.ino !== inodes.get(path)
      }),
    )
    for (let i = 0; i < fresh.length; i += BATCH) {
      const part = fresh.slice(i, i + BATCH)
      db.tx(() => {
        for (const [j, item] of part.entries()) {
          const source = (sources[i + j] ?? []).find((row) => gone.has(pathOf(row)) && files.file(row.folderId, row.dir, row.name) !== null)
          const caught = options.rules().file(child(dir, item.view.name), item.view.size)
          // What was there before stays so under another name, and under a second one.
          const isOldHere = (one: FileRow): boolean => folder.existing === 'skip' && one.folderId === folder.id && isOld(one)
          const left =
            caught === null ? (sources[i + j] ?? []).filter((row) => !isOld(row) && (taken.has(pathOf(row)) || row === source)) : []
          // The name stays with its versions; the bytes find the link that they have.
          if (item.row !== null || (source === undefined && left.length > 0)) {
            for (const row of left) sink.left(row)
            entry(run, dir, item.view, seenAt, item.row, recursive)
            continue
          }
          if (caught === null && (sources[i + j] ?? []).some(isOldHere)) {
            run.files++
            files.put(fileRow(folder.id, dir, item.view.name, item.view, { class: 'ignored', rule: EXISTING }))
            continue
          }
          if (source === undefined || caught !== null || isOld(source)) {
            entry(run, dir, item.view, seenAt, null, recursive)
            if (source === undefined || caught === null || isOld(source)) continue
            files.drop(source.folderId, source.dir, source.name)
            sink.ruledOut(source, caught.rule, true)
            continue
          }
          run.files++
          const cls = source.class === 'unreadable' ? ({ class: 'tracked', rule: null } as const) : {}
          const row: FileRow = { ...source, ...cls, folderId: folder.id, dir, name: item.view.name, ino: item.view.ino, dev: item.view.dev }
          files.drop(source.folderId, source.dir, source.name)
          files.put(row)
          sink.moved(row, pathOf(source), item.view)
        }
      })
      await yieldNow()
    }
    return null
  }

  const failedListing = (run: Run, item: Item, failure: DiskFailure): void => {
    const folder = options.folder()
    const { dir } = item
    if (failure.code === 'gone' || failure.code === 'not-a-directory') {
      known.delete(dir)
      for (const below of files.dirsBelow(folder.id, dir)) run.missing.push(...files.inDir(folder.id, below))
      return
    }
    if (item.ignoredBy !== null) {
      // Left out by a rule, readable or not: it counts as one entry there.
      const sum = run.ignoredCounts.get(item.ignoredBy.dir) ?? { rule: item.ignoredBy.rule, count: 0 }
      sum.count++
      run.ignoredCounts.set(item.ignoredBy.dir, sum)
      return
    }
    // What can't be read is not taken for deleted: its rows stay, and it is listed in the audit by itself.
    run.unreadable.push({ dir, message: failure.message })
    db.tx(() => files.put(directoryRow(folder.id, dir, 'unreadable', 1, 'unreadable')))
  }

  /** Asks for directories ahead, in their order, so that the disk's thread reads while this one compares. */
  const listAhead = (run: Run): { readonly next: () => Promise<readonly Listed[] | 'done' | 'aborted'> } => {
    const root = options.folder().path
    const asked: Promise<readonly Listed[]>[] = []
    let open = 0
    let held = 0
    const ask = async (items: readonly Item[]): Promise<readonly Listed[]> => {
      const seenAt = options.now()
      const lists = await disk.list(items.map((item) => absolute(root, item.dir, '')))
      return items.map((item, i) => ({ item, list: lists[i] ?? unanswered(item.dir), seenAt }))
    }
    const fill = (): void => {
      while (open < QUESTIONS && held < AHEAD && run.queue.length > 0 && !run.signal.aborted) {
        open++
        const answer = ask(run.queue.splice(0, DIRS_AT_ONCE))
        asked.push(answer)
        const arrived = (parts: readonly Listed[]): void => {
          open--
          for (const { list } of parts) held += list.names.length
          fill()
        }
        answer.then(arrived, () => arrived([]))
      }
    }
    return {
      next: async () => {
        fill()
        const answer = asked.shift()
        if (answer === undefined) return run.signal.aborted ? 'aborted' : 'done'
        const parts = await answer
        for (const { list } of parts) held -= list.names.length
        return run.signal.aborted ? 'aborted' : parts
      },
    }
  }

  /** Reads and compares all that is queued. Null: all of it was looked at. */
  const drain = async (run: Run): Promise<Stop> => {
    const ahead = listAhead(run)
    for (;;) {
      const parts = await ahead.next()
      if (parts === 'aborted') return ABORTED
      if (parts === 'done') return null
      const left: Listed[] = []
      for (const part of parts) {
        const { failure } = part.list
        if (failure?.code === 'interrupted') return { reason: 'failed', failure }
        if (failure !== null && part.item.dir === '') return { reason: 'root', failure }
        const rest = await listed(run, part)
        if (rest !== null) left.push(rest)
      }
      const stop = left.length > 0 ? await compare(run, left) : null
      if (stop !== null) return stop
    }
  }

  /** The file of this row is not there any more. Called inside a transaction. */
  const vanish = (row: FileRow): void => {
    // Seen again, or moved, in the same look: then it did not vanish.
    const now = files.file(row.folderId, row.dir, row.name)
    if (now === null || now.transferId !== row.transferId || now.mtime !== row.mtime) return
    files.drop(row.folderId, row.dir, row.name)
    sink.vanished(row)
  }

  const ruleOut = ({ row, rule }: { readonly row: FileRow; readonly rule: string }): void => {
    const now = files.file(row.folderId, row.dir, row.name)
    if (now === null) return
    if (now.class === 'ignored' && row.class !== 'ignored') sink.ruledOut(row, rule, false)
    else if (now.class === row.class && now.transferId === row.transferId) {
      // The row of its directory counts it.
      files.drop(row.folderId, row.dir, row.name)
      sink.ruledOut(row, rule, false)
    }
  }

  /**
   * Asks for each missing row once more before it is taken for deleted: a listing can lack a name that was renamed while it was read, and a
   * disk that is unplugged midway answers "nothing there" for every path.
   */
  const confirm = async (run: Run): Promise<Stop> => {
    const { path } = options.folder()
    for (let i = 0; i < run.missing.length; i += STATS_AT_ONCE) {
      if (run.signal.aborted) return ABORTED
      const part = run.missing.slice(i, i + STATS_AT_ONCE)
      const seenAt = options.now()
      const stats = await disk.stat(part.map((row) => absolute(path, row.dir, row.name)))
      const lost = unansweredIn(stats, part.length)
      if (lost !== null) return lost
      if (!(await options.rootHolds())) return { reason: 'root', failure: null }
      const back: { readonly dir: string; readonly view: Entry }[] = []
      for (let j = 0; j < part.length; j += BATCH) {
        db.tx(() => {
          for (const [k, row] of part.slice(j, j + BATCH).entries()) {
            const stat = stats[j + k]
            if (stat === null) vanish(row)
            else if (row.name === '' || stat === undefined) continue
            else if ('code' in stat) unreadable(run, row.dir, row.name, row, stat.message)
            else if (stat.kind === 'dir') run.replaced.push(row)
            // Its row has moved on in this same look, and the file has come back since.
            else if (files.file(row.folderId, row.dir, row.name) === null) back.push({ dir: row.dir, view: stat })
            else entry(run, row.dir, stat, seenAt, row, false)
          }
        })
        await yieldNow()
      }
      for (const { dir, view } of back) {
        const stop = await moves(run, dir, [{ view, row: null }], seenAt, false)
        if (stop !== null) return stop
      }
    }
    return null
  }

  const inBatches = async <T>(rows: readonly T[], each: (row: T) => void): Promise<void> => {
    for (let i = 0; i < rows.length; i += BATCH) {
      db.tx(() => rows.slice(i, i + BATCH).forEach(each))
      await yieldNow()
    }
  }

  /** Acts on what a look found to be gone: only if `stop` says that nothing cut it short. */
  const finish = async (run: Run, stop: Stop): Promise<ScanReport> => {
    const cut = stop ?? (run.signal.aborted ? ABORTED : await confirm(run))
    if (cut !== null) return { kind: 'incomplete', ...cut }
    await inBatches(run.taken, (found) => {
      const row = files.file(options.folder().id, found.dir, found.name)
      sink.found({ ...found, known: row?.class === 'ignored' ? null : row })
    })
    await inBatches(run.replaced, vanish)
    await inBatches(run.ruledOut, ruleOut)
    const folder = options.folder()
    db.tx(() => {
      for (const [dir, sum] of run.ignoredCounts) {
        const had = files.file(folder.id, dir, '')
        if (sum.count === 0) {
          if (had !== null) files.drop(folder.id, dir, '')
        } else if (had === null || had.class !== 'ignored' || had.count !== sum.count || had.rule !== sum.rule)
          files.put(directoryRow(folder.id, dir, 'ignored', sum.count, sum.rule))
      }
    })
    return { kind: 'complete', unreadable: run.unreadable, files: run.files }
  }

  /** Directories of the journal that no listing named any more. Only to be asked after everything at and below `dir` was looked at. */
  const unvisitedBelow = (run: Run, dir: string): void => {
    const folder = options.folder()
    const blocked = new Set(run.unreadable.map((u) => u.dir))
    let folded: Set<string> | null = null
    for (const below of files.dirsBelow(folder.id, dir)) {
      if (run.visited.has(below) || blocked.has(below) || hasAncestor(below, blocked)) continue
      const rows = files.inDir(folder.id, below)
      // A row that represents an ignored directory is kept by its count, not by a visit.
      if (rows.every((row) => row.name === '' && run.ignoredCounts.has(below))) continue
      known.delete(below)
      folded ??= new Set([...run.visited].map(fold))
      ;(folded.has(fold(below)) ? run.replaced : run.missing).push(...rows)
    }
  }

  return {
    tree: async (dir, signal) => {
      const run = start(signal, dir === '')
      run.queue.push({ dir, recursive: true, ignoredBy: null })
      const stop = await drain(run)
      if (stop === null) unvisitedBelow(run, dir)
      return finish(run, stop)
    },
    dirs: async (dirs, signal) => {
      const run = start(signal)
      for (const dir of dirs) run.queue.push({ dir, recursive: false, ignoredBy: null })
      const stop = await drain(run)
      // A directory that is gone from its parent takes everything below with it.
      if (stop === null) for (const dir of dirs) if (run.visited.has(dir)) await goneBelow(run, dir)
      return finish(run, stop)
    },
    paths: async (rels, signal) => {
      const run = start(signal)
      const folder = options.folder()
      const seenAt = options.now()
      const stats = await disk.stat(
        rels.map((rel) => {
          const { dir, name } = split(rel)
          return absolute(folder.path, dir, name)
        }),
      )
      if (signal.aborted) return finish(run, ABORTED)
      const lost = unansweredIn(stats, rels.length)
      if (lost !== null) return finish(run, lost)
      const fresh = new Map<string, Fresh[]>()
      db.tx(() => {
        for (const [i, rel] of rels.entries()) {
          const { dir, name } = split(rel)
          const stat = stats[i]
          const row = files.file(folder.id, dir, name)
          if (stat === undefined) continue
          if (stat === null) {
            if (row !== null) run.missing.push(row)
            known.delete(rel)
            for (const below of files.dirsBelow(folder.id, rel)) run.missing.push(...files.inDir(folder.id, below))
          } else if ('code' in stat) unreadable(run, dir, name, row, stat.message)
          else {
            const view = stat
            const had = usable(row, view)
            if (isNewAt(had, view) && mayHaveMoved(view)) fresh.set(dir, [...(fresh.get(dir) ?? []), { view, row: had }])
            else entry(run, dir, view, seenAt, had, view.kind === 'dir' && !known.has(rel))
          }
        }
      })
      for (const [dir, items] of fresh) {
        const stop = await moves(run, dir, items, seenAt, false)
        if (stop !== null) return finish(run, stop)
      }
      return finish(run, await drain(run))
    },
  }

  async function goneBelow(run: Run, dir: string): Promise<void> {
    const folder = options.folder()
    const deeper = files.dirsBelow(folder.id, dir).filter((d) => d !== dir && !run.visited.has(d))
    const tops = new Set(deeper.map((d) => child(dir, (dir === '' ? d : d.slice(dir.length + 1)).split('/')[0] ?? '')))
    const list = [...tops]
    const stats = await disk.stat(list.map((d) => absolute(folder.path, d, '')))
    for (const [i, top] of list.entries()) {
      if (stats[i] !== null) continue
      known.delete(top)
      for (const below of files.dirsBelow(folder.id, top)) run.missing.push(...files.inDir(folder.id, below))
    }
  }
}

/** A listing that never came: no answer is not an empty directory. */
function unanswered(dir: string): Listing {
  return {
    dir,
    failure: { code: 'interrupted', message: 'the disk gave no answer' },
    names: [],
    kinds: '',
    stats: new Float64Array(0),
  }
}

/** Whether some of the answers never came. */
function unansweredIn(stats: readonly (Entry | DiskFailure | null)[], asked: number): Stop {
  if (stats.length < asked) return { reason: 'failed', failure: null }
  for (const stat of stats) if (stat !== null && 'code' in stat && stat.code === 'interrupted') return { reason: 'failed', failure: stat }
  return null
}

/** Names that a disk may take for the same: letter case and the composition of accents. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** Rules in gitignore syntax for the directory that holds it and all below. */
export const RULES_FILE = '.slipwayignore'

/** Rule for files that were there before the folder was watched, where a person chose to skip those. */
export const EXISTING = 'was here before'

function isOld(row: FileRow): boolean {
  return row.class === 'ignored' && row.rule === EXISTING
}

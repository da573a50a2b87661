// The truth on disk: compares what a folder holds with what the journal knows, and says what is new, changed, moved or gone.
// It never uploads and never trusts a hint. Every entry it sees ends in exactly one class, so the audit adds up.
import { setImmediate as yieldNow } from 'node:timers/promises'
import { entriesOf } from './entries.ts'
import type { FileRow, Files, FolderRow } from './journal/files.ts'
import type { Database } from './journal/open.ts'
import type { Disk, DiskFailure, Entry, Listing } from './ports.ts'
import { absolute, child, split } from './rel-path.ts'

/** Entries taken into one transaction, so that nobody waits long for the thread (law 6). */
const BATCH = 100
/** Directories asked for at once: enough to keep the disk thread busy, few enough that one answer is read in a moment. */
const DIRS_AT_ONCE = 24
/** Questions that the disk thread has at a time: while one answer is on its way, it works on the next. */
const QUESTIONS = 2
/** Entries that may be listed before they are compared. Listing is faster than comparing; about 100 bytes each. */
const AHEAD = 131_072

export interface Rules {
  file(rel: string, size: number): { readonly rule: string } | null
  dir(rel: string): { readonly rule: string } | null
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
  }): void
  /** The local file of this transfer is not there any more. Called inside a transaction. */
  vanished(row: FileRow): void
  /** The file of this row now stands elsewhere; the row has been moved. Called inside a transaction. */
  moved(row: FileRow, from: string): void
}

export interface ScanReport {
  /** The root itself can't be read. */
  readonly rootFailure: DiskFailure | null
  readonly unreadable: readonly { readonly dir: string; readonly message: string }[]
  readonly files: number
}

export interface ScannerOptions {
  readonly db: Database
  readonly disk: Disk
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly files: Files
  readonly folder: () => FolderRow
  readonly rules: () => Rules
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

interface Run {
  readonly signal: AbortSignal
  readonly queue: Item[]
  readonly visited: Set<string>
  readonly vanished: FileRow[]
  readonly unreadable: { dir: string; message: string }[]
  readonly ignoredCounts: Map<string, { rule: string; count: number }>
  rootFailure: DiskFailure | null
  files: number
}

export function createScanner(options: ScannerOptions): Scanner {
  const { db, disk, files, sink } = options
  /** Directories seen in this session: a listed name that is missing here is a new directory and is read whole. */
  const known = new Set<string>()

  const start = (signal: AbortSignal): Run => ({
    signal,
    queue: [],
    visited: new Set(),
    vanished: [],
    unreadable: [],
    ignoredCounts: new Map(),
    rootFailure: null,
    files: 0,
  })

  /** One entry of a directory that may be read. Called inside a transaction. */
  const entry = (run: Run, dir: string, view: Entry, seenAt: number, row: FileRow | null, recursive: boolean): void => {
    const folder = options.folder()
    const rel = child(dir, view.name)
    if (view.kind === 'dir') {
      if (row !== null) run.vanished.push(row)
      const caught = options.rules().dir(rel)
      if (caught !== null) {
        if (recursive || !known.has(rel)) run.queue.push({ dir: rel, recursive: true, ignoredBy: { dir: rel, rule: caught.rule } })
      } else if (recursive || !known.has(rel)) run.queue.push({ dir: rel, recursive: true, ignoredBy: null })
      return
    }
    run.files++
    const ignore = (rule: string): void => {
      if (row !== null && row.transferId !== null) run.vanished.push(row)
      if (row?.class !== 'ignored' || row.rule !== rule || row.size !== view.size || row.mtime !== view.mtime)
        files.put({ ...blank(folder.id, dir, view), class: 'ignored', rule })
    }
    if (view.kind === 'link') return ignore('symbolic link')
    if (view.kind === 'other') return ignore('not a regular file')
    const caught = options.rules().file(rel, view.size)
    if (caught !== null) return ignore(caught.rule)
    if (row !== null && row.class === 'tracked' && row.size === view.size && row.mtime === view.mtime) {
      if (row.ino !== view.ino || row.dev !== view.dev) files.put({ ...row, ino: view.ino, dev: view.dev })
      return
    }
    if (row !== null && row.class === 'ignored' && row.rule === EXISTING && row.size === view.size && row.mtime === view.mtime) return
    if (row === null && folder.existing === 'skip' && view.ctime <= folder.createdAt) return ignore(EXISTING)
    const tracked = row !== null && (row.class === 'tracked' || row.class === 'settling') ? row : null
    sink.found({ dir, name: view.name, entry: view, seenAt, known: tracked })
  }

  /** What is left to compare once the directory itself was looked at: null where that is nothing. */
  const listed = async (run: Run, { item, list, seenAt }: Listed): Promise<Listed | null> => {
    const { dir } = item
    if (list.failure !== null) {
      failedListing(run, dir, list.failure)
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
      return null
    }
    const rulesAt = list.names.indexOf(RULES_FILE)
    if (await options.rulesFile(dir, rulesAt < 0 ? null : (list.stats[rulesAt * 6 + 1] ?? 0))) {
      // Other rules for everything below: what was passed over may count now, and the other way round.
      run.queue.push({ dir, recursive: true, ignoredBy: null })
      return null
    }
    return { item, list, seenAt }
  }

  /** Compares one directory, a step an entry. Every step is made inside a transaction; new names that may have been moved are put by. */
  const steps = function* (run: Run, { item, list, seenAt }: Listed, fresh: Fresh[]): Generator<void> {
    const folder = options.folder()
    const { dir } = item
    const rows = new Map(files.inDir(folder.id, dir).map((row) => [row.name, row]))
    yield
    for (const view of entriesOf(list)) {
      const row = rows.get(view.name) ?? null
      rows.delete(view.name)
      if (view.kind === 'file' && row === null && mayHaveMoved(view)) fresh.push({ view, row })
      else entry(run, dir, view, seenAt, row, item.recursive)
      yield
    }
    for (const row of rows.values()) if (row.name !== '') run.vanished.push(row)
    if (rows.has('')) files.drop(folder.id, dir, '')
  }

  /** Many small directories share a transaction, a large one takes several: each costs as much as forty entries. */
  const compare = async (run: Run, parts: readonly Listed[]): Promise<void> => {
    const fresh = parts.map((): Fresh[] => [])
    const all = (function* (): Generator<void> {
      for (const [i, part] of parts.entries()) yield* steps(run, part, fresh[i] ?? [])
    })()
    for (let done = false; !done; ) {
      db.tx(() => {
        for (let n = 0; n < BATCH && !done; n++) done = all.next().done === true
      })
      await yieldNow()
      run.signal.throwIfAborted()
    }
    for (const [i, { item, seenAt }] of parts.entries()) {
      const list = fresh[i] ?? []
      if (list.length > 0) await moves(run, item.dir, list, seenAt, item.recursive)
    }
  }

  const mayHaveMoved = (view: Entry): boolean =>
    view.ino !== 0 && files.byInode(view.ino, view.dev, view.size).some((row) => row.mtime === view.mtime)

  /** New names whose inode the journal knows under another name: a move keeps its link, a second hard link is a file of its own. */
  const moves = async (run: Run, dir: string, fresh: readonly Fresh[], seenAt: number, recursive: boolean): Promise<void> => {
    const folder = options.folder()
    const sources = fresh.map(({ view }) =>
      files.byInode(view.ino, view.dev, view.size).filter((row) => row.mtime === view.mtime && row.class !== 'ignored'),
    )
    const roots = new Map<number, string>()
    const pathOf = (row: FileRow): string => {
      const root = roots.get(row.folderId) ?? files.folder(row.folderId)?.path ?? folder.path
      roots.set(row.folderId, root)
      return absolute(root, row.dir, row.name)
    }
    const paths = [...new Set(sources.flat().map(pathOf))]
    const stats = await disk.stat(paths)
    const gone = new Set(paths.filter((_, i) => stats[i] === null))
    for (let i = 0; i < fresh.length; i += BATCH) {
      const part = fresh.slice(i, i + BATCH)
      db.tx(() => {
        for (const [j, item] of part.entries()) {
          const source = (sources[i + j] ?? []).find((row) => gone.has(pathOf(row)) && files.file(row.folderId, row.dir, row.name) !== null)
          const caught = options.rules().file(child(dir, item.view.name), item.view.size)
          if (source === undefined || caught !== null) {
            entry(run, dir, item.view, seenAt, item.row, recursive)
            continue
          }
          run.files++
          const row: FileRow = { ...source, folderId: folder.id, dir, name: item.view.name, ino: item.view.ino, dev: item.view.dev }
          files.drop(source.folderId, source.dir, source.name)
          files.put(row)
          sink.moved(row, pathOf(source))
        }
      })
      await yieldNow()
    }
  }

  const failedListing = (run: Run, dir: string, failure: DiskFailure): void => {
    const folder = options.folder()
    if (dir === '') {
      run.rootFailure = failure
      return
    }
    if (failure.code === 'gone' || failure.code === 'not-a-directory') {
      known.delete(dir)
      for (const below of files.dirsBelow(folder.id, dir)) run.vanished.push(...files.inDir(folder.id, below))
      return
    }
    // What can't be read is not taken for deleted: its rows stay, and it stands in the audit by itself.
    run.unreadable.push({ dir, message: failure.message })
    db.tx(() =>
      files.put({
        folderId: folder.id,
        dir,
        name: '',
        class: 'unreadable',
        size: 0,
        mtime: 0,
        ino: 0,
        dev: 0,
        count: 1,
        rule: 'unreadable',
        transferId: null,
      }),
    )
  }

  /** Asks for directories ahead, in their order, so that the disk's thread reads while this one compares. */
  const listAhead = (run: Run): { readonly next: () => Promise<readonly Listed[] | null> } => {
    const root = options.folder().path
    const asked: Promise<readonly Listed[]>[] = []
    let open = 0
    let held = 0
    const ask = async (items: readonly Item[]): Promise<readonly Listed[]> => {
      const seenAt = options.now()
      const lists = await disk.list(items.map((item) => absolute(root, item.dir, '')))
      return items.flatMap((item, i) => {
        const list = lists[i]
        return list === undefined ? [] : [{ item, list, seenAt }]
      })
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
        const parts = await asked.shift()
        for (const { list } of parts ?? []) held -= list.names.length
        return parts ?? null
      },
    }
  }

  const drain = async (run: Run): Promise<void> => {
    const ahead = listAhead(run)
    for (let parts = await ahead.next(); parts !== null; parts = await ahead.next()) {
      run.signal.throwIfAborted()
      const left: Listed[] = []
      for (const part of parts) {
        const rest = await listed(run, part)
        if (part.item.dir === '' && run.rootFailure !== null) return
        if (rest !== null) left.push(rest)
      }
      if (left.length > 0) await compare(run, left)
    }
  }

  const finish = async (run: Run): Promise<ScanReport> => {
    const folder = options.folder()
    if (run.rootFailure === null) {
      for (let i = 0; i < run.vanished.length; i += BATCH) {
        const part = run.vanished.slice(i, i + BATCH)
        db.tx(() => {
          for (const row of part) {
            // Seen again, or moved, in the same run: then it did not vanish.
            const now = files.file(folder.id, row.dir, row.name)
            if (now === null || now.transferId !== row.transferId || now.mtime !== row.mtime) {
              if (now === null || now.class !== 'ignored' || row.transferId === null) continue
              sink.vanished(row)
              continue
            }
            files.drop(folder.id, row.dir, row.name)
            sink.vanished(row)
          }
        })
        await yieldNow()
      }
      db.tx(() => {
        for (const [dir, sum] of run.ignoredCounts) {
          const had = files.file(folder.id, dir, '')
          if (sum.count === 0) {
            if (had !== null) files.drop(folder.id, dir, '')
          } else if (had === null || had.count !== sum.count || had.rule !== sum.rule)
            files.put({
              folderId: folder.id,
              dir,
              name: '',
              class: 'ignored',
              size: 0,
              mtime: 0,
              ino: 0,
              dev: 0,
              count: sum.count,
              rule: sum.rule,
              transferId: null,
            })
        }
      })
    }
    return { rootFailure: run.rootFailure, unreadable: run.unreadable, files: run.files }
  }

  const unvisitedBelow = (run: Run, dir: string): void => {
    const folder = options.folder()
    const blocked = run.unreadable.map((u) => `${u.dir}/`)
    for (const below of files.dirsBelow(folder.id, dir)) {
      if (run.visited.has(below) || blocked.some((b) => `${below}/`.startsWith(b))) continue
      if (run.unreadable.some((u) => u.dir === below)) continue
      const rows = files.inDir(folder.id, below)
      // A row that stands for an ignored directory is kept by its count, not by a visit.
      if (rows.every((row) => row.name === '' && run.ignoredCounts.has(below))) continue
      known.delete(below)
      run.vanished.push(...rows)
    }
  }

  return {
    tree: async (dir, signal) => {
      const run = start(signal)
      run.queue.push({ dir, recursive: true, ignoredBy: null })
      await drain(run)
      if (run.rootFailure === null) unvisitedBelow(run, dir)
      return finish(run)
    },
    dirs: async (dirs, signal) => {
      const run = start(signal)
      for (const dir of dirs) run.queue.push({ dir, recursive: false, ignoredBy: null })
      await drain(run)
      // A directory that is gone from its parent takes everything below with it.
      for (const dir of dirs) if (run.visited.has(dir)) await goneBelow(run, dir)
      return finish(run)
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
      const fresh = new Map<string, Fresh[]>()
      db.tx(() => {
        for (const [i, rel] of rels.entries()) {
          const { dir, name } = split(rel)
          const stat = stats[i]
          const row = files.file(folder.id, dir, name)
          if (stat === undefined) continue
          if (stat === null) {
            if (row !== null) run.vanished.push(row)
            known.delete(rel)
            for (const below of files.dirsBelow(folder.id, rel)) run.vanished.push(...files.inDir(folder.id, below))
          } else if ('code' in stat) {
            if (row === null) continue
            run.unreadable.push({ dir: rel, message: stat.message })
          } else {
            const view = stat
            if (view.kind === 'file' && row === null && mayHaveMoved(view)) fresh.set(dir, [...(fresh.get(dir) ?? []), { view, row }])
            else entry(run, dir, view, seenAt, row, view.kind === 'dir' && !known.has(rel))
          }
        }
      })
      for (const [dir, items] of fresh) await moves(run, dir, items, seenAt, false)
      await drain(run)
      return finish(run)
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
      for (const below of files.dirsBelow(folder.id, top)) run.vanished.push(...files.inDir(folder.id, below))
    }
  }
}

/** Rules in gitignore syntax for the directory that holds it and all below. */
export const RULES_FILE = '.slipwayignore'

/** Rule under which files stand that were there before the folder was watched, where a person chose to skip those. */
const EXISTING = 'was here before'

function blank(folderId: number, dir: string, view: Entry): FileRow {
  return {
    folderId,
    dir,
    name: view.name,
    class: 'tracked',
    size: view.size,
    mtime: view.mtime,
    ino: view.ino,
    dev: view.dev,
    count: 1,
    rule: null,
    transferId: null,
  }
}

// A scanner with a disk and a journal in memory, without a session: its output is recorded, and each answer
// of the disk can be replaced by a failure. For the scanner's unit tests; contains no expectations.

import type { Rules } from '../../../../src-main/engine/find/scan-run.ts'
import { createScanner, type Scanner } from '../../../../src-main/engine/find/scanner.ts'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createFiles, type FileRow, type Files } from '../../../../src-main/engine/journal/files.ts'
import type { Disk, Listing } from '../../../../src-main/engine/ports.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { createMemDisk, type MemDisk } from '../../../world/mem-disk.ts'
import { memoryJournal } from '../journal/memory-journal.ts'

export const ROOT = '/watched'

export interface ScannerWorld {
  readonly clock: FakeClock
  readonly disk: MemDisk
  readonly db: Database
  readonly files: Files
  readonly folderId: number
  readonly scanner: Scanner
  /** Relative paths, in the order in which the scanner reported them. */
  readonly found: string[]
  readonly vanished: string[]
  readonly touched: string[]
  /** Old and new paths of files that kept their row. */
  readonly moved: string[]
  /** Lines at debug level. */
  readonly debugged: Readonly<Record<string, unknown>>[]
  /** Replaces the disk's answers from now on. Calls of functions that aren't replaced are passed through. */
  interfere(with_: {
    readonly list?: (list: Listing) => Listing
    readonly stat?: Disk['stat']
    readonly before?: () => void
  }): void
  /** The journal's rows, as "path class". */
  rows(): readonly string[]
  setRules(rules: Pick<Rules, 'file' | 'dir'>): void
  end(): void
}

const NO_RULES: Rules = {
  file: () => null,
  dir: () => null,
  ignoresCase: () => false,
  noteOwnData: () => undefined,
  forgetFile: () => undefined,
  readFile: async () => false,
}

export function createScannerWorld(options: Parameters<typeof createMemDisk>[1] = {}): ScannerWorld {
  const clock = createFakeClock()
  const disk = createMemDisk(clock, options)
  disk.mkdir(ROOT)
  const db = memoryJournal(clock.now())
  const files = createFiles(db)
  const folderId = files.addFolder({
    path: ROOT,
    existing: 'upload',
    onChange: 'new-link',
    ignore: [],
    keep: false,
    at: 0,
  })
  let hooks: Parameters<ScannerWorld['interfere']>[0] = {}
  let rules = NO_RULES
  const found: string[] = []
  const vanished: string[] = []
  const touched: string[] = []
  const moved: string[] = []
  const debugged: ScannerWorld['debugged'] = []
  const rel = (row: { readonly dir: string; readonly name: string }): string =>
    row.dir === '' ? row.name : `${row.dir}/${row.name}`
  const root = disk.resolve(ROOT)
  const scanner = createScanner({
    db,
    disk: {
      ...disk,
      list: async (dirs) => {
        hooks.before?.()
        return (await disk.list(dirs)).map((list) => hooks.list?.(list) ?? list)
      },
      stat: (paths) => hooks.stat?.(paths) ?? disk.stat(paths),
    },
    clock,
    files,
    state: {
      get row() {
        const row = files.folder(folderId)
        if (row === null) throw new Error('no folder')
        return row
      },
    },
    rules: { ...NO_RULES, file: (...asked) => rules.file(...asked), dir: (...asked) => rules.dir(...asked) },
    existing: { skips: () => false, isUploaded: () => false },
    root: {
      isSame: async () => {
        const [then, now] = [await root, await disk.resolve(ROOT)]
        return !('code' in then) && !('code' in now) && then.entry.ino === now.entry.ino
      },
    },
    sink: {
      found: ({ dir, name, entry, known }) => {
        found.push(rel({ dir, name }))
        const row: FileRow = {
          folderId,
          dir,
          name,
          class: 'tracked',
          size: entry.size,
          mtime: entry.mtime,
          ino: entry.ino,
          dev: entry.dev,
          ctime: entry.ctime,
          count: 1,
          rule: null,
          transferId: known?.transferId ?? null,
        }
        files.put(row)
      },
      touched: ({ dir, name }) => touched.push(rel({ dir, name })),
      vanished: (row) => vanished.push(rel(row)),
      left: () => undefined,
      moved: (row, from) => moved.push(`${from.slice(ROOT.length + 1)} -> ${rel(row)}`),
      ruledOut: () => undefined,
    },
    debug: (event, fields) => debugged.push({ event, ...fields }),
  })
  return {
    clock,
    disk,
    db,
    files,
    folderId,
    scanner,
    found,
    vanished,
    touched,
    moved,
    debugged,
    interfere: (next) => {
      hooks = next
    },
    rows: () =>
      files
        .dirsBelow(folderId, '')
        .flatMap((dir) => files.inDir(folderId, dir))
        .map((row) => `${rel(row)} ${row.class}`)
        .toSorted(),
    setRules: (next) => {
      rules = { ...NO_RULES, ...next }
    },
    end: () => db.close(),
  }
}

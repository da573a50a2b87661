// Tracks which folders inside a watched one are no longer watched themselves, where they are now, and whether
// a complete scan has recorded what was left in them.
import { sameVersion } from '../disk/content.ts'
import { absolute, below, split } from '../disk/rel-path.ts'
import type { EndedInside, Files, FolderRow } from '../journal/files.ts'
import type { Entry } from '../ports.ts'
import type { ScanReport } from './scan-run.ts'

export interface LeftInsideOptions {
  readonly files: Pick<Files, 'endedInside' | 'setCountedInside' | 'dirsBelow' | 'file'>
  /** The outer folder. */
  readonly folder: Pick<FolderRow, 'id' | 'path'>
}

export class LeftInside {
  readonly #options: LeftInsideOptions
  #all: readonly EndedInside[] = []
  /** Relative paths at which these folders' directories were last seen, by folder ID. */
  readonly #places = new Map<number, string>()
  /** Folders at whose paths the current or last complete scan has found another directory. */
  readonly #replaced = new Set<number>()
  /**
   * The last result of `around`, for the next file of the same directory. There may be hundreds of ended
   * folders.
   */
  #last: { readonly dir: string; readonly ended: EndedInside | null } | null = null

  constructor(options: LeftInsideOptions) {
    this.#options = options
    this.reload()
  }

  reload(): void {
    const { files, folder } = this.#options
    this.#all = files.endedInside(folder.id)
    this.#last = null
  }

  /**
   * The folder whose watch ended last, among those that contain the directory `dir` (relative) or contained
   * it before they were renamed; null if there is none.
   */
  around(dir: string): EndedInside | null {
    if (this.#last?.dir === dir) return this.#last.ended
    let last: EndedInside | null = null
    for (const ended of this.#all)
      if (this.#pathIn(ended, dir) !== null && (last === null || ended.endedAt > last.endedAt)) last = ended
    this.#last = { dir, ended: last }
    return last
  }

  /**
   * Whether the ended folder recorded this very version of a file while it was watched, or excluded a
   * directory that contains the file. Needed because `endedAt` may be too early if the process that watched
   * the folder was killed. `dir`: the file's directory.
   */
  hasSeen(ended: EndedInside, dir: string, entry: Pick<Entry, 'name' | 'size' | 'mtime'>): boolean {
    const path = this.#pathIn(ended, dir)
    if (path === null) return false
    const row = this.#options.files.file(ended.innerId, path, entry.name)
    return (row !== null && sameVersion(row, entry)) || this.#isExcluded(ended, path)
  }

  /**
   * Whether the folder excluded the directory `dir` or one above it. Only a directory that is excluded as a
   * whole has such a row.
   */
  #isExcluded({ innerId }: EndedInside, dir: string): boolean {
    for (let at = dir; at !== ''; at = split(at).dir)
      if (this.#options.files.file(innerId, at, '')?.class === 'ignored') return true
    return false
  }

  /** Notes that a scan has found a directory. Call before its entries are compared. `rel`: relative path. */
  noteDirectory(rel: string, { dev, ino }: Pick<Entry, 'dev' | 'ino'>): void {
    for (const ended of this.#all) {
      const isAtPath = absolute(this.#options.folder.path, rel, '') === ended.path
      const isKnown = ino !== 0 && ended.rootIno !== null && ended.rootIno !== 0
      if (isKnown ? ino === ended.rootIno && dev === ended.rootDev : isAtPath) {
        this.#places.set(ended.innerId, rel)
        this.#last = null
      } else if (isAtPath) this.#replaced.add(ended.innerId)
    }
  }

  /**
   * Runs a scan of the whole folder and resolves to its report. If the scan is complete, it has recorded what
   * was left in the ended folders that it found, so marks these as counted.
   */
  async counting(scan: () => Promise<ScanReport>): Promise<ScanReport> {
    this.#places.clear()
    this.#last = null
    this.#replaced.clear()
    const report = await scan()
    if (report.kind !== 'complete') return report
    const { files, folder } = this.#options
    const found = this.#all.filter(
      (ended) => !ended.counted && (this.#places.has(ended.innerId) || this.#isReplaced(ended)),
    )
    for (const ended of found) files.setCountedInside(folder.id, ended)
    if (found.length > 0) this.reload()
    return report
  }

  /** The path of the directory `dir` relative to an ended folder; null if `dir` isn't in that folder. */
  #pathIn(ended: EndedInside, dir: string): string | null {
    const { path } = this.#options.folder
    const place = this.#places.get(ended.innerId)
    const here = absolute(path, dir, '')
    return below(ended.path, here) ?? (place === undefined ? null : below(absolute(path, place, ''), here))
  }

  /**
   * Whether another directory has replaced the folder. An empty one doesn't count: it may be the mount point
   * of a disconnected disk.
   */
  #isReplaced(ended: EndedInside): boolean {
    const { files, folder } = this.#options
    const rel = below(folder.path, ended.path)
    return rel !== null && this.#replaced.has(ended.innerId) && files.dirsBelow(folder.id, rel).length > 0
  }
}

// Builds rows of the files table from what the disk reports. All new rows are built by these two functions, so that no column is forgotten.
// Pure.
import type { FileRow } from '../journal/files.ts'
import type { Entry } from '../ports.ts'

/** The row of one file. By default it is tracked and has no transfer; `over` overrides columns. */
export function fileRow(
  folderId: number,
  dir: string,
  name: string,
  entry: Pick<Entry, 'size' | 'mtime' | 'ino' | 'dev' | 'ctime'>,
  over: Partial<Omit<FileRow, 'folderId' | 'dir' | 'name'>> = {},
): FileRow {
  const { size, mtime, ino, dev, ctime } = entry
  return { folderId, dir, name, class: 'tracked', size, mtime, ino, dev, ctime, count: 1, rule: null, transferId: null, ...over }
}

/** The row that represents a whole directory with `count` files in it. */
export function directoryRow(folderId: number, dir: string, cls: 'ignored' | 'unreadable', count: number, rule: string): FileRow {
  return { folderId, dir, name: '', class: cls, size: 0, mtime: 0, ino: 0, dev: 0, ctime: null, count, rule, transferId: null }
}

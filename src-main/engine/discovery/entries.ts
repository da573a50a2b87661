// Reads a listing's columns as entries, one at a time, so that a directory of a hundred thousand files doesn't become as many objects at once.
// Pure.
import type { Entry, EntryKind, Listing } from '../ports.ts'

const KINDS: Readonly<Record<string, EntryKind>> = { f: 'file', d: 'dir', l: 'link', u: 'unreadable' }

export function* entriesOf(list: Listing): Generator<Entry> {
  for (const [i, name] of list.names.entries()) {
    const at = i * 6
    yield {
      name,
      kind: KINDS[list.kinds[i] ?? ''] ?? 'other',
      size: list.stats[at] ?? 0,
      mtime: list.stats[at + 1] ?? 0,
      ctime: list.stats[at + 2] ?? 0,
      ino: list.stats[at + 3] ?? 0,
      dev: list.stats[at + 4] ?? 0,
    }
  }
}

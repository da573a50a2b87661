// A row for the transfers table: a queued upload of one byte.
// Each test changes only what it is about; the name is derived from the path.
import { posix } from 'node:path'
import type { Transfers } from '../../../../src-main/engine/journal/transfers.ts'

export type NewRow = Parameters<Transfers['add']>[0]

export function queuedRow(path: string, changed: Partial<NewRow> = {}): NewRow {
  return {
    source: 'upload',
    folderId: null,
    path,
    name: posix.basename(path),
    size: 1,
    mtime: 1,
    state: 'queued',
    reason: null,
    message: null,
    priority: 0,
    token: null,
    again: false,
    hashFirst: false,
    replaces: null,
    createdAt: 1,
    ...changed,
  }
}

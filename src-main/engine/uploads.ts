// Turns what a person named (files, folders) into transfers: one version of a file one transfer, a version that is up already its link.
// It walks and registers; sending is the propagator's.
import type { UploadItem } from '../../src-shared/contract.ts'
import { entriesOf } from './entries.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import type { Database } from './journal/open.ts'
import type { Remote } from './journal/remote.ts'
import type { TransferRow, Transfers } from './journal/transfers.ts'
import type { Disk, Entry } from './ports.ts'
import { absolute, child } from './rel-path.ts'
import { secretByName } from './secrets.ts'

/** A person waits for these: before all that a watched folder brings. */
export const PERSON_PRIORITY = 10

export interface Named {
  readonly path: string
  readonly entry: Entry | null
  readonly outcome: 'file' | 'ignored' | 'failed'
  readonly reason: string | null
  /** Below a folder that was named, so the folder's rules hold. */
  readonly rel: string | null
}

/** Files named, and all below the folders named, in the order given and by name within a folder. Links inside folders are not followed. */
export async function expand(disk: Disk, rules: IgnoreRules, paths: readonly string[], signal: AbortSignal): Promise<readonly Named[]> {
  const out: Named[] = []
  for (const path of paths) {
    signal.throwIfAborted()
    const found = await disk.resolve(path)
    if ('code' in found)
      out.push({ path, entry: null, outcome: 'failed', reason: found.code === 'denied' ? 'unreadable' : 'missing', rel: null })
    else if (found.entry.kind === 'file') out.push({ path: found.real, entry: found.entry, outcome: 'file', reason: null, rel: null })
    else if (found.entry.kind !== 'dir') out.push({ path, entry: null, outcome: 'failed', reason: 'not-a-file', rel: null })
    else await walk(disk, rules, found.real, '', out, signal)
  }
  return out
}

async function walk(disk: Disk, rules: IgnoreRules, root: string, dir: string, out: Named[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const [list] = await disk.list([absolute(root, dir, '')])
  if (list === undefined) return
  if (list.failure !== null) {
    out.push({ path: absolute(root, dir, ''), entry: null, outcome: 'failed', reason: 'unreadable', rel: dir })
    return
  }
  const entries = [...entriesOf(list)].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const rel = child(dir, entry.name)
    const path = absolute(root, dir, entry.name)
    if (entry.kind === 'dir') {
      if (rules.dir(rel) === null) await walk(disk, rules, root, rel, out, signal)
      continue
    }
    const caught =
      entry.kind === 'file' ? (rules.file(rel, entry.size)?.rule ?? null) : entry.kind === 'link' ? 'symbolic link' : 'not a regular file'
    out.push(
      caught === null ? { path, entry, outcome: 'file', reason: null, rel } : { path, entry, outcome: 'ignored', reason: caught, rel },
    )
  }
}

export interface RegisterOptions {
  readonly db: Database
  readonly transfers: Transfers
  readonly remote: Remote
  readonly view: (row: TransferRow) => NonNullable<UploadItem['transfer']>
  readonly now: () => number
  readonly changed: (id: number) => void
}

/** Registers named files; `again` sends even what is up already. `token` makes the call safe to repeat after a hand-over between processes. */
export function register(options: RegisterOptions, named: readonly Named[], again: boolean, token: string): readonly UploadItem[] {
  const { db, transfers } = options
  return db.tx(() =>
    named.map((item): UploadItem => {
      if (item.entry === null || item.outcome !== 'file')
        return { path: item.path, transfer: null, outcome: item.outcome === 'ignored' ? 'ignored' : 'failed', reason: item.reason }
      const row = registerOne(options, item.path, item.entry, item.rel ?? item.entry.name, again, token)
      return { path: item.path, transfer: options.view(row), outcome: row.state === 'done' ? 'already' : 'queued', reason: null }
    }),
  )

  function registerOne(o: RegisterOptions, path: string, entry: Entry, rel: string, force: boolean, tok: string): TransferRow {
    const again2 = transfers.byToken(path, tok)
    if (again2 !== null) return again2
    const isLive = (row: TransferRow): boolean => row.fileId === null || (o.remote.get(row.fileId)?.goneAt ?? null) === null
    if (!force) {
      const done = transfers.doneVersion(path, entry.size, entry.mtime)
      if (done !== null && done.publicLink !== null && isLive(done)) return done
    }
    const newest = transfers.newestOfPath(path)
    if (newest !== null && !['done', 'gone', 'cancelled'].includes(newest.state)) {
      // It is on its way already; now a person waits for it.
      transfers.setToken(newest.id, tok)
      transfers.setPriority(newest.id, Math.max(newest.priority, PERSON_PRIORITY))
      if (newest.state === 'failed' || (newest.state === 'waiting' && newest.reason === 'backoff')) transfers.setState(newest.id, 'queued')
      o.changed(newest.id)
      return transfers.get(newest.id) ?? newest
    }
    const secret = secretByName(rel)
    const id = transfers.add({
      source: 'upload',
      folderId: null,
      path,
      name: entry.name,
      size: entry.size,
      mtime: entry.mtime,
      state: secret === null ? 'queued' : 'held',
      reason: secret === null ? null : 'secret',
      message: secret?.rule ?? null,
      priority: PERSON_PRIORITY,
      token: tok,
      again: force,
      hashFirst: false,
      replaces: null,
      createdAt: o.now(),
    })
    o.changed(id)
    const row = transfers.get(id)
    if (row === null) throw new Error('a transfer that was just added is not there')
    return row
  }
}

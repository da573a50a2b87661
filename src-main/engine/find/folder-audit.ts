// Audits a folder that isn't watched itself: one that was never watched, whose watch has ended, or that lies
// inside a watched folder. Scans the disk and looks up the version of each file in the journal. Registers and
// sends nothing.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { AuditEntry, AuditList, AuditSums, Transfer } from '../../../src-shared/model.ts'
import { hashFile, sameVersion } from '../disk/content.ts'
import { below, split } from '../disk/rel-path.ts'
import type { FileRow, Files, FolderRow } from '../journal/files.ts'
import type { Remote } from '../journal/remote-list.ts'
import { WITHDRAWN } from '../journal/transfer-states.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Disk, Entry, Hashing } from '../ports.ts'
import type { Admission } from '../rules/path-facts.ts'
import { isExisting } from './existing-files.ts'
import { expand, type Named } from './register-named.ts'

/** Number of files to look up in the journal before yielding the thread. */
const AT_ONCE = 200

export interface FolderLookOptions {
  readonly disk: Disk
  readonly hashing: Hashing
  readonly admission: Admission
  readonly files: Pick<Files, 'file'>
  readonly transfers: Pick<Transfers, 'get' | 'newestOfPath' | 'doneVersion'>
  readonly remote: Pick<Remote, 'get' | 'isRemoval'>
  readonly snapshots: { transfer(row: TransferRow): Transfer }
  readonly stop: AbortSignal
}

export interface FolderAudit {
  readonly sums: AuditSums
  /** In the order of the walk: by name within each directory. */
  readonly entries: readonly AuditEntry[]
}

/** Why a file isn't being uploaded although no rule ignores it. */
export type LeftOut =
  /** It was never enqueued, or its transfer was cancelled by a rule that no longer applies. */
  | 'not-watched'
  /** An earlier version was uploaded. */
  | 'changed'
  /** An earlier version was uploaded, and the folder ignores changes. */
  | 'change-ignored'
  /** Its transfer was still pending when the user stopped watching the folder. */
  | 'withdrawn'
  | 'cancelled'
  | 'deleted'
  /** The user deleted it, but the service still has it. */
  | 'deleting'
  /** The user deleted it, but it stays on the service, because another local file has the same link. */
  | 'kept'

/**
 * Scans a folder and classifies its files. `known`: the folder's row, null if it was never watched. Rejects
 * if the engine closes.
 */
export async function lookAtFolder(
  path: string,
  known: FolderRow | null,
  options: FolderLookOptions,
): Promise<FolderAudit> {
  const { disk, admission, stop } = options
  const named = await expand(disk, admission, [path], {}, stop)
  const sums = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
  const entries: AuditEntry[] = []
  for (const [at, item] of named.entries()) {
    stop.throwIfAborted()
    if (at % AT_ONCE === 0) await yieldNow()
    const found = entryOf(item, known, options)
    const entry = (await unchanged(item, found, options)) ?? found
    sums.seen++
    sums[entry.list]++
    const last = entries.at(-1)
    // As in a watched folder, an ignored directory is one entry with the count of its files.
    if (item.ignoredDir !== undefined && last?.path === item.ignoredDir)
      entries[entries.length - 1] = { ...last, count: last.count + 1 }
    else entries.push(item.ignoredDir === undefined ? entry : { ...entry, path: item.ignoredDir })
  }
  return { sums, entries }
}

function entryOf(item: Named, known: FolderRow | null, options: FolderLookOptions): AuditEntry {
  const { path, entry } = item
  if (item.outcome === 'ignored') return placed(path, 'ignored', item.reason)
  if (item.outcome === 'failed' || entry === null) return placed(path, 'failed', item.reason ?? 'unreadable')
  const watched = options.admission.governing(path)
  const folder = watched ?? known
  const row = folder === null ? null : fileRow(options.files, folder, path, entry)
  if (row !== null && isExisting(row)) return placed(path, 'ignored', row.rule)
  const version = versionOf(options, path, entry, row)
  const isOver = version === null || (version.state === 'cancelled' && version.message !== null)
  const isChanged = version !== null && (version.size !== entry.size || version.mtime !== entry.mtime)
  if (isChanged && version.state === 'done' && version.ended === null && known?.onChange === 'ignore')
    return { ...left(path, 'change-ignored'), publicLink: options.snapshots.transfer(version).publicLink }
  if (!isOver) return ofTransfer(options, path, version)
  // A watched folder governs the file and will enqueue it.
  if (watched !== null) return placed(path, 'waiting', 'settling')
  if (version !== null) return left(path, version.message === WITHDRAWN ? 'withdrawn' : 'not-watched')
  const newest = options.transfers.newestOfPath(path)
  return left(
    path,
    newest !== null && newest.state === 'done' && newest.ended === null ? 'changed' : 'not-watched',
  )
}

/**
 * The entry of a file that seems changed, but has the bytes of its last version, so that only its
 * modification time differs. Null for any other file.
 */
async function unchanged(
  item: Named,
  found: AuditEntry,
  options: FolderLookOptions,
): Promise<AuditEntry | null> {
  const { disk, hashing, transfers, stop } = options
  const { path, entry } = item
  if ((found.reason !== 'changed' && found.reason !== 'change-ignored') || entry === null) return null
  const version = transfers.newestOfPath(path)
  if (version === null || version.sha256 === null || version.size !== entry.size) return null
  try {
    const hashed = await hashFile(disk, hashing, path, stop)
    if (hashed === null || !sameVersion(hashed.entry, entry) || hashed.sha256 !== version.sha256) return null
  } catch {
    stop.throwIfAborted()
    return null
  }
  return ofTransfer(options, path, version)
}

function left(path: string, why: LeftOut): AuditEntry {
  return placed(path, 'ignored', why)
}

function placed(path: string, list: AuditList, reason: string | null): AuditEntry {
  return { path, list, reason, until: null, publicLink: null, count: 1 }
}

function leftBy(ended: Transfer['ended']): LeftOut {
  return ended === 'deleting' || ended === 'kept' ? ended : 'deleted'
}

/** The file's row from the last scan. Null if there is none, or if it has another size or mtime. */
function fileRow(
  files: FolderLookOptions['files'],
  folder: { readonly id: number; readonly path: string },
  path: string,
  entry: Entry,
): FileRow | null {
  const rel = below(folder.path, path)
  if (rel === null) return null
  const { dir, name } = split(rel)
  const row = files.file(folder.id, dir, name)
  return row !== null && row.size === entry.size && row.mtime === entry.mtime ? row : null
}

/**
 * Returns the transfer of this version, or null. Prefers the transfer that the last scan recorded, then a
 * done one with a live claim (journal/claims.ts), then the newest of the path if it has this size and
 * modification time and isn't gone.
 */
function versionOf(
  { transfers }: FolderLookOptions,
  path: string,
  entry: Entry,
  row: FileRow | null,
): TransferRow | null {
  const scanned = row?.transferId == null ? null : transfers.get(row.transferId)
  if (scanned !== null) return scanned
  const done = transfers.doneVersion(path, entry.size, entry.mtime)
  if (done !== null) return done
  const newest = transfers.newestOfPath(path)
  return newest !== null &&
    newest.state !== 'gone' &&
    newest.size === entry.size &&
    newest.mtime === entry.mtime
    ? newest
    : null
}

function ofTransfer({ remote, snapshots }: FolderLookOptions, path: string, row: TransferRow): AuditEntry {
  const shown = snapshots.transfer(row)
  switch (shown.state) {
    case 'done': {
      const isGone =
        row.fileId !== null &&
        ((remote.get(row.fileId)?.goneAt ?? null) !== null || remote.isRemoval(row.fileId))
      if (row.ended !== null || isGone) return left(path, leftBy(shown.ended))
      return { ...placed(path, 'uploaded', null), publicLink: shown.publicLink }
    }
    case 'cancelled':
      return left(path, row.ended === null ? 'cancelled' : leftBy(shown.ended))
    case 'held':
      return placed(path, 'held', shown.reason)
    case 'failed':
    case 'gone':
      return placed(path, 'failed', shown.reason)
    case 'settling':
    case 'queued':
    case 'uploading':
    case 'waiting':
    case 'unknown':
      return {
        ...placed(path, 'waiting', shown.state === 'unknown' ? 'checking' : shown.reason),
        until: shown.until,
      }
    default:
      return shown.state satisfies never
  }
}

// The table `doubts`. A doubt records an upload whose response was lost and whose file may still appear on
// the service, although the transfer has since been held, cancelled, sent again or matched with an older
// file. It stays open until the first lookup that takes place at least a day after it was opened or extended.
// This file also manages the table `twins` (duplicates of our own uploads), and contains the queries on
// transfers that lookups need.

import { has, number, numberOrNull, numbers, oneNumber, text, textOrNull } from './column-values.ts'
import type { Database, Row } from './database.ts'
import { OF_ACCOUNT } from './removals.ts'

export interface OpenDoubt {
  readonly id: number
  readonly transferId: number
  /** The name under which the upload was first sent. */
  readonly name: string
  readonly size: number
  /** Hash of the content that was sent; null if unknown. */
  readonly sha256: string | null
  /**
   * `mark`, `above` and `server`: `intentMark`, `intentAbove` and `intentServer` (see `TransferRow`) of the
   * first request whose response was lost.
   */
  readonly mark: number | null
  readonly above: number | null
  readonly server: number | null
  /** When the doubt was opened, in epoch milliseconds. Extending it doesn't change this. */
  readonly openedAt: number
  /** When the doubt ends, in epoch milliseconds: the first lookup at or after this time drops it. */
  readonly until: number
  /** When the next lookup is due, in epoch milliseconds. */
  readonly nextAt: number
  /** Number of lookups since the doubt was opened or extended. */
  readonly looks: number
  /**
   * When it was proved that the upload hadn't arrived, in epoch milliseconds; null if it wasn't proved when
   * the doubt was opened or extended.
   */
  readonly provedAt: number | null
}

export type NewDoubt = Pick<
  OpenDoubt,
  'transferId' | 'name' | 'size' | 'sha256' | 'mark' | 'above' | 'server'
>

/** A confirmed upload of this journal. A listing that doesn't show the uploaded file may be stale. */
export interface RecentReceipt {
  readonly fileId: number
  readonly mark: number | null
  readonly doneAt: number
  /** Whether a lookup found the file. If so, `doneAt` doesn't show when the file was stored. */
  readonly adopted: boolean
}

/**
 * A remote file that duplicates one of this journal's uploads. It wasn't deleted, because it may be someone
 * else's file.
 */
export interface TwinLeft {
  readonly fileId: number
  /**
   * The local file with the same content. `folderId`: the watched folder it belongs to; null if it belongs to
   * none.
   */
  readonly path: string
  readonly folderId: number | null
  readonly publicLink: string | null
}

export interface Doubts {
  /**
   * Opens a doubt until a day after `at` (epoch milliseconds). If a doubt about the same transfer and content
   * is already open, extends that doubt instead. `isProved`: whether it is proved that the upload didn't
   * arrive.
   */
  open(doubt: NewDoubt, at: number, isProved?: boolean): void
  /** The doubts about one transfer, oldest first. */
  of(transferId: number): readonly OpenDoubt[]
  all(limit: number): readonly OpenDoubt[]
  /** The doubts whose next lookup is due, the longest overdue first. */
  due(now: number, limit: number): readonly OpenDoubt[]
  /** The doubts about uploads of `size` bytes. */
  ofSize(size: number): readonly OpenDoubt[]
  /** Records a lookup and when the next one is due. */
  looked(id: number, nextAt: number): void
  /**
   * Makes the next lookup due at `at` (epoch milliseconds) or earlier, for each doubt about an upload that is
   * held with the reason `unconfirmed` or `ambiguous`. Returns false if there is no such doubt.
   */
  hurry(at: number): boolean
  drop(id: number): void
  /**
   * Counts the doubts opened after `at` (epoch milliseconds) about versions that are done, and returns when
   * the last one was opened.
   */
  resent(at: number): { readonly count: number; readonly openedAt: number } | null
  /** When the next lookup is due, in epoch milliseconds, or null if there are no open doubts. */
  nextAt(): number | null
  /**
   * Records a duplicate of an upload. The fate is `left` if the duplicate may be someone else's file and
   * therefore wasn't deleted.
   */
  noteTwin(fileId: number, transferId: number, fate: 'deleted' | 'left', at: number): void
  isTwin(fileId: number): boolean
  /** Duplicates that were left in place, still exist and aren't being deleted. */
  twinsLeft(): readonly TwinLeft[]
  /**
   * Uploads confirmed after `since` (epoch milliseconds), newest first. Only those with a live claim on a
   * file that has an ID and isn't known to be gone.
   */
  receipts(since: number, limit: number): readonly RecentReceipt[]
  /**
   * Whether an upload of this size is in flight whose content isn't known to differ from `sha256`. Ignores
   * the transfer `except`.
   */
  isUploading(size: number, sha256: string, except: number): boolean
  /** The sizes in bytes of the uploads in flight. */
  uploadingSizes(): readonly number[]
  /** Whether a transfer of this content is in flight or unconfirmed. Ignores the transfer `except`. */
  isAwaited(sha256: string, size: number, except: number): boolean
  /**
   * IDs of existing remote files that were first seen after the intent numbered `mark`, belong to no transfer
   * of this journal, aren't being deleted and aren't known to be duplicates.
   */
  foreign(mark: number, limit: number): readonly number[]
  reset(): void
}

const DAY_MS = 86_400_000

function read(row: Row): OpenDoubt {
  return {
    id: number(row, 'id'),
    transferId: number(row, 'transfer_id'),
    name: text(row, 'name'),
    size: number(row, 'size'),
    sha256: textOrNull(row, 'sha256'),
    mark: numberOrNull(row, 'mark'),
    above: numberOrNull(row, 'above'),
    server: numberOrNull(row, 'server'),
    openedAt: number(row, 'opened_at'),
    until: number(row, 'until'),
    nextAt: number(row, 'next_at'),
    looks: number(row, 'looks'),
    provedAt: numberOrNull(row, 'proved_at'),
  }
}

function resent(db: Database, at: number): ReturnType<Doubts['resent']> {
  const row = db.get(
    "SELECT count(*) AS n, max(d.opened_at) AS at FROM doubts d JOIN transfers t ON t.id = d.transfer_id WHERE d.opened_at > ? AND t.state = 'done'",
    at,
  )
  return row === null || number(row, 'n') === 0
    ? null
    : { count: number(row, 'n'), openedAt: number(row, 'at') }
}

function openDoubt(db: Database, d: NewDoubt, at: number, provedAt: number | null): void {
  const had = db.get(
    'SELECT id FROM doubts WHERE transfer_id = ? AND size = ? AND (sha256 IS NULL OR ? IS NULL OR sha256 = ?) ORDER BY id LIMIT 1',
    d.transferId,
    d.size,
    d.sha256,
    d.sha256,
  )
  if (had !== null) {
    db.run(
      'UPDATE doubts SET until = ?, next_at = ?, looks = 0, proved_at = ? WHERE id = ?',
      at + DAY_MS,
      at,
      provedAt,
      number(had, 'id'),
    )
    return
  }
  db.run(
    `INSERT INTO doubts (transfer_id, name, size, sha256, mark, above, server, opened_at, until, next_at, proved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    d.transferId,
    d.name,
    d.size,
    d.sha256,
    d.mark,
    d.above,
    d.server,
    at,
    at + DAY_MS,
    at,
    provedAt,
  )
}

export function createDoubts(db: Database): Doubts {
  return {
    open: (doubt, at, isProved) => openDoubt(db, doubt, at, isProved === true ? at : null),
    of: (transferId) =>
      db.all('SELECT * FROM doubts WHERE transfer_id = ? ORDER BY id', transferId).map(read),
    all: (limit) => db.all('SELECT * FROM doubts ORDER BY id LIMIT ?', limit).map(read),
    due: (now, limit) =>
      db.all('SELECT * FROM doubts WHERE next_at <= ? ORDER BY next_at, id LIMIT ?', now, limit).map(read),
    ofSize: (size) => db.all('SELECT * FROM doubts WHERE size = ? ORDER BY id', size).map(read),
    looked: (id, nextAt) =>
      void db.run('UPDATE doubts SET next_at = ?, looks = looks + 1 WHERE id = ?', nextAt, id),
    hurry: (at) =>
      db.run(
        `UPDATE doubts SET next_at = min(next_at, ?)
         WHERE transfer_id IN (SELECT id FROM transfers WHERE state = 'held' AND reason IN ('unconfirmed', 'ambiguous'))`,
        at,
      ).changes > 0,
    drop: (id) => void db.run('DELETE FROM doubts WHERE id = ?', id),
    resent: (at) => resent(db, at),
    nextAt: () => oneNumber(db, 'SELECT min(next_at) AS at FROM doubts'),
    noteTwin: (fileId, transferId, fate, at) =>
      void db.run(
        'INSERT OR REPLACE INTO twins (file_id, transfer_id, found_at, fate) VALUES (?, ?, ?, ?)',
        fileId,
        transferId,
        at,
        fate,
      ),
    isTwin: (fileId) => has(db, 'SELECT 1 AS yes FROM twins WHERE file_id = ?', fileId),
    twinsLeft: () =>
      db
        .all(
          `SELECT w.file_id, t.path, t.folder_id, r.public_link FROM twins w JOIN transfers t ON t.id = w.transfer_id
           LEFT JOIN remote r ON r.file_id = w.file_id
           WHERE w.fate = 'left' AND r.gone_at IS NULL AND w.file_id NOT IN (SELECT file_id FROM removals WHERE ${OF_ACCOUNT}) ORDER BY w.file_id`,
        )
        .map((row) => ({
          fileId: number(row, 'file_id'),
          path: text(row, 'path'),
          folderId: numberOrNull(row, 'folder_id'),
          publicLink: textOrNull(row, 'public_link'),
        })),
    receipts: (since, limit) =>
      db
        .all(
          `SELECT t.file_id, t.intent_mark, t.done_at, t.adopted FROM transfers t LEFT JOIN remote r ON r.file_id = t.file_id
           WHERE t.sent = 1 AND t.done_at > ? AND t.state = 'done' AND t.ended IS NULL AND t.file_id IS NOT NULL AND r.gone_at IS NULL
           ORDER BY t.done_at DESC LIMIT ?`,
          since,
          limit,
        )
        .map((row) => ({
          fileId: number(row, 'file_id'),
          mark: numberOrNull(row, 'intent_mark'),
          doneAt: number(row, 'done_at'),
          adopted: number(row, 'adopted') === 1,
        })),
    isUploading: (size, sha256, except) =>
      has(
        db,
        "SELECT 1 AS yes FROM transfers WHERE state = 'uploading' AND size = ? AND (sha256 IS NULL OR sha256 = ?) AND id <> ? LIMIT 1",
        size,
        sha256,
        except,
      ),
    uploadingSizes: () => numbers(db, "SELECT DISTINCT size FROM transfers WHERE state = 'uploading'"),
    isAwaited: (sha256, size, except) =>
      has(
        db,
        `SELECT 1 AS yes FROM transfers INDEXED BY transfers_sha WHERE sha256 = ? AND size = ? AND id <> ?
         AND state IN ('uploading', 'unknown') LIMIT 1`,
        sha256,
        size,
        except,
      ),
    foreign: (mark, limit) =>
      numbers(
        db,
        `SELECT r.file_id FROM remote r WHERE r.gone_at IS NULL AND r.first_mark > ? AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.file_id = r.file_id)
         AND NOT EXISTS (SELECT 1 FROM removals m WHERE m.file_id = r.file_id AND ${OF_ACCOUNT}) AND NOT EXISTS (SELECT 1 FROM twins w WHERE w.file_id = r.file_id)
         LIMIT ?`,
        mark,
        limit,
      ),
    reset: () => {
      db.run('DELETE FROM doubts')
      db.run('DELETE FROM twins')
    },
  }
}

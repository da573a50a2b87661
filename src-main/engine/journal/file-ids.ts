// Gives each of the service's file IDs, which are opaque text, the number that all tables refer to. An
// integer below 2^53 is its own number and has no row; every other ID gets a negative number, which says
// nothing about age. `numberIds` wraps the API client, so that everything behind it deals with numbers only.

import { isFileId } from '../../../src-shared/file-id.ts'
import type { FileId } from '../../../src-shared/model.ts'
import type { ApiClient, ApiResult, ListPage, RemoteFile } from '../../api/types.ts'
import { number, text } from './column-values.ts'
import type { Database } from './database.ts'

/** The time of an ID's last use is stored this exactly, so that reading a list again writes nothing. */
const SEEN_EVERY_MS = 7 * 86_400_000

/** Lower than the number of any ID. */
export const BEFORE_ALL = Number.MIN_SAFE_INTEGER

export interface FileIds {
  /** Returns the number of an ID, and assigns one if it has none. */
  numberOf(id: string): number
  /** Returns the number of an ID, or null if it has none. */
  find(id: string): number | null
  /** Returns the ID as the service sent it, or null if no ID has this number. */
  textOf(fileId: number): string | null
  /** Returns the ID for people and scripts: a number below 2^53, or text. 0 if no ID has this number. */
  shown(fileId: number): FileId
}

/**
 * Whether the numbers of the IDs show which of two files is newer, provided that the service's IDs increase.
 */
export function isOrdered(fileId: number): boolean {
  return fileId >= 0
}

/** Sorts the file with the higher ID first. Those whose order is unknown come last, in the order they had. */
export function byNewestId(a: number, b: number): number {
  return Math.max(b, -1) - Math.max(a, -1)
}

/** Returns the ID's own number; null if it isn't an integer below 2^53 in its usual form. */
function ownNumber(id: string): number | null {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(id) ? Number(id) : null
  return value !== null && Number.isSafeInteger(value) ? value : null
}

/** `now`: the current time in epoch milliseconds. */
export function createFileIds(db: Database, now: () => number): FileIds {
  const textOf: FileIds['textOf'] = (fileId) => {
    if (isOrdered(fileId)) return String(fileId)
    const row = db.get('SELECT id FROM file_ids WHERE number = ?', fileId)
    return row === null ? null : text(row, 'id')
  }
  const seen = (id: string): { readonly fileId: number; readonly at: number } | null => {
    const row = db.get('SELECT number, seen_at FROM file_ids WHERE id = ?', id)
    return row === null ? null : { fileId: number(row, 'number'), at: number(row, 'seen_at') }
  }
  return {
    numberOf: (id) => {
      const own = ownNumber(id)
      if (own !== null) return own
      const known = seen(id)
      if (known === null) {
        const lowest = number(db.get('SELECT coalesce(min(number), 0) AS n FROM file_ids') ?? {}, 'n')
        db.run('INSERT INTO file_ids (number, id, seen_at) VALUES (?, ?, ?)', lowest - 1, id, now())
        return lowest - 1
      }
      if (now() - known.at >= SEEN_EVERY_MS)
        db.run('UPDATE file_ids SET seen_at = ? WHERE number = ?', now(), known.fileId)
      return known.fileId
    },
    find: (id) => ownNumber(id) ?? (isFileId(id) ? (seen(id)?.fileId ?? null) : null),
    textOf,
    shown: (fileId) => (isOrdered(fileId) ? fileId : (textOf(fileId) ?? 0)),
  }
}

// The border between the service's file IDs, which are text, and the engine's, which are numbers:
// wraps the API client, so that everything behind it deals with numbers only.
/**
 * `db.tx` is called only for a list with new IDs that need a row, and `failed` if the number of a new ID can't
 * be stored.
 */
export function numberIds(
  client: ApiClient<string>,
  {
    db,
    ids,
    failed,
  }: { readonly db: Pick<Database, 'tx'>; readonly ids: FileIds; failed(error: unknown): void },
): ApiClient {
  const numbered = (file: RemoteFile<string>): RemoteFile => ({
    ...file,
    fileId: file.fileId === null ? null : ids.numberOf(file.fileId),
  })

  /**
   * If the journal can't be written, the response can't be used. What was sent is then looked up later, like
   * after a lost response.
   */
  const read = <A, B>(got: ApiResult<A>, convert: (value: A) => B): ApiResult<B> => {
    if (!got.ok) return got
    try {
      return { ...got, value: convert(got.value) }
    } catch (error) {
      failed(error)
      const message = "The response couldn't be stored."
      return { ok: false, failure: { kind: 'garbage', phase: 'sent', meta: got.meta, message } }
    }
  }

  const named = async <T>(
    fileId: number,
    call: (id: string) => Promise<ApiResult<T>>,
  ): Promise<ApiResult<T>> => {
    const id = ids.textOf(fileId)
    if (id !== null) return call(id)
    return {
      ok: false,
      failure: { kind: 'garbage', phase: 'unsent', meta: null, message: "The file's ID isn't known." },
    }
  }

  const numberedPage = (page: ListPage<string>): ListPage => {
    const convert = (): ListPage => ({ ...page, files: page.files.map(numbered) })
    return page.files.some(({ fileId }) => fileId !== null && ids.find(fileId) === null)
      ? db.tx(convert)
      : convert()
  }

  return {
    upload: async (request) => read(await client.upload(request), numbered),
    list: async (request) => read(await client.list(request), numberedPage),
    file: async (fileId, signal) => read(await named(fileId, (id) => client.file(id, signal)), numbered),
    remove: (fileId, signal) => named(fileId, (id) => client.remove(id, signal)),
    stats: (signal) => client.stats(signal),
    download: (link, onChunk, signal) => client.download(link, onChunk, signal),
    close: () => client.close(),
  }
}

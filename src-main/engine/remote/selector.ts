// Resolves a selector: a file_id, a public link, or a local path. Asks the service only if the journal
// doesn't know the selector, or if the caller wants an ID to be checked.
import { isAbsolute } from 'node:path'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import { isFileId, selectedId } from '../../../src-shared/file-id.ts'
import type { IdentityKeeper } from '../budget/current-key.ts'
import { wrongAddressIfNotFound } from '../budget/failure-words.ts'
import type { FileIds } from '../journal/file-ids.ts'
import type { Remote } from '../journal/remote-list.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import { isStored } from '../tell/views.ts'
import type { Catalog } from './remote-files.ts'
import { isNotFound } from './requests.ts'

export interface Found {
  readonly by: 'id' | 'link' | 'path'
  /** The path as written in the journal; null unless `by` is `path`. */
  readonly path: string | null
  /**
   * The ID of the remote file; null if unknown. For a path, the file of the newest version whose link works.
   * For an ID or a link, the file that the selector refers to, even if it was deleted.
   */
  readonly fileId: number | null
  /** The transfers that the selector refers to, newest first. */
  readonly rows: readonly TransferRow[]
  /** Whether the service was asked about the ID and answered that the file doesn't exist. */
  readonly unfound?: boolean
}

export interface FinderOptions {
  readonly ports: Pick<Ports, 'disk'>
  readonly ids: Pick<FileIds, 'find' | 'numberOf'>
  readonly transfers: Transfers
  readonly remote: Remote
  readonly catalog: Pick<Catalog, 'file' | 'refresh'>
  readonly identity: Pick<IdentityKeeper, 'explain'>
  readonly stop: AbortSignal
}

/**
 * When the service is asked: never, about a file of which the journal knows nothing, or about every file
 * named by its ID.
 */
export type Asks = 'never' | 'unknown' | 'always'

export type Finder = (selector: string, asks: Asks) => Promise<Found | { readonly failure: Failure }>

/**
 * Creates the function that resolves selectors. It fails with `not-found` if nothing is known about the
 * selector.
 */
export function createFinder(services: FinderOptions): Finder {
  const { ids, transfers, remote, catalog } = services
  const { disk } = services.ports
  return async (selector, asks) => {
    const missing = {
      failure: {
        code: 'not-found' as const,
        title: `Nothing is known about ${selectedId(selector) ?? selector}.`,
        hint: 'Use a file_id, a public link, or the path of an uploaded file.',
      },
    }
    const id = selectedId(selector)
    if (id !== null) {
      const fileId = !isFileId(id) ? null : asks === 'never' ? ids.find(id) : ids.numberOf(id)
      if (fileId === null) return missing
      const row = transfers.byFileId(fileId)
      const known = remote.get(fileId)
      let unfound = false
      if (row === null && known === null && asks === 'never') return missing
      if (asks === 'always' || (row === null && known === null)) {
        const got = await catalog.file(fileId, 'person', services.stop)
        unfound = !got.ok && isNotFound(got.failure)
        if (unfound && row === null && known === null) return missing
        if (!got.ok && row === null && known === null)
          return { failure: services.identity.explain(got.failure) }
      }
      const now = transfers.byFileId(fileId)
      return { by: 'id', path: null, fileId, rows: now === null ? [] : [now], unfound }
    }
    if (/^https?:\/\//i.test(selector)) {
      const row = transfers.byLink(selector)
      let known = remote.byLink(selector)
      if (row === null && known === null && asks !== 'never') {
        const got = await catalog.refresh('person', services.stop)
        if (!got.ok) return { failure: wrongAddressIfNotFound(services.identity.explain(got.failure)) }
        known = remote.byLink(selector)
      }
      const fileId = known?.fileId ?? row?.fileId ?? null
      return row === null && fileId === null
        ? missing
        : { by: 'link', path: null, fileId, rows: row === null ? [] : [row] }
    }
    const found = isAbsolute(selector) ? await disk.resolve(selector) : null
    const path = found !== null && !('code' in found) ? found.real : selector
    const rows = transfers.ofPath(path)
    return rows.length === 0
      ? missing
      : { by: 'path', path, fileId: rows.find(isStored)?.fileId ?? null, rows }
  }
}

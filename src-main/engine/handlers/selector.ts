// What a person means by a selector: a file_id, a public link, or a path of this machine. It asks the service only for what the journal
// does not know.
import { isAbsolute } from 'node:path'
import type { Failure } from '../../../src-shared/contract.ts'
import type { Services } from '../core.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { isGone } from '../remote/requests.ts'
import { isTellable } from '../views.ts'

export interface Found {
  readonly by: 'id' | 'link' | 'path'
  /** As the journal writes it, where `by` is `path`. */
  readonly path: string | null
  /** Of the newest version whose link works; by id or link, the file itself, whether it is still there or not. */
  readonly fileId: number | null
  /** Newest first. */
  readonly rows: readonly TransferRow[]
}

export type Finder = (selector: string, fresh: boolean) => Promise<Found | { readonly failure: Failure }>

/** `fresh`: an id is asked for on the service even where it is known. Failure `not-found`: nothing is known of it. */
export function createFinder(services: Pick<Services, 'transfers' | 'remote' | 'catalog' | 'stop' | 'callFailure' | 'ports'>): Finder {
  const { transfers, remote, catalog } = services
  const { disk } = services.ports
  return async (selector, fresh) => {
    const missing = {
      failure: {
        code: 'not-found' as const,
        title: `Nothing is known of ${selector}.`,
        hint: 'Name a file_id, a public link, or the path of an uploaded file.',
      },
    }
    if (/^\d{1,16}$/.test(selector)) {
      const fileId = Number(selector)
      const row = transfers.byFileId(fileId)
      const known = remote.get(fileId)
      if (fresh || (row === null && known === null)) {
        const got = await catalog.file(fileId, 'person', services.stop)
        if (!got.ok && isGone(got.failure) && row === null && known === null) return missing
        if (!got.ok && !isGone(got.failure) && row === null && known === null) return { failure: services.callFailure(got.failure) }
      }
      const now = transfers.byFileId(fileId)
      return { by: 'id', path: null, fileId, rows: now === null ? [] : [now] }
    }
    if (/^https?:\/\//i.test(selector)) {
      const row = transfers.byLink(selector)
      let known = remote.byLink(selector)
      if (row === null && known === null) {
        const got = await catalog.refresh('person', services.stop)
        if (!got.ok) return { failure: services.callFailure(got.failure) }
        known = remote.byLink(selector)
      }
      const fileId = known?.fileId ?? row?.fileId ?? null
      return row === null && fileId === null ? missing : { by: 'link', path: null, fileId, rows: row === null ? [] : [row] }
    }
    const found = isAbsolute(selector) ? await disk.resolve(selector) : null
    const path = found !== null && !('code' in found) ? found.real : selector
    const rows = transfers.ofPath(path)
    return rows.length === 0 ? missing : { by: 'path', path, fileId: rows.find(isTellable)?.fileId ?? null, rows }
  }
}

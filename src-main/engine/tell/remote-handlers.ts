// Handlers for files on the service: the list, one file, links, versions and deletions. views.ts converts the
// rows that they return.
import type { Handlers, Output } from '../../../src-shared/engine-contract.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { type CatalogRow, isSameFile, type Remote } from '../journal/remote-list.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { Cancellation } from '../queue/cancel.ts'
import { Deleter } from '../remote/delete-request.ts'
import { CatalogFreshness } from '../remote/query-freshness.ts'
import { isNotFound } from '../remote/requests.ts'
import { createFinder, type Found } from '../remote/selector.ts'
import { failed, ok } from './answers.ts'
import type { Services } from './snapshot.ts'
import { isStored, isTellable, receiptView, remoteView } from './views.ts'

type Answered = 'catalog' | 'info' | 'links' | 'versions' | 'remove' | 'keepFiles'

interface Selected {
  readonly selector: string
  readonly found: Found | null
  /** See `keeps`. */
  readonly isSame: () => boolean
}

export function createCatalogHandlers(services: Services): Pick<Handlers, Answered> {
  const { ports, ids, transfers, remote, catalog, limits, folders, snapshots, stop } = services
  const find = createFinder(services)
  const deleter = new Deleter(services, find, new Cancellation(services))
  const freshness = new CatalogFreshness({ ...services, ...ports })

  const viewOf = (row: CatalogRow): RemoteRow => remoteView(row, limits.unit(), limits.zone(), ids.shown)
  const viewOfFile = (fileId: number): RemoteRow | null => {
    const row = remote.row(fileId)
    return row === null ? null : viewOf(row)
  }
  const viewOfReceipt = (row: TransferRow): RemoteRow | null =>
    receiptView(row, row.fileId === null ? null : viewOfFile(row.fileId), ids.shown)

  const linkOf = async (selector: string, found: Found): Promise<Output<'links'>[number]> => {
    // Of a path's versions, only the newest stored one counts, because the links of older ones lead to other
    // content.
    const done = found.rows.find(isStored)
    if (done !== undefined && isTellable(done)) return { selector, row: withLink(viewOfReceipt(done)) }
    const { fileId } = found
    // There is no link: nothing has been uploaded, or no version of this path is stored any more. Another
    // path's link is never used.
    if (fileId === null) {
      const ends = found.rows.flatMap((one) => snapshots.transfer(one).ended ?? [])
      const ended = ends.includes('deleting') ? 'deleting' : ends[0]
      return { selector, row: null, ...(found.by === 'path' && ended !== undefined ? { ended } : {}) }
    }
    const entry = remote.get(fileId)
    if (entry !== null && entry.goneAt === null && entry.publicLink === null)
      await catalog.file(fileId, 'person', stop)
    const row = withLink(viewOfFile(fileId))
    if (row !== null || entry === null) return { selector, row }
    if (entry.goneAt !== null) return { selector, row, ended: 'gone' }
    return { selector, row, ...(remote.isRemoval(fileId) ? { ended: 'deleting' } : {}) }
  }

  return {
    catalog: async (query) => {
      const failure = await freshness.ensure(query.fresh, folders.isAttended())
      if (failure !== null) return failed(failure)
      const inZone = (at: number | undefined): number | undefined =>
        at === undefined ? undefined : at + (limits.zone() ?? 0)
      const { rows, total, revision } = remote.query({
        ...query,
        since: inZone(query.since),
        until: inZone(query.until),
      })
      const reading = catalog.progress()
      const unnumbered = catalog.ways()?.unnumbered ?? 0
      return ok({
        rows: rows.map(viewOf),
        total,
        revision,
        asOf: catalog.asOf(),
        ...(reading === null ? {} : { reading }),
        ...(unnumbered === 0 ? {} : { unnumbered }),
      })
    },
    info: async ({ selector, cached }) => {
      const found = await find(selector, cached === true ? 'unknown' : 'always')
      if ('failure' in found) return failed(found.failure)
      const isSame = keeps(remote, found.fileId)
      let unfound = found.unfound === true
      // If the selector is an ID, `find` has just asked the service about that file.
      if (cached !== true && found.fileId !== null && found.by !== 'id') {
        const got = await catalog.file(found.fileId, 'person', stop)
        unfound = !got.ok && isNotFound(got.failure)
      }
      const fileId = isSame() ? found.fileId : null
      // The service's answer may have ended the transfers' claims to the file (journal/claims.ts), so read
      // the rows again.
      const rows = found.rows.map((one) => transfers.get(one.id) ?? one)
      const entry = fileId === null ? null : remote.get(fileId)
      const row = rows.find(isStored) ?? null
      const view =
        fileId === null || entry === null ? (row === null ? null : viewOfReceipt(row)) : viewOfFile(fileId)
      return ok({
        remote: entry !== null && entry.goneAt !== null ? null : view,
        ...(unfound && view?.publicLink != null ? { unfound } : {}),
        transfers: rows.map(snapshots.viewer()),
        downloads: fileId === null ? [] : [...remote.pulse(fileId)],
      })
    },
    links: async ({ selectors, confirm }) => {
      const all: Selected[] = []
      for (const selector of selectors) {
        const found = await find(selector, 'unknown')
        if (!('failure' in found)) all.push({ selector, found, isSame: keeps(remote, found.fileId) })
        else if (found.failure.code === 'not-found') all.push({ selector, found: null, isSame: () => true })
        else return failed(found.failure)
      }
      if (confirm === true)
        await catalog.confirm(
          all.map(({ found }) => linkedRow(found)),
          true,
        )
      const out: Output<'links'> = []
      for (const { selector, found, isSame } of all) {
        // The service's answer may have ended the transfers' claims to the file (journal/claims.ts), so read
        // the rows again.
        const rows = found?.rows.map((one) => transfers.get(one.id) ?? one) ?? []
        if (found === null) out.push({ selector, row: null })
        else if (!isSame()) out.push({ selector, row: null, ended: 'gone' })
        else out.push(await linkOf(selector, { ...found, rows }))
      }
      return ok(out)
    },
    versions: async ({ selectors, which, known }) =>
      deleter.versions(selectors, which ?? 'all', known === true ? 'never' : 'unknown'),
    remove: async ({ selectors, which, later }) => deleter.remove(selectors, which ?? 'all', later === true),
    keepFiles: async ({ fileIds }) =>
      ok(await deleter.keep(fileIds?.flatMap((id) => ids.find(String(id)) ?? []) ?? null)),
  }
}

/**
 * The file whose link a selector refers to, to be checked before the link is shown; null if there is none.
 */
function linkedRow(found: Found | null): Pick<TransferRow, 'fileId' | 'doneAt'> | null {
  if (found === null) return null
  return found.rows.find(isStored) ?? (found.fileId === null ? null : { fileId: found.fileId, doneAt: null })
}

function withLink(row: RemoteRow | null): RemoteRow | null {
  return row === null || row.publicLink === null ? null : row
}

/** Returns a function that returns whether this ID still belongs to the file to which it belongs now. */
function keeps(remote: Pick<Remote, 'get'>, fileId: number | null): () => boolean {
  const known = fileId === null ? null : remote.get(fileId)
  return () => fileId === null || isSameFile(known, remote.get(fileId))
}

// Combines the modules for everything that the journal stores about the service's files: the cached list and
// its search, download counts, pending deletions, daily figures and single facts.

import type { Database } from './database.ts'
import { createDownloads, type Downloads } from './downloads.ts'
import {
  type CatalogRows,
  type CatalogSearch,
  createCatalogRows,
  createCatalogSearch,
} from './remote-list.ts'
import { createRemovals, type Removals } from './removals.ts'
import { createFacts, type Facts } from './single-values.ts'
import { createUsage, type Usage } from './usage.ts'

export type { CatalogQuery, CatalogRow, RemoteEntry } from './remote-list.ts'
export type { RemovalRow } from './removals.ts'

export type Remote = CatalogRows & CatalogSearch & Downloads & Removals & Usage & { readonly facts: Facts }

/**
 * `onChange`: called for each row of the list that is new, changed or gone. `onEnded`: called with the IDs of
 * the transfers that lost their link or got it back, or whose file was deleted as the user requested.
 */
export function createRemote(
  db: Database,
  onChange: () => void,
  onEnded: (ids: readonly number[]) => void = () => undefined,
): Remote {
  const facts = createFacts(db)
  const usage = createUsage(db)
  const downloads = createDownloads(db, usage)
  const rows = createCatalogRows({ db, facts, downloads, hooks: { onChange, onEnded } })
  const search = createCatalogSearch(db, (fileId) => rows.row(fileId))
  return { ...rows, ...search, ...downloads, ...createRemovals(db), ...usage, facts }
}

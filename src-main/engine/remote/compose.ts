// Composes what reads from the service and deletes there: requests, links, the cached list, `/stats`.
import type { BudgetRoom } from '../budget/compose.ts'
import type { Journal } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import { Links } from './link-bytes.ts'
import { type Catalog, createCatalog } from './remote-files.ts'
import { type Calls, createCalls } from './requests.ts'
import { StatsRefresh, StoredCount } from './stats-refresh.ts'

export interface RemoteRoom {
  readonly calls: Calls
  readonly links: Links
  readonly catalog: Catalog
  readonly stats: StatsRefresh
  readonly stored: StoredCount
}

export function createRemoteRoom(
  ports: Ports,
  journal: Journal,
  budget: BudgetRoom,
  bus: Bus,
  stop: AbortSignal,
): RemoteRoom {
  const { account, identity, limits } = budget
  const calls = createCalls({ ...ports, ...budget, control: () => stats.control() })
  const stored = new StoredCount(limits, account, journal.remote.facts, journal.remote.held)
  const links = new Links({ hashing: ports.hashing, journal, identity, limits })
  const catalog = createCatalog({ ...ports, ...budget, journal, calls, links, stored, bus, stop })
  const stats = new StatsRefresh({ ...ports, ...budget, journal, calls, stored, bus, stop })
  identity.on('switched', () => catalog.reset())
  return { calls, links, catalog, stats, stored }
}

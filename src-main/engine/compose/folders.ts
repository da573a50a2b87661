// Composes the parts that find files and decide which may be uploaded: the guard for secrets, admission and the watched folders. Contains
// only wiring.
import { createAdmission } from '../admission/facts.ts'
import { createGuard, NO_GUARD_RULES } from '../admission/guard.ts'
import type { OwnPlaces } from '../admission/own-places.ts'
import type { Bus } from '../bus.ts'
import type { EngineOptions } from '../core.ts'
import { WatchedFolders } from '../discovery/folder/watched-folders.ts'
import type { Scheduler } from '../transfer/scheduler.ts'
import type { Journal } from './journal.ts'

export interface FoldersOptions {
  readonly options: EngineOptions
  readonly journal: Journal
  readonly own: OwnPlaces
  readonly bus: Bus
  readonly scheduler: () => Scheduler
}

export function composeFolders({ options, journal, own, bus, scheduler }: FoldersOptions) {
  const { ports } = options
  const { db, files, transfers, claims } = journal
  const guard = createGuard({ rules: options.guardRules ?? (() => NO_GUARD_RULES), inspection: ports.inspection })
  const admission = createAdmission({
    disk: ports.disk,
    guard,
    clock: ports.clock,
    own,
    watched: () => folders.roots(),
    isOpen: (folderId) => folders.isOpen(folderId),
  })
  const folders = new WatchedFolders({
    ports,
    db,
    files,
    transfers,
    claims,
    admission,
    guard,
    bus,
    journalFailed: journal.failed,
    onQueueChanged: () => scheduler().queueChanged(),
    onFound: () => scheduler().found(),
  })
  return { guard, admission, folders }
}

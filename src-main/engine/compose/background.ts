// Composes the background jobs, which use spare request budget to read from the service while nothing else is due. Which job runs next is
// decided in remote/background-jobs.ts.
import type { EngineOptions } from '../core.ts'
import type { WatchedFolders } from '../discovery/folder/watched-folders.ts'
import { createBackgroundRunner } from '../remote/background-runner.ts'
import type { Journal } from './journal.ts'
import type { Service } from './service.ts'
import type { Uploads } from './uploads.ts'

export function composeBackground({
  options,
  journal,
  service,
  folders,
  uploads,
  stop,
}: {
  readonly options: EngineOptions
  readonly journal: Journal
  readonly service: Service
  readonly folders: WatchedFolders
  readonly uploads: Uploads
  readonly stop: AbortSignal
}) {
  const { clock, log } = options.ports
  const { db, remote, transfers } = journal
  const { budget, limits, account, calls, catalog, stats } = service
  const { scheduler, gate } = uploads
  return createBackgroundRunner({
    clock,
    log,
    db,
    remote,
    catalog,
    signal: stop,
    idle: () => {
      if (stop.aborted || gate.isPaused() || account.view().state !== 'ok' || calls.hasWaiting()) return false
      if (scheduler.activeCount() > 0 || scheduler.isRoundRunning()) return false
      const work = transfers.workIn(folders.ids())
      return work.count + work.moving === 0 && gate.view() === null
    },
    budget: () => {
      const { minute, day } = budget.view()
      return { minute: { limit: minute.limit ?? 1, used: minute.used }, day: { limit: day.limit ?? 1, used: day.used } }
    },
    statsAt: () => account.stats()?.at ?? null,
    refreshStats: async () => (await stats.refresh('spare', 0)) === null,
    zone: () => limits.zone(),
  })
}

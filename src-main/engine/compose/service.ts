// Composes everything that talks to the service except uploads, such as the request budget, the account, plan
// limits, `/stats`, the catalog and deletions. Contains only wiring.
import type { LearnedOrigins } from '../../api/types.ts'
import { type Budget, createBudget } from '../budget/budget.ts'
import { type CallFailure, callFailure as explain } from '../budget/failures.ts'
import { IdentityKeeper } from '../budget/identity.ts'
import { createAccount } from '../budget/state.ts'
import { createUploadLimits, type UploadLimits } from '../budget/upload-limits.ts'
import type { EngineOptions } from '../core.ts'
import { localDay } from '../journal/days.ts'
import { createPacerStore } from '../journal/pacer-store.ts'
import { KnownFiles } from '../presence/known-files.ts'
import { Links } from '../presence/links.ts'
import { hasUnknownFiles } from '../presence/room.ts'
import { createCatalog } from '../remote/catalog.ts'
import { createCalls, numberIds } from '../remote/requests.ts'
import { StatsRefresh, StoredCount } from '../remote/stats-refresh.ts'
import type { Bus } from '../tell/bus.ts'
import { type Journal, missingPart } from './journal.ts'

export type Service = ReturnType<typeof composeService>

export interface ServiceOptions {
  readonly options: EngineOptions
  readonly journal: Journal
  readonly bus: Bus
  /** Call when work may have become due. */
  readonly wake: () => void
  readonly rowsChanged: () => void
  /**
   * Discards what the uploads have learned about the old account. Called inside a transaction when the
   * journal switches to another account.
   */
  readonly forget: () => void
  readonly onForgotten: () => void
  readonly stop: AbortSignal
}

/** Maximum number of origins to remember, so that a service can't have any number of them asked. */
const LINK_ORIGINS_MOST = 8

/**
 * `compareAgain`: called in the transaction that records an origin, because links that couldn't be read
 * before can be read now.
 */
function createLinkOrigins({ db, remote, failed }: Journal, compareAgain: () => void): LearnedOrigins {
  const read = (): readonly string[] => remote.facts.get('link-origins') ?? []
  const set = (origin: string): void => {
    remote.facts.set('link-origins', [...read(), origin].slice(-LINK_ORIGINS_MOST))
    compareAgain()
  }
  return { read, add: (origin) => void db.soon(() => set(origin)).catch(failed) }
}

export function composeService({
  options,
  journal,
  bus,
  wake,
  rowsChanged,
  forget,
  onForgotten,
  stop,
}: ServiceOptions) {
  const { clock, log, random } = options.ports
  const { db, ids, transfers, remote } = journal
  const budget = createBudget({
    clock,
    random,
    store: createPacerStore(db, journal.failed),
    onCapacity: wake,
    onSpent: () =>
      void db.soon(() => remote.addUsage(localDay(clock.now()), { requests: 1 })).catch(journal.failed),
    flush: () => db.flush(),
  })
  const limits = createUploadLimits({ clock, log, transfers, facts: remote.facts })
  const account = createAccount({
    clock,
    random,
    log,
    budget,
    onChange: () => {
      bus.touched()
      wake()
    },
    onRefusal: (state) => {
      const refusal = state === null ? null : { state, mark: identity.mark() }
      void db.soon(() => remote.facts.set('refusal', refusal)).catch(journal.failed)
    },
    onWorked: () => void db.soon(() => remote.facts.set('worked-key', identity.mark())).catch(journal.failed),
    onNotice: (what, title, hint) =>
      bus.emit({ kind: 'notice', level: 'problem', title, hint, about: { what, name: '', count: 1 } }),
  })
  const linkOrigins = createLinkOrigins(journal, () => {
    for (const id of transfers.compareAgain(null, clock.now())) bus.changed(id)
    rowsChanged()
  })
  const identity = new IdentityKeeper({
    facts: remote.facts,
    account,
    createApi: (baseUrl, key) =>
      numberIds({
        client: options.createApi(baseUrl, key, linkOrigins),
        ids,
        tx: db.tx,
        failed: journal.failed,
      }),
    read: options.identity,
    flush: () => db.flush(),
    hasSent: () => transfers.hasSent(),
    onOther: () => {
      log.info('account.changed')
      db.tx(() => {
        remote.facts.set('stats', null)
        remote.facts.set('link-origins', null)
        catalog.reset()
        limits.reset()
        forget()
      })
      account.forgetStats()
      onForgotten()
    },
    onStats: (read, at) => {
      account.setStats(read, at)
      limits.setStats(read, at)
    },
    onLoaded: () => {
      stats.keyChanged()
      wake()
    },
  })
  const callFailure = (failure: CallFailure) => explain(failure, account.view(), identity.failure())
  const control = (): Promise<void> => stats.control()
  const calls = createCalls({
    clock,
    budget,
    account,
    api: () => identity.api(),
    tenure: () => identity.tenure(),
    control,
  })
  const stored = new StoredCount(limits, account, () => catalog)
  const links = new Links({
    identity,
    hashing: options.ports.hashing,
    db,
    remote,
    likes: journal.likes,
    limits,
  })
  const catalog = composeCatalog(
    { options, journal, bus, wake, stop },
    { calls, limits, stored, budget, links },
  )
  const stats = new StatsRefresh({
    clock,
    db,
    remote,
    calls,
    account,
    limits,
    callFailure,
    onFirst: (before) => {
      if (before === null) return
      const { at, files } = before
      if (
        hasUnknownFiles(
          files,
          limits.quota().totalFiles,
          transfers.uploadsSince(at),
          journal.likes.goneSince(at),
        )
      )
        journal.past.open('more-files', journal.openedAt, missingPart(remote))
    },
    onRead: () => stored.statsRead(),
    journalFailed: journal.failed,
    onEnd: wake,
    stop,
  })
  return { budget, limits, account, identity, calls, catalog, links, stats, stored, callFailure }
}

function composeCatalog(
  {
    options,
    journal,
    bus,
    wake,
    stop,
  }: Pick<ServiceOptions, 'options' | 'journal' | 'bus' | 'wake' | 'stop'>,
  {
    calls,
    limits,
    stored,
    budget,
    links,
  }: {
    readonly calls: ReturnType<typeof createCalls>
    readonly links: Links
    readonly budget: Budget
    readonly limits: UploadLimits
    readonly stored: StoredCount
  },
) {
  const { clock, log } = options.ports
  const { db, remote, owners, claims, transfers } = journal
  return createCatalog({
    singleFiles: (store, listing) => {
      const uploaded = (fileId: number) => transfers.byFileId(fileId)
      return new KnownFiles({ clock, db, remote, calls, links, uploaded, store, listing, stop })
    },
    clock,
    log,
    db,
    remote,
    calls,
    learnDate: (id, shown) => limits.learnDate(id, shown),
    listed: (complete) => {
      if (complete) stored.listed()
      bus.remoteChanged(0)
      bus.touched()
    },
    removed: (size) => {
      stored.removed(size)
      bus.touched()
    },
    progressed: () => bus.touched(),
    spacing: () => budget.spacing(),
    isFree: (fileId) => owners.isFree(fileId),
    orphaned: (fileId) => {
      for (const id of claims.lose(fileId)) bus.changed(id)
      wake()
    },
    // A deletion that the service has only claimed to carry out is queued again.
    shownAgain: (fileId, at) => {
      const ended = owners.isFree(fileId) ? transfers.byFileId(fileId)?.ended : null
      if (ended === 'deleted' || ended === 'replaced')
        remote.addRemoval(fileId, ended === 'deleted' ? 'asked' : 'replaced', at)
    },
    firstDownloads: (list) => {
      const name = list[0]?.filename ?? 'a file'
      // Many first downloads may appear at once if the list hasn't been read for a long time.
      const title =
        list.length === 1
          ? `First download of ${name}`
          : `First downloads of ${name} and ${list.length - 1} more`
      bus.emit({
        kind: 'notice',
        level: 'info',
        title,
        hint: null,
        about: { what: 'first-download', name, count: list.length },
      })
    },
  })
}

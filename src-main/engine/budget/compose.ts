// Composes what decides whether a request or an upload may be sent now: the request budget, the plan's limits,
// the account and its key, the pause after refusals, and the bandwidth cap.
import type { LearnedOrigins } from '../../api/types.ts'
import type { Journal } from '../journal/journal.ts'
import { createPacerStore } from '../journal/pacer-store.ts'
import type { Ports } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import { type AccountState, createAccount } from './account-state.ts'
import { createThrottle, type Throttle } from './bandwidth.ts'
import { type Budget, createBudget } from './budget.ts'
import { type AccountSource, IdentityKeeper } from './current-key.ts'
import { createUploadLimits, type UploadLimits } from './upload-limits.ts'
import { UploadPause } from './upload-pause.ts'

/** Maximum number of origins to remember, so that a service can't have any number of them asked. */
const LINK_ORIGINS_MOST = 8

export interface BudgetRoom {
  readonly budget: Budget
  readonly limits: UploadLimits
  readonly account: AccountState
  readonly identity: IdentityKeeper
  readonly uploadPause: UploadPause
  readonly throttle: Throttle
}

export function createBudgetRoom(
  source: AccountSource,
  ports: Ports,
  journal: Journal,
  bus: Bus,
): BudgetRoom {
  const { clock, log } = ports
  const { db, transfers, remote, past } = journal
  const budget = createBudget({ ...ports, store: createPacerStore(db, journal.failed), journal, bus })
  const limits = createUploadLimits({ clock, log, transfers, facts: remote.facts })
  const account = createAccount({ ...ports, budget, journal, bus })
  const uploadPause = new UploadPause(clock, journal, bus)
  const origins = learnedOrigins(clock, journal, bus)
  const identity = new IdentityKeeper({ source, journal, account, limits, origins })
  identity.on('loaded', () => bus.wake())
  identity.on('switched', () => {
    log.info('account.changed')
    remote.facts.set('stats', null)
    remote.facts.set('link-origins', null)
    account.forgetStats()
    limits.reset()
    uploadPause.accepted()
    transfers.forgetAttempts()
    // The new account may already have some of the files, so they are compared before they are sent.
    past.open(past.get()?.cause ?? 'fresh', clock.now(), 'whole')
  })
  return { budget, limits, account, identity, uploadPause, throttle: createThrottle(clock) }
}

/** The origins, apart from the service's, to which its links were seen to lead. */
function learnedOrigins(
  clock: Ports['clock'],
  { transfers, remote, soon }: Journal,
  bus: Bus,
): LearnedOrigins {
  const { facts } = remote
  const read = (): readonly string[] => facts.get('link-origins') ?? []
  const add = (origin: string): void => {
    facts.set('link-origins', [...read(), origin].slice(-LINK_ORIGINS_MOST))
    // Links that couldn't be read before can be read now.
    for (const id of transfers.compareAgain(null, clock.now())) bus.changed(id)
    bus.wake('lookups')
  }
  return { read, add: (origin) => soon(() => add(origin)) }
}

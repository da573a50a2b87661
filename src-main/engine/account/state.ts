// The account as answers show it: is the key good, does the plan have an API, can the service be reached, what do `/stats` allow.
// It holds the gates that stop all uploads at once, each with its reason and time; it sends nothing itself but says what is to be proved.
import type { Account, Gate } from '../../../src-shared/model.ts'
import type { AnswerMeta, ApiFailure, Stats } from '../../api/types.ts'
import type { Budget } from '../limits/budget.ts'
import type { Clock, Log, Random } from '../ports.ts'
import { callVerdict } from '../transfer/outcome.ts'

/** Reaching again is tried this often, longer each time: a laptop that wakes should be back in a second, a dead line not be hammered. */
const OFFLINE_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000] as const
/** An address that leads elsewhere does not heal by itself quickly. */
const ADDRESS_MS = [5_000, 60_000, 300_000, 900_000] as const

export type Observed = { readonly ok: true; readonly meta: AnswerMeta } | { readonly ok: false; readonly failure: ApiFailure }

export interface AccountRoom {
  view(): Account
  /** Nothing may be sent until a person acts. */
  isBlocked(): boolean
  /** When reaching the service is tried again; null while it is reachable. */
  offlineUntil(): number | null
  /** Since when nobody was reached; null while the service is reachable. */
  offlineSince(): number | null
  /** What stops every upload now, the limits of the plan apart. */
  gate(): Gate | null
  /** Every answer passes here, also those of uploads: settles the budget and draws the account's conclusions. */
  observe(claimId: number, result: Observed): void
  /** A new identity: another key or address, or none. */
  setIdentity(identity: { readonly baseUrl: string } | null): void
  setStats(stats: Stats, at: number): void
  stats(): { readonly stats: Stats; readonly at: number } | null
  /** A 403 on `/stats` itself: the plan has no API. */
  setNoApi(message: string): void
  /** A person asked to try again: blocks that time may have healed are lifted. */
  retry(): void
  /** The clock was set back by this many milliseconds (less than 0). */
  setBack(by: number): void
}

export interface AccountOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly budget: Budget
  readonly onChange: () => void
  readonly onNotice: (what: 'key-refused' | 'no-api', title: string, hint: string) => void
}

export function createAccount(options: AccountOptions): AccountRoom {
  const { clock, budget, log } = options
  let baseUrl: string | null = null
  let state: Account['state'] = 'none'
  let message: string | null = null
  let stats: { readonly stats: Stats; readonly at: number } | null = null
  let offline: { readonly since: number; tries: number; until: number } | null = null
  let address: { tries: number; until: number; message: string } | null = null

  const reached = (): void => {
    const changed = offline !== null || address !== null || state === 'unproved' || state === 'offline'
    offline = null
    address = null
    if (state === 'unproved' || state === 'offline') {
      state = 'ok'
      message = null
    }
    if (changed) options.onChange()
  }

  const missed = (why: string): void => {
    const tries = offline === null ? 0 : offline.tries + 1
    // Uploads that fail together are one miss, not many.
    if (offline !== null && offline.until > clock.now()) return
    const base = OFFLINE_MS[Math.min(tries, OFFLINE_MS.length - 1)] ?? 60_000
    offline = { since: offline?.since ?? clock.now(), tries, until: clock.now() + Math.floor(base * (0.75 + options.random() * 0.5)) }
    if (state === 'ok' || state === 'unproved') state = 'offline'
    message = why
    log.warn('account.offline', { tries, why })
    options.onChange()
  }

  const block = (next: 'key-refused' | 'no-api', why: string): void => {
    if (state === next) return
    state = next
    message = why
    log.warn(`account.${next}`)
    if (next === 'key-refused')
      options.onNotice(
        'key-refused',
        'The key was refused. Nothing is sent until you enter a new one.',
        'Enter a new key, or try again if the key was refused by mistake.',
      )
    else
      options.onNotice(
        'no-api',
        'This plan has no API. Nothing is sent.',
        'The API needs the Pro plan or a higher one. Try again after a change of plan.',
      )
    options.onChange()
  }

  return {
    view: () => ({ state, baseUrl, plan: stats?.stats.plan ?? null, provedAt: stats?.at ?? null, message }),
    isBlocked: () => state === 'none' || state === 'key-refused' || state === 'no-api',
    offlineUntil: () => offline?.until ?? null,
    offlineSince: () => offline?.since ?? null,
    gate: () => {
      const now = clock.now()
      if (state === 'none') return { reason: 'account', until: null, message: 'No key yet.' }
      if (state === 'key-refused')
        return { reason: 'account', until: null, message: 'The key was refused. Nothing is sent until you enter a new one.' }
      if (state === 'no-api') return { reason: 'account', until: null, message: 'This plan has no API.' }
      if (offline !== null && offline.until > now) return { reason: 'offline', until: offline.until, message }
      if (address !== null && address.until > now) return { reason: 'redirected', until: address.until, message: address.message }
      return null
    },
    observe: (claimId, result) => {
      if (result.ok) {
        budget.settle(claimId, result.meta)
        reached()
        return
      }
      const f = result.failure
      const meta = 'meta' in f ? f.meta : null
      const verdict = callVerdict(f)
      if (f.phase === 'unsent' && f.kind !== 'status') budget.cancel(claimId)
      else budget.settle(claimId, meta)
      switch (verdict) {
        case 'offline':
          missed(f.message)
          break
        case 'key-refused':
          reached()
          block('key-refused', f.message)
          break
        case 'wrong-address': {
          const tries = address === null ? 0 : address.tries + 1
          if (address !== null && address.until > clock.now()) break
          address = { tries, until: clock.now() + (ADDRESS_MS[Math.min(tries, ADDRESS_MS.length - 1)] ?? 900_000), message: f.message }
          log.warn('account.address', { why: f.message })
          options.onChange()
          break
        }
        case 'forbidden':
        case 'rate-limited':
        case 'gone':
        case 'refused':
          // Whatever it says, somebody answered.
          if (offline !== null) reached()
          break
        case 'retry':
        case 'aborted':
          break
      }
    },
    setIdentity: (identity) => {
      baseUrl = identity?.baseUrl ?? null
      state = identity === null ? 'none' : stats === null ? 'unproved' : 'ok'
      message = null
      offline = null
      address = null
      options.onChange()
    },
    setStats: (next, at) => {
      stats = { stats: next, at }
      if (state !== 'none') state = 'ok'
      message = null
      budget.setPlan(next.plan, next.limits)
      options.onChange()
    },
    stats: () => stats,
    setNoApi: (why) => block('no-api', why),
    setBack: (by) => {
      if (offline !== null) offline = { ...offline, since: offline.since + by, until: offline.until + by }
      if (address !== null) address = { ...address, until: address.until + by }
    },
    retry: () => {
      if (state === 'key-refused' || state === 'no-api') state = 'unproved'
      message = null
      if (offline !== null) offline = { ...offline, until: clock.now() }
      address = null
      options.onChange()
    },
  }
}

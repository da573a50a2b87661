// When `upload` and `watch --once` give up waiting: the key is refused, nobody is reached, or all that is left waits longer than a person
// would. Pure; the times and states come from the engine.
import type { Account, Gate, Transfer } from '../../src-shared/model.ts'
import { formatClock, formatDuration, waitText } from '../../src-shared/format.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/** Nobody was reached for this long: it is no passing trouble. A shorter --max-wait shortens it. */
export const OFFLINE_MS = 30_000

/** What the unfinished files wait for, together. */
export type Waits =
  /** Something is on its way or can go now. */
  | { readonly kind: 'active' }
  /** All of them wait; the first goes on at `until`, null: not by itself. */
  | { readonly kind: 'waits'; readonly until: number | null; readonly gate: Gate | null }

export function waitsOf(pending: Iterable<Transfer>, gate: Gate | null, paused: boolean, now: number): Waits {
  let first: number | null = null
  let why: Gate | null = null
  for (const one of pending) {
    const own = one.state === 'waiting' || one.state === 'unknown' || (one.state === 'queued' && one.until !== null)
    let until: number | null
    let reason: Gate | null
    if (one.state === 'uploading' || one.state === 'settling') return { kind: 'active' }
    if (own && (one.until !== null || one.reason !== null)) {
      until = one.until
      reason = { reason: (one.reason ?? 'checking') as Gate['reason'], until, message: one.message }
      // A look at the remote list that is not planned yet comes at once.
      if (one.state === 'unknown' && until === null && gate === null) return { kind: 'active' }
    } else {
      until = null
      reason = null
    }
    if (paused || gate !== null) {
      const gateUntil = paused ? null : (gate?.until ?? null)
      // The later of both decides; what never ends by itself is the latest.
      if (reason === null || gateUntil === null || (until !== null && gateUntil > until)) {
        until = gateUntil
        reason = gate
      }
    }
    if (reason === null && !paused) return { kind: 'active' }
    if (until !== null && until <= now) return { kind: 'active' }
    if (why === null || (until !== null && (first === null || until < first))) {
      first = until
      why = reason ?? { reason: 'paused', until: null, message: null }
    }
  }
  return why === null ? { kind: 'active' } : { kind: 'waits', until: first, gate: why }
}

export interface Situation {
  readonly account: Account
  /** Since when the account is seen offline, null while it is not. */
  readonly offlineSince: number | null
  readonly waits: Waits
  readonly maxWaitMs: number
  readonly now: number
}

export interface Ending {
  readonly code: ExitCode
  readonly title: string
  readonly hint: string | null
}

export function accountEnding(account: Account): Ending | null {
  switch (account.state) {
    case 'none':
      return { code: EXIT.account, ...NO_KEY }
    case 'key-refused':
      return {
        code: EXIT.account,
        title: 'The key was refused. Nothing is sent until there is a new one.',
        hint: 'Enter a new key with: slipway login',
      }
    case 'no-api':
      return {
        code: EXIT.account,
        title: 'This plan has no API. Nothing is sent.',
        hint: 'The API needs the Pro plan or a higher one. After a change of plan: slipway retry',
      }
    case 'unproved':
    case 'ok':
    case 'offline':
      return null
    default:
      return account.state satisfies never
  }
}

export const NO_KEY = {
  title: 'There is no key yet.',
  hint: 'Store one with: slipway login --base-url URL. For one process alone, set SLIPWAY_API_KEY and SLIPWAY_BASE_URL.',
} as const

/** Null: go on waiting. */
export function decideEnding(s: Situation): Ending | null {
  const account = accountEnding(s.account)
  if (account !== null) return account
  if (s.account.state === 'offline') {
    // A next try is never far away, so only the time without an answer counts.
    if (s.offlineSince === null || s.now - s.offlineSince < Math.min(s.maxWaitMs, OFFLINE_MS)) return null
    return {
      code: EXIT.noConnection,
      title: `No connection to the service${s.account.message === null ? '.' : `: ${s.account.message}`}`,
      hint: 'Nothing is lost. The next run goes on; slipway doctor tells more.',
    }
  }
  if (s.waits.kind === 'active') return null
  const { until, gate } = s.waits
  if (until !== null && until - s.now <= s.maxWaitMs) return null
  const why = gate === null ? 'Something still waits' : waitText(gate.reason, null, s.now).what
  const when = until === null ? '' : ` It goes on at ${formatClock(until, s.now)}, in ${formatDuration(until - s.now)}.`
  const hint =
    gate?.reason === 'paused' ? 'Go on with: slipway resume' : 'Nothing is lost. The next run goes on; a longer --max-wait waits for it.'
  return { code: EXIT.waits, title: `${why}.${when}`, hint }
}

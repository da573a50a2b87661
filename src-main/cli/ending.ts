// When `upload` and `watch --once` stop waiting: the key is refused, the service is unreachable, or every remaining wait is too long to sit
// through. Pure; the times and states come from the engine.

import { formatDuration, formatWhen } from '../../src-shared/format.ts'
import { type Account, type Gate, type Snapshot, type Transfer, WaitReason } from '../../src-shared/model.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { reasonText } from './reason-text.ts'
import { SHARED } from './tracker.ts'

/** Nobody was reached for this long: it is no passing trouble. A shorter --max-wait shortens it. */
const OFFLINE_MS = 30_000

/** What the unfinished files wait for, together. */
export type Waits =
  /** Something is on its way or can go now. */
  | { readonly kind: 'active' }
  /** All of them wait; the first goes on at `until`, null: not by itself. */
  | { readonly kind: 'waits'; readonly until: number | null; readonly gate: Gate }

/** The gate is what holds back the account now; rows may still show one that is over. */
export function waitsOf(pending: Iterable<Transfer>, gate: Gate | null, now: number): Waits {
  let first: Gate | null = null
  for (const one of pending) {
    const wait = waitOf(one, gate)
    if (wait === null || isChecking(wait) || (wait.until !== null && wait.until <= now)) return { kind: 'active' }
    if (first === null || first.until === null || (wait.until !== null && wait.until < first.until)) first = wait
  }
  return first === null ? { kind: 'active' } : { kind: 'waits', until: first.until, gate: first }
}

/** The engine compares with the service right now; what it waits for before the next look has a time. */
function isChecking(gate: Gate): boolean {
  return gate.reason === 'checking' && gate.until === null
}

/** Null: it moves, or can move now. What waits for two things waits for the later one; what ends by no clock is the latest. */
function waitOf(one: Transfer, gate: Gate | null): Gate | null {
  if (one.state === 'uploading' || one.state === 'settling') return null
  const own: Gate | null =
    (one.state === 'waiting' || one.state === 'unknown') && one.reason !== null && !SHARED.has(one.reason)
      ? { reason: WaitReason.safeParse(one.reason).data ?? 'checking', until: one.until, message: one.message }
      : null
  // A look at the remote list that has no time yet comes at once.
  if (one.state === 'unknown' && (own === null || own.until === null)) return gate
  if (own === null || gate === null) return own ?? gate
  if (own.until === null) return own
  return gate.until === null || gate.until > own.until ? gate : own
}

export interface Situation {
  readonly snapshot: Snapshot
  /** Since when the account is seen offline, null while it is not. */
  readonly offlineSince: number | null
  /** Since when uploads are seen paused, null while they are not; minus infinity: since before the command began. */
  readonly pausedSince: number | null
  readonly waits: Waits
  readonly maxWaitMs: number
  readonly now: number
}

export interface Ending {
  readonly code: ExitCode
  readonly title: string
  readonly hint: string | null
}

/** `keyFault`: why there is no key, where that is known. */
export function accountEnding(account: Account, keyFault: string | null): Ending | null {
  switch (account.state) {
    case 'none':
      return { code: EXIT.account, title: keyFault ?? 'There is no API key yet.', hint: NO_KEY_HINT }
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

const NO_KEY_HINT = 'Store one with: slipway login --base-url URL. For one process alone, set SLIPWAY_API_KEY and SLIPWAY_BASE_URL.'

/** The engine's own word on a key that it could not read. */
export function keyFaultOf(snapshot: Snapshot): string | null {
  return snapshot.health.find((one) => one.what === 'key')?.message ?? null
}

/** Null: go on waiting. */
export function decideEnding(s: Situation): Ending | null {
  const { account } = s.snapshot
  const blocked = accountEnding(account, keyFaultOf(s.snapshot))
  if (blocked !== null) return blocked
  if (account.state === 'offline') {
    // A next try is never far away, so only the time without an answer counts.
    if (s.offlineSince === null || s.now - s.offlineSince < Math.min(s.maxWaitMs, OFFLINE_MS)) return null
    return {
      code: EXIT.noConnection,
      title: `No connection to the service${account.message === null ? '.' : `: ${account.message}`}`,
      hint: 'Nothing is lost; the next run goes on. To check: slipway doctor',
    }
  }
  if (s.waits.kind === 'active' || isChecking(s.waits.gate)) return null
  const { until, gate } = s.waits
  if (until !== null && until - s.now <= s.maxWaitMs) return null
  // A person who pauses means to resume: a pause that begins meanwhile is waited for as long as any limit.
  if (gate.reason === 'paused' && s.pausedSince !== null && s.now - s.pausedSince < s.maxWaitMs) return null
  const why = reasonText(gate.reason, null, s.now)
  const when = until === null ? '' : ` Uploads resume ${formatWhen(until, s.now)}, in ${formatDuration(until - s.now)}.`
  const hint =
    gate.reason === 'paused' ? 'To go on: slipway resume' : 'Nothing is lost; the next run goes on. To wait here, give a longer --max-wait.'
  return { code: EXIT.waits, title: `${why}.${when}`, hint }
}

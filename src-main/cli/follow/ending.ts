// Decides when `upload` and `watch --once` give up before all files are done. They end if there is no usable
// key, the plan has no API, the service is unreachable, or all remaining files would have to wait longer than
// the user allows. Pure.

import { formatDuration, formatWhen } from '../../../src-shared/format.ts'
import {
  type Account,
  type Gate,
  type Health,
  type Snapshot,
  type Transfer,
  WaitReason,
} from '../../../src-shared/model.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { type KeySource, refusedKeyHint } from '../key-source.ts'
import { reasonText, withoutStop } from '../output/reason-text.ts'
import { SHARED } from './tracker.ts'

/** The command ends after this long without a usable answer. A shorter --max-wait takes precedence. */
const UNANSWERED_MS = 30_000

/** What the unfinished files, taken together, are waiting for. */
export type Waits =
  /** A file is in progress or can start now. */
  | { readonly kind: 'active' }
  /**
   * All files wait. The first can continue at `until`; null if that time is unknown, or if waiting alone
   * won't help.
   */
  | {
      readonly kind: 'waits'
      readonly until: number | null
      readonly gate: Gate
      /** The wait has lasted for --max-wait, and no file has finished in that time. */
      readonly isStuck?: true
    }

/**
 * Finds the wait that ends first. `gate` is what blocks the whole account now; the pending rows may still
 * show what blocked it earlier.
 */
export function waitsOf(pending: Iterable<Transfer>, gate: Gate | null, now: number): Waits {
  let first: Gate | null = null
  for (const one of pending) {
    const wait = waitOf(one, gate)
    if (wait === null || isChecking(wait) || (wait.until !== null && wait.until <= now))
      return { kind: 'active' }
    if (first === null || first.until === null || (wait.until !== null && wait.until < first.until))
      first = wait
  }
  return first === null ? { kind: 'active' } : { kind: 'waits', until: first.until, gate: first }
}

/** Reasons of waits that may not end with the next try. */
const TRIED: ReadonlySet<string> = new Set(['daily-uploads', 'uploads-refused'])
/** Reasons that mean that the service gives no usable answers. */
const NO_ANSWER: ReadonlySet<string> = new Set(['answers-lost', 'redirected', 'foreign', 'unavailable'])
/** Reasons that mean so if the last answers couldn't be used. */
const BY_SERVICE: ReadonlySet<string> = new Set([
  ...NO_ANSWER,
  'checking',
  'comparing',
  'earlier-upload',
  'backoff',
  'server-pause',
  'uploads-refused',
])

/** Reasons of waits during which the engine checks something with the service. */
const CHECKS: ReadonlySet<string> = new Set<WaitReason>(['checking', 'comparing', 'earlier-upload'])

/**
 * Whether the engine is checking something with the service right now. If it has to wait first, `until` is
 * the end of that wait.
 */
export function isChecking({
  reason,
  until,
}: {
  readonly reason: string | null
  readonly until: number | null
}): boolean {
  return until === null && reason !== null && CHECKS.has(reason)
}

/**
 * What the transfer waits for; null if it is in progress or can start now. Of two waits, the one that ends
 * later counts. A wait without an end time counts as the later one.
 */
function waitOf(one: Transfer, gate: Gate | null): Gate | null {
  if (one.state === 'uploading' || one.state === 'settling') return null
  // A file named on the command line is queued as soon as it stops changing. If it changes before or during
  // its upload, the upload is retried within seconds. So only the account can cause a longer wait.
  if (one.state === 'waiting' && one.reason === 'settling') return gate
  // The file's drive may respond again at any time. stuck.ts decides how long to wait for it.
  if (one.state === 'waiting' && one.reason === 'drive-silent' && one.until === null) return gate
  const own: Gate | null =
    (one.state === 'waiting' || one.state === 'unknown') && one.reason !== null && !SHARED.has(one.reason)
      ? {
          reason: WaitReason.safeParse(one.reason).data ?? 'checking',
          until: one.until,
          message: one.message,
        }
      : null
  // Without a time, the check for an unconfirmed upload is due at once, so only the account can delay it.
  if (one.state === 'unknown' && (own === null || own.until === null)) return gate
  if (own === null || gate === null) return own ?? gate
  if (own.until === null) return own
  return gate.until === null || gate.until > own.until ? gate : own
}

export interface Situation {
  readonly snapshot: Snapshot
  readonly keySource: KeySource
  /** See the function of this name. */
  readonly unansweredSince: number | null
  /**
   * When uploads were first seen paused; null while they aren't; -Infinity if they were paused when the
   * command started.
   */
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

/**
 * Returns how the command ends if the account's state prevents all uploads, or null if uploads are possible.
 * `keyFault` says why there is no key, if that is known.
 */
export function accountEnding(
  account: Account,
  keyFault: Health | null,
  keySource: KeySource,
): Ending | null {
  switch (account.state) {
    case 'none':
      return { code: EXIT.account, title: keyFault?.message ?? 'No API key yet.', hint: noKeyHint(keyFault) }
    case 'key-refused':
      return {
        code: EXIT.account,
        title: 'The key was refused. Nothing is sent until you enter a new one.',
        hint: refusedKeyHint(keySource),
      }
    case 'no-api':
      return {
        code: EXIT.account,
        title: deniedText(account.message),
        hint: 'Pro, Business and Enterprise plans include it. After changing plans: slipway retry',
      }
    case 'unproved':
    case 'ok':
    case 'offline':
      return null
    default:
      return account.state satisfies never
  }
}

/**
 * If the service says why it denies access, its words are the better explanation. `message`: for example "The
 * service answered 403: …".
 */
function deniedText(message: string | null): string {
  return message?.includes(': ') === true
    ? `Access denied. ${withoutStop(message)}. Nothing is sent.`
    : "This plan doesn't include API access. Nothing is sent."
}

/** Without a keychain the key can't be stored, so the hint suggests the environment variable. */
function noKeyHint(fault: Health | null): string {
  return fault?.what === 'keychain'
    ? KEY_FOR_SESSION
    : 'Log in with: slipway login --base-url URL. For one process only, set SLIPWAY_API_KEY and SLIPWAY_BASE_URL.'
}

/** How to enter a key that can't be stored. Windows shells have no `read`. */
export const KEY_FOR_SESSION =
  process.platform === 'win32'
    ? 'For this session only, set SLIPWAY_API_KEY.'
    : 'For this session only: read -rs SLIPWAY_API_KEY && export SLIPWAY_API_KEY'

/** Returns the engine's explanation if it couldn't read the key; otherwise null. */
export function keyFaultOf(snapshot: Snapshot): Health | null {
  return snapshot.health.find((one) => one.what === 'key' || one.what === 'keychain') ?? null
}

/**
 * Whether nothing but attempts to reach the service is sent: there is no connection, something else seems to
 * answer, or a key that worked is refused, so that it is tried again soon.
 */
function isUnreached({ account, gate }: Pick<Snapshot, 'account' | 'gate'>): boolean {
  return account.state === 'offline' || gate?.reason === 'foreign' || account.doubted === true
}

/**
 * Since when the service has given no usable answer (epoch milliseconds); null if it has. `before`: the result
 * of the last call, `startedAt`: when the command began, because an earlier outage may be about to end.
 */
export function unansweredSince(
  snapshot: Snapshot,
  {
    before,
    startedAt,
    now,
  }: { readonly before: number | null; readonly startedAt: number; readonly now: number },
): number | null {
  const { unanswered } = snapshot
  if (unanswered !== undefined) return Math.min(Math.max(unanswered.since, startedAt), now)
  // After a clock rollback, the beginning would be in the future, and the command would wait that much longer.
  return isUnreached(snapshot) ? Math.min(before ?? now, now) : null
}

/** Decides whether to stop waiting for the unfinished files. Returns null to continue. */
export function decideEnding(s: Situation): Ending | null {
  const { account } = s.snapshot
  const blocked = accountEnding(account, keyFaultOf(s.snapshot), s.keySource)
  // A refused key may be the answer of something else for a moment; that the plan has no API is a plain answer.
  if (blocked !== null && (account.doubted !== true || account.state === 'no-api')) return blocked
  const isLost = hasNoAnswers(s)
  if (!isLost && isUnreached(s.snapshot)) return null
  if (isLost) {
    if (blocked !== null) return { ...blocked, title: s.snapshot.gate?.message ?? blocked.title }
    const what = account.state === 'offline' ? 'No connection to' : 'No usable response from'
    const said = account.message ?? s.snapshot.trouble
    const why = said === undefined ? '' : `: ${withoutStop(said)}`
    return {
      code: EXIT.noConnection,
      title: `${what} the service${why}.`,
      hint: 'Nothing is lost; the next run continues. To check: slipway doctor',
    }
  }
  const { trouble } = s.snapshot
  if (s.waits.kind === 'active' || (isChecking(s.waits.gate) && s.waits.isStuck !== true)) return null
  const { until, gate } = s.waits
  if (until !== null && until - s.now <= s.maxWaitMs) return null
  // A user who pauses uploads intends to resume them. So a pause that began while the command was running is
  // waited out for --max-wait.
  if (gate.reason === 'paused' && s.pausedSince !== null && s.now - s.pausedSince < s.maxWaitMs) return null
  const isUnusable = gate.reason === 'checking' && until === null
  const why = isUnusable ? "The service's responses can't be used" : reasonText(gate.reason, null, s.now)
  const said = gate.message === null ? '' : ` (${withoutStop(gate.message)})`
  const next = TRIED.has(gate.reason) ? 'The next try is' : 'Uploads resume'
  const when =
    until === null ? '' : ` ${next} ${formatWhen(until, s.now)}, in ${formatDuration(until - s.now)}.`
  const hint = waitHint({ reason: gate.reason, until }, s.snapshot.paused)
  if (trouble !== undefined && BY_SERVICE.has(gate.reason))
    return {
      code: EXIT.noConnection,
      title: `No usable response from the service: ${withoutStop(trouble)}.${when}`,
      hint,
    }
  return {
    code: isUnusable || NO_ANSWER.has(gate.reason) ? EXIT.noConnection : EXIT.waits,
    title: `${why}${said}.${when}`,
    hint,
  }
}

/**
 * Whether the service has given no usable answer for too long. The next attempt is never far away, so only the
 * time without one matters. It passes while all files wait for an answer; otherwise, for example while a file is
 * read or sent, only as far as attempts have failed.
 */
function hasNoAnswers({ snapshot, unansweredSince: since, waits, maxWaitMs, now }: Situation): boolean {
  if (since === null) return false
  const isWaiting = isUnreached(snapshot) || (waits.kind === 'waits' && BY_SERVICE.has(waits.gate.reason))
  const until = isWaiting
    ? now
    : snapshot.progress.active.length > 0
      ? since
      : (snapshot.unanswered?.until ?? now)
  return until - since >= Math.min(maxWaitMs, UNANSWERED_MS)
}

function waitHint({ reason, until }: Pick<Gate, 'reason' | 'until'>, isPaused: boolean): string {
  if (reason === 'paused')
    return isPaused
      ? 'To continue: slipway resume'
      : 'Files were paused in the window. Resume them there, or by their ID with: slipway retry'
  if (reason === 'folder-paused') return 'The folder was paused in the window. Resume it there.'
  if (reason === 'backoff' && until === null)
    return 'Nothing is lost; the next run continues. To check: slipway doctor'
  return 'Nothing is lost; the next run continues. To wait here, use a longer --max-wait.'
}

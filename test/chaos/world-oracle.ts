// Judges a run of the simulated matrix by evidence: what the service has stored and was asked, what the links
// return, and what was said of each file. Knows the promises and nothing about the engine. Where proof is
// impossible, waiting and saying so is right. Pure.
import type { LedgerFile, RequestRecord } from '../service/ledger.ts'

/** A version of a file that was on the disk. */
export interface Version {
  readonly path: string
  readonly sha256: string
  /** How it is called in a finding. */
  readonly label: string
  /** Whether the file still has it, and nobody has deleted it. */
  readonly isDue: boolean
  /** Whether a newer version has taken its place in a folder that replaces links. */
  readonly isReplaced: boolean
  /** How often it was deleted and then uploaded again. */
  readonly rebirths: number
  /** Whether the service keeps it for another user, so that this account can never delete it. */
  readonly isOthers: boolean
}

/** The answer to a deletion. */
export interface Deletion {
  readonly path: string
  /** The versions that the file had had by then. */
  readonly versions: readonly string[]
  readonly outcomes: readonly string[]
  /** Those that the service still had when the answer came, and was asked to delete by nobody. */
  readonly alive: readonly string[]
}

/** What is said of a version in the end. */
export interface Row {
  readonly path: string
  readonly sha256: string | null
  readonly state: string
  readonly reason: string | null
  readonly ended: string | null
  readonly link: string | null
  readonly leftPublic: boolean
}

export interface WorldEvidence {
  readonly versions: readonly Version[]
  readonly deletions: readonly Deletion[]
  /** In the order of their creation. */
  readonly rows: readonly Row[]
  readonly stored: readonly LedgerFile[]
  readonly requests: readonly RequestRecord[]
  /** What each link returns: the SHA-256 of its bytes; null if it returns none. */
  readonly links: ReadonlyMap<string, string | null>
  /** Whether uploads may have been stored without a receipt. */
  readonly loses: boolean
}

/**
 * `stuck`: hours after the last trouble, it isn't done and nothing speaks against it. `public`: the service
 * still has what was said to be deleted or replaced. `untrue`: said of a file that the service has.
 * `runaway`: too many requests or copies. `broken`: no answer at all.
 */
export type WorldFindingKind =
  | 'lost'
  | 'twice'
  | 'wrong'
  | 'stuck'
  | 'public'
  | 'untrue'
  | 'link'
  | 'runaway'
  | 'broken'

export interface WorldFinding {
  readonly kind: WorldFindingKind
  readonly what: string
}

const UNSURE = new Set(['unconfirmed', 'ambiguous', 'checking', 'comparing', 'earlier-upload'])
/** Without proof of absence, a version is sent at most twice. */
export const MOST_BODIES = 2
const OUTAGE_MS = 600_000
export const MOST_IN_OUTAGE = 120

export function judgeWorld(evidence: WorldEvidence): readonly WorldFinding[] {
  const found: WorldFinding[] = []
  const say = (kind: WorldFindingKind, what: string): void => {
    found.push({ kind, what })
  }
  const own = evidence.stored.filter((file) => file.requestNo > 0)
  const live = Map.groupBy(
    own.filter((file) => file.deletedAt === null),
    (file) => file.sha256,
  )
  judgeCopies(evidence, own, say)
  for (const version of evidence.versions) {
    if (version.isDue) judgeDue(evidence, version, live.has(version.sha256), say)
    else if (version.isReplaced && live.has(version.sha256)) judgeReplaced(evidence, version, say)
  }
  judgeDeletions(evidence, live, say)
  judgeRows(evidence, live, say)
  const most = mostInOutage(evidence.requests)
  if (most > MOST_IN_OUTAGE) say('runaway', `${most} requests in ten minutes of an outage`)
  return found
}

type Say = (kind: WorldFindingKind, what: string) => void

/**
 * A version that was saved, but not yet sent, when another one was deleted is published later, and shown with
 * its link.
 */
function isShown(rows: readonly Row[], sha256: string): boolean {
  return rows.some(
    (row) => row.sha256 === sha256 && row.state === 'done' && row.ended === null && row.link !== null,
  )
}

/**
 * A row that says openly that it isn't known whether the file is there, or that it still has to be deleted.
 */
function admits(rows: readonly Row[], { path, sha256 }: Pick<Version, 'path' | 'sha256'>): boolean {
  return rows.some(
    (row) =>
      row.path === path &&
      (row.sha256 === null || row.sha256 === sha256) &&
      (row.leftPublic ||
        row.state === 'unknown' ||
        row.ended === 'deleting' ||
        (row.state === 'held' && UNSURE.has(row.reason ?? ''))),
  )
}

function judgeCopies({ versions, requests }: WorldEvidence, own: readonly LedgerFile[], say: Say): void {
  const known = new Map(versions.map((version) => [version.sha256, version]))
  const times = new Map(requests.map((request) => [request.no, request.at]))
  for (const [sha256, files] of Map.groupBy(own, (file) => file.sha256)) {
    const version = known.get(sha256)
    if (version === undefined) {
      say('wrong', `${files[0]?.filename ?? ''} has bytes that no file ever had`)
      continue
    }
    const alive = files.filter((file) => file.deletedAt === null)
    if (alive.length > 1)
      say(
        'twice',
        `${version.label}: ${alive.length} copies (${alive.map((file) => file.fault ?? 'no fault').join(', ')})`,
      )
    const most = MOST_BODIES * (1 + version.rebirths)
    if (files.length > most) {
      const at = files.map((file) =>
        Math.round(((times.get(file.requestNo) ?? 0) - (times.get(files[0]?.requestNo ?? 0) ?? 0)) / 1000),
      )
      say(
        'runaway',
        `${version.label}: stored ${files.length} times, sent ${at.join(', ')} s after the first`,
      )
    }
  }
}

/** A version that a file has now must be on the service, and its link must lead to it. */
function judgeDue({ rows, links, loses }: WorldEvidence, version: Version, isLive: boolean, say: Say): void {
  const mine = rows.filter((row) => row.path === version.path)
  // The last row may be about a file that is sent again, although an earlier one has done it.
  const row =
    mine.findLast((one) => one.sha256 === version.sha256 && one.state === 'done' && one.ended === null) ??
    mine.at(-1)
  if (row === undefined) {
    say('lost', `${version.label}: nothing is said of it`)
    return
  }
  const said = `${row.state}${row.reason === null ? '' : ` (${row.reason})`}${row.ended === null ? '' : `, ${row.ended}`}`
  if (row.state === 'done' && row.ended === null) {
    if (row.sha256 !== version.sha256) say('lost', `${version.label}: only an older version is done`)
    else if (!isLive) say('lost', `${version.label}: done, and the service has it nowhere`)
    else if (row.link === null) say('link', `${version.label}: done without a link`)
    else if (links.get(row.link) !== version.sha256)
      say(
        links.get(row.link) == null ? 'link' : 'wrong',
        `${version.label}: its link returns ${links.get(row.link) == null ? 'nothing' : 'other bytes'}`,
      )
    return
  }
  if (row.state === 'done' || row.state === 'gone' || row.state === 'cancelled') {
    say(isLive ? 'untrue' : 'lost', `${version.label}: ${said}, although nobody deleted it`)
    return
  }
  const isUnsure = row.state === 'unknown' || UNSURE.has(row.reason ?? '')
  if (!isUnsure || (!loses && !version.isOthers)) say('stuck', `${version.label}: ${said}`)
}

function judgeReplaced({ rows, versions }: WorldEvidence, version: Version, say: Say): void {
  const next = versions.find((one) => one.path === version.path && one.isDue)
  const isNextDone = rows.some(
    (row) => row.path === version.path && row.sha256 === next?.sha256 && row.state === 'done',
  )
  // The old version stays until the new one is there. A file of another user was public before and can't be
  // deleted.
  if (!isNextDone || version.isOthers || admits(rows, version)) return
  say('public', `${version.label}: replaced by ${next?.label ?? 'another'}, and still public`)
}

function judgeDeletions(
  { deletions, versions, rows, loses }: WorldEvidence,
  live: ReadonlyMap<string, unknown>,
  say: Say,
): void {
  const byHash = new Map(versions.map((version) => [version.sha256, version]))
  for (const { path, versions: hashes, outcomes, alive } of deletions) {
    const said = outcomes.join(', ')
    const isTold = outcomes.every((outcome) =>
      ['deleted', 'was-gone', 'deleted-before', 'cancelled'].includes(outcome),
    )
    for (const sha256 of hashes) {
      const version = byHash.get(sha256)
      if (version === undefined || version.isDue) continue
      // A second copy that is stored or listed late may not be known yet. It has to go later.
      if (isTold && !loses && !outcomes.includes('deleted') && alive.includes(sha256))
        say('untrue', `${version.label}: "${said}" was said while the service had it`)
      if (!live.has(sha256)) continue
      if (isTold) say('public', `${version.label}: "${said}" was said, and it is still public`)
      else if (
        !outcomes.some((outcome) => outcome === 'failed' || outcome === 'kept') &&
        !version.isOthers &&
        !isShown(rows, sha256) &&
        !admits(rows, { path, sha256 })
      )
        say(
          'public',
          `${version.label}: "${said}" was said, nothing is said any more, and it is still public`,
        )
    }
  }
}

function judgeRows({ rows, versions }: WorldEvidence, live: ReadonlyMap<string, unknown>, say: Say): void {
  for (const row of rows) {
    const version = versions.find((one) => one.sha256 === row.sha256)
    if (
      version === undefined ||
      version.isDue ||
      row.ended === null ||
      !['deleted', 'gone', 'replaced'].includes(row.ended)
    )
      continue
    if (
      live.has(version.sha256) &&
      !rows.some((one) => one !== row && one.sha256 === row.sha256 && one.ended === null)
    )
      say('untrue', `${version.label}: the list says ${row.ended}, and the service has it`)
  }
}

/** The most requests that something else than the service answered in any ten minutes. */
export function mostInOutage(requests: readonly RequestRecord[]): number {
  const at = requests
    .filter((request) => request.fault === 'intercepted' && request.endpoint !== 'download')
    .map((request) => request.at)
  let first = 0
  let most = 0
  for (const [n, time] of at.entries()) {
    while ((at[first] ?? time) <= time - OUTAGE_MS) first++
    most = Math.max(most, n - first + 1)
  }
  return most
}

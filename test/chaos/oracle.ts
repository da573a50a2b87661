// The oracle compares everything that Slipway printed in a run with the service, the links and the disk. It
// knows the promises and the documentation of the command line, but nothing about the engine. Pure: the same
// evidence yields the same findings.
import { basename, dirname } from 'node:path'
import type { LedgerFile } from '../service/ledger.ts'
import {
  type At,
  AUDIT_LISTS,
  type AuditDoc,
  type AuditItem,
  auditOf,
  commandOf,
  type Evidence,
  eventsOf,
  type FileAtEnd,
  type Finding,
  type FindingKind,
  linksOf,
  removedOf,
  statusOf,
  summaryOf,
  type Telling,
} from './evidence.ts'
import { isBelow } from './paths.ts'

/** Tolerance for a request that was in flight when the pause was confirmed. */
const PAUSE_SLACK_MS = 500
/** Times are printed in whole seconds, and a watch prints a line slightly after the decision. */
const UNTIL_SLACK_MS = 5000
/** The value of `by` for the last watches and queries of a run, when nothing is left to do. */
export const FINAL = 'final'

type Say = (kind: FindingKind, what: string, by?: string | null) => void

export function judge(evidence: Evidence): readonly Finding[] {
  const found = new Map<string, Finding>()
  const say: Say = (kind, what, by = null) => {
    found.set(`${kind} ${what}`, { kind, what, by: by === FINAL || by === '' ? null : by })
  }
  judgeStore(evidence, say)
  judgeFiles(evidence, say)
  judgeLinks(evidence, say)
  judgePauses(evidence, say)
  for (const telling of evidence.tellings) {
    const here = saidBy(telling, say)
    judgeEnd(telling, here)
    judgeTimes(telling, here)
    judgeAuditSums(telling, here)
  }
  judgeInterrupted(evidence, say)
  judgeRest(evidence, say)
  return [...found.values()]
}

function saidBy(telling: Telling, say: Say): Say {
  return (kind, what) => say(kind, what, telling.by)
}

function lineOf(telling: Telling): string {
  return `${telling.no}: ${telling.args.map((arg) => (/^[\w./=*,-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ')}`
}

/** The gesture that was active at this time, for actions of the service. */
function during(evidence: Evidence, at: number | null | undefined): string | null {
  return at == null ? null : (evidence.gestures.find(({ from, to }) => at >= from && at <= to)?.name ?? null)
}

function liveOf(evidence: Evidence, sha256: string): readonly LedgerFile[] {
  return evidence.stored.filter(
    (file) => file.requestNo > 0 && file.sha256 === sha256 && file.deletedAt === null,
  )
}

/**
 * Checks what the service stored, by content only: nothing that a rule forbids, nothing twice, nothing that
 * was never a file's content.
 */
function judgeStore(evidence: Evidence, say: Say): void {
  const names = new Set(
    [...evidence.contents.keys()].flatMap((sha256) => evidence.pathsOf(sha256).map((path) => basename(path))),
  )
  for (const file of evidence.stored) {
    if (file.requestNo === 0) continue
    const content = evidence.contents.get(file.sha256)
    if (content === undefined) {
      // A mixture that was deleted from the service again doesn't count.
      if (names.has(file.filename) && file.deletedAt !== null) continue
      const by = during(evidence, file.storedAt)
      if (names.has(file.filename))
        say('wrong', `${file.filename} (file ${file.fileId}) has bytes that it never had on the disk`, by)
      else say('rule', `${file.filename} was published, which nobody placed in a folder or named`, by)
    } else if (!content.isAllowed)
      say(
        'rule',
        `${file.filename} was published against a rule (${namesOf(evidence, file.sha256)})`,
        during(evidence, file.storedAt),
      )
  }
  for (const [sha256, { copies, isDoomed }] of evidence.contents) {
    const live = liveOf(evidence, sha256)
    if (live.length > copies)
      say(
        'twice',
        `${namesOf(evidence, sha256)} is stored ${live.length} times for ${copies} (files ${live.map((f) => f.fileId).join(', ')})`,
        during(evidence, live.at(-1)?.storedAt),
      )
    if (isDoomed && live.length > 0)
      say('untrue', `${namesOf(evidence, sha256)} was deleted, and file ${live[0]?.fileId} lives`)
  }
}

function namesOf(evidence: Evidence, sha256: string): string {
  return [...new Set(evidence.pathsOf(sha256).map((path) => basename(path)))].slice(0, 4).join(', ')
}

/**
 * The list in which one of the audits has the path; null if none has it. A directory that is excluded as a
 * whole is listed as one item.
 */
function shownIn(audits: readonly AuditDoc[], path: string): (typeof AUDIT_LISTS)[number] | null {
  for (const audit of audits)
    for (const list of AUDIT_LISTS)
      for (const item of audit.lists[list]) {
        if (item.path === path) return list
        if (isBelow(item.path, path)) return list
      }
  return null
}

function finalAudits(evidence: Evidence): readonly AuditDoc[] {
  return evidence.tellings.flatMap((telling) => {
    const audit = telling.by === FINAL ? auditOf(telling) : null
    return audit === null ? [] : [audit.value]
  })
}

/**
 * Checks that every file on the disk at the end is uploaded or listed with its reason, and that the audit is
 * right about it.
 */
function judgeFiles(evidence: Evidence, say: Say): void {
  const audits = finalAudits(evidence)
  for (const file of evidence.files) {
    if (file.folder === null) continue
    const audit = audits.find((one) => one.folder === file.folder)
    const shown = audit === undefined ? null : shownIn([audit], file.path)
    const isUp = liveOf(evidence, file.sha256).length > 0
    const isShown = shown === 'waiting' || shown === 'held' || shown === 'failed'
    const name = basename(file.path)
    if (file.fate === 'up' && !isUp && !isShown)
      say('lost', `${name} is not up, and the audit shows it as ${shown ?? 'nothing'}`)
    // Without an audit, only the service can be checked.
    if (audit === undefined) continue
    if (shown === null) say('untrue', `audit leaves out ${name}, which is on the disk`)
    if (file.fate === 'up' && isUp && shown === 'ignored')
      say('untrue', `audit says ${name} is ignored, and it is up`)
    if (file.fate === 'held' && shown !== null && shown !== 'held')
      say('untrue', `audit says ${name} is ${shown}, and it waits for approval`)
    if (file.fate === 'ignored' && shown !== null && shown !== 'ignored')
      say('untrue', `audit says ${name} is ${shown}, and a rule passes over it`)
    if (file.fate === 'deleted' && shown === 'uploaded')
      say('untrue', `audit says ${name} is uploaded, and it was deleted on the service`)
    if (shown === 'uploaded' && file.history.every((sha256) => liveOf(evidence, sha256).length === 0))
      say('untrue', `audit says ${name} is uploaded, and no version of it is on the service`)
  }
  const onDisk = new Set(evidence.onDisk)
  const places = [...onDisk]
  for (const audit of audits)
    for (const list of AUDIT_LISTS)
      for (const item of audit.lists[list])
        if (!onDisk.has(item.path) && !places.some((path) => isBelow(item.path, path)))
          say('untrue', `audit shows ${basename(item.path)} as ${list}, and it is not on the disk`)
}

/** Checks that every printed link works and returns the right bytes, unless a gesture or rule removed it. */
function judgeLinks(evidence: Evidence, sayAll: Say): void {
  const holds = (path: string, sha256: string, at: number): boolean =>
    evidence.files.some(
      (file) =>
        file.sha256 === sha256 &&
        file.fate !== 'deleted' &&
        !file.isRemoved &&
        file.paths.includes(path) &&
        at >= file.since,
    )
  for (const telling of evidence.tellings) {
    const say = saidBy(telling, sayAll)
    for (const { at, value } of eventsOf(telling)) {
      if (value.event !== 'uploaded') continue
      const { path, sha256, file_id: fileId, public_link: link } = value
      const what = `${lineOf(telling)}: "uploaded" ${basename(path)}`
      const stored =
        fileId === undefined ? null : evidence.stored.find((file) => String(file.fileId) === String(fileId))
      if (stored === undefined) say('untrue', `${what}: there is no file ${fileId}`)
      if (sha256 === undefined) continue
      if (stored != null && stored.sha256 !== sha256) say('untrue', `${what}: file ${fileId} has other bytes`)
      const content = evidence.contents.get(sha256)
      if (content === undefined || !evidence.pathsOf(sha256).includes(path))
        say('untrue', `${what}: these bytes were never at this path`)
      if (link === undefined) continue
      if (stored?.deletedBy === 'service' || (content?.mayDie === true && !holds(path, sha256, at))) continue
      judgeLink({
        evidence,
        say: (kind, text) => sayAll(kind, text, during(evidence, stored?.deletedAt)),
        link,
        allowed: [sha256],
        what,
      })
    }
    if (telling.by !== FINAL) continue
    for (const { selector, public_link: link } of linksOf(telling)?.value.links ?? []) {
      const file = evidence.files.find((one) => one.path === selector)
      if (file === undefined) continue
      const what = `${basename(selector)}: link`
      if (link !== null) judgeLink({ evidence, say, link, allowed: toldOf(file), what })
      else if (shownIn(finalAudits(evidence), selector) === 'uploaded')
        say('untrue', `${what} knows none, and the audit says uploaded`)
    }
    for (const item of auditOf(telling)?.value.lists.uploaded ?? []) {
      const file = evidence.files.find((one) => one.path === item.path)
      if (file !== undefined && item.public_link !== undefined)
        judgeLink({
          evidence,
          say,
          link: item.public_link,
          allowed: toldOf(file),
          what: `${basename(item.path)}: audit`,
        })
    }
  }
}

/** The contents that a link to this file may return at the end. */
function toldOf(file: FileAtEnd): readonly string[] {
  return file.fate === 'up' ? [file.sha256] : file.history
}

function judgeLink(o: {
  readonly evidence: Evidence
  readonly say: Say
  readonly link: string
  readonly allowed: readonly string[]
  readonly what: string
}): void {
  const got = o.evidence.links.get(o.link)
  if (got === undefined || got.status === null) o.say('link', `${o.what}: the link answers nothing`)
  else if (got.status !== 200) o.say('link', `${o.what}: the link answers ${got.status}`)
  else if (got.sha256 === null || !o.allowed.includes(got.sha256))
    o.say('link', `${o.what}: the link gives other bytes`)
}

function judgePauses(evidence: Evidence, say: Say): void {
  for (const { from, to } of evidence.pauses) {
    const begun = evidence.uploads.filter((at) => at > from + PAUSE_SLACK_MS && at < to)
    if (begun.length > 0) say('untrue', `"Paused", and ${begun.length} uploads began`)
  }
}

/** Checks that a command ended in time, without a defect, and with an exit code that fits its output. */
function judgeEnd(telling: Telling, say: Say): void {
  const { code, codes, sent, hung } = telling
  const line = lineOf(telling)
  if (sent === 'SIGKILL') return
  if (hung) {
    say('untrue', `${line} did not end${sent === null ? '' : ` after ${sent}`}`)
    return
  }
  if (code === 1) say('untrue', `${line} ended with a defect: ${telling.err.trim().slice(0, 300)}`)
  // A command that hasn't printed anything yet may be ended by the signal itself.
  if (code === null && (sent !== telling.signal || telling.lines.length > 0))
    say('untrue', `${line} ended by ${telling.signal ?? 'nothing'}`)
  if (codes !== null && code !== null && !codes.includes(code))
    say('untrue', `${line} ended with ${code} instead of ${codes.join(' or ')}`)
  if (code === 130 && sent === null && /interrupted/i.test(telling.err))
    say('untrue', `${line} said "interrupted" where nobody interrupted it`)
  const name = commandOf(telling)
  if ((name !== 'watch' && name !== 'upload') || !telling.args.includes('--json')) return
  const sums = summaryOf(telling)
  if (sums === null) {
    if (code !== null && [0, 4, 5].includes(code))
      say('untrue', `${line} ended with ${code} and without a summary`)
    return
  }
  const sum = sums.uploaded + sums.waiting + sums.held + sums.failed + sums.ignored
  if (sums.seen !== sum)
    say('untrue', `${line}: the summary says ${sums.seen} seen, and its parts are ${sum}`)
  if (code === 0 && sums.waiting + sums.held + sums.failed > 0)
    say('untrue', `${line} ended with 0, and the summary has ${JSON.stringify(sums)}`)
  if (code === 4 && sums.held + sums.failed === 0)
    say('untrue', `${line} ended with 4, and nothing is held or failed`)
  if (code === 5 && sums.waiting === 0) say('untrue', `${line} ended with 5, and nothing waits`)
  const events = eventsOf(telling)
  if (name === 'watch') {
    const up = new Set(events.flatMap(({ value }) => (value.event === 'uploaded' ? [value.path] : [])))
    const there = telling.present.filter((path) => up.has(path)).length
    if (sums.seen < there)
      say(
        'untrue',
        `${line}: ${there} files were told as uploaded and are there, and the summary says ${sums.seen} seen`,
      )
  }
  if (name !== 'upload' || (code !== 0 && code !== 4)) return
  for (const kind of ['uploaded', 'held', 'failed'] as const) {
    const told = events.filter(({ value }) => value.event === kind).length
    if (told !== sums[kind])
      say('untrue', `${line}: ${told} lines say ${kind}, and the summary ${sums[kind]}`)
  }
}

/** Checks that nothing waits until a time in the past. */
function judgeTimes(telling: Telling, say: Say): void {
  const past = (at: number, until: string | null | undefined): boolean =>
    until != null && Number.isFinite(Date.parse(until)) && Date.parse(until) < at - UNTIL_SLACK_MS
  for (const { at, value } of eventsOf(telling))
    if (value.event === 'waiting' && past(at, value.until))
      say('untrue', `${lineOf(telling)}: ${basename(value.path)} waits until a time that has passed`)
  // An answer describes some moment between the query and its last line. On a busy machine, that may take
  // many seconds.
  const { began } = telling
  for (const item of auditOf(telling)?.value.lists.waiting ?? [])
    if (past(began, item.until))
      say('untrue', `${lineOf(telling)}: ${basename(item.path)} waits until a time that has passed`)
  if (past(began, statusOf(telling)?.value.gate?.until))
    say('untrue', `${lineOf(telling)}: uploads resume at a time that has passed`)
}

function countOf(items: readonly AuditItem[]): number {
  return items.reduce((sum, item) => sum + (item.count ?? 1), 0)
}

function judgeAuditSums(telling: Telling, say: Say): void {
  const audit = auditOf(telling)?.value
  if (audit === undefined) return
  const line = lineOf(telling)
  const sum = AUDIT_LISTS.reduce((all, list) => all + audit[list], 0)
  if (audit.seen !== sum) say('untrue', `${line}: ${audit.seen} seen, and the parts are ${sum}`)
  const seen = new Map<string, string>()
  for (const list of AUDIT_LISTS) {
    // Sums and lists come from two queries. While an engine is working, the lists may be newer than the sums.
    if (telling.by === FINAL && countOf(audit.lists[list]) !== audit[list])
      say('untrue', `${line}: ${audit[list]} ${list}, and the list has ${countOf(audit.lists[list])}`)
    if (telling.by !== FINAL) continue
    for (const { path } of audit.lists[list]) {
      const other = seen.get(path)
      if (other !== undefined) say('untrue', `${line}: ${basename(path)} is both ${other} and ${list}`)
      seen.set(path, list)
    }
  }
}

/**
 * The answer of the next command that `read` understands, began after `from` ended, and saw no change by the
 * harness since then.
 */
function nextStill<T>(
  evidence: Evidence,
  from: Telling,
  read: (telling: Telling) => At<T> | null,
): At<T> | null {
  for (const next of evidence.tellings) {
    if (
      next.no <= from.no ||
      next.changesBefore !== from.changesAfter ||
      next.changesAfter !== next.changesBefore
    )
      continue
    if (next.began < from.ended) continue
    const found = read(next)
    if (found !== null) return found
  }
  return null
}

/**
 * "Nothing is lost": an audit after an interrupted watch still lists what the watch has reported, unless
 * files changed in between.
 */
function judgeInterrupted(evidence: Evidence, sayAll: Say): void {
  for (const telling of evidence.tellings) {
    const say = saidBy(telling, sayAll)
    if (commandOf(telling) !== 'watch' || telling.sent === null || telling.sent === 'SIGKILL') continue
    const folder = telling.args[1] ?? ''
    const read = (next: Telling): At<AuditDoc> | null => {
      const audit = auditOf(next)
      return audit?.value.folder === folder ? audit : null
    }
    const audit = nextStill(evidence, telling, read)?.value
    if (audit === undefined) continue
    const line = lineOf(telling)
    const sums = summaryOf(telling)
    if (sums !== null && audit.seen < sums.seen)
      say(
        'untrue',
        `${line}: ${telling.sent}; the summary says ${sums.seen} seen, the audit after it ${audit.seen}`,
      )
    const last = new Map<string, { readonly event: string; readonly at: number }>()
    for (const { at, value } of eventsOf(telling))
      if (value.event !== 'summary') last.set(value.path, { event: value.event, at })
    for (const [path, { event, at }] of last) {
      if (!telling.present.includes(path) || !isBelow(folder, path)) continue
      const shown = shownIn([audit], path)
      // A file that was deleted and created again may still be uploading. The line was about the earlier
      // file.
      if (shown === null && evidence.placedAt(path).some((placed) => placed > at)) continue
      if (shown === null)
        say(
          'untrue',
          `${line}: ${telling.sent}; it said ${event} of ${basename(path)}, and the audit after it leaves it out`,
        )
      else if ((event === 'queued' || event === 'waiting') && shown === 'failed')
        say(
          'untrue',
          `${line}: ${telling.sent}; it said ${event} of ${basename(path)}, and the audit after it says failed`,
        )
    }
  }
}

/** When everything is at rest, summary and audit must agree, and the queue must contain what they say. */
function judgeRest(evidence: Evidence, say: Say): void {
  const finals = evidence.tellings.filter((telling) => telling.by === FINAL)
  let open = 0
  for (const telling of finals) {
    const audit = auditOf(telling)?.value
    if (audit === undefined) continue
    open += audit.waiting + audit.held
    const watch = finals.findLast((one) => commandOf(one) === 'watch' && one.args[1] === audit.folder)
    const sums = watch === undefined ? null : summaryOf(watch)
    if (sums === null) continue
    for (const part of ['seen', ...AUDIT_LISTS] as const)
      if (sums[part] !== audit[part])
        say(
          'untrue',
          `${basename(dirname(audit.folder))}/${basename(audit.folder)}: the summary says ${sums[part]} ${part}, the audit ${audit[part]}`,
        )
  }
  const status = finals.map(statusOf).find((one) => one !== null)?.value
  if (status !== undefined) {
    const { queue } = status
    const queued = ['queued', 'waiting', 'uploading', 'unknown', 'held', 'settling'].reduce(
      (sum, name) => sum + (queue[name] ?? 0),
      0,
    )
    if (queued < open)
      say('untrue', `${open} files wait or are held by the audits, and the queue has ${queued}`)
  }
  for (const telling of evidence.tellings)
    for (const { selector, ok } of removedOf(telling)?.value.removed ?? []) {
      const file = ok
        ? evidence.files.find((one) => one.path === selector && one.fate === 'deleted')
        : undefined
      if (
        file !== undefined &&
        liveOf(evidence, file.sha256).length > 0 &&
        evidence.contents.get(file.sha256)?.isDoomed === true
      )
        say('untrue', `${lineOf(telling)}: "deleted", and it is alive`)
    }
}

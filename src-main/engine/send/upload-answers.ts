// Decides what the result of an upload request means (`uploadVerdict`, pure), and applies it to the transfer:
// confirmed, looked up, retried, held or failed. After a 403, reads `/stats` once for all uploads that were
// refused together; budget/upload-limits.ts judges.
import { assertNever } from '../../../src-shared/assert.ts'
import type { AnswerMeta, ApiFailure, ApiResult, RemoteFile } from '../../api/types.ts'
import { isSuspect } from '../budget/call-verdict.ts'
import type { BudgetRoom } from '../budget/compose.ts'
import type { DiagnosedRefusal } from '../budget/upload-limits.ts'
import { backoffMs, refusalBackoffMs } from '../budget/upload-retry-delay.ts'
import type { Journal } from '../journal/journal.ts'
import type { Origin } from '../journal/owners.ts'
import type { Loss, TransferRow } from '../journal/transfers.ts'
import { leftPublic, type TransferEvent } from '../journal/transitions.ts'
import { DiskError, type Ports } from '../ports.ts'
import type { PresenceRoom } from '../presence/compose.ts'
import { FIRST_LOOK_MS } from '../presence/evidence.ts'
import type { RemoteRoom } from '../remote/compose.ts'
import type { Admission } from '../rules/path-facts.ts'
import { inTime } from '../sleep.ts'
import type { Bus } from '../tell/bus.ts'
import type { FileFailures, RowWriter } from './file-failures.ts'
import { DISK_PATIENCE_MS } from './file-opens.ts'
import type { Receipts } from './receipts.ts'
import type { UploadSource } from './upload-source.ts'

/** Why a file that was stored must not stay published, as a sentence for the user. */
const TAKEN_BACK = {
  torn: 'The file changed while it was sent',
  secret: 'The file was sent before it got the name of a secret',
  unjudged:
    "The file was renamed while it was sent, and its drive doesn't answer, so its new name can't be checked",
} as const

/**
 * Delay before a file is sent once more, if its refusal may concern it or the account: other uploads show
 * which.
 */
const OTHERS_FIRST_MS = 2000

/** Once this many refused transfers are remembered, all are forgotten. */
const MOST_REFUSALS = 1000

const UNFIT = "The service's receipt doesn't fit the file that was sent."

type StatusFailure = Extract<ApiFailure, { kind: 'status' }>

export interface UploadAnswersOptions
  extends Pick<Journal, 'transfers' | 'doubts'>,
    BudgetRoom,
    RemoteRoom,
    PresenceRoom {
  readonly ports: Ports
  readonly admission: Pick<Admission, 'judge'>
  readonly bus: Pick<Bus, 'touched'>
  readonly stop: AbortSignal
}

export class UploadAnswers {
  readonly #options: UploadAnswersOptions
  readonly #rows: RowWriter
  readonly #failures: FileFailures
  readonly #receipts: Receipts
  /** The status that refused each of these transfers last, by transfer ID; see `#refusedAgain`. */
  readonly #refusals = new Map<number, number>()

  constructor(options: UploadAnswersOptions, rows: RowWriter, failures: FileFailures, receipts: Receipts) {
    this.#options = options
    this.#rows = rows
    this.#failures = failures
    this.#receipts = receipts
  }

  async settle(
    row: TransferRow,
    source: UploadSource,
    result: ApiResult<RemoteFile>,
    signal: AbortSignal,
  ): Promise<void> {
    const { ports, transfers, uploadPause } = this.#options
    const verdict = await this.#ownVerdict(this.#refusedAgain(row, result) ?? uploadVerdict(result), result)
    const said = result.ok ? '' : result.failure.message
    const proven = await ifReadable(source.provenHash(), null)
    if (verdict.kind !== 'done') source.drop()
    switch (verdict.kind) {
      case 'done':
        return this.#stored(row, source, verdict.file, {
          proven,
          serverDate: result.ok ? result.meta.serverDate : null,
          signal,
        })
      case 'unknown':
        return this.#lost(
          row,
          lossOf(result),
          refusalOf(result) === null ? verdict.why : said,
          proven,
          refusalOf(result) !== null
            ? 'refused'
            : !result.ok && result.failure.kind === 'aborted'
              ? 'aborted'
              : 'lost',
        )
      case 'retry': {
        if (verdict.isAnswer) uploadPause.refused(row.id, said, false)
        return this.#backOff(row, verdict.why, backoffMs(row.attempts + 1, ports.random))
      }
      case 'refused':
        return this.#refused(row, verdict, said)
      case 'offline':
      case 'wrong-address':
      case 'key-refused':
      case 'rate-limited':
        // The whole account waits, and no attempt is counted.
        await this.#rows.commit(() => {
          transfers.attempts(row.id, row.attempts)
          transfers.transition(row.id, { kind: 'requeued' })
        })
        return this.#rows.changed(row.id)
      case 'forbidden':
        return this.#forbidden(row, verdict.detail, said)
      case 'too-big':
        return this.#tooBig(row, said)
      case 'source':
        if (verdict.cause instanceof DiskError)
          return this.#failures.unreadable(row, verdict.cause.failure, true)
        return this.#failures.torn(row, await ifReadable(source.stat(), null))
      case 'aborted':
        return this.#rows.apply(row, { kind: row.cancel ? 'cancelled' : 'requeued' })
      default:
        return assertNever(verdict, 'verdict')
    }
  }

  /**
   * If this file was refused with the same status before, and it was proved that it wasn't stored then, such
   * a refusal means that it isn't stored, whatever its form. Otherwise, returns null.
   */
  #refusedAgain(row: TransferRow, result: ApiResult<RemoteFile>): UploadVerdict | null {
    const failure = refusalOf(result)
    const before = this.#refusals.get(row.id)
    this.#refusals.delete(row.id)
    if (failure === null) return null
    if (this.#refusals.size >= MOST_REFUSALS) this.#refusals.clear()
    this.#refusals.set(row.id, failure.status)
    const isProved = this.#options.doubts
      .of(row.id)
      .some((doubt) => doubt.size === row.size && doubt.provedAt !== null)
    return before === failure.status && isProved ? statusVerdict(failure) : null
  }

  /**
   * Returns the verdict, or `offline` if the answer wasn't the service's own: `/stats` shows at the same
   * moment whether the service itself answers. A lost upload is looked up in any case, and a 403 is diagnosed
   * by itself.
   */
  async #ownVerdict(verdict: UploadVerdict, result: ApiResult<RemoteFile>): Promise<UploadVerdict> {
    const { account, stats } = this.#options
    if (result.ok || verdict.kind === 'forbidden' || !isSuspect('upload', result.failure)) return verdict
    const control = stats.control()
    if (verdict.kind === 'unknown') return verdict
    await control
    if (!account.isAnswered()) return { kind: 'offline', why: result.failure.message }
    // The key is refused for uploads alone, so that says nothing about the key.
    return verdict.kind === 'key-refused' ? { kind: 'refused', why: verdict.why, fails: null } : verdict
  }

  async #forbidden(row: TransferRow, detail: string | null, said: string): Promise<void> {
    const tenure = this.#options.identity.tenure()
    await this.#rows.apply(row, { kind: 'requeued' })
    const verdict = await settleForbidden(row, detail, this.#options, this.#rows, tenure)
    if (verdict === 'undetermined') this.#options.uploadPause.refused(row.id, said, false)
  }

  /**
   * Retries or fails an upload that was refused. A single file without company fails at once. Otherwise, it
   * is sent once more, and fails if the service has accepted others in the meantime, because the cause is the
   * file then.
   */
  async #refused(
    row: TransferRow,
    { why, fails }: Extract<UploadVerdict, { kind: 'refused' }>,
    said: string,
  ): Promise<void> {
    const { ports, transfers, uploadPause } = this.#options
    const isPaused = uploadPause.refused(row.id, said, fails !== null)
    const { queued, waiting, uploading } = transfers.counts(null)
    if (fails !== null && !isPaused && (row.attempts > 0 || queued + waiting + uploading <= 1)) {
      ports.log.error('transfer.refused', { id: row.id, why })
      return this.#rows.apply(row, { kind: 'failed', reason: fails, message: why })
    }
    return this.#backOff(
      row,
      said,
      fails !== null && !isPaused ? OTHERS_FIRST_MS : refusalBackoffMs(row.attempts + 1, ports.random),
    )
  }

  /** Holds a file that was answered with 413, unless that can't be about its size. */
  async #tooBig(row: TransferRow, said: string): Promise<void> {
    const { limits, uploadPause } = this.#options
    if (!limits.mayBeTooBig(row.size))
      return this.#refused(row, { kind: 'refused', why: said, fails: null }, said)
    if (limits.tooBig(row.size) === null) uploadPause.refused(row.id, said, true)
    limits.refusedSize(row.size)
    const message = `The service, or something in front of it, refused a file of ${row.size} bytes as too big. ${said}`
    return this.#rows.apply(row, { kind: 'held', reason: 'too-big', message })
  }

  async #backOff(row: TransferRow, message: string, ms: number): Promise<void> {
    const until = this.#options.ports.clock.now() + ms
    return this.#rows.apply(row, { kind: 'deferred', reason: 'backoff', message, until })
  }

  async #stored(
    row: TransferRow,
    source: UploadSource,
    file: RemoteFile,
    answer: {
      readonly proven: string | null
      readonly serverDate: number | null
      readonly signal: AbortSignal
    },
  ): Promise<void> {
    const { ports, transfers, admission, catalog, receiptCheck, stop } = this.#options
    const sha256 = answer.proven ?? (await source.sentHash())
    const receipt = await this.#receipts.identified(row, await catalog.complete(file, stop), sha256)
    if (!(await receiptCheck.fits(row, receipt, sha256, stop)))
      return this.#lost(row, 'receipt', UNFIT, answer.proven)
    // If the disk can't be read, the file counts as unchanged, because it was unchanged when its last byte
    // was read.
    if (await ifReadable(source.hasChanged(sha256, answer.signal), false)) {
      // A mixture of two versions, or an unfinished version, must not stay published. The remote file is
      // deleted, and the local file is sent again once it stops changing.
      const isTakenBack = await this.#takeBack(row, receipt, 'torn', source)
      return isTakenBack ? this.#failures.torn(row, await ifReadable(source.stat(), null)) : undefined
    }
    const now = transfers.get(row.id) ?? row
    const isRenamed = now.path !== row.path && !now.cancel
    const renamed = isRenamed ? await inTime(ports.clock, admission.judge(now), DISK_PATIENCE_MS, stop) : null
    if (renamed === 'late') {
      // No outcome has been written, so the next process looks the upload up.
      if (stop.aborted) return
      // The rules may hold a file with the new name. So the remote file is deleted, and the local file is
      // sent again once its drive answers.
      if (await this.#takeBack(row, receipt, 'unjudged', source)) await this.#failures.unanswered(row)
      return
    }
    if (renamed?.kind === 'held') {
      // The file was renamed during the upload, and a file with the new name is held. Some programs first
      // write a secret under a temporary name. The remote file is deleted, and the user decides whether the
      // file is published again.
      if (!(await this.#takeBack(row, receipt, 'secret', source))) return
      return this.#rows.apply(row, { kind: 'held', reason: renamed.reason, message: renamed.rule })
    }
    const { serverDate } = answer
    const origin = await this.#receipts.finish(now, receipt, {
      sha256,
      adopted: false,
      sent: true,
      server: serverDate,
    })
    this.#confirmed(now, file, serverDate, origin)
  }

  /**
   * Learns from an upload that was confirmed by its receipt. `serverDate`: the Date of its response, in epoch
   * milliseconds. `origin`: whether the upload created the file.
   */
  #confirmed(row: TransferRow, file: RemoteFile, serverDate: number | null, origin: Origin): void {
    const { habits, reconciler, uploadPause, limits, stored, bus } = this.#options
    habits.learnName(habits.sendName(row), file.filename)
    reconciler.hurry()
    uploadPause.accepted()
    limits.learn(row, file, serverDate)
    limits.uploaded()
    if (origin !== 'older') stored.uploaded(row.size)
    bus.touched()
  }

  /**
   * Queues the deletion of a file that was just stored, unless it might be in use by others. If its ID is
   * unknown, only the user can delete the file on the service, so the transfer is held. Returns false if the
   * ID is unknown.
   */
  async #takeBack(
    row: TransferRow,
    receipt: RemoteFile,
    why: keyof typeof TAKEN_BACK,
    source: UploadSource,
  ): Promise<boolean> {
    const { ports, stop } = this.#options
    const { fileId, publicLink } = receipt
    if (fileId !== null) {
      await this.#receipts.takeBack(row, { ...receipt, fileId }, why === 'torn' ? 'torn' : 'cancelled')
      this.#countTakenBack()
      return true
    }
    // No outcome has been written, so the next process looks the upload up.
    if (stop.aborted) return false
    this.#countTakenBack()
    ports.log.error('transfer.left', { id: row.id, why })
    const message = `${TAKEN_BACK[why]}. ${leftPublic(publicLink ?? 'a file')}`
    await this.#failures.published(row, await ifReadable(source.stat(), null), message, publicLink)
    return false
  }

  /**
   * Counts this upload against the plan. The service has just accepted it, so any wait after a refused upload
   * ends.
   */
  #countTakenBack(): void {
    const { ports, limits } = this.#options
    limits.takenBack(ports.clock.now())
    limits.retry()
  }

  /** `how`: `aborted` if the request was ended on this side, which says nothing about the service. */
  async #lost(
    row: TransferRow,
    loss: Loss,
    why: string,
    proven: string | null,
    how: 'lost' | 'refused' | 'aborted' = 'lost',
  ): Promise<void> {
    const { ports, transfers, uploadPause } = this.#options
    ports.log.warn('transfer.unknown', { id: row.id, why, loss })
    if (how === 'refused') uploadPause.refused(row.id, why, false)
    else if (how === 'lost' && loss !== 'partly') uploadPause.lost()
    await this.#rows.commit(() => {
      if (proven !== null) transfers.intentHash(row.id, proven)
      transfers.transition(row.id, {
        kind: 'answer-lost',
        message: why,
        until: ports.clock.now() + FIRST_LOOK_MS,
      })
      transfers.setLost(row.id, loss, ports.clock.now(), ports.clock.uptime())
    })
    this.#rows.changed(row.id)
  }
}

/**
 * Settles like `work`, but resolves to `unknown` if the disk fails. The outcome of a request must not be lost
 * because of that.
 */
async function ifReadable<T, U>(work: Promise<T>, unknown: U): Promise<T | U> {
  try {
    return await work
  } catch (error) {
    if (error instanceof DiskError) return unknown
    throw error
  }
}

// Settles an upload that was answered with 403: reads `/stats` once for all uploads that were refused
// together, and applies the verdict of budget/upload-limits.ts to the row.
/**
 * Resolves to the verdict once it is written; until then, the row stays queued. Writes nothing if the row now
 * has another version or is no longer queued, and resolves to null if the answer wasn't the service's own, or
 * if the account is blocked or has changed (`tenure` aborts).
 */
async function settleForbidden(
  row: TransferRow,
  detail: string | null,
  options: Pick<UploadAnswersOptions, 'ports' | 'account' | 'limits' | 'stats'>,
  rows: Pick<RowWriter, 'applyIfQueued'>,
  tenure: AbortSignal,
): Promise<DiagnosedRefusal['verdict'] | null> {
  const { ports, account, limits, stats } = options
  const isAnswered = await stats.diagnose()
  if (tenure.aborted || !account.isAnswered()) return null
  const found = limits.diagnose(row, detail, isAnswered)
  ports.log.warn('transfer.forbidden', { id: row.id, verdict: found.verdict, asked: isAnswered })
  await rows.applyIfQueued(row, eventOf(found))
  return found.verdict
}

function eventOf({ verdict, evidence, until }: DiagnosedRefusal): TransferEvent {
  if (verdict === 'too-big') return { kind: 'held', reason: 'too-big', message: evidence }
  if (verdict === 'undetermined') return { kind: 'deferred', reason: 'limit', message: evidence, until }
  return { kind: 'requeued' }
}

// Maps the result of an upload request to a verdict on its transfer. Pure. upload-answers.ts applies the
// verdict.
export type UploadVerdict =
  | { readonly kind: 'done'; readonly file: RemoteFile }
  /**
   * Sent, at least in part, but the outcome is unknown: the reconciler decides before anything is sent again.
   */
  | { readonly kind: 'unknown'; readonly why: string }
  /**
   * Certainly not stored; this transfer is retried with back-off. `isAnswer`: the service, or something in
   * front of it, answered.
   */
  | { readonly kind: 'retry'; readonly why: string; readonly isAnswer: boolean }
  /**
   * Certainly not stored, and a retry helps only if the cause isn't the file. `fails`: the reason why the
   * transfer fails if nothing shows another cause; null if it is retried less and less often.
   */
  | { readonly kind: 'refused'; readonly why: string; readonly fails: 'bad-request' | 'refused' | null }
  /** The service wasn't reached: the whole account waits, and no attempt is counted. */
  | { readonly kind: 'offline'; readonly why: string }
  | { readonly kind: 'key-refused'; readonly why: string }
  /**
   * A 403 has several causes; `/stats` may show which one applies. `detail`: the message in its body; null if
   * there is none.
   */
  | { readonly kind: 'forbidden'; readonly detail: string | null }
  | { readonly kind: 'too-big'; readonly why: string }
  | { readonly kind: 'rate-limited'; readonly meta: AnswerMeta }
  /** The address redirects elsewhere: the whole account waits. */
  | { readonly kind: 'wrong-address'; readonly why: string }
  /** The file changed or couldn't be read to its end; `cause` shows which. */
  | { readonly kind: 'source'; readonly cause: unknown }
  | { readonly kind: 'aborted' }

export function uploadVerdict(result: ApiResult<RemoteFile>): UploadVerdict {
  if (result.ok) {
    const { fileId, publicLink } = result.value
    // A receipt with neither ID nor link proves nothing.
    return fileId === null && publicLink === null
      ? { kind: 'unknown', why: 'the response contained neither a file ID nor a link' }
      : { kind: 'done', file: result.value }
  }
  const f = result.failure
  switch (f.kind) {
    case 'connect':
      return { kind: 'offline', why: f.message }
    case 'cut':
    case 'timeout':
      return f.phase === 'unsent'
        ? { kind: 'retry', why: f.message, isAnswer: false }
        : { kind: 'unknown', why: f.message }
    case 'garbage':
      return f.phase === 'unsent'
        ? { kind: 'retry', why: f.message, isAnswer: true }
        : { kind: 'unknown', why: f.message }
    case 'refused':
      return { kind: 'unknown', why: f.detail ?? f.message }
    case 'redirect':
      // Whatever redirects may do so after the service has stored the file, as 303 does by definition (RFC
      // 9110, section 15.4.4).
      return f.phase === 'sent'
        ? { kind: 'unknown', why: f.message }
        : { kind: 'wrong-address', why: f.message }
    case 'aborted':
      return f.phase === 'unsent' ? { kind: 'aborted' } : { kind: 'unknown', why: f.message }
    case 'source':
      return f.phase === 'sent' ? { kind: 'unknown', why: f.message } : { kind: 'source', cause: f.cause }
    case 'status':
      // Before the last byte was sent, the service can't have stored the whole file.
      return f.phase !== 'sent' || (f.isJson === true && BEFORE_STORING.has(f.status))
        ? statusVerdict(f)
        : { kind: 'unknown', why: f.detail ?? f.message }
    default:
      return assertNever(f, 'failure')
  }
}

/**
 * The statuses that the service gives instead of storing a file, if the answer is its own, in JSON. Any other
 * answer after the whole file may come from something in front of the service, which has stored the file, or, as
 * 409, from the service to the second of two requests into which something in front of it has made one.
 */
const BEFORE_STORING: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 411, 413, 414, 415, 422, 429, 431,
])

/** The status with which something refused the upload; null if it wasn't refused. */
function refusalOf(result: ApiResult<RemoteFile>): StatusFailure | null {
  const failure = result.ok || result.failure.kind !== 'status' ? null : result.failure
  return failure === null || failure.status >= 500 || failure.status === 408 ? null : failure
}

/** What a status means if nothing was stored. */
function statusVerdict(f: StatusFailure): UploadVerdict {
  const why = f.detail ?? f.message
  if (f.status === 400) return { kind: 'refused', why, fails: 'bad-request' }
  if (f.status === 401) return { kind: 'key-refused', why }
  if (f.status === 403) return { kind: 'forbidden', detail: f.detail }
  // A gateway may lack this route, temporarily or for good. None of these says anything about the file.
  if ([404, 405, 410, 421, 425].includes(f.status)) return { kind: 'refused', why, fails: null }
  if (f.status === 413) return { kind: 'too-big', why }
  if (f.status === 429) return { kind: 'rate-limited', meta: f.meta }
  if (f.status >= 500 || f.status === 408) return { kind: 'retry', why, isAnswer: true }
  return { kind: 'refused', why, fails: f.status < 400 ? null : 'refused' }
}

/** How the response to an upload was lost. */
export function lossOf(result: ApiResult<RemoteFile>): Loss {
  if (result.ok) return 'cut'
  const f = result.failure
  if (f.phase === 'partly') return 'partly'
  // The gateway or this client gave up, but the service may still be working on the request.
  if (f.kind === 'timeout') return 'gateway'
  return f.kind === 'status' ? ([408, 502, 503, 504].includes(f.status) ? 'gateway' : 'error') : 'cut'
}

// Decides what holds uploads back apart from the request rate: file size, daily uploads, storage, and a 403
// that doesn't say which of them is the cause. Combines the plan's figures, what uploads have shown
// (service-traits.ts) and today's count (daily-uploads.ts). The caller reads `/stats`.
import { formatDuration } from '../../../src-shared/format.ts'
import type { Gate, StatsView, Window } from '../../../src-shared/model.ts'
import type { RemoteFile, Stats } from '../../api/types.ts'
import type { Facts, FactValue } from '../journal/single-values.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Clock, Log } from '../ports.ts'
import { ASKED_MS, DailyUploadCounter, DayTurn } from './daily-uploads.ts'
import { type Diagnosis, diagnose403, storageFull } from './forbidden.ts'
import type { DayBudget } from './forecast.ts'
import { heldBy, noQuota, type Quota, type SizeEvidence, type SizeLimit, sizeLimit } from './plan-limits.ts'
import { ServiceTraits } from './service-traits.ts'
import type { SizeUnit } from './size-unit.ts'
import { readQuota } from './stats-reader.ts'

/** Delays before a refused upload is retried, if it is unknown when the limit ends. */
const LADDER_MS = [60_000, 300_000, 900_000, 3_600_000] as const
const LADDER_TOP_MS = 3_600_000
const STORAGE_RETRY_MS = 900_000
const DAY_FULL_MIN_MS = 60_000
const DAY_FULL_MAX_MS = 3_600_000
/**
 * Minimum delay before a reached daily upload limit is checked again. An upload in flight that fails no
 * longer counts towards it.
 */
const IN_FLIGHT_RETRY_MS = 1000
const HELD_PAGE = 500
const NOTHING_STATED = { plan: null, size: null } as const
/** No service or proxy refuses files up to this size as too big, so such an answer has another cause. */
const NEVER_TOO_BIG_BYTES = 65_536

/** A diagnosis of a 403. `until`: when this file can be retried; null if it is too big. */
export type DiagnosedRefusal = Diagnosis & { readonly until: number | null }

export interface UploadLimits {
  quota(): Quota
  setStats(stats: Stats, at: number): void
  unit(): SizeUnit | null
  /** Whether the sizes in receipts are those of the bytes in some unit, as far as receipts have shown. */
  sizesTell(): boolean
  /** Learns the unit of sizes from a file of `bytes` that the service shows with this size. */
  learnSize(bytes: number, shown: number): void
  /** The service's UTC offset in milliseconds, positive east of UTC; null if unknown. */
  zone(): number | null
  idsGrow(): boolean
  /**
   * Why a file of this many bytes is held without asking the service, as a sentence for the user; null if it
   * isn't.
   */
  tooBig(size: number): string | null
  /**
   * The limit that currently holds back all uploads; null if none does. `inFlight`: uploads in flight, which
   * count as used. So do unconfirmed uploads of the last day.
   */
  gate(inFlight: number): Gate | null
  daily(): Window
  /**
   * Whether our count of today's uploads may be too high: an upload that was in flight while `/stats` was
   * read may be counted twice.
   */
  isGuessed(): boolean
  /** The budget of daily uploads for the forecast; null if no limit is known. */
  dailyBudget(): DayBudget | null
  evidence(): SizeEvidence
  /**
   * Learns the unit of sizes, the largest accepted size, whether IDs increase, and the time zone from the
   * receipt of one of our uploads. `serverDate`: the `Date` header of the response in epoch milliseconds;
   * null if it had none.
   */
  learn(row: TransferRow, file: RemoteFile, serverDate: number | null): void
  /**
   * Learns the zone from the date that the list shows for a file, if the file is one of our uploads and the
   * service's time of that upload is known.
   */
  learnDate(fileId: number, shown: string): void
  uploaded(): void
  /**
   * Call when an upload starts. If our own count says that the day's uploads are used up, this one tests
   * whether the service's day has turned.
   */
  started(id: number): void
  /** Whether the next upload is such a test, so that a small file should go first. */
  isBeyondDay(): boolean
  /**
   * Makes a test due now, and ends the wait after a refusal, unless the last one was within five minutes. Call
   * when the user retries, or names a file.
   */
  asked(): void
  /**
   * Counts an upload that the service stored at `at` (epoch milliseconds), but whose file must not stay
   * published. Doesn't end a wait after a refusal, because the file may have been stored long before the
   * refusal.
   */
  takenBack(at: number): void
  /**
   * Keeps counting an earlier upload, made at `at` (epoch milliseconds), whose transfer is about to be
   * confirmed again, which overwrites that time. Call in the transaction of the confirmation, before the row
   * is written.
   */
  keepCounting(at: number): void
  /**
   * Whether a 413 for a file of this many bytes may be about its size. It isn't if a file at least as large
   * was accepted.
   */
  mayBeTooBig(size: number): boolean
  refusedSize(size: number): void
  /**
   * Requeues the files that are held as too big and may fit now, if the plan, its size limit, the unit or the
   * accepted sizes have changed since the last call. Returns their IDs. Cheap if nothing has changed.
   */
  takeFitting(): readonly number[]
  /** Whether one of these files, or any if `ids` is null, is held as too big. */
  isAnyTooBig(ids: readonly number[] | null): boolean
  /**
   * Call when the user retries: requeues these files, or all if `ids` is null, that are held as too big,
   * except those that certainly exceed the plan's limit. Returns their IDs.
   */
  retryTooBig(ids: readonly number[] | null): readonly number[]
  /**
   * Diagnoses a 403 for this upload. `asked`: `/stats` was read for the diagnosis. Closes the gate if a limit
   * of the account is reached.
   */
  diagnose(row: TransferRow, detail: string | null, asked: boolean): DiagnosedRefusal
  maxFileSizeView(): StatsView['maxFileSize']
  /**
   * Ends the wait after a refusal, and resets the retry delays. Call when the user retries, or when an upload
   * was just accepted.
   */
  retry(): void
  reset(): void
}

export interface UploadLimitsOptions {
  readonly clock: Clock
  readonly log: Log
  readonly transfers: Transfers
  readonly facts: Facts
}

export function createUploadLimits(options: UploadLimitsOptions): UploadLimits {
  return new PlanUploadLimits(options)
}

class PlanUploadLimits implements UploadLimits {
  readonly #clock: Clock
  readonly #log: Log
  readonly #transfers: Transfers
  readonly #traits: ServiceTraits
  readonly #counter: DailyUploadCounter
  readonly #turn: DayTurn
  #quota: Quota = noQuota
  /** The last stated plan and size limit. A response that lacks one of them doesn't change it. */
  #stated: { readonly plan: string | null; readonly size: SizeLimit | null } = NOTHING_STATED
  /** Whether files that are held as too big have to be judged again. */
  #isSizeNew = false
  readonly #facts: Facts
  /**
   * The limit that a refusal has shown to be reached, when that was, and the number of times in a row before.
   * It survives a restart, because the time of the next try has been shown.
   */
  #closed: FactValue<'reached-limit'> | null

  constructor({ clock, log, transfers, facts }: UploadLimitsOptions) {
    this.#clock = clock
    this.#log = log
    this.#transfers = transfers
    this.#traits = new ServiceTraits(facts, transfers)
    this.#counter = new DailyUploadCounter(clock, transfers, facts)
    this.#turn = new DayTurn(clock, facts, this.#counter)
    this.#facts = facts
    const closed = facts.get('reached-limit')
    // After a clock rollback, the wait would be longer by as much.
    this.#closed = closed !== null && closed.at <= clock.now() ? closed : null
  }

  quota(): Quota {
    return this.#quota
  }

  setStats(stats: Stats, at: number): void {
    const before = this.#quota.dailyUploads
    this.#quota = readQuota(stats)
    this.#counter.setQuota(this.#quota, at)
    // The limit that was reached may be another one now.
    if (before.kind !== 'unknown' && JSON.stringify(before) !== JSON.stringify(this.#quota.dailyUploads))
      this.retry()
    this.#followPlan(stats.plan)
    const missing = this.#closed?.missing
    if (missing !== undefined && storageFull(this.#quota, this.unit(), missing) === null) this.retry()
  }

  sizesTell(): boolean {
    return this.#traits.sizesTell()
  }

  learnSize(bytes: number, shown: number): void {
    this.#traits.learnSize(bytes, shown)
  }

  unit(): SizeUnit | null {
    return this.#traits.unit()
  }

  zone(): number | null {
    return this.#traits.zone()
  }

  idsGrow(): boolean {
    return this.#traits.idsGrow()
  }

  evidence(): SizeEvidence {
    return this.#traits.evidence()
  }

  learn(row: TransferRow, file: RemoteFile, serverDate: number | null): void {
    const unit = this.unit()
    const refused = this.evidence().smallestRefused
    this.#stored(() => this.#turn.accepted(row.id))
    this.#traits.learn(row, file, serverDate)
    if (this.unit() !== unit || this.evidence().smallestRefused !== refused) this.#isSizeNew = true
  }

  learnDate(fileId: number, shown: string): void {
    this.#traits.learnDate(fileId, shown)
  }

  mayBeTooBig(size: number): boolean {
    return size > Math.max(NEVER_TOO_BIG_BYTES, this.evidence().largestAccepted ?? 0)
  }

  refusedSize(size: number): void {
    this.#traits.refusedSize(size)
  }

  takeFitting(): readonly number[] {
    if (!this.#isSizeNew) return []
    this.#isSizeNew = false
    return this.#requeueFitting(null)
  }

  isAnyTooBig(ids: readonly number[] | null): boolean {
    return !this.#tooBigRows(ids).next().done
  }

  retryTooBig(ids: readonly number[] | null): readonly number[] {
    this.#stored(() => this.#traits.forgetRefusedSize())
    return this.#requeueFitting(ids)
  }

  tooBig(size: number): string | null {
    const evidence = this.evidence()
    const by = heldBy({ size, quota: this.#quota, unit: this.unit(), evidence })
    if (by === null) return null
    if (by === 'refusal')
      return `The service refused a file of ${evidence.smallestRefused ?? size} bytes as too big.`
    const limit = sizeLimit(this.#quota.maxFileSize, this.unit(), evidence)
    return `The file has ${size} bytes; the plan allows ${limit.kind === 'limited' ? limit.value : 'less'}.`
  }

  gate(inFlight: number): Gate | null {
    const now = this.#clock.now()
    if (this.#closed !== null && this.#closed.until > now) {
      const { reason, until, message } = this.#closed
      return { reason, until, message }
    }
    const { dailyUploads } = this.#quota
    // This runs before every upload, so the exact count is made only if the cheap `usedAtMost` reaches the
    // limit.
    if (dailyUploads.kind !== 'limited') return null
    const unconfirmed = this.#counter.unconfirmed()
    if (this.#counter.usedAtMost() + unconfirmed.length + inFlight < dailyUploads.value) return null
    const left = this.#counter.left(this.#dayFullUntil(), unconfirmed)
    if (left.room === null || left.room - inFlight > 0) return null
    if (left.room > 0) return { reason: 'daily-uploads', until: now + IN_FLIGHT_RETRY_MS, message: null }
    const probeAt = this.#turn.testAt()
    if (inFlight === 0 && probeAt <= now) return null
    const until = Math.max(now + IN_FLIGHT_RETRY_MS, Math.min(left.nextAt ?? 0, probeAt))
    const restMs = (left.nextAt ?? until) - now
    const latest =
      until < now + restMs
        ? ` The limit is probably reset within ${formatDuration(restMs)} at the latest.`
        : ''
    return {
      reason: 'daily-uploads',
      until,
      message: `${left.used} of ${left.limit ?? left.used} uploads a day are used.${latest}`,
    }
  }

  started(id: number): void {
    if (this.isBeyondDay()) this.#stored(() => this.#turn.started(id))
  }

  isBeyondDay(): boolean {
    const { dailyUploads } = this.#quota
    if (dailyUploads.kind !== 'limited') return false
    const unconfirmed = this.#counter.unconfirmed()
    if (this.#counter.usedAtMost() + unconfirmed.length < dailyUploads.value) return false
    return this.#counter.left(null, unconfirmed).room === 0
  }

  asked(): void {
    if (this.#closed !== null && this.#clock.now() - this.#closed.at >= ASKED_MS) this.retry()
    if (this.isBeyondDay()) this.#turn.asked()
  }

  daily(): Window {
    const plain = this.#counter.left(this.#dayFullUntil())
    const unconfirmed = this.#counter.unconfirmed()
    // Unconfirmed uploads may not have arrived, so they are shown as used only once they reach the limit.
    // `gate` then counts them, too.
    const isReached = plain.room !== null && plain.room <= unconfirmed.length
    const left = isReached ? this.#counter.left(this.#dayFullUntil(), unconfirmed) : plain
    const gate = this.gate(0)
    // Without a limit, nothing is counted in detail, but the figure is still shown.
    return {
      limit: left.limit,
      used: left.limit === null ? this.#counter.usedAtMost() : left.used,
      // The next try may come earlier than our own count allows an upload.
      nextAt: gate?.reason === 'daily-uploads' ? gate.until : left.nextAt,
    }
  }

  isGuessed(): boolean {
    return this.#counter.isGuessed()
  }

  dailyBudget(): DayBudget | null {
    return this.#counter.budget(this.#dayFullUntil(), this.#counter.unconfirmed())
  }

  uploaded(): void {
    this.#counter.uploaded()
    this.retry()
  }

  takenBack(at: number): void {
    this.#stored(() => this.#counter.takenBack(at))
  }

  keepCounting(at: number): void {
    this.#counter.keepCounting(at)
  }

  diagnose(row: TransferRow, detail: string | null, asked: boolean): DiagnosedRefusal {
    const found = diagnose403({
      isStatsRead: asked,
      fileSize: row.size,
      quota: this.#quota,
      unit: this.unit(),
      evidence: this.evidence(),
      uploadsLast24h: this.#counter.last24h(),
      detail,
    })
    if (found.verdict === 'too-big') {
      this.refusedSize(row.size)
      return { ...found, until: null }
    }
    const now = this.#clock.now()
    const stepMs = LADDER_MS[Math.min(this.#closed?.tries ?? 0, LADDER_MS.length - 1)] ?? LADDER_TOP_MS
    if (found.verdict === 'daily-limit') {
      // It is unknown when the service's day ends, so retry after an hour, or earlier if our own count allows
      // an upload sooner.
      const own = this.#counter.left(this.#dayFullUntil()).nextAt
      const until = Math.max(
        now + DAY_FULL_MIN_MS,
        Math.min(own ?? Number.POSITIVE_INFINITY, now + DAY_FULL_MAX_MS),
      )
      this.#close('daily-uploads', until, found.evidence)
      return { ...found, until }
    }
    if (found.verdict === 'storage-full') {
      const until = now + Math.max(STORAGE_RETRY_MS, stepMs)
      const isShown = asked && storageFull(this.#quota, this.unit(), row.size) !== null
      this.#close('storage-full', until, found.evidence, isShown ? row.size : undefined)
      return { ...found, until }
    }
    // Only this file waits here. Refusals of several files in a row pause the account
    // (budget/upload-pause.ts).
    return {
      ...found,
      until: now + (LADDER_MS[Math.min(row.attempts, LADDER_MS.length - 1)] ?? LADDER_TOP_MS),
    }
  }

  maxFileSizeView(): StatsView['maxFileSize'] {
    const limit = this.#quota.maxFileSize
    if (limit.kind !== 'limited') return { kind: limit.kind, value: null, unit: 'bytes' }
    const believed = sizeLimit(limit, this.unit(), this.evidence())
    return believed.kind === 'limited'
      ? { kind: 'limited', value: believed.value, unit: 'bytes' }
      : { kind: 'limited', value: limit.value, unit: limit.unit === 'bytes' ? 'bytes' : 'unknown' }
  }

  retry(): void {
    this.#keepClosed(null)
  }

  reset(): void {
    this.#quota = noQuota
    this.#stated = NOTHING_STATED
    this.#counter.forgetQuota()
    this.#traits.reset()
    this.retry()
  }

  #dayFullUntil(): number | null {
    return this.#closed?.reason === 'daily-uploads' ? this.#closed.until : null
  }

  #close(
    reason: FactValue<'reached-limit'>['reason'],
    until: number,
    message: string,
    missing?: number,
  ): void {
    const tries = this.#closed?.reason === reason ? this.#closed.tries + 1 : 0
    this.#keepClosed({ reason, until, message, tries, at: this.#clock.now(), missing })
    this.#log.warn('limits.closed', { reason, until, message })
  }

  #keepClosed(closed: FactValue<'reached-limit'> | null): void {
    if (closed === null && this.#closed === null) return
    this.#closed = closed
    this.#stored(() => this.#facts.set('reached-limit', closed))
  }

  /**
   * Forgets the smallest refused size if the plan or its size limit has changed, because the service may
   * accept that size now.
   */
  #followPlan(name: string | null): void {
    const before = this.#stated
    const plan = name?.trim().toLowerCase() ?? before.plan
    const size = this.#quota.maxFileSize.kind === 'unknown' ? before.size : this.#quota.maxFileSize
    this.#stated = { plan, size }
    const isOtherPlan = before.plan !== null && plan !== before.plan
    const isOtherSize = before.size !== null && JSON.stringify(size) !== JSON.stringify(before.size)
    if (!isOtherPlan && !isOtherSize) return
    if (isOtherPlan) this.retry()
    this.#isSizeNew = true
    this.#stored(() => this.#traits.forgetRefusedSize())
  }

  #requeueFitting(ids: readonly number[] | null): readonly number[] {
    const fitting = [...this.#tooBigRows(ids)]
      .filter((row) => this.tooBig(row.size) === null)
      .map((row) => row.id)
    this.#stored(() => {
      for (const id of fitting) this.#transfers.transition(id, { kind: 'requeued' })
    })
    return fitting
  }

  /** The files held as too big, of these if `ids` isn't null. */
  *#tooBigRows(ids: readonly number[] | null): Generator<TransferRow> {
    if (ids !== null) {
      for (const id of ids) {
        const row = this.#transfers.get(id)
        if (row?.state === 'held' && row.reason === 'too-big') yield row
      }
      return
    }
    for (let after = 0; ; ) {
      const page = this.#transfers.page({
        folderId: null,
        states: ['held'],
        afterId: after,
        limit: HELD_PAGE,
      })
      for (const row of page) if (row.reason === 'too-big') yield row
      const last = page.at(-1)
      if (last === undefined || page.length < HELD_PAGE) return
      after = last.id
    }
  }

  /**
   * Runs `change`, and logs an error instead of throwing it. A change that can't be stored, for example
   * because the disk is full, lasts only until the next start.
   */
  #stored(change: () => void): void {
    try {
      change()
    } catch (error) {
      this.#log.warn('limits.not-stored', { message: error instanceof Error ? error.message : String(error) })
    }
  }
}

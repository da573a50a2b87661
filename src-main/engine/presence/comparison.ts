// Compares files that may have been sent without this journal's knowledge (journal/journal.ts) with those on the
// service. The list is read first, and again after a failure, or a limited number of times if files may have
// been missed because it lags or shrinks. A file whose size and name match no remote file may then be sent at
// once. Otherwise the bytes behind the public links decide, the likeliest names first. If a remote file has
// the same content, the transfer adopts that file.
import type { Gate } from '../../../src-shared/model.ts'
import { possibleShown, sizeCouldBe } from '../budget/size-unit.ts'
import { writeTrouble } from '../journal/disk-trouble.ts'
import { mayBeSent, type Past } from '../journal/journal.ts'
import type { RemoteEntry } from '../journal/remote-list.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { readUploadDate } from '../journal/upload-date.ts'
import { COMPARE_MOST_BYTES } from '../remote/link-bytes.ts'
import { type CallResult, isAboutOther, isGone, isNotFound } from '../remote/requests.ts'
import { adopt, type Shared } from './adoption.ts'
import { ambiguous, findSame, hashVersion, type Unread } from './bytes.ts'
import { byLikelihood } from './match.ts'
import { mayBecome } from './naming.ts'
import { Retries } from './reconciler.ts'

/** Number of files compared concurrently. */
const MAX_JOBS = 4
/**
 * Delay before a file is compared again after its comparison threw. The delay is long, because every
 * comparison reads the file.
 */
const FAILED_RETRY_MS = 30_000
/**
 * Number of times that a match is left to another pending file whose name is exactly that of the remote file.
 */
const RIVAL_TRIES = 8
/**
 * Maximum number of times the list is read while it shows fewer files than `/stats` counts. Up to that limit,
 * the list is assumed to lag; beyond it, the count is assumed to be wrong.
 */
const LAG_TRIES = 3
/**
 * Maximum number of passes through the list that may have missed a file. A list that shrinks while it is read
 * may hide a file at a page edge, so it is read again until a pass adds no new file. On an account where
 * files are deleted all the time, waiting for a complete pass would never end.
 */
const MAX_PASSES = 5
/**
 * If the last pass failed and at least this many have ended without success, a command with a time limit may
 * give up.
 */
const TROUBLE_TRIES = 5
/**
 * When only the newest part of the list is read, the read goes back this much further than the newest known
 * file. This allows for clock changes, and for the time between an upload and its listed date.
 */
const NEWEST_SLACK_MS = 3_600_000
/**
 * Tolerance for dates in an unknown time zone: time zones are up to 14 hours away from UTC, and clocks are
 * off by minutes.
 */
const DATE_SLACK_MS = 15 * 3_600_000

/**
 * `absent`: no remote file has this content; the upload may start. `over`: the comparison was aborted, or
 * this version must no longer be sent (it may be held now). `unread`: the local file couldn't be compared.
 * `againMs`: the delay before it is compared again. `found`: the remote file that has this content, and its
 * hash.
 */
type Compared =
  | 'absent'
  | 'over'
  | { readonly unread: Unread }
  | { readonly againMs: number }
  | { readonly found: RemoteEntry; readonly sha256: string }

export class Comparison {
  readonly #options: Shared
  readonly #retries = new Retries()
  /** Versions that were compared and not found on the service, by transfer. */
  readonly #cleared = new Map<number, string>()
  /** Transfers that are being compared, or wait to be. */
  readonly #pending = new Set<number>()
  readonly #queue: number[] = []
  readonly #jobs = new Set<Promise<void>>()
  /**
   * Whether the service has answered about a remote file's details. Asking again for each local file could
   * use up the rate limits.
   */
  readonly #asked = new Map<number, Promise<boolean>>()
  /** The pass through the list that is in progress. */
  #reading: Promise<void> | null = null
  /** Number of passes that reached the end of the list but may have missed a file. */
  #passes = 0
  /** Number of files read so far in the current pass. */
  #files = 0
  /** Why the last pass failed, as a sentence after a space, empty if unknown; null if it didn't fail. */
  #trouble: string | null = null
  /** Whether the pause after the last pass isn't over. */
  #isPaused = false
  /**
   * Number of files that the journal knows to be on the service. Cached, because counting them takes too long
   * to be done for every transfer.
   */
  #listed: number | null = null

  constructor(options: Shared) {
    this.#options = options
  }

  /**
   * Whether the row may be sent now. If it has to be compared before that, starts the comparison or, if the
   * list hasn't been read yet, starts reading the list. Wakes the scheduler when there is progress, so that the
   * caller can ask again.
   */
  mayGo(row: TransferRow): boolean {
    const { db, past, bus } = this.#options
    if (!this.isNeeded(row)) return true
    if (this.#pending.has(row.id)) return false
    const walk = past.get()?.walk
    if (walk === 'whole' && this.#total() === 0) {
      db.tx(() => past.close())
      return true
    }
    if (walk !== 'done') {
      this.#readList()
      return false
    }
    if (this.#alike(row).length === 0) {
      this.#cleared.set(row.id, versionKey(row))
      return true
    }
    this.#pending.add(row.id)
    this.#queue.push(row.id)
    bus.changed(row.id)
    this.#work()
    return false
  }

  /**
   * Whether a version that isn't queued would have to be compared with a file on the service whose name fits.
   * Starts nothing.
   */
  isForeseen(entry: { readonly name: string; readonly size: number; readonly mtime: number }): boolean {
    const { past, ports, remote, habits } = this.#options
    const gap = past.get()
    if (gap === null || !mayBeSent(gap, entry.mtime, ports.clock.now())) return false
    return this.#alike({ ...entry, id: 0 }).some((id) => {
      const shown = remote.get(id)?.filename ?? null
      return shown !== null && mayBecome(habits.sendName(entry), shown)
    })
  }

  /**
   * Whether the row has to be compared before it is sent: it may have been sent during the gap, unless it was
   * compared or sent since, or the user approved it or asked for a new upload. Starts nothing.
   */
  isNeeded(row: TransferRow): boolean {
    const { past, ports } = this.#options
    const gap = past.get()
    // A file that couldn't be read has attempts, but no intent.
    const wasSent = row.attempts > 0 && row.intentAt !== null
    if (gap === null || row.again || wasSent || this.#cleared.get(row.id) === versionKey(row)) return false
    if ((row.released?.split(',') ?? []).includes('ambiguous')) return false
    return mayBeSent(gap, row.mtime, ports.clock.now())
  }

  /** Whether the transfer is being compared, or waits to be. */
  isPending(id: number): boolean {
    return this.#pending.has(id)
  }

  /** What holds back every file that has to be compared; null if nothing does. */
  gate(): Gate | null {
    // If no transfer asks for the list after a pause, for example because all were cancelled, the failure is
    // no longer shown.
    if (this.#reading === null && (this.#trouble === null || !this.#isPaused)) return null
    if (this.#trouble !== null)
      return {
        reason: this.#retries.count('whole') >= TROUBLE_TRIES ? 'backoff' : 'comparing',
        until: null,
        message: `The list of files on the service can't be read.${this.#trouble} These files wait, so that nothing is uploaded twice.`,
      }
    const total = this.#total()
    const progress =
      total === null ? '' : ` (${this.#files.toLocaleString('en')} of ${total.toLocaleString('en')})`
    return {
      reason: 'comparing',
      until: null,
      message: `Reading the list of files on the service, so that nothing is sent twice${progress}.`,
    }
  }

  /** Call when something may be sent now, or when what is shown has changed. */
  #moved(): void {
    this.#options.bus.touched()
    this.#options.bus.wake('queue')
  }

  /** The message for a row that is being compared. */
  message(): string {
    this.#listed ??= this.#options.remote.held().files
    const files = this.#listed === 1 ? 'file' : `${this.#listed.toLocaleString('en')} files`
    return `Comparing with the ${files} on the service.`
  }

  /** Discards everything known about the old account. Call when the account changes. */
  reset(): void {
    const { db, likes } = this.#options
    // Comparisons in progress end on their own, because the old account's signal (`tenure`) has aborted.
    for (const id of this.#queue.splice(0)) this.#pending.delete(id)
    this.#cleared.clear()
    this.#retries.reset()
    this.#asked.clear()
    this.#listed = null
    this.#trouble = null
    this.#passes = 0
    this.#isPaused = false
    db.tx(() => likes.reset())
  }

  /** Resolves once nothing is running; after that, the journal can be closed. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#jobs, this.#reading])
  }

  /**
   * Number of files on the service according to `/stats`; null if unknown, or if this process hasn't read
   * `/stats`.
   */
  #total(): number | null {
    const { stats, limits } = this.#options
    return stats.isRead() ? limits.quota().totalFiles : null
  }

  /**
   * Starts reading the list for a transfer, unless a pass is in progress or the pause after the last one
   * isn't over.
   */
  #readList(): void {
    const { ports, stop } = this.#options
    if (this.#reading !== null || stop.aborted || this.#isPaused) return
    this.#reading = this.#read()
      .catch((error: unknown) => {
        this.#pause()
        ports.log.error('compare.defect', {
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        })
      })
      .finally(() => {
        this.#reading = null
        if (!stop.aborted) this.#moved()
      })
    this.#moved()
  }

  async #read(): Promise<void> {
    const { ports, db, remote, past, identity } = this.#options
    const asked = identity.tenure()
    const gap = past.get()
    if (gap === null || gap.walk === 'done') return
    this.#files = 0
    const before = remote.held().files
    const got = await this.#readPart(gap.walk)
    // The account has changed, so the list that was read may be that of the old account.
    if (asked.aborted) return
    const total = this.#total()
    const listed = remote.held().files
    this.#listed = listed
    const lags =
      got.ok &&
      gap.walk === 'whole' &&
      total !== null &&
      listed < total &&
      this.#retries.count('whole') + 1 < LAG_TRIES
    this.#trouble = got.ok ? null : got.failure.kind === 'api' ? ` ${got.failure.failure.message}` : ''
    if (got.ok && !got.value.isComplete) this.#passes++
    const isRead =
      got.ok && (got.value.isComplete || (this.#passes > 1 && listed <= before) || this.#passes >= MAX_PASSES)
    if (isRead && !lags) {
      ports.log.info('compare.listed', {
        walk: gap.walk,
        cause: gap.cause,
        files: listed,
        passes: this.#passes,
      })
      await db.soon(() => past.listed())
      this.#retries.forget(0)
      this.#passes = 0
      return
    }
    if (!got.ok) ports.log.warn('compare.list', { why: got.failure.kind })
    this.#pause()
  }

  #readPart(walk: Exclude<Past['walk'], 'done'>): Promise<CallResult<{ readonly isComplete: boolean }>> {
    const { transfers, likes, past, catalog, stop } = this.#options
    const newest = walk === 'newest' ? likes.newestAt() : null
    const newerThan = newest === null ? null : newest - NEWEST_SLACK_MS
    const priority = transfers.hasUrgent() ? 'watched' : 'list'
    const onPage = (files: number): void => {
      this.#files += files
      this.#moved()
    }
    return catalog.readForComparison({ newerThan, since: past.get()?.at ?? 0, priority }, onPage, stop)
  }

  #pause(): void {
    const { ports } = this.#options
    this.#isPaused = true
    ports.clock.after(this.#retries.next('whole'), () => {
      this.#isPaused = false
      this.#moved()
    })
  }

  #work(): void {
    const { stop } = this.#options
    while (this.#jobs.size < MAX_JOBS && !stop.aborted) {
      const id = this.#queue.shift()
      if (id === undefined) return
      const job = this.#carry(id)
        .catch((error: unknown) => {
          if (!stop.aborted) this.#failed(id, error)
        })
        .finally(() => {
          this.#jobs.delete(job)
          if (stop.aborted) return
          this.#work()
          this.#moved()
        })
      this.#jobs.add(job)
    }
  }

  /** Leaves the file pending for a while after its comparison threw. */
  #failed(id: number, error: unknown): void {
    const { ports, failed } = this.#options
    if (writeTrouble(error) !== null) failed(error)
    else
      ports.log.error('compare.defect', {
        id,
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    this.#againIn(FAILED_RETRY_MS, id)
  }

  #againIn(ms: number, id: number): void {
    const { ports } = this.#options
    ports.clock.after(ms, () => {
      this.#pending.delete(id)
      this.#moved()
    })
  }

  async #carry(id: number): Promise<void> {
    const { ports, transfers, sender, identity, stop, bus } = this.#options
    const row = transfers.get(id)
    if (row !== null && row.state === 'queued' && this.isNeeded(row)) {
      const signal = AbortSignal.any([stop, identity.tenure()])
      const found = await this.#compare(row, signal)
      const compared = signal.aborted ? 'over' : found
      if (typeof compared === 'object' && 'againMs' in compared) return this.#againIn(compared.againMs, id)
      // The transfer of an unreadable file fails or is deferred here. It isn't cleared, because the file
      // would then be sent without a comparison once it can be read.
      if (typeof compared === 'object' && 'unread' in compared) await sender?.unread(row, compared.unread)
      else if (compared === 'absent') this.#cleared.set(id, versionKey(row))
      else if (compared !== 'over') {
        ports.log.info('compare.adopted', { id, fileId: compared.found.fileId })
        await adopt(
          this.#options,
          row,
          compared.found,
          { sha256: compared.sha256, sent: false, isOlder: true },
          signal,
        )
      }
    }
    this.#retries.forget(id)
    this.#pending.delete(id)
    bus.changed(id)
  }

  /**
   * IDs of the remote files that may have this content: those of its size, and those of its name, because
   * shown sizes may be others.
   */
  #alike({ id, size, name }: Pick<TransferRow, 'id' | 'size' | 'name'>): readonly number[] {
    const { likes, limits, habits } = this.#options
    return likes.alike(size, possibleShown(size, limits.unit()), habits.sendName({ name }), id)
  }

  /** Looks for the file's content on the service. Stores nothing more once `signal` has aborted. */
  async #compare(row: TransferRow, signal: AbortSignal): Promise<Compared> {
    const { db, transfers, links, catalog } = this.#options
    const files = await this.#candidates(row, signal)
    if (this.#isOver(row, signal)) return 'over'
    if (files.length === 0) return 'absent'
    if (row.size > COMPARE_MOST_BYTES) return this.#hold(row, files)
    const sha256 = await hashVersion(this.#options, row, signal)
    if (this.#isOver(row, signal)) return 'over'
    if (typeof sha256 !== 'string') return { unread: sha256 }
    if (row.sha256 !== sha256) await db.soon(() => transfers.intentHash(row.id, sha256))
    const same = await findSame(
      links,
      files,
      {
        size: row.size,
        sha256,
        claim: (file) => this.#claim(row, file, sha256),
        couldBe: (file) => this.#couldBe(row, file),
      },
      signal,
    )
    if (this.#isOver(row, signal)) return 'over'
    if (same === 'pending') return { againMs: this.#retries.next('rival', row.id) }
    if (same === 'absent') return 'absent'
    if ('found' in same) return { found: same.found, sha256 }
    let { isLater } = same
    const unread: RemoteEntry[] = []
    for (const file of same.unread) {
      const got =
        isLater || file.publicLink === null ? null : await catalog.file(file.fileId, 'watched', signal)
      // The file was deleted since the list was read. This is more than a 404, which some services answer to
      // every such request.
      if (got?.ok === false && isGone(got.failure)) continue
      isLater ||= got?.ok === false
      unread.push(file)
    }
    if (this.#isOver(row, signal)) return 'over'
    if (unread.length === 0) return 'absent'
    const againMs = this.#retries.unread(row.id, { ...same, isLater })
    return againMs === null ? this.#hold(row, unread) : { againMs }
  }

  /**
   * The remote files that may have this content, the likeliest names first. Requests details of those whose
   * size or link is missing.
   */
  async #candidates(row: TransferRow, signal: AbortSignal): Promise<readonly RemoteEntry[]> {
    const { remote, habits } = this.#options
    const out: RemoteEntry[] = []
    for (const id of this.#alike(row)) {
      const known = remote.get(id)
      if (known?.size === null || known?.publicLink === null) await this.#ask(id, signal)
      if (signal.aborted) return []
      const file = remote.get(id)
      if (file !== null && file.goneAt === null) out.push(file)
    }
    return byLikelihood(out, habits.sendName(row), habits.names)
  }

  /**
   * Requests the details of a remote file, unless the service has answered about it before, if only that it
   * doesn't know its ID.
   */
  async #ask(fileId: number, signal: AbortSignal): Promise<void> {
    const ask = async (): Promise<boolean> => {
      const got = await this.#options.catalog.file(fileId, 'watched', signal)
      return got.ok || isNotFound(got.failure) || isAboutOther(got.failure)
    }
    const asking = this.#asked.get(fileId) ?? ask()
    this.#asked.set(fileId, asking)
    if (!(await asking)) this.#asked.delete(fileId)
  }

  /**
   * Whose a remote file with this content is. Another transfer may have adopted it during this comparison. If
   * another pending file has its exact name and may have its content, the link is left to that file.
   */
  #claim(row: TransferRow, { fileId, filename }: RemoteEntry, sha256: string): 'ours' | 'other' | 'pending' {
    const { transfers, likes, folders, habits } = this.#options
    if (transfers.isReceipt(fileId, row.id)) return 'other'
    if (
      filename === null ||
      habits.sendName(row) === filename ||
      this.#retries.count('rival', row.id) >= RIVAL_TRIES
    )
      return 'ours'
    const isRival = likes.rivals(filename, row.size, sha256, row.id).some((id) => {
      const other = transfers.get(id)
      return other !== null && this.isNeeded(other) && folders.isOpen(other.folderId)
    })
    return isRival ? 'pending' : 'ours'
  }

  /**
   * Whether a remote file whose bytes can't be read may have this content. That is ruled out if its size
   * differs, or if its name differs and it was uploaded before this version was written.
   */
  #couldBe(row: TransferRow, { filename, size, uploadDate }: RemoteEntry): boolean {
    const { limits, habits } = this.#options
    if (size !== null && limits.sizesTell() && !sizeCouldBe(row.size, size, limits.unit())) return false
    if (filename === null || mayBecome(habits.sendName(row), filename)) return true
    const date = uploadDate === null ? null : readUploadDate(uploadDate)
    return date === null || date.at + DATE_SLACK_MS >= row.mtime
  }

  #isOver(row: TransferRow, signal: AbortSignal): boolean {
    if (signal.aborted) return true
    const now = this.#options.transfers.get(row.id)
    return now === null || now.state !== 'queued' || now.cancel || versionKey(now) !== versionKey(row)
  }

  async #hold(row: TransferRow, files: readonly RemoteEntry[]): Promise<Compared> {
    const { db, transfers } = this.#options
    await db.soon(() =>
      transfers.transition(row.id, {
        kind: 'held',
        reason: 'ambiguous',
        message: ambiguous(files, row.size),
      }),
    )
    return 'over'
  }
}

/** Identifies a version of a file. A comparison is valid only for the version that was compared. */
function versionKey(row: TransferRow): string {
  return `${row.size} ${row.mtime} ${row.path}`
}

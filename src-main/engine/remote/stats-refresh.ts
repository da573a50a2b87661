// Reads `/stats` with one request for all callers that ask at the same time, and passes the figures on. Also
// reads the usage history for display (`readHistory`), and counts the stored files and bytes (`StoredCount`).
// queue/plan-proof.ts and background-jobs.ts decide when a request is worthwhile.
import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { History, Snapshot } from '../../../src-shared/model.ts'
import type { Stats } from '../../api/types.ts'
import type { AccountState } from '../budget/account-state.ts'
import type { Priority } from '../budget/budget.ts'
import type { IdentityKeeper } from '../budget/current-key.ts'
import { ACCOUNT_CHANGED, wrongAddressIfNotFound } from '../budget/failure-words.ts'
import { unitBytes } from '../budget/size-unit.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import { number } from '../journal/column-values.ts'
import type { Database } from '../journal/database.ts'
import type { FileIds } from '../journal/file-ids.ts'
import { hasUnknownFiles, type Journal, missingPart } from '../journal/journal.ts'
import type { Remote } from '../journal/remote-list.ts'
import type { Facts } from '../journal/single-values.ts'
import { lastDays, localDay } from '../journal/usage.ts'
import type { Clock } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import type { Calls } from './requests.ts'

/** Maximum wait for the rate limit when `/stats` is read to explain a refused upload. */
const DIAGNOSIS_WAIT_MS = 65_000
/** Maximum wait for the rate limit for every other read that this class starts itself. */
const PERSON_WAIT_MS = 10_000
/**
 * Minimum interval between reads that look for the connection, if the last one didn't show whether the
 * service is reachable. It doubles with each further failure.
 */
const LOOK_AGAIN_MS = 30_000
/** Maximum of that interval. */
const LOOK_AGAIN_MOST_MS = 15 * 60_000
/** Two answers at most this far apart count as given at the same moment. */
const SAME_MOMENT_MS = 250
/** Delay before storing the figures is retried after a failure. */
const KEEP_RETRY_MS = 5000
/** Failures that may resolve on their own. Until they do, earlier figures are shown. */
const PASSING: ReadonlySet<Failure['code']> = new Set(['waits', 'no-connection', 'server'])
/**
 * The only failures that `ensureKnown` returns. After any other, its caller continues without known figures.
 */
const LASTING: ReadonlySet<Failure['code']> = new Set(['no-key', 'key-refused', 'no-api', 'no-connection'])
const NO_DRIFT: Drift = { files: 0, bytes: 0 }

// Reads usage history from the journal for display: daily figures for the last 90 days, requests per minute
// for the last hour, and the most downloaded files of the last week.
const DAYS = 90
const MINUTES = 60
const MINUTE_MS = 60_000
const TOP = 5
const TOP_MS = 7 * 86_400_000

/**
 * The figures stored before this process first read `/stats`. `at`: when they were read, in epoch
 * milliseconds.
 */
export interface StatsBefore {
  readonly at: number
  readonly files: number | null
}

export interface StatsRefreshOptions {
  readonly clock: Clock
  readonly journal: Journal
  readonly calls: Calls
  readonly account: AccountState
  readonly identity: Pick<IdentityKeeper, 'explain' | 'on'>
  readonly limits: UploadLimits
  readonly stored: StoredCount
  readonly bus: Pick<Bus, 'wake'>
  readonly stop: AbortSignal
}

export class StatsRefresh {
  readonly #options: StatsRefreshOptions
  #running: Promise<Failure | null> | null = null
  #diagnosing: Promise<boolean> | null = null
  #triedAt = Number.NEGATIVE_INFINITY
  #isRead = false
  #failures = 0
  /**
   * What an earlier process read, null if none did. Undefined until this process has read `/stats` with the
   * current key.
   */
  #before: StatsBefore | null | undefined
  /** When the newest figures were read (epoch milliseconds). */
  #readAt = 0

  constructor(options: StatsRefreshOptions) {
    this.#options = options
    options.identity.on('loaded', () => this.keyChanged())
  }

  isRunning(): boolean {
    return this.#running !== null
  }

  /** Whether `/stats` is being read to explain a refused upload. */
  isDiagnosing(): boolean {
    return this.#diagnosing !== null
  }

  /** Whether this process has read `/stats`. Figures from an earlier process may be outdated. */
  isRead(): boolean {
    return this.#isRead
  }

  /**
   * Milliseconds since the last attempt began or, if it has ended, since then; infinite if there was none
   * with this key.
   */
  sinceTried(): number {
    return this.#options.clock.mono() - this.#triedAt
  }

  /** Number of reads in a row that failed, apart from those that only waited for the rate limit. */
  failures(): number {
    return this.#failures
  }

  /**
   * Makes `failures`, and with it the interval of `lookForConnection`, start over. Call when the user asks
   * the service.
   */
  forgetFailures(): void {
    this.#failures = 0
  }

  /**
   * Call when the key changes, so that attempts with the old key don't count and no caller joins a read that
   * uses the old key.
   */
  keyChanged(): void {
    this.#triedAt = Number.NEGATIVE_INFINITY
    this.#failures = 0
    this.#running = null
    this.#diagnosing = null
    this.#before = undefined
  }

  /**
   * Reads `/stats`, or joins the read in progress. Resolves to null on success. `maxWaitMs`: maximum wait for
   * the rate limit.
   */
  refresh(priority: Priority, maxWaitMs: number): Promise<Failure | null> {
    if (this.#running !== null) return this.#running
    let failure: Failure | null = null
    const reading = this.#read(priority, maxWaitMs).then((read) => (failure = read))
    const running = reading.finally(() => {
      if (this.#running === running) {
        this.#running = null
        if (failure === null) this.#failures = 0
        else if (failure.code !== 'waits') this.#failures++
        // An attempt may take longer than the interval between attempts. If its end didn't count, the next
        // one would begin at once.
        this.#triedAt = this.#options.clock.mono()
      }
      this.#options.bus.wake()
    })
    this.#running = running
    return running
  }

  /**
   * Reads `/stats` to find out whether the service is reachable again. Call when the account's back-off has
   * ended and no other request would be sent. Returns the number of milliseconds after which to call it
   * again; null if a read is in progress.
   */
  lookForConnection(): number | null {
    const { account, clock } = this.#options
    if (this.isRunning()) return null
    // True if a read since the end of the back-off neither proved the service reachable nor failed to
    // connect, for example because of a gateway error or the rate limit. Such a read doesn't prolong the
    // back-off.
    const isUndecided = this.sinceTried() <= clock.now() - (account.outageUntil() ?? 0)
    if (!isUndecided) this.#failures = 0
    const restMs =
      Math.min(LOOK_AGAIN_MS * 2 ** Math.max(0, this.#failures - 1), LOOK_AGAIN_MOST_MS) - this.sinceTried()
    if (isUndecided && restMs > 0) return restMs
    void this.refresh('watched', PERSON_WAIT_MS)
    return null
  }

  /**
   * Reads `/stats` for display. `hasEarlier`: the failure is temporary, and there are earlier figures to
   * show. Resolves to null on success.
   */
  async refreshForPerson(): Promise<{ readonly failure: Failure; readonly hasEarlier: boolean } | null> {
    this.#failures = 0
    const failure = await this.refresh('person', PERSON_WAIT_MS)
    if (failure === null) return null
    return { failure, hasEarlier: this.#options.account.stats() !== null && PASSING.has(failure.code) }
  }

  /**
   * Reads the figures if none are known. Returns only the failures in `LASTING`; after any other failure,
   * returns null although the figures are still unknown.
   */
  async ensureKnown(): Promise<Failure | null> {
    const { account } = this.#options
    if (account.stats() !== null) return null
    const failure = await this.refresh('person', PERSON_WAIT_MS)
    return failure !== null && account.stats() === null && LASTING.has(failure.code) ? failure : null
  }

  /**
   * Reads `/stats` as a control for an answer that may not be the service's, unless that was done at the same
   * moment.
   */
  async control(): Promise<void> {
    if (this.isRunning() || this.sinceTried() >= SAME_MOMENT_MS)
      await this.refresh('person', DIAGNOSIS_WAIT_MS)
  }

  /**
   * Reads `/stats` once for all uploads that were refused at the same time. Returns whether the read
   * succeeded.
   */
  diagnose(): Promise<boolean> {
    if (this.#diagnosing !== null) return this.#diagnosing
    const diagnosing = this.refresh('person', DIAGNOSIS_WAIT_MS)
      .then((failure) => failure === null)
      .finally(() => {
        if (this.#diagnosing === diagnosing) this.#diagnosing = null
      })
    this.#diagnosing = diagnosing
    return diagnosing
  }

  async #read(priority: Priority, maxWaitMs: number): Promise<Failure | null> {
    const { clock, calls, account, limits, stop } = this.#options
    this.#triedAt = clock.mono()
    const tenure = calls.tenure()
    let blocks = account.blocks()
    const got = await calls.run(
      { kind: 'stats', priority, maxWaitMs, signal: stop, proof: true },
      (client, signal) => {
        blocks = account.blocks()
        return client.stats(signal)
      },
    )
    if (tenure.aborted) return ACCOUNT_CHANGED
    const isOlder = blocks !== account.blocks()
    if (!got.ok) {
      return wrongAddressIfNotFound(this.#options.identity.explain(got.failure))
    }
    // A response to a request that was sent before the key was refused doesn't prove that the key is valid.
    // If the block has been lifted since then, repeat the request.
    if (isOlder)
      return account.isBlocked()
        ? this.#options.identity.explain({ kind: 'blocked' })
        : this.#read(priority, maxWaitMs)
    const at = clock.now()
    const known = account.stats()
    if (this.#before === undefined)
      this.#before = known === null ? null : { at: known.at, files: limits.quota().totalFiles }
    account.setStats(got.value, at)
    limits.setStats(got.value, at)
    this.#options.stored.statsRead()
    this.#readAt = at
    this.#keep(got.value, at, tenure)
    return null
  }

  /**
   * Stores the figures for the next process. After a failure, for example on a full disk, retries until newer
   * figures have been read, the account changes or the engine stops. The caller doesn't wait for the retries.
   */
  #keep(stats: Stats, at: number, tenure: AbortSignal): void {
    const { clock, journal, limits, stop } = this.#options
    const { db, remote } = journal
    if (tenure.aborted || stop.aborted || at !== this.#readAt) return
    try {
      if (!this.#isRead) this.#noteUnknownFiles()
      this.#isRead = true
      db.tx(() => {
        remote.facts.set('stats', JSON.stringify({ at, stats }))
        remote.setStored(localDay(at), limits.quota().totalFiles, limits.quota().totalSize)
      })
    } catch (error) {
      journal.failed(error)
      clock.after(KEEP_RETRY_MS, () => this.#keep(stats, at, tenure))
    }
  }

  /** Opens a gap if the service has gained files that this journal doesn't account for. */
  #noteUnknownFiles(): void {
    if (this.#before == null) return
    const { at, files } = this.#before
    const { transfers, likes, past, openedAt, remote } = this.#options.journal
    const after = this.#options.limits.quota().totalFiles
    if (hasUnknownFiles(files, after, transfers.uploadsSince(at), likes.goneSince(at)))
      past.open('more-files', openedAt, missingPart(remote.facts))
  }
}

// Counts the files and bytes that the service holds, from `/stats` or the last complete list, whichever is
// newer, adjusted by what this process has sent or deleted since then. Until this process has read either, the
// files that the journal knows count, because an earlier process may have sent some after its last reading.
// Unknown figures stay null.

/** Number of files and bytes sent, less those deleted. */
interface Drift {
  readonly files: number
  readonly bytes: number
}

/** The files of the service that the journal knows. `size`: in the service's unit, null if unknown. */
interface Known {
  readonly files: number
  readonly size: number | null
}

export class StoredCount {
  readonly #limits: Pick<UploadLimits, 'unit' | 'quota'>
  readonly #account: Pick<AccountState, 'stats'>
  readonly #facts: Pick<Facts, 'get'>
  readonly #countKnown: () => Known | null
  /** What the journal knew before this process read anything; null if that hasn't been counted. */
  #known: Known | null = null
  #hasRead = false
  #sinceStats = NO_DRIFT
  #sinceList = NO_DRIFT

  constructor(
    limits: Pick<UploadLimits, 'unit' | 'quota'>,
    account: Pick<AccountState, 'stats'>,
    facts: Pick<Facts, 'get'>,
    countKnown: () => Known | null = () => null,
  ) {
    this.#limits = limits
    this.#account = account
    this.#facts = facts
    this.#countKnown = countKnown
  }

  uploaded(bytes: number): void {
    this.#add(1, bytes)
  }

  /** Counts a deleted file. `size`: in the service's unit, null if unknown. */
  removed(size: number | null): void {
    this.#add(-1, -(this.#bytes(size) ?? 0))
  }

  /** Resets what was sent and deleted since `/stats` was read. Call after each read. */
  statsRead(): void {
    this.#hasRead = true
    this.#sinceStats = NO_DRIFT
  }

  /** Resets what was sent and deleted since the whole list was read. Call after each complete read. */
  listed(): void {
    this.#hasRead = true
    this.#sinceList = NO_DRIFT
  }

  view(): Snapshot['stored'] {
    const read = this.#account.stats()
    const listed = this.#facts.get('catalog-held')
    const { totalFiles, totalSize } = this.#limits.quota()
    const byList = listed !== null && (read === null || totalFiles === null || listed.at > read.at)
    if (!this.#hasRead && (byList || totalFiles !== null)) {
      const known = this.#knownBefore()
      if (known !== null && (byList || known.files > (totalFiles ?? 0)))
        return withDrift(known.files, byList ? this.#bytes(known.size) : null, this.#sinceList)
    }
    return byList
      ? withDrift(listed.files, this.#bytes(listed.size), this.#sinceList)
      : withDrift(totalFiles, this.#bytes(totalSize), this.#sinceStats)
  }

  /** Counts once, because the journal may know 100,000 files; what is sent from then on is added. */
  #knownBefore(): Known | null {
    if (this.#known === null) {
      this.#known = this.#countKnown()
      this.#sinceList = NO_DRIFT
    }
    return this.#known
  }

  #add(files: number, bytes: number): void {
    const add = (drift: Drift): Drift => ({ files: drift.files + files, bytes: drift.bytes + bytes })
    this.#sinceStats = add(this.#sinceStats)
    this.#sinceList = add(this.#sinceList)
  }

  #bytes(size: number | null): number | null {
    const unit = this.#limits.unit()
    return size === null || unit === null ? null : size * unitBytes[unit]
  }
}

function withDrift(files: number | null, bytes: number | null, drift: Drift): Snapshot['stored'] {
  return {
    files: files === null ? null : Math.max(0, files + drift.files),
    bytes: bytes === null ? null : Math.max(0, bytes + drift.bytes),
  }
}

interface HistoryOptions {
  readonly db: Database
  readonly ids: Pick<FileIds, 'shown'>
  readonly remote: Remote
  readonly now: number
  /**
   * The pacer's time minus the wall-clock time, in milliseconds. The rows of the table `requests` use the
   * pacer's time.
   */
  readonly paceOffset: number
  /** Number of bytes in the unit of the service's sizes; null if unknown. */
  readonly unitBytes: number | null
}

export function readHistory(o: HistoryOptions): History {
  const names = lastDays(o.now, DAYS)
  const known = new Map(o.remote.usage(names[0] ?? '').map((day) => [day.day, day]))
  const days = names.map((day) => {
    const row = known.get(day)
    return {
      day,
      uploads: row?.uploads ?? 0,
      bytes: row?.bytes ?? 0,
      requests: row?.requests ?? 0,
      downloads: row?.downloads ?? 0,
      storedFiles: row?.storedFiles ?? null,
      storedBytes: row?.storedSize == null || o.unitBytes === null ? null : row.storedSize * o.unitBytes,
    }
  })
  const top = o.remote.mostDownloaded(o.now - TOP_MS, TOP).map(({ fileId, gained }) => {
    const row = o.remote.row(fileId)
    return {
      fileId: o.ids.shown(fileId),
      filename: row?.filename ?? null,
      gained,
      total: row?.downloadCount ?? null,
      pulse: [...(row?.pulse ?? [])],
    }
  })
  return { days, minutes: minutes(o), top }
}

function minutes(o: HistoryOptions): History['minutes'] {
  const first = (Math.floor(o.now / MINUTE_MS) - (MINUTES - 1)) * MINUTE_MS
  const list = Array.from({ length: MINUTES }, (_, i) => ({ at: first + i * MINUTE_MS, requests: 0 }))
  const from = first + o.paceOffset
  const rows = o.db.all(
    'SELECT CAST((at - ?) / 60000 AS INTEGER) AS minute, count(*) AS n FROM requests WHERE at >= ? GROUP BY minute',
    from,
    from,
  )
  for (const row of rows) {
    // After a correction of the pacer's time, rows may lie slightly in the future. Those count towards the
    // last minute.
    const item = list[Math.min(MINUTES - 1, number(row, 'minute'))]
    if (item !== undefined) item.requests += number(row, 'n')
  }
  return list
}

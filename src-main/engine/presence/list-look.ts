// Looks up all unconfirmed uploads with one read of the newest part of the list. Can also request single
// files by ID, because the list may lag. Learns how much it lags.
import type { RemoteFile } from '../../api/types.ts'
import type { RecentReceipt } from '../journal/doubts.ts'
import { isFormer, isOtherFile, type Remote } from '../journal/remote-list.ts'
import { walkList } from '../remote/list-pages.ts'
import { isGone } from '../remote/requests.ts'
import type { Shared } from './adoption.ts'
import {
  type AbsenceEvidence,
  idsToAsk,
  type ListLag,
  MOST_ASKED,
  NO_LAG,
  type Witnesses,
} from './evidence.ts'
import type { Listed, LostUpload } from './match.ts'

/** Only uploads confirmed within this time are used to check how current the list is. */
const WITNESS_MS = 10 * 60_000
/** A confirmed upload that is still missing after this time was probably deleted by someone else. */
const MISSING_MOST_MS = 2 * 60_000
const WITNESSES = 64
/** How long a `/stats` request may wait for the rate limit. */
const COUNT_WAIT_MS = 1000
/** Once this many uploads are remembered, all are forgotten. */
const SEEN_MOST = 1000

/**
 * The result of requesting one file: its fields, `absent` if it doesn't exist, or `unknown` if the response
 * doesn't show which.
 */
export type SingleAnswer = Listed | 'absent' | 'unknown'

/**
 * Whether a file was known before the intent numbered `mark`. Compares numbers rather than times: after a
 * clock change, a file could look older than its own upload, and would be sent again.
 */
export function wasBefore(
  remote: Pick<Remote, 'get'>,
  file: Pick<Listed, 'fileId' | 'publicLink'>,
  mark: number | null,
): boolean {
  const known = remote.get(file.fileId)
  return mark !== null && known !== null && known.firstMark < mark && !isOtherFile(known, file.publicLink)
}

interface LookOptions {
  readonly files: readonly Listed[]
  readonly shown: ReadonlySet<number>
  /** Whether the whole list was read. */
  readonly isWhole: boolean
  /** Whether the list may hold files that it didn't show (`Walk.repeats`, `Walk.isPartial`). */
  readonly isBlind: boolean
  /** See `Witnesses`. */
  readonly withinMs: number | null
}

export class ListLook {
  readonly #options: Shared
  readonly #lister: Pick<Lister, 'singleShown'>
  readonly #look: LookOptions
  readonly #fresh: readonly Listed[]
  readonly #answers = new Map<number, SingleAnswer>()
  /**
   * How late the list shows files, as learned so far; NO_LAG if the list may never show the file that is
   * looked for.
   */
  readonly lag: ListLag
  #counts: Promise<AbsenceEvidence['counts']> | null = null

  constructor(options: Shared, lister: Pick<Lister, 'singleShown'>, look: LookOptions) {
    this.#options = options
    this.#lister = lister
    this.#look = look
    this.lag = look.isBlind ? NO_LAG : options.habits.lag
    this.#fresh = look.files.filter((file) => options.remote.get(file.fileId) === null)
  }

  get files(): readonly Listed[] {
    return this.#look.files
  }

  /**
   * Counts recently confirmed uploads that were sent after the lost one, and returns how soon lists have
   * shown uploads. A missing upload counts only until `MISSING_MOST_MS` after its confirmation. `mark`: the
   * lost upload's `intentMark`. Both counts are 0 if `mark` is null or if the list may never show the lost
   * upload (`isBlind`), because then they would prove nothing.
   */
  witnesses(mark: number | null): Witnesses {
    const { doubts, ports } = this.#options
    const look = this.#look
    const now = ports.clock.now()
    let shown = 0
    let missing = 0
    for (const receipt of doubts.receipts(now - WITNESS_MS, WITNESSES)) {
      if (look.isBlind || mark === null || receipt.mark === null || receipt.mark <= mark) continue
      if (look.shown.has(receipt.fileId)) shown++
      else if (now - receipt.doneAt < MISSING_MOST_MS) missing++
    }
    return { shown, missing, withinMs: look.withinMs }
  }

  /**
   * Requests the IDs that the upload's file could have. `others` are IDs already found to belong to other
   * files. If none of the returned files is the upload, add their IDs to `others` and call again, because the
   * upload may have got a higher ID. `isEmpty`: the service answered for every ID, so it shows no file that
   * isn't in `found`.
   */
  async askIds(
    lost: LostUpload,
    underWay: number,
    others: ReadonlySet<number>,
    signal: AbortSignal,
  ): Promise<{ readonly found: readonly Listed[]; readonly isEmpty: boolean }> {
    const { doubts, ports } = this.#options
    const receipts = doubts.receipts(0, WITNESSES)
    const [control] = receipts
    const ids = idsToAsk(
      new Set([...this.#look.shown, ...receipts.map(({ fileId }) => fileId), ...others]),
      lost.above,
      underWay,
    )
    if (ids === null || control === undefined || ids.length + others.size > MOST_ASKED)
      return { found: [], isEmpty: false }
    // A 404 or 410 counts only if the service answers for an existing file.
    const proof = await this.single(control.fileId, signal)
    if (typeof proof === 'string') return { found: [], isEmpty: false }
    this.#lister.singleShown(control)
    const found: Listed[] = []
    let isEmpty = true
    for (const id of ids) {
      const answer = await this.single(id, signal)
      if (answer === 'unknown') isEmpty = false
      else if (answer !== 'absent') found.push(answer)
    }
    ports.log.info('reconcile.ids', { id: lost.rowId, asked: ids.length, found: found.length })
    return { found, isEmpty }
  }

  /**
   * Whether `/stats` counts as many files as the list shows; `unknown` unless the whole list was read. Asks
   * at most once per lookup.
   */
  counts(): Promise<AbsenceEvidence['counts']> {
    this.#counts ??= this.#look.isWhole
      ? this.#options.stats.refresh('watched', COUNT_WAIT_MS).then((failure) => {
          const count = failure === null ? this.#options.limits.quota().totalFiles : null
          return count === null ? 'unknown' : count === this.files.length ? 'agree' : 'differ'
        })
      : Promise.resolve('unknown')
    return this.#counts
  }

  /** Requests one file by its ID, at most once per lookup. */
  async single(fileId: number, signal: AbortSignal): Promise<SingleAnswer> {
    let answer = this.#answers.get(fileId)
    if (answer === undefined) {
      const got = await this.#options.catalog.file(fileId, 'watched', signal)
      if (got.ok) answer = { ...got.value, fileId }
      // A 404 or 410 for an ID that the list has just shown doesn't prove absence. The service may not
      // support requests for single files.
      else answer = isGone(got.failure) && !this.#look.shown.has(fileId) ? 'absent' : 'unknown'
      this.#answers.set(fileId, answer)
    }
    return answer
  }

  /**
   * Returns the file with the fields that the list omitted, as far as the catalog knows them or `mayAsk` lets
   * the service be asked. If they can't be requested, the file is unchanged, because that failure doesn't
   * rule it out. `isAsked`: whether the service was asked.
   */
  async filled(
    file: Listed,
    mayAsk: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly file: Listed; readonly isAsked: boolean }> {
    const known = merged(file, this.#options.remote.get(file.fileId))
    if ((known.filename !== null && known.size !== null && known.publicLink !== null) || !mayAsk)
      return { file: known, isAsked: false }
    const answer = await this.single(file.fileId, signal)
    return { file: typeof answer === 'string' ? file : merged(answer, file), isAsked: true }
  }

  /**
   * Stores the files that were unknown before this lookup. Call after all decisions, because they depend on
   * which files are new.
   */
  remember(): void {
    const { db, remote, ports } = this.#options
    db.tx(() => {
      for (const file of this.#fresh) remote.put(file, ports.clock.now(), false)
      if (this.#look.isWhole) remote.noteFirstList()
    })
  }
}

/** The fields of `file`, and of `other` where they are missing. */
function merged(file: Listed, other: RemoteFile | null): Listed {
  return {
    fileId: file.fileId,
    filename: file.filename ?? other?.filename ?? null,
    size: file.size ?? other?.size ?? null,
    uploadDate: file.uploadDate ?? other?.uploadDate ?? null,
    downloadCount: file.downloadCount ?? other?.downloadCount ?? null,
    publicLink: file.publicLink ?? other?.publicLink ?? null,
  }
}

export class Lister {
  readonly #options: Shared
  /**
   * For each recent upload, by file ID: its ages in milliseconds when a list last lacked it, and when a list
   * first showed it.
   */
  readonly #seen = new Map<number, { missedMs: number | null; shownMs: number | null }>()
  #singleWithinMs: number | null = null

  constructor(options: Shared) {
    this.#options = options
  }

  /**
   * Reads the list back to files that were known before the intent `mark`, or completely if `mark` is null.
   * Returns `shifted` if the list changed while it was being read, so that files may be missing.
   */
  async look(mark: number | null, signal: AbortSignal): Promise<ListLook | 'failed' | 'shifted'> {
    const { remote, ports, catalog, limits } = this.#options
    const result = await walkList({
      fetch: async (page, limit) => {
        const got = await catalog.list(page, limit, 'watched', signal)
        if (got.ok) return got
        const { failure } = got
        return {
          ok: false,
          failure:
            failure.kind === 'api'
              ? failure.failure
              : { kind: 'aborted', phase: 'unsent', message: failure.kind },
        }
      },
      habits: catalog.habits(),
      isKnown: ({ fileId, publicLink }) => fileId !== null && wasBefore(remote, { fileId, publicLink }, mark),
    })
    if (!result.ok) {
      ports.log.warn('reconcile.list', { why: result.failure.message })
      return 'failed'
    }
    const { walk } = result
    catalog.setHabits(walk.habits)
    if (!walk.recentComplete) return 'shifted'
    const files = walk.files.filter((file): file is Listed => file.fileId !== null)
    await this.#replaceFormer(files, signal)
    // Learn the time zone from our uploads before judging any date by it.
    for (const file of files) if (file.uploadDate !== null) limits.learnDate(file.fileId, file.uploadDate)
    const shown = new Set(files.map((file) => file.fileId))
    const withinMs = this.#learnLag(shown, mark)
    return new ListLook(this.#options, this, {
      files,
      shown,
      isWhole: walk.complete,
      isBlind: walk.repeats || walk.isPartial,
      withinMs,
    })
  }

  /**
   * The lowest age in milliseconds at which a request for a single file showed one of our uploads; null if
   * none did yet.
   */
  get singleWithinMs(): number | null {
    return this.#singleWithinMs
  }

  /** Call when a request for a single file has shown this upload. */
  singleShown({ doneAt, adopted }: RecentReceipt): void {
    const age = this.#options.ports.clock.now() - doneAt
    if (!adopted && age >= 0) this.#singleWithinMs = Math.min(age, this.#singleWithinMs ?? age)
  }

  reset(): void {
    this.#singleWithinMs = null
    this.#seen.clear()
  }

  /**
   * Stores files that reuse the ID of a deleted file. This must happen before any file is judged. Otherwise,
   * the cached hash or queued deletion of the deleted file would be applied to the new one.
   */
  async #replaceFormer(files: readonly Listed[], signal: AbortSignal): Promise<void> {
    const { db, remote, ports, catalog } = this.#options
    const former = files.filter((file) => isFormer(remote.get(file.fileId), file))
    if (former.length === 0) return
    const beside = await catalog.beside(former, signal)
    const reused = former.filter((file) => !beside.has(file))
    db.tx(() => {
      for (const file of reused) remote.put(file, ports.clock.now(), false)
    })
  }

  /**
   * Learns from our recent uploads how late this list is. Returns the lowest age at which a list first showed
   * one of them; null if none was shown yet.
   */
  #learnLag(shown: ReadonlySet<number>, mark: number | null): number | null {
    const { doubts, remote, habits, ports } = this.#options
    const now = ports.clock.now()
    const inTime: number[] = []
    const late: number[] = []
    let lowest: number | null = null
    if (this.#seen.size > SEEN_MOST) this.#seen.clear()
    for (const { fileId, doneAt, adopted } of doubts.receipts(now - WITNESS_MS, WITNESSES)) {
      const age = now - doneAt
      // After a clock rollback, the age is unknown.
      if (adopted || age < 0) continue
      const seen = this.#seen.get(fileId) ?? { missedMs: null, shownMs: null }
      this.#seen.set(fileId, seen)
      if (shown.has(fileId)) seen.shownMs ??= age
      if (seen.shownMs !== null) lowest = Math.min(seen.shownMs, lowest ?? seen.shownMs)
      // Files known before the mark prove nothing, because the list may not have been read back far enough to
      // show them.
      if (mark !== null && wasBefore(remote, { fileId, publicLink: null }, mark)) continue
      if (!shown.has(fileId)) seen.missedMs = age
      else if (seen.missedMs === null) inTime.push(age)
      else {
        late.push(seen.missedMs)
        seen.missedMs = null
      }
    }
    habits.learnLag(inTime, late)
    return lowest
  }
}

// Looks up all unconfirmed uploads at once: reads the newest part of the list, finds out which of our uploads it shows, and requests single
// IDs, in case the list lags. Also learns how much the list lags.
import { isOtherFile } from '../journal/catalog-rows.ts'
import type { Remote } from '../journal/remote.ts'
import type { FetchPage } from '../remote/list-pages.ts'
import { walkList } from '../remote/list-walk.ts'
import { type AbsenceEvidence, idsToAsk, type ListLag, MOST_ASKED, NO_LAG, type Witnesses } from './absence.ts'
import type { Listed, LostUpload, ReconcilerOptions } from './lost-upload.ts'

/** Maximum age of the confirmed uploads that are looked up in the list to check how current it is, and to measure its lag. */
const WITNESS_MS = 10 * 60_000
/** An upload that is missing for longer than this was probably deleted by someone else. */
const MISSING_MOST_MS = 2 * 60_000
const WITNESSES = 64

/** The answer about one file: its fields, `absent` if it doesn't exist, or `unknown` if the response doesn't show which. */
export type SingleAnswer = Listed | 'absent' | 'unknown'

/**
 * Whether a file was known before the intent with this number. Times aren't compared: if the clock was changed in between, a file could
 * look older than its upload, which would then be sent again.
 */
export function wasBefore(remote: Pick<Remote, 'get'>, file: Pick<Listed, 'fileId' | 'publicLink'>, mark: number | null): boolean {
  const known = remote.get(file.fileId)
  return mark !== null && known !== null && known.firstMark < mark && !isOtherFile(known, file.publicLink)
}

export class ListLook {
  readonly files: readonly Listed[]
  readonly #options: ReconcilerOptions
  readonly #shown: ReadonlySet<number>
  readonly #fresh: readonly Listed[]
  readonly #answers = new Map<number, SingleAnswer>()
  readonly #isWhole: boolean
  readonly #isBlind: boolean
  /** How late the list shows files, as learned so far; NO_LAG if the list may never show the file that is looked for. */
  readonly lag: ListLag
  readonly #withinMs: number | null
  #counts: Promise<AbsenceEvidence['counts']> | null = null

  /**
   * `isWhole`: the whole list was read. `isBlind`: the list may hold files that it didn't show (`Walk.repeats`, `Walk.isPartial`).
   * `withinMs`: see `Witnesses`.
   */
  constructor(
    options: ReconcilerOptions,
    files: readonly Listed[],
    { isWhole, isBlind, withinMs }: { readonly isWhole: boolean; readonly isBlind: boolean; readonly withinMs: number | null },
  ) {
    this.#options = options
    this.#isWhole = isWhole
    this.#isBlind = isBlind
    this.lag = isBlind ? NO_LAG : options.habits.lag
    this.#withinMs = withinMs
    this.files = files
    this.#shown = new Set(files.map((file) => file.fileId))
    this.#fresh = files.filter((file) => options.remote.get(file.fileId) === null)
  }

  /**
   * Evidence of how current this list is, for an upload that was sent at `mark` (its `intentMark`). An upload that is missing counts only
   * until `MISSING_MOST_MS` after its confirmation. Both counts are 0 if `mark` is null, or if the list may never show the lost upload
   * (`isBlind`), because then they prove nothing.
   */
  witnesses(mark: number | null): Witnesses {
    const { doubts, ports } = this.#options
    const now = ports.clock.now()
    let shown = 0
    let missing = 0
    for (const receipt of doubts.receipts(now - WITNESS_MS, WITNESSES)) {
      if (this.#isBlind || mark === null || receipt.mark === null || receipt.mark <= mark) continue
      if (this.#shown.has(receipt.fileId)) shown++
      else if (now - receipt.doneAt < MISSING_MOST_MS) missing++
    }
    return { shown, missing, withinMs: this.#withinMs }
  }

  /**
   * Requests the IDs that the file could have if those in `others` belong to other files. If none of the files found is the upload, add
   * their IDs to `others` and call again: another client may have uploaded them just before, so that the upload got a higher ID. `isEmpty`:
   * the service answered for all of the IDs, so the file is in `found` or doesn't exist.
   */
  async askIds(
    lost: LostUpload,
    underWay: number,
    others: ReadonlySet<number>,
    signal: AbortSignal,
  ): Promise<{ readonly found: readonly Listed[]; readonly isEmpty: boolean }> {
    const { doubts, ports } = this.#options
    const receipts = doubts.receipts(0, WITNESSES).map((receipt) => receipt.fileId)
    const [control] = receipts
    const ids = idsToAsk(new Set([...this.#shown, ...receipts, ...others]), lost.above, underWay)
    if (ids === null || control === undefined || ids.length + others.size > MOST_ASKED) return { found: [], isEmpty: false }
    // A 404 counts only if the service has answered for an existing file.
    const proof = await this.single(control, signal)
    if (typeof proof === 'string') return { found: [], isEmpty: false }
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

  /** Whether `/stats` counts as many files as the list shows. Requested once per lookup, and only if the whole list was read. */
  counts(): Promise<AbsenceEvidence['counts']> {
    this.#counts ??= this.#isWhole
      ? this.#options.countFiles().then((count) => (count === null ? 'unknown' : count === this.files.length ? 'agree' : 'differ'))
      : Promise.resolve('unknown')
    return this.#counts
  }

  /** Requests one file by its ID, at most once per lookup. */
  async single(fileId: number, signal: AbortSignal): Promise<SingleAnswer> {
    let answer = this.#answers.get(fileId)
    if (answer === undefined) {
      const got = await this.#options.file(fileId, signal)
      if (got.ok) answer = { ...got.value, fileId }
      else {
        const isStatus = got.failure.kind === 'api' && got.failure.failure.kind === 'status'
        const status = isStatus && got.failure.kind === 'api' && got.failure.failure.kind === 'status' ? got.failure.failure.status : 0
        // A 404 for an ID that the list has just shown means that the service doesn't answer for single files.
        answer = status === 404 && !this.#shown.has(fileId) ? 'absent' : 'unknown'
      }
      this.#answers.set(fileId, answer)
    }
    return answer
  }

  /** Stores new files. Call after the decisions, because a file that is new in this lookup may be the one that was looked for. */
  remember(): void {
    const { db, remote, ports } = this.#options
    db.tx(() => {
      for (const file of this.#fresh) remote.put(file, ports.clock.now(), false)
    })
  }
}

export class Lister {
  readonly #options: ReconcilerOptions
  /** Ages in milliseconds at which our uploads were last missing from the list, by ID. */
  readonly #missing = new Map<number, number>()
  /** Ages in milliseconds at which the list first showed our uploads, by ID. */
  readonly #firstShown = new Map<number, number>()

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  /**
   * Reads the list back to the files that were known before the intent `mark` (null: completely). `shifted`: the list changed while it was
   * being read, so files may be missing.
   */
  async look(mark: number | null, signal: AbortSignal): Promise<ListLook | 'failed' | 'shifted'> {
    const { remote, ports, listHabits, setListHabits, learnDate } = this.#options
    const result = await walkList({
      fetch: this.#fetchPage(signal),
      habits: listHabits(),
      isKnown: ({ fileId, publicLink }) => fileId !== null && wasBefore(remote, { fileId, publicLink }, mark),
    })
    if (!result.ok) {
      ports.log.warn('reconcile.list', { why: result.failure.message })
      return 'failed'
    }
    setListHabits(result.walk.habits)
    if (!result.walk.recentComplete) return 'shifted'
    const files = result.walk.files.filter((file): file is Listed => file.fileId !== null)
    this.#replaceFormer(files)
    // Learn the time zone from our uploads before judging any date by it.
    for (const file of files) if (file.uploadDate !== null) learnDate(file.fileId, file.uploadDate)
    const shown = new Set(files.map((file) => file.fileId))
    this.#learnLag(shown, mark)
    const { complete, repeats, isPartial } = result.walk
    return new ListLook(this.#options, files, {
      isWhole: complete,
      isBlind: repeats || isPartial,
      withinMs: this.#withinMs(shown),
    })
  }

  reset(): void {
    this.#missing.clear()
    this.#firstShown.clear()
  }

  /** Records the ages of the uploads that this list is the first to show, and returns the lowest of all recent ones. */
  #withinMs(shown: ReadonlySet<number>): number | null {
    const { doubts, ports } = this.#options
    const now = ports.clock.now()
    let lowest: number | null = null
    for (const { fileId, doneAt, adopted } of doubts.receipts(now - WITNESS_MS, WITNESSES)) {
      // If the clock was set back, the age is unknown.
      if (adopted || now < doneAt) continue
      if (shown.has(fileId) && !this.#firstShown.has(fileId)) this.#firstShown.set(fileId, now - doneAt)
      const age = this.#firstShown.get(fileId)
      if (age !== undefined) lowest = Math.min(age, lowest ?? age)
    }
    if (this.#firstShown.size > 1000) this.#firstShown.clear()
    return lowest
  }

  /**
   * Stores files that got the ID of a deleted file, before anything is decided about them. Otherwise, the cached hash or queued deletion of
   * the deleted file would be applied to the new one.
   */
  #replaceFormer(files: readonly Listed[]): void {
    const { db, remote, ports } = this.#options
    const reused = files.filter((file) => isOtherFile(remote.get(file.fileId), file.publicLink))
    if (reused.length === 0) return
    db.tx(() => {
      for (const file of reused) remote.put(file, ports.clock.now(), false)
    })
  }

  #fetchPage(signal: AbortSignal): FetchPage {
    return async (page, limit) => {
      const got = await this.#options.list(page, limit, signal)
      if (got.ok) return got
      const { failure } = got
      return {
        ok: false,
        failure: failure.kind === 'api' ? failure.failure : { kind: 'aborted', phase: 'unsent', message: failure.kind },
      }
    }
  }

  #learnLag(shown: ReadonlySet<number>, mark: number | null): void {
    const { doubts, remote, habits, ports } = this.#options
    const now = ports.clock.now()
    const inTime: number[] = []
    const late: number[] = []
    for (const { fileId, doneAt, adopted } of doubts.receipts(now - WITNESS_MS, WITNESSES)) {
      if (adopted) continue
      // Files known before the mark prove nothing, because the list may not have been read back far enough to show them.
      if (mark !== null && wasBefore(remote, { fileId, publicLink: null }, mark)) continue
      const age = Math.max(0, now - doneAt)
      const missedAt = this.#missing.get(fileId)
      if (!shown.has(fileId)) this.#missing.set(fileId, age)
      else if (missedAt === undefined) inTime.push(age)
      else {
        late.push(missedAt)
        this.#missing.delete(fileId)
      }
    }
    habits.learnLag(inTime, late)
    if (this.#missing.size > 1000) this.#missing.clear()
  }
}

// Handles duplicates of our own uploads. They arise when a lost upload is sent again and the first copy turns up after all. The copy that
// belongs to the transfer stays. The other one is deleted, but only if no one else was ever seen writing to this account.
import type { OpenDoubt } from '../journal/doubts.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { type Candidates, ofDoubt } from './candidates.ts'
import type { ListLook } from './list-look.ts'
import { byLikelihood, type Listed, type LostUpload, shownAt } from './match.ts'
import type { ReconcilerOptions } from './room.ts'

/** Delays between lookups while a duplicate may still turn up. */
const LOOKS_MS = [15_000, 60_000, 300_000, 900_000, 3_600_000, 6 * 3_600_000, 12 * 3_600_000] as const
/** Maximum number of doubts per lookup. Any others that are due follow in the next one. */
const MOST_DUE = 500
/** Maximum number of candidates to download per doubt and lookup. */
const MOST_READ = 8
/** A file was stored late if its date is later than its request by more than this. */
const STORED_LATE_MS = 3000

type Adopt = (row: TransferRow, lost: LostUpload, file: Listed, sha256: string) => Promise<unknown>

export class Twins {
  readonly #options: ReconcilerOptions
  readonly #candidates: Candidates
  readonly #adopt: Adopt

  constructor(options: ReconcilerOptions, candidates: Candidates, adopt: Adopt) {
    this.#options = options
    this.#candidates = candidates
    this.#adopt = adopt
  }

  due(now: number): readonly OpenDoubt[] {
    return this.#options.doubts.due(now, MOST_DUE)
  }

  async heal(open: readonly OpenDoubt[], look: ListLook, signal: AbortSignal): Promise<void> {
    const { db, doubts, ports } = this.#options
    for (const doubt of open) {
      if (signal.aborted) return
      await this.#healOne(doubt, look, signal)
      if (signal.aborted) return
      const now = ports.clock.now()
      const pause = LOOKS_MS[Math.min(doubt.looks, LOOKS_MS.length - 1)] ?? 0
      // A doubt is dropped only after a lookup at or after its end, because it may have expired while no engine was running.
      db.tx(() => (now >= doubt.until ? doubts.drop(doubt.id) : doubts.looked(doubt.id, Math.min(now + pause, doubt.until))))
    }
  }

  async #healOne(doubt: OpenDoubt, look: ListLook, signal: AbortSignal): Promise<void> {
    const { transfers, habits, doubts, links } = this.#options
    const row = transfers.get(doubt.transferId)
    // While an upload is in flight or unconfirmed, its own answer or lookup determines which file belongs to it.
    if (row === null || row.state === 'uploading' || row.state === 'unknown') return
    const sha256 = doubt.sha256 ?? (row.size === doubt.size ? row.sha256 : null)
    if (sha256 === null) return
    const lost = ofDoubt(doubt)
    const mayBe = (file: Listed): boolean => this.#candidates.judge(lost, file, -1) !== 'no'
    const possible = look.files.filter((file) => file.fileId !== row.fileId && mayBe(file) && !doubts.isTwin(file.fileId))
    for (const file of byLikelihood(possible, lost.name, habits.names).slice(0, MOST_READ)) {
      const { file: whole } = await look.filled(file, true, signal)
      const got = await links.bytes(whole, lost.size, signal)
      if (signal.aborted) return
      // Judge the file again, because another transfer may have adopted it while it was being read.
      if (typeof got !== 'object' || got.sha256 !== sha256 || !mayBe(whole)) continue
      // If another upload of these bytes is pending, this file may belong to it.
      if (doubts.isAwaited(sha256, lost.size, row.id)) return
      this.#learn(doubt, whole)
      const now = transfers.get(row.id)
      if (now !== null && mayAdopt(now, doubt, sha256)) return void (await this.#adopt(now, lost, whole, sha256))
      if (now !== null && now.state !== 'uploading' && now.state !== 'unknown') this.#settle(now, whole, doubt)
    }
  }

  /** Deletes a duplicate, or leaves it if it may be someone else's file. */
  #settle(row: TransferRow, file: Listed, { openedAt }: OpenDoubt): void {
    const { db, doubts, discard, remote, ports } = this.#options
    const { fileId } = file
    db.tx(() => {
      // The duplicate is recorded first, so that it isn't mistaken for another writer's file.
      doubts.noteTwin(fileId, row.id, 'left', ports.clock.now())
      remote.put(file, ports.clock.now(), false)
      const isDeleted = !this.#candidates.wereOthers() && discard(fileId, row.state === 'cancelled' ? 'cancelled' : 'twin', openedAt)
      if (isDeleted) doubts.noteTwin(fileId, row.id, 'deleted', ports.clock.now())
      ports.log.warn('reconcile.twin', { id: row.id, fileId, isDeleted })
    })
    this.#options.changed(row.id)
  }

  /** Learns from a late file how long the service took to store or list it. */
  #learn(doubt: OpenDoubt, file: Listed): void {
    const { limits, habits, ports } = this.#options
    const date = shownAt(file.uploadDate, limits.zone())
    const delayMs = date === null || doubt.server === null ? null : date.at - doubt.server
    if (delayMs === null) habits.learnDelay(Math.max(0, ports.clock.now() - doubt.openedAt))
    else if (delayMs > STORED_LATE_MS) habits.learnDelay(delayMs)
    else habits.learnLag([], [Math.max(1, ports.clock.now() - doubt.openedAt)])
  }
}

/**
 * Whether the row can adopt the file. The row must have the same version and not be cancelled, and must be waiting to be sent again or held
 * because the outcome of its upload is unknown.
 */
function mayAdopt(row: TransferRow, doubt: OpenDoubt, sha256: string): boolean {
  // When a newer version replaces the one that was sent, setVersion clears intentMark and sha256. A newer version that has been sent since
  // then is recognized by its size, or by its hash once that is known.
  if (row.cancel || row.intentMark === null || row.size !== doubt.size || (row.sha256 !== null && row.sha256 !== sha256)) return false
  if (row.state === 'held') return row.reason === 'unconfirmed' || row.reason === 'ambiguous'
  return row.state === 'queued' || row.state === 'waiting'
}

// Decides which files are reported together, and when. A drop is reported when it ends; files in watched
// folders are reported in bursts. The class has no clock: the caller passes in events and the time, in
// chronological order.
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { NoticeEvent } from './notice-types.ts'
import { type Delivery, type End, endOf } from './report-words.ts'

const MINUTE_MS = 60_000
/**
 * A burst ends when no file has been uploaded, held or failed for this long, and no more are expected
 * (`isMoving`).
 */
const QUIET_MS = 3000
/**
 * After this time, a burst is reported at the next quiet moment (`QUIET_MS`), even if more files are still
 * being uploaded.
 */
const BURST_MOST_MS = 60 * MINUTE_MS
/**
 * If the whole account has to wait longer than this, a burst is reported without the files that are still
 * waiting.
 */
const LONG_PAUSE_MS = 2 * MINUTE_MS
/** How long reported files are remembered, so that a repeated event doesn't report them twice. */
const REMEMBERED_MS = 10 * MINUTE_MS

interface Burst {
  readonly ends: Map<number, End>
  readonly firstAt: number
  lastAt: number
}

export class Deliveries {
  /**
   * By transfer ID, the latest drop that contains the file. Drops follow their files themselves
   * (intake/upload-batches.ts), so no burst reports these.
   */
  readonly #owners = new Map<number, number>()
  /** The files of drops that haven't finished. */
  readonly #open = new Set<number>()
  #burst: Burst | null = null
  /** Transfer IDs of the files in watched folders whose links are on the clipboard. */
  #copied: ReadonlySet<number> = new Set()
  #count = 0
  /** Recently reported files, oldest first. */
  readonly #reported = new Map<number, { readonly at: number; readonly kind: End['kind'] }>()

  forgetOld(now: number): void {
    for (const [id, { at }] of this.#reported) {
      if (now - at < REMEMBERED_MS) break
      this.#reported.delete(id)
    }
  }

  takeTransfer(transfer: Transfer, now: number, texts: ShellTexts): void {
    const { id, doneAt } = transfer
    const end = endOf(transfer, texts)
    if (this.#owners.has(id)) {
      if (end === 'open') this.#open.add(id)
      else this.#open.delete(id)
      return
    }
    // Skipped files are reported only for drops. In a watched folder, a touched file whose upload the user
    // deleted isn't news.
    if (end === 'open' || end === 'closed' || end.kind === 'skipped') {
      this.#burst?.ends.delete(id)
      return
    }
    if (this.#reported.get(id)?.kind === end.kind) return
    // The file finished long ago, and the engine has reported it again, for example after a restart or a
    // move. That isn't news.
    if (end.kind === 'done' && doneAt !== null && now - doneAt > REMEMBERED_MS) return
    this.#burst ??= { ends: new Map(), firstAt: now, lastAt: now }
    if (this.#burst.ends.get(id)?.kind !== end.kind) this.#burst.lastAt = now
    this.#burst.ends.set(id, end)
  }

  dropStarted(batch: number, ids: readonly number[], open: readonly number[]): void {
    for (const id of ids) {
      this.#owners.set(id, batch)
      // Files may finish, and their events arrive, before their drop is listed.
      this.#burst?.ends.delete(id)
    }
    for (const id of open) this.#open.add(id)
  }

  /** Returns what to report about a drop. `items`: its files in the order of the drop. */
  dropEnded(
    { batch, items, copied }: Extract<NoticeEvent, { kind: 'drop-ended' }>,
    now: number,
    texts: ShellTexts,
  ): Delivery {
    const ends = new Map<number, End>()
    for (const item of items) {
      // A file that was dropped again is reported only by the later drop.
      if (this.#owners.get(item.id) !== batch) continue
      this.#owners.delete(item.id)
      this.#open.delete(item.id)
      const end = endOf(item, texts)
      if (end !== 'open' && end !== 'closed') ends.set(item.id, end)
    }
    return this.#deliver('drop', ends, copied, now)
  }

  watchedCopied(ids: readonly number[]): void {
    this.#copied = new Set(ids)
  }

  /**
   * Returns and ends the burst if it can be reported now. `wakeAt`: when it ends if no further event occurs;
   * null if no burst is open.
   */
  due(
    snapshot: Snapshot | null,
    now: number,
  ): { readonly delivery: Delivery | null; readonly wakeAt: number | null } {
    const burst = this.#burst
    if (burst === null || burst.ends.size === 0) {
      this.#burst = null
      return { delivery: null, wakeAt: null }
    }
    const quiet = burst.lastAt + QUIET_MS
    const isMore = isMoving(snapshot, this.#open.size, now)
    const wakeAt = isMore ? Math.max(burst.firstAt + BURST_MOST_MS, quiet) : quiet
    if (now < wakeAt) return { delivery: null, wakeAt }
    this.#burst = null
    const done = [...burst.ends].filter(([, end]) => end.kind === 'done')
    const copied = done.length > 0 && done.every(([id]) => this.#copied.has(id))
    return { delivery: this.#deliver('burst', burst.ends, copied, now), wakeAt: null }
  }

  #deliver(what: 'drop' | 'burst', ends: ReadonlyMap<number, End>, copied: boolean, now: number): Delivery {
    for (const [id, { kind }] of ends) {
      this.#reported.delete(id)
      this.#reported.set(id, { at: now, kind })
    }
    return { cause: `${what} ${++this.#count}`, isDrop: what === 'drop', ends, copied }
  }
}

/**
 * Whether more files of a burst will follow soon. `dropped` is the number of open transfers that belong to
 * drops.
 */
function isMoving(snapshot: Snapshot | null, dropped: number, now: number): boolean {
  if (snapshot === null) return false
  const { counts, gate } = snapshot
  if (gate !== null && (gate.until === null || gate.until - now > LONG_PAUSE_MS)) return false
  // `waiting` isn't counted, because a single file may have to wait for hours.
  return counts.settling + counts.queued + counts.uploading + counts.unknown - dropped > 0
}

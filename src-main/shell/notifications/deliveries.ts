// Decides which files are reported together, and when. A drop is reported when its last file has finished;
// files in watched folders are reported in bursts. The class has no clock: the caller passes in events and
// the time, in chronological order.
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import { type Delivery, type End, endOf } from './delivery-words.ts'
import type { NoticeEvent } from './notice-types.ts'

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

interface Drop {
  readonly batch: number
  /**
   * Whether its links may be copied. If so, the drop isn't reported before `copied` is known, unless it has
   * no links.
   */
  readonly copies: boolean
  readonly order: number[]
  readonly pending: Set<number>
  readonly ends: Map<number, End>
  complete: boolean
  /** Whether its links are on the clipboard; null if not known yet. */
  copied: boolean | null
}

interface Burst {
  readonly ends: Map<number, End>
  readonly firstAt: number
  lastAt: number
}

interface Due {
  readonly deliveries: readonly Delivery[]
  /** When the open burst ends if no further event occurs; null if no burst is open. */
  readonly wakeAt: number | null
}

export class Deliveries {
  /**
   * Drops whose transfers are still being listed, by batch. `#live` contains these and all other drops that
   * haven't been reported yet.
   */
  readonly #incoming = new Map<number, Drop>()
  readonly #live = new Set<Drop>()
  readonly #owners = new Map<number, Drop>()
  #burst: Burst | null = null
  /** Transfer IDs of the files in watched folders whose links are on the clipboard. */
  #copied: ReadonlySet<number> = new Set()
  #count = 0
  /**
   * Recently reported files, oldest first. If a drop is listed only after its files have finished, their
   * outcomes are found here.
   */
  readonly #reported = new Map<number, { readonly at: number; readonly end: End }>()

  forgetOld(now: number): void {
    for (const [id, { at }] of this.#reported) {
      if (now - at < REMEMBERED_MS) break
      this.#reported.delete(id)
    }
  }

  takeTransfer(transfer: Transfer, now: number, texts: ShellTexts): void {
    const { id, doneAt } = transfer
    const end = endOf(transfer, texts)
    const owner = this.#owners.get(id)
    if (owner !== undefined) {
      place(owner, id, end)
      return
    }
    if (end === 'open' || end === 'closed') {
      this.#burst?.ends.delete(id)
      return
    }
    if (end.kind === 'skipped') {
      // Skipped files are reported only for drops. In a watched folder, a touched file whose upload the user
      // deleted isn't news.
      this.#burst?.ends.delete(id)
      this.#remember(new Map([[id, end]]), now)
      return
    }
    if (this.#reported.get(id)?.end.kind === end.kind) return
    // The file finished long ago, and the engine has reported it again, for example after a restart or a
    // move. That isn't news.
    if (end.kind === 'done' && doneAt !== null && now - doneAt > REMEMBERED_MS) return
    this.#burst ??= { ends: new Map(), firstAt: now, lastAt: now }
    if (this.#burst.ends.get(id)?.kind !== end.kind) this.#burst.lastAt = now
    this.#burst.ends.set(id, end)
  }

  takeBatch(
    { batch, items, more, copies }: Extract<NoticeEvent, { kind: 'batch' }>,
    texts: ShellTexts,
  ): void {
    const drop: Drop = this.#incoming.get(batch) ?? {
      batch,
      copies,
      order: [],
      pending: new Set(),
      ends: new Map(),
      complete: false,
      copied: null,
    }
    this.#live.add(drop)
    for (const transfer of items) this.#addToDrop(drop, transfer, texts)
    drop.complete = !more
    if (more) this.#incoming.set(batch, drop)
    else this.#incoming.delete(batch)
  }

  dropCopied(batch: number, copied: boolean): void {
    for (const drop of this.#live) if (drop.batch === batch) drop.copied = copied
  }

  watchedCopied(ids: readonly number[]): void {
    this.#copied = new Set(ids)
  }

  /** Returns and removes the drops, and the burst, that can be reported now. */
  due(snapshot: Snapshot | null, now: number): Due {
    const deliveries: Delivery[] = []
    for (const drop of this.#live) {
      if (!drop.complete || drop.pending.size > 0) continue
      const hasLinks = [...drop.ends.values()].some((end) => end.kind === 'done')
      if (drop.copies && hasLinks && drop.copied === null) continue
      this.#live.delete(drop)
      for (const id of drop.order) if (this.#owners.get(id) === drop) this.#owners.delete(id)
      deliveries.push({
        cause: `drop ${++this.#count}`,
        ends: drop.ends,
        order: drop.order,
        copied: drop.copied === true,
      })
    }
    const wakeAt = this.#endBurst(snapshot, now, deliveries)
    for (const { ends } of deliveries) this.#remember(ends, now)
    return { deliveries, wakeAt }
  }

  #addToDrop(drop: Drop, transfer: Transfer, texts: ShellTexts): void {
    const { id } = transfer
    const before = this.#owners.get(id)
    const end = endOf(transfer, texts)
    // The list of a drop's transfers may be older than the events about them, so a file that is open in the
    // list may have finished since.
    const earlier = before?.ends.get(id) ?? this.#reported.get(id)?.end
    const known =
      this.#burst?.ends.get(id) ??
      (earlier?.kind === 'done' || earlier?.kind === 'skipped' ? earlier : undefined)
    this.#burst?.ends.delete(id)
    if (before !== drop) {
      // The file was dropped again before its earlier drop was reported. Only the later drop reports it.
      if (before !== undefined) place(before, id, 'closed')
      drop.order.push(id)
    }
    this.#owners.set(id, drop)
    place(drop, id, end === 'open' ? (known ?? end) : end)
  }

  #endBurst(snapshot: Snapshot | null, now: number, deliveries: Delivery[]): number | null {
    const burst = this.#burst
    if (burst === null) return null
    if (burst.ends.size === 0) {
      this.#burst = null
      return null
    }
    let dropped = 0
    for (const drop of this.#live) dropped += drop.pending.size
    const quiet = burst.lastAt + QUIET_MS
    const end = isMoving(snapshot, dropped, now) ? Math.max(burst.firstAt + BURST_MOST_MS, quiet) : quiet
    if (now < end) return end
    const order = [...burst.ends.keys()]
    const done = order.filter((id) => burst.ends.get(id)?.kind === 'done')
    const copied = done.length > 0 && done.every((id) => this.#copied.has(id))
    deliveries.push({ cause: `burst ${++this.#count}`, ends: burst.ends, order, copied })
    this.#burst = null
    return null
  }

  #remember(ends: ReadonlyMap<number, End>, now: number): void {
    for (const [id, end] of ends) {
      this.#reported.delete(id)
      this.#reported.set(id, { at: now, end })
    }
  }
}

function place(drop: Drop, id: number, end: End | 'open' | 'closed'): void {
  drop.ends.delete(id)
  drop.pending.delete(id)
  if (end === 'open') drop.pending.add(id)
  else if (end !== 'closed') drop.ends.set(id, end)
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

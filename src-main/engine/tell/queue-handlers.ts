// Handlers for the queue: upload, list transfers, pause, and actions on chosen transfers. `upload` registers
// its files in slices of AT_ONCE, so that a call with many files doesn't block the event loop.
// `UploadBatches` keeps the items of recent uploads for paging.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { UploadOrder } from '../../../src-shared/choices.ts'
import type { Handlers, Output, UploadItem } from '../../../src-shared/engine-contract.ts'
import { sameVersion } from '../disk/content.ts'
import {
  expand,
  liveVersion,
  type Named,
  type RegisterOptions,
  register,
  uploadedVersion,
} from '../find/register-named.ts'
import { NamedFiles } from '../find/settle-named.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Clock, Entry } from '../ports.ts'
import { PersonActions } from '../queue/person-actions.ts'
import { ok, refuse } from './answers.ts'
import { PARTS_MISSING, type PathParts } from './path-parts.ts'
import type { Services, SnapshotReader } from './snapshot.ts'

/** Number of files registered per turn of the event loop; registering that many takes a few milliseconds. */
const AT_ONCE = 200
const FORGOTTEN = refuse('not-found', 'This batch is no longer available.')

// Keeps the items of recent uploads for paging: a folder of 100,000 files is one upload and two hundred
// pages. A page is kept until the one after it is requested. If there are too many batches or items, the
// batches that were read least recently are dropped, but never one that is still being read.
const PAGE_ITEMS = 500
const MAX_BATCHES = 50

/**
 * Maximum number of items kept, at up to a kilobyte each. The newest batch is kept even if it alone is
 * larger.
 */
const MAX_ITEMS = 100_000

/**
 * A batch counts as still being read for this long after a page was read. Meanwhile, it is kept even if a
 * maximum is exceeded.
 */
const READING_MS = 60_000

type Answered =
  | 'upload'
  | 'batchPage'
  | 'transfers'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'cancel'
  | 'restore'
  | 'pauseFiles'
  | 'resumeFiles'
  | 'release'
  | 'heldLines'
  | 'sendNext'

export function createQueueHandlers(services: Services, pathParts: PathParts): Pick<Handlers, Answered> {
  const {
    ports,
    transfers,
    catalog,
    admission,
    guard,
    scheduler,
    limits,
    uploadPause,
    folders,
    gate,
    snapshots,
    bus,
    stop,
  } = services
  const { clock } = ports
  const actions = new PersonActions(services)
  const batches = new UploadBatches(clock, transfers, snapshots)
  const namedFiles = new NamedFiles(services)
  const registering: RegisterOptions = { ...services, clock, namedFiles }
  const unasked = new UnaskedUploads(clock, transfers)

  const lineOf = async (row: TransferRow): Promise<Omit<Output<'heldLines'>[number], 'id'> | null> => {
    if (guard.byName(row.path, row.named) !== null) return { by: 'name' }
    const [entry] = await ports.disk.stat([row.path])
    if (entry === null || entry === undefined || 'code' in entry || !sameVersion(entry, row)) return null
    const found = await guard.line(row.path, entry)
    // The rules may find something else now; what the user is asked about must not be mixed up with it.
    return found === null || found.rule !== row.message ? null : { by: 'content', ...found }
  }

  return {
    upload: async ({ paths, again, token, pasted, paused, later, most, order, parts }) => {
      const all = pathParts.take(paths, parts)
      if (all === null) return PARTS_MISSING
      if (later !== true) scheduler.startWorking()
      const named = await expand(ports.disk, admission, all, { pasted: pasted === true }, stop)
      const many = most === undefined ? null : unasked.amountAbove(named, most, again ? null : services)
      if (many !== null) return ok({ batch: 0, items: [], next: null, many })
      const items: UploadItem[] = []
      const positions = inOrder(named, order)
      if (!again) await catalog.confirm(named.slice(0, AT_ONCE).map((one) => uploadedVersion(transfers, one)))
      const files =
        pasted === true
          ? []
          : named.flatMap(({ path, entry, outcome }) =>
              entry === null || outcome !== 'file' ? [] : { path, entry },
            )
      const unfinished = await namedFiles.unfinished(files)
      if (stop.aborted) return refuse('closing', 'Slipway is closing.')
      for (let i = 0; i < named.length; i += AT_ONCE) {
        const some = positions.slice(i, i + AT_ONCE)
        const call = { again, token, isPaused: paused === true, unfinished }
        const registered = register(
          registering,
          some.flatMap((at) => named[at] ?? []),
          call,
        )
        for (const [at, item] of registered.entries()) items[some[at] ?? 0] = item
        // Let signals, other requests and network responses be handled.
        await yieldNow()
        if (stop.aborted) return refuse('closing', 'Slipway is closing.')
      }
      unasked.registered(items, most !== undefined)
      const batch = batches.add(items)
      uploadPause.named()
      limits.asked()
      bus.wake('queue')
      const page = batches.page(batch, 0)
      return page === null ? FORGOTTEN : ok(page)
    },
    batchPage: async ({ batch, after }) => {
      const page = batches.page(batch, after)
      return page === null ? FORGOTTEN : ok(page)
    },
    transfers: async ({ mtimes, paused: are, ...query }) => {
      const view = snapshots.viewer()
      const paused = are === undefined ? undefined : { are, folders: folders.pausedIds() }
      return ok(
        transfers.page({ ...query, paused }).map((row) => ({
          ...view(row),
          ...(mtimes === true || row.state === 'held' ? { mtime: row.mtime } : {}),
        })),
      )
    },
    pause: async ({ now }) => {
      gate.setPaused(true)
      bus.wake()
      if (now === true) await scheduler.breakOff()
      return ok(snapshots.snapshot())
    },
    resume: async () => {
      gate.setPaused(false)
      bus.wake()
      return ok(snapshots.snapshot())
    },
    retry: async ({ ids, automatic }) => ok({ count: await actions.retry(ids, automatic === true) }),
    cancel: async ({ ids, confirm }) =>
      ok(confirm === true ? await actions.cancelAndConfirm(ids) : actions.cancel(ids)),
    restore: async ({ ids }) => ok({ count: actions.restore(ids) }),
    pauseFiles: async ({ ids }) => ok({ count: await actions.pause(ids) }),
    resumeFiles: async ({ ids }) => ok({ count: actions.resume(ids) }),
    release: async ({ ids, shown, replace }) =>
      ok({ count: actions.release(ids, shown ?? null, replace === true) }),
    heldLines: async ({ ids }) => {
      const lines: Output<'heldLines'> = []
      for (const id of ids) {
        const row = transfers.get(id)
        const found =
          row === null || row.state !== 'held' || row.reason !== 'secret' ? null : await lineOf(row)
        if (found !== null) lines.push({ id, ...found })
      }
      return ok(lines)
    },
    sendNext: async ({ ids }) => ok({ count: actions.sendNext(ids) }),
  }
}

interface Amount {
  readonly files: number
  readonly bytes: number
}

function amountOf(sizes: ReadonlyMap<string, number>): Amount {
  let bytes = 0
  for (const size of sizes.values()) bytes += size
  return { files: sizes.size, bytes }
}

/** Uploads within this time count as one, so that splitting a large upload doesn't avoid the question about it. */
const UNASKED_MS = 60_000

/** The last uploads that stayed below the limit from which the user is asked. */
class UnaskedUploads {
  readonly #clock: Pick<Clock, 'mono'>
  readonly #transfers: Pick<Transfers, 'get'>
  #recent: { readonly at: number; readonly id: number }[] = []

  constructor(clock: Pick<Clock, 'mono'>, transfers: Pick<Transfers, 'get'>) {
    this.#clock = clock
    this.#transfers = transfers
  }

  /** `isLimited`: the call had a limit. One without it follows the user's answer, which ends the count. */
  registered(items: readonly UploadItem[], isLimited: boolean): void {
    const at = this.#clock.mono()
    if (!isLimited) this.#recent = []
    else
      for (const { outcome, transfer } of items)
        if (outcome === 'queued' && transfer !== null) this.#recent.push({ at, id: transfer.id })
  }

  /**
   * How many of these files aren't uploaded yet, and their size, if that and the last unasked uploads are more
   * than `most` in either respect; otherwise null. `journal`: null if files are sent although they are uploaded.
   */
  amountAbove(
    named: readonly Named[],
    most: Amount,
    journal: Parameters<typeof liveVersion>[0] | null,
  ): Amount | null {
    const sizes = new Map<string, number>()
    for (const { path, entry, outcome } of named)
      if (
        entry !== null &&
        outcome === 'file' &&
        (journal === null || liveVersion(journal, path, entry) === null)
      )
        sizes.set(path, entry.size)
    const from = this.#clock.mono() - UNASKED_MS
    this.#recent = this.#recent.filter((one) => one.at > from)
    // What was cancelled since isn't public. What is uploaded already would not be if it were sent again.
    const rows = this.#recent.flatMap(({ id }) => this.#transfers.get(id) ?? [])
    const before = rows
      .filter(({ state }) => state !== 'cancelled')
      .map((row) => [row.path, row.size] as const)
    const all = amountOf(new Map([...before, ...sizes]))
    const isAbove = sizes.size > 0 && (all.files > most.files || all.bytes > most.bytes)
    return isAbove ? amountOf(sizes) : null
  }
}

const BY_NAME = new Intl.Collator(undefined, { numeric: true })

/** The positions of the files in the order in which they are to be registered, and so uploaded. */
function inOrder(named: readonly Named[], order: UploadOrder | undefined): readonly number[] {
  const positions = named.map((_, at) => at)
  if (order === undefined) return positions
  const compare: Readonly<Record<UploadOrder, (x: Entry, y: Entry) => number>> = {
    newest: (x, y) => y.mtime - x.mtime,
    smallest: (x, y) => x.size - y.size,
    name: (x, y) => BY_NAME.compare(x.name, y.name),
  }
  const entries = named.flatMap(({ entry }, at) => (entry === null ? [] : { entry, at }))
  const sorted = entries.toSorted((x, y) => compare[order](x.entry, y.entry)).map(({ at }) => at)
  return [...sorted, ...positions.filter((at) => named[at]?.entry === null)]
}

interface BatchPage {
  readonly batch: number
  readonly items: UploadItem[]
  /** Offset of the next page, or null if this is the last one. */
  readonly next: number | null
}

interface Batch {
  readonly items: readonly UploadItem[]
  /** Offset of the first item that is still kept. */
  readonly from: number
  /** When a page was last read, in monotonic milliseconds. */
  readonly readAt: number
}

export class UploadBatches {
  readonly #clock: Pick<Clock, 'mono'>
  readonly #transfers: Pick<Transfers, 'get'>
  readonly #snapshots: Pick<SnapshotReader, 'transfer'>
  /** Batches by number. The batch that was read least recently comes first. */
  readonly #batches = new Map<number, Batch>()
  #nextBatch = 1

  constructor(
    clock: Pick<Clock, 'mono'>,
    transfers: Pick<Transfers, 'get'>,
    snapshots: Pick<SnapshotReader, 'transfer'>,
  ) {
    this.#clock = clock
    this.#transfers = transfers
    this.#snapshots = snapshots
  }

  /** Stores the items and returns the number to pass to `page`. */
  add(items: readonly UploadItem[]): number {
    const batch = this.#nextBatch++
    this.#keep(batch, items, 0)
    return batch
  }

  /**
   * Returns up to PAGE_ITEMS items, beginning at the offset `after`, with the current state of their
   * transfers. Returns null if they aren't kept. Drops the earlier pages, because a caller that requests a
   * page has received them. The page itself may be requested again, unless it is the only one.
   */
  page(batch: number, after: number): BatchPage | null {
    const kept = this.#batches.get(batch)
    if (kept === undefined || after < kept.from) return null
    const rest = after === kept.from ? kept.items : kept.items.slice(after - kept.from)
    const next = rest.length > PAGE_ITEMS ? after + PAGE_ITEMS : null
    // If all items fit on one page, the caller has received them all and won't request another page.
    if (after === 0 && next === null) this.#batches.delete(batch)
    else this.#keep(batch, rest, after)
    const items = rest.slice(0, PAGE_ITEMS).map((item): UploadItem => {
      const row = item.transfer === null ? null : this.#transfers.get(item.transfer.id)
      return row === null ? item : { ...item, transfer: this.#snapshots.transfer(row) }
    })
    return { batch, items, next }
  }

  #keep(batch: number, kept: readonly UploadItem[], from: number): void {
    const now = this.#clock.mono()
    this.#batches.delete(batch)
    this.#batches.set(batch, { items: kept, from, readAt: now })
    let total = 0
    for (const { items } of this.#batches.values()) total += items.length
    for (const [oldest, { items, readAt }] of this.#batches) {
      if (
        oldest === batch ||
        now - readAt < READING_MS ||
        (this.#batches.size <= MAX_BATCHES && total <= MAX_ITEMS)
      )
        return
      this.#batches.delete(oldest)
      total -= items.length
    }
  }
}

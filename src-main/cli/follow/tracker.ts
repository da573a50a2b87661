// Converts the states of transfers into output lines. A caller may pass the same state repeatedly; only
// changes are reported. Every file is reported as queued before it is reported as waiting or uploaded.
// Accesses no clock or stream itself.

import type {
  FailedReason,
  Gate,
  HeldReason,
  Reason,
  Transfer,
  WaitReason,
} from '../../../src-shared/model.ts'
import type { Line } from '../output/lines.ts'
import { failedMessage, reasonText } from '../output/reason-text.ts'

/**
 * A single file's wait is reported again if its end moves by more than this. A wait of the whole account is
 * reported only once.
 */
const MOVED_MS = 60_000

/** Waits of the whole account that are shorter than this aren't reported. */
export const PACE_MS = 2000

/**
 * Reasons that apply to the whole account, so that all files wait for the same thing. A row may still show
 * such a reason when it no longer applies.
 */
export const SHARED: ReadonlySet<Reason> = new Set<Reason>([
  'rate-minute',
  'rate-day',
  'server-pause',
  'daily-uploads',
  'storage-full',
  'offline',
  'account',
  'paused',
  'foreign',
  'unavailable',
  'redirected',
  'answers-lost',
  'uploads-refused',
  'disk',
  'policy',
])

interface Known {
  transfer: Transfer
  queued: boolean
  /**
   * The reported reasons, each with the reported end of the wait. Null until the first one is reported,
   * because even an empty map would take more memory than the rest of the entry.
   */
  waits: Map<Reason, number | null> | null
}

export interface TrackerCounts {
  readonly filesDone: number
  readonly filesTotal: number
  readonly bytesDone: number
  readonly bytesTotal: number
}

// Shared, so that each transfer takes only its place in the map.
const LEFT = {
  gone: { state: 'gone', queued: false },
  cancelled: { state: 'cancelled', queued: false },
} as const
const LEFT_QUEUED = {
  gone: { state: 'gone', queued: true },
  cancelled: { state: 'cancelled', queued: true },
} as const

export function isPending(transfer: Transfer): boolean {
  switch (transfer.state) {
    case 'settling':
    case 'queued':
    case 'uploading':
    case 'waiting':
    case 'unknown':
      return true
    case 'held':
    case 'failed':
    case 'cancelled':
    case 'gone':
    case 'done':
      return false
    default:
      return transfer.state satisfies never
  }
}

export class Tracker {
  readonly #goneFails: boolean
  readonly #now: () => number
  readonly #known = new Map<number, Known>()
  readonly #finished = new Set<number>()
  readonly #pending = new Set<number>()
  /**
   * Transfers that are gone or cancelled, if that isn't a failure, and whether they were reported as queued.
   * `watch` runs for months, and their rows would take ten times the memory.
   */
  readonly #left = new Map<number, { readonly state: 'gone' | 'cancelled'; readonly queued: boolean }>()
  #bytesDone = 0
  #bytesOpen = 0

  /** If `goneFails` is true, a file that disappeared is reported as failed, because the user named it. */
  constructor({ goneFails, now }: { readonly goneFails: boolean; readonly now: () => number }) {
    this.#goneFails = goneFails
    this.#now = now
  }

  see(transfer: Transfer): Line[] {
    // A file that is still changing isn't a version yet, and a finished transfer never changes back.
    if (transfer.state === 'settling' || this.#finished.has(transfer.id)) return []
    const { before, entry } = this.#take(transfer)
    const again = before?.state === transfer.state && before.reason === transfer.reason
    switch (transfer.state) {
      case 'queued':
        return transfer.reason !== null && transfer.until !== null
          ? this.#wait(entry, transfer.reason as WaitReason, transfer.until)
          : queuedOnce(entry)
      case 'uploading':
        return queuedOnce(entry)
      case 'waiting':
        return transfer.reason === null
          ? queuedOnce(entry)
          : this.#wait(entry, transfer.reason as WaitReason, transfer.until)
      case 'unknown':
        return transfer.until === null ? queuedOnce(entry) : this.#wait(entry, 'checking', transfer.until)
      case 'held':
        return again ? [] : [heldLine(transfer)]
      case 'failed':
        return again ? [] : [failedLine(transfer, (transfer.reason ?? 'refused') as FailedReason)]
      case 'gone':
      case 'cancelled':
        if (this.#goneFails)
          return again || transfer.state === 'cancelled' ? [] : [failedLine(transfer, 'missing')]
        this.#left.set(transfer.id, entry.queued ? LEFT_QUEUED[transfer.state] : LEFT[transfer.state])
        this.#known.delete(transfer.id)
        return []
      case 'done':
        this.#known.delete(transfer.id)
        // The file was deleted or replaced, or is gone from the service, perhaps long after its upload, so
        // this isn't news.
        if (transfer.ended !== undefined && before === null) return []
        this.#finished.add(transfer.id)
        this.#bytesDone += transfer.size
        return transfer.ended === undefined
          ? [...queuedOnce(entry), uploadedLine(transfer)]
          : queuedOnce(entry)
      default:
        return transfer.state satisfies never
    }
  }

  /**
   * Reports every file that waits only for the whole account as waiting. If `last` is true, the command is
   * ending, and short waits are reported too.
   */
  gate(gate: Gate | null, last = false): Line[] {
    if (gate === null) return []
    const lines: Line[] = []
    for (const entry of this.#open()) {
      const { state, reason } = entry.transfer
      // Files that are in progress, or wait for their own reason, aren't affected by the gate.
      if (state === 'queued' || (state === 'waiting' && (reason === null || SHARED.has(reason))))
        lines.push(...this.#wait(entry, gate.reason, gate.until, last))
    }
    return lines
  }

  /**
   * Requeues the files that waited for the service's file list, because no event reports the end of their
   * wait. Call when it ends.
   */
  listEnded(): void {
    for (const entry of this.#open())
      if (entry.transfer.state === 'waiting' && entry.transfer.reason === 'comparing')
        entry.transfer = { ...entry.transfer, state: 'queued', reason: null, message: null, until: null }
  }

  /**
   * Reports unfinished files without a reported wait, and uploads in progress, as waiting, because the
   * command ends before they do.
   */
  interrupted(): Line[] {
    const lines: Line[] = []
    for (const entry of this.#open())
      if (entry.waits === null || entry.transfer.state === 'uploading') lines.push(...interruptedLines(entry))
    return lines
  }

  has(id: number): boolean {
    return this.#known.has(id) || this.#left.has(id) || this.#finished.has(id)
  }

  isFinished(id: number): boolean {
    return this.#finished.has(id)
  }

  /** The transfers that haven't finished, including unconfirmed ones (see `isPending`). */
  *pending(): Iterable<Transfer> {
    for (const entry of this.#open()) yield entry.transfer
  }

  pendingCount(): number {
    return this.#pending.size
  }

  /**
   * The latest known row of each transfer that isn't done. If `goneFails` is false, without those that are
   * gone or cancelled.
   */
  *rest(): Iterable<Transfer> {
    for (const entry of this.#known.values()) yield entry.transfer
  }

  /** Whether a transfer was cancelled, and not continued since. */
  hasCancelled(): boolean {
    return isAnyCancelled(this.#left.values(), this.#known.values())
  }

  progress(bytesSent: ReadonlyMap<number, number>): TrackerCounts {
    let sent = 0
    for (const [id, bytes] of bytesSent) if (this.#pending.has(id)) sent += bytes
    return {
      filesDone: this.#finished.size,
      filesTotal: this.#finished.size + this.#pending.size,
      bytesDone: this.#bytesDone + sent,
      bytesTotal: this.#bytesDone + this.#bytesOpen,
    }
  }

  /** Stores the row and counts it. `before` is the previous row; null for a new transfer. */
  #take(transfer: Transfer): { readonly before: Transfer | null; readonly entry: Known } {
    const { id } = transfer
    const known = this.#known.get(id)
    const before = known?.transfer ?? null
    const entry: Known = known ?? { transfer, queued: this.#left.get(id)?.queued ?? false, waits: null }
    this.#left.delete(id)
    // Held and failed files don't count as open, because the others can finish without them.
    if (before !== null && this.#pending.has(id)) this.#bytesOpen -= before.size
    entry.transfer = transfer
    this.#known.set(id, entry)
    if (isPending(transfer)) {
      this.#pending.add(id)
      this.#bytesOpen += transfer.size
    } else this.#pending.delete(id)
    return { before, entry }
  }

  #wait(entry: Known, reason: WaitReason, due: number | null, last = false): Line[] {
    return waitLines(entry, { reason, due, now: this.#now(), last })
  }

  *#open(): Iterable<Known> {
    for (const id of this.#pending) {
      const entry = this.#known.get(id)
      if (entry !== undefined) yield entry
    }
  }
}

function isAnyCancelled(left: Iterable<Pick<Transfer, 'state'>>, known: Iterable<Known>): boolean {
  for (const { state } of left) if (state === 'cancelled') return true
  for (const { transfer } of known) if (transfer.state === 'cancelled') return true
  return false
}

function queuedOnce(entry: Known): Line[] {
  if (entry.queued) return []
  entry.queued = true
  return [{ event: 'queued', id: entry.transfer.id, path: entry.transfer.path, size: entry.transfer.size }]
}

/**
 * `due` is when the wait ends (epoch ms). If `last` is true, the command is ending, and short waits are
 * reported too.
 */
function waitLines(
  entry: Known,
  {
    reason,
    due,
    now,
    last,
  }: {
    readonly reason: WaitReason
    readonly due: number | null
    readonly now: number
    readonly last: boolean
  },
): Line[] {
  // A time in the past, for example from an earlier run, means that the transfer is due now.
  const isDue = due !== null && due <= now
  if (isDue && !last) return queuedOnce(entry)
  const until = isDue ? null : due
  // Don't report a wait that ends before anyone could read about it. Such short waits merely pace the
  // uploads.
  if (!last && SHARED.has(reason) && until !== null && until - now < PACE_MS) return queuedOnce(entry)
  const told = entry.waits?.get(reason)
  if (told !== undefined) {
    if (SHARED.has(reason)) return queuedOnce(entry)
    if (until === told || (until !== null && told !== null && Math.abs(until - told) <= MOVED_MS))
      return queuedOnce(entry)
  }
  entry.waits ??= new Map()
  entry.waits.set(reason, until)
  const { id, path, message, reason: own } = entry.transfer
  return [
    ...queuedOnce(entry),
    { event: 'waiting', id, path, reason, until, message: own === reason ? message : null },
  ]
}

function interruptedLines(entry: Known): Line[] {
  const { id, path } = entry.transfer
  return [
    ...queuedOnce(entry),
    { event: 'waiting', id, path, reason: 'interrupted', until: null, message: null },
  ]
}

function uploadedLine(transfer: Transfer): Line {
  return { event: 'uploaded', transfer, adopted: transfer.adopted, sent: transfer.unsent !== true }
}

function heldLine({ id, path, reason, message }: Transfer): Line {
  return { event: 'held', id, path, reason: reason ?? 'ambiguous', message }
}

function failedLine(transfer: Transfer, reason: FailedReason): Line {
  return {
    event: 'failed',
    id: transfer.id,
    path: transfer.path,
    reason,
    message: transfer.message ?? failedMessage(reason),
  }
}

/**
 * Describes the wait of a file whose upload the service refused for an unknown reason; null for other waits,
 * which end by themselves.
 */
export function refusalSentence(line: Extract<Line, { event: 'waiting' }>, now: number): string | null {
  if (line.reason !== 'limit' || line.message === null) return null
  return `${reasonText('limit', line.until, now)} (${line.message})`
}

/** Describes what is wrong with a file that needs attention. */
export function lineSentence(line: Extract<Line, { event: 'held' | 'failed' }>, now: number): string {
  const what = reasonText(line.reason as HeldReason | FailedReason, null, now)
  const said =
    line.message === null ||
    (line.event === 'failed' && line.message === failedMessage(line.reason as FailedReason))
  return said ? what : `${what} (${line.message})`
}

// Turns what the engine says of transfers into lines, each told once: a file is queued before it is uploaded, a wait is told when its
// reason changes, a link is told when it is there. It holds no clock and no stream, and may be shown the same state any number of times.

import type { FailedReason, Gate, HeldReason, Reason, Transfer, WaitReason } from '../../src-shared/model.ts'
import type { Line } from './lines.ts'
import { failedMessage, reasonText } from './reason-text.ts'

/** A file's own wait is reported again if its end moves by more than this; a wait of the whole account never is. */
const MOVED_MS = 60_000

/** A wait of the whole account that is shorter than this is not told. */
export const PACE_MS = 2000

/** Reasons that hold back the whole account: every file waits for the same thing, and a row may show it after it is over. */
export const SHARED: ReadonlySet<Reason> = new Set<Reason>([
  'rate-minute',
  'rate-day',
  'server-pause',
  'daily-uploads',
  'storage-full',
  'offline',
  'account',
  'paused',
  'redirected',
  'disk',
])

interface Known {
  transfer: Transfer
  queued: boolean
  /** Reasons told, with the time told. Null for most of a hundred thousand: an empty map is larger than the rest of the entry. */
  waits: Map<Reason, number | null> | null
}

export interface TrackerCounts {
  readonly filesDone: number
  readonly filesTotal: number
  readonly bytesDone: number
  readonly bytesTotal: number
}

export interface Tracker {
  see(transfer: Transfer): Line[]
  /** The whole account is held back: every file that has not begun waits for it. `last`: it is the end, so short waits are told too. */
  gate(gate: Gate | null, last?: boolean): Line[]
  has(id: number): boolean
  isFinished(id: number): boolean
  /** Neither done nor given up nor waiting for a person. */
  pending(): Iterable<Transfer>
  pendingCount(): number
  /** The newest row seen of each transfer that is not done. */
  rest(): Iterable<Transfer>
  progress(bytesSent: ReadonlyMap<number, number>): TrackerCounts
}

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

/** `goneFails`: a person named this file, so it is no small matter that it went away. */
export function createTracker(options: { readonly goneFails: boolean; readonly now: () => number }): Tracker {
  const known = new Map<number, Known>()
  const finished = new Set<number>()
  const pending = new Set<number>()
  let bytesDone = 0
  let bytesOpen = 0

  const queue = (entry: Known): Line[] => {
    if (entry.queued) return []
    entry.queued = true
    return [{ event: 'queued', id: entry.transfer.id, path: entry.transfer.path, size: entry.transfer.size }]
  }

  const wait = (entry: Known, reason: WaitReason, due: number | null, last = false): Line[] => {
    // Left from a run that ended before it: it is due now.
    const isDue = due !== null && due <= options.now()
    if (isDue && !last) return queue(entry)
    const until = isDue ? null : due
    // Over before anyone could read it: that is the pace of sending, not a wait.
    if (!last && SHARED.has(reason) && until !== null && until - options.now() < PACE_MS) return queue(entry)
    const told = entry.waits?.get(reason)
    if (told !== undefined) {
      if (SHARED.has(reason)) return queue(entry)
      if (until === told || (until !== null && told !== null && Math.abs(until - told) <= MOVED_MS)) return queue(entry)
    }
    entry.waits ??= new Map()
    entry.waits.set(reason, until)
    return [...queue(entry), { event: 'waiting', id: entry.transfer.id, path: entry.transfer.path, reason, until }]
  }

  const see = (transfer: Transfer): Line[] => {
    // A file that still changes is no version yet; a finished one never goes back.
    if (transfer.state === 'settling' || finished.has(transfer.id)) return []
    const before = known.get(transfer.id)
    const entry: Known = before ?? { transfer, queued: false, waits: null }
    const last = before?.transfer.state ?? null
    const lastReason = before?.transfer.reason ?? null
    // What is held or failed is no part of what is under way: the rest can come to its end without it.
    bytesOpen += (isPending(transfer) ? transfer.size : 0) - (before !== undefined && pending.has(transfer.id) ? before.transfer.size : 0)
    entry.transfer = transfer
    known.set(transfer.id, entry)
    if (isPending(transfer)) pending.add(transfer.id)
    else pending.delete(transfer.id)
    const again = last === transfer.state && lastReason === transfer.reason
    switch (transfer.state) {
      case 'queued':
        return transfer.reason !== null && transfer.until !== null
          ? wait(entry, transfer.reason as WaitReason, transfer.until)
          : queue(entry)
      case 'uploading':
        return queue(entry)
      case 'waiting':
        return transfer.reason === null ? queue(entry) : wait(entry, transfer.reason as WaitReason, transfer.until)
      case 'unknown':
        return transfer.until === null ? queue(entry) : wait(entry, 'checking', transfer.until)
      case 'held':
        return again
          ? []
          : [{ event: 'held', id: transfer.id, path: transfer.path, reason: transfer.reason ?? 'ambiguous', message: transfer.message }]
      case 'failed':
        return again ? [] : [failedLine(transfer, (transfer.reason ?? 'refused') as FailedReason)]
      case 'gone':
        return again || !options.goneFails ? [] : [failedLine(transfer, 'missing')]
      case 'cancelled':
        return []
      case 'done':
        if (transfer.ended !== undefined && before === undefined) {
          // Deleted or replaced, perhaps long after it was uploaded: no news of an upload.
          known.delete(transfer.id)
          bytesOpen -= transfer.size
          return []
        }
        finished.add(transfer.id)
        known.delete(transfer.id)
        bytesDone += transfer.size
        return transfer.ended === undefined ? [...queue(entry), { event: 'uploaded', transfer, adopted: transfer.adopted }] : queue(entry)
      default:
        return transfer.state satisfies never
    }
  }

  return {
    see,
    gate: (gate, last = false) => {
      if (gate === null) return []
      const lines: Line[] = []
      for (const id of pending) {
        const entry = known.get(id)
        if (entry === undefined) continue
        const { state, reason } = entry.transfer
        // What is on its way, or waits for something of its own, does not wait for this.
        if (state === 'queued' || (state === 'waiting' && (reason === null || SHARED.has(reason))))
          lines.push(...wait(entry, gate.reason, gate.until, last))
      }
      return lines
    },
    has: (id) => known.has(id) || finished.has(id),
    isFinished: (id) => finished.has(id),
    pending: function* () {
      for (const id of pending) {
        const entry = known.get(id)
        if (entry !== undefined) yield entry.transfer
      }
    },
    pendingCount: () => pending.size,
    rest: function* () {
      for (const entry of known.values()) yield entry.transfer
    },
    progress: (bytesSent) => {
      let sent = 0
      for (const [id, bytes] of bytesSent) if (pending.has(id)) sent += bytes
      return {
        filesDone: finished.size,
        filesTotal: finished.size + pending.size,
        bytesDone: bytesDone + sent,
        bytesTotal: bytesDone + bytesOpen,
      }
    },
  }
}

function failedLine(transfer: Transfer, reason: FailedReason): Line {
  return { event: 'failed', id: transfer.id, path: transfer.path, reason, message: transfer.message ?? failedMessage(reason) }
}

/** What is so with a file that needs a person, in words. */
export function lineSentence(line: Extract<Line, { event: 'held' | 'failed' }>, now: number): string {
  const what = reasonText(line.reason as HeldReason | FailedReason, null, now)
  const said = line.message === null || (line.event === 'failed' && line.message === failedMessage(line.reason as FailedReason))
  return said ? what : `${what} (${line.message})`
}

// A scheduler with a journal in memory and a fake clock. All gates are open unless a test closes them, and an
// upload ends when the test says so.

import type { Claim } from '../../../../src-main/engine/budget/budget.ts'
import { readQuota } from '../../../../src-main/engine/budget/stats-reader.ts'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import {
  createTransfers,
  type TransferRow,
  type Transfers,
} from '../../../../src-main/engine/journal/transfers.ts'
import { Scheduler, type SchedulerOptions } from '../../../../src-main/engine/queue/scheduler.ts'
import {
  SchedulerLog,
  UploadQueue,
  type UploadQueueOptions,
} from '../../../../src-main/engine/queue/upload-queue.ts'
import type { Gate } from '../../../../src-shared/model.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { type NewRow, queuedRow } from '../journal/queued-row.ts'
import { quietBus } from '../quiet-bus.ts'

export interface QueueJournal {
  readonly db: Database
  readonly transfers: Transfers
  /** Adds a queued row, with a unique name unless `row` has one. */
  add(row?: Partial<NewRow>): number
}

export function queueJournal(): QueueJournal {
  const db = memoryJournal()
  const transfers = createTransfers(db)
  let count = 0
  return {
    db,
    transfers,
    add: (row = {}) => {
      const name = row.name ?? `file ${count++}.txt`
      return transfers.add(queuedRow(`/files/${name}`, { name, ...row }))
    },
  }
}

const NO_STATS = { plan: 'pro', stats: {}, limits: {} }

export const allAnswered: UploadQueueOptions['opens'] = {
  isUnanswered: () => false,
  unanswered: () => ({ dirs: [], trees: [], except: [] }),
  answering: (ids) => [...ids],
}
export const nothingToCompare: UploadQueueOptions['compare'] = { mayGo: () => true, isNeeded: () => false }

/** The closed gates; null means open. */
interface Gates {
  policy: Gate | null
  disk: Gate | null
  account: Gate | null
  limits: Gate | null
  lost: Gate | null
  isPaused: boolean
  isOn: boolean
  hasIdentity: boolean
  /** Refuses every claim until this time. */
  rateUntil: number | null
}

export interface SchedulerWorld extends QueueJournal {
  readonly clock: FakeClock
  readonly gates: Gates
  readonly scheduler: Scheduler
  /** Uploads that have begun, in order. */
  readonly started: number[]
  /** Lines of the debug topic. */
  readonly debugged: Readonly<Record<string, unknown>>[]
  /** How often the scheduler called each function. */
  readonly rounds: { reconcile: number; remove: number; resize: number }
  /** Ends an upload as if it were confirmed. */
  finish(id: number): Promise<void>
  /** Runs everything that is due now. */
  settle(): Promise<void>
  close(): void
}

export function schedulerWorld(concurrency = { all: 2, large: 1 }): SchedulerWorld {
  const journal = queueJournal()
  const { db, transfers } = journal
  const clock = createFakeClock()
  const gates: Gates = {
    policy: null,
    disk: null,
    account: null,
    limits: null,
    lost: null,
    isPaused: false,
    isOn: false,
    hasIdentity: true,
    rateUntil: null,
  }
  const started: number[] = []
  const debugged: Record<string, unknown>[] = []
  const rounds = { reconcile: 0, remove: 0, resize: 0 }
  const ends = new Map<number, () => void>()
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const debug = new SchedulerLog({
    ...log,
    debug: () => (event, fields) => void debugged.push({ event, ...fields }),
  })
  const folders = {
    sendingIds: () => [],
    isPaused: () => false,
    isOpen: () => true,
    ended: () => undefined,
    withdrawEnded: () => undefined,
  }
  const queue = new UploadQueue({
    transfers,
    compare: nothingToCompare,
    debug,
    folders,
    opens: allAnswered,
    propagator: { isSearching: () => false },
    habits: { sendName: (row) => row.name, sentName: (row) => row.name },
    bus: quietBus(),
  })
  const claim = (): Claim =>
    gates.rateUntil !== null && gates.rateUntil > clock.now()
      ? { ok: false, until: gates.rateUntil, reason: 'rate-minute' }
      : { ok: true, id: 1 }
  const carry = async (row: TransferRow, _claim: number, signal: AbortSignal): Promise<void> => {
    started.push(row.id)
    transfers.intent(row.id, clock.now(), null, null, row.name)
    await new Promise<void>((resolve) => {
      ends.set(row.id, resolve)
      signal.addEventListener('abort', () => resolve())
    })
    if (signal.aborted) transfers.transition(row.id, { kind: 'requeued' })
  }
  const options = {
    clock,
    log,
    debug,
    transfers,
    queue,
    remote: { nextRemoval: () => null },
    disk: { gate: () => gates.disk, note: () => false },
    budget: { claim, enter: () => ({ priority: () => 'watched', leave: () => undefined }) },
    account: {
      gate: () => gates.account,
      stats: () => ({ stats: NO_STATS, at: clock.now() }),
      isBlocked: () => false,
      isAnswered: () => true,
      outageUntil: () => null,
      reconnect: () => undefined,
    },
    limits: {
      takeFitting: () => [],
      isBeyondDay: () => false,
      gate: () => gates.limits,
      started: () => undefined,
      quota: () => readQuota(NO_STATS),
      isGuessed: () => false,
      retry: () => undefined,
    },
    stats: {
      isRead: () => true,
      failures: () => 0,
      isRunning: () => false,
      isDiagnosing: () => false,
      sinceTried: () => 0,
      refresh: async () => null,
      lookForConnection: () => null,
    },
    uploadPause: { gate: () => gates.lost, isOn: () => gates.isOn, retry: () => undefined },
    accounting: { view: () => ({ speed: 0, etaMs: null, sentBytes: 0, totalBytes: 0, active: [] }) },
    wire: { waiting: () => 0, resize: () => void rounds.resize++ },
    gate: {
      policyGate: () => gates.policy,
      isPaused: () => gates.isPaused,
      setActive: () => undefined,
      setRate: () => undefined,
      announce: () => undefined,
    },
    propagator: { carry },
    known: { next: () => null, check: async () => undefined },
    bus: quietBus(),
    reconciler: {
      run: async () => {
        rounds.reconcile++
        return null
      },
    },
    catalog: {
      removals: async () => {
        rounds.remove++
        return null
      },
    },
    clockRollback: () => false,
    stamp: null,
    folders,
    identity: { api: () => (gates.hasIdentity ? {} : null) },
    concurrency,
    stop: new AbortController().signal,
  }
  const scheduler = new Scheduler(options as unknown as SchedulerOptions)
  // The scheduler sets the number of places once when it is created.
  rounds.resize = 0
  const settle = (): Promise<void> => clock.advance(0)
  return {
    ...journal,
    clock,
    gates,
    scheduler,
    started,
    debugged,
    rounds,
    settle,
    finish: async (id) => {
      const receipt = { fileId: id, publicLink: `https://x.example.com/${id}`, filename: 'x' }
      transfers.done(id, receipt, { sha256: null, adopted: false, sent: true, at: clock.now(), server: null })
      ends.get(id)?.()
      await settle()
    },
    close: () => {
      scheduler.close()
      db.close()
    },
  }
}

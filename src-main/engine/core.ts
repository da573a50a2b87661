// Types of the assembled engine: the options that it is built from, and the services that its handlers call.
// compose/ builds the parts; engine.ts opens and closes them.
import type { Failure, Result } from '../../src-shared/contract.ts'
import type { ApiClient, LearnedOrigins } from '../api/types.ts'
import type { Throttle } from './budget/bandwidth.ts'
import type { Budget } from './budget/budget.ts'
import type { CallFailure } from './budget/failures.ts'
import type { Identity, IdentityKeeper } from './budget/identity.ts'
import type { AccountState } from './budget/state.ts'
import type { UploadLimits } from './budget/upload-limits.ts'
import type { UploadPause } from './budget/upload-pause.ts'
import type { WatchedFolders } from './find/watched-folders.ts'
import type { FileSync } from './journal/barrier.ts'
import type { Claims } from './journal/claims.ts'
import type { Doubts } from './journal/doubts.ts'
import type { FileIds } from './journal/file-ids.ts'
import type { Files } from './journal/files.ts'
import type { Database, JournalFiles, Seal } from './journal/open.ts'
import type { Remote } from './journal/remote.ts'
import type { StampFile } from './journal/stamp.ts'
import type { Transfers } from './journal/transfers.ts'
import type { Ports } from './ports.ts'
import type { Comparison } from './presence/comparison.ts'
import type { Reconciler } from './presence/reconciler.ts'
import type { Concurrency, Scheduler } from './queue/scheduler.ts'
import type { UploadGate } from './queue/upload-gate.ts'
import type { BackgroundRunner } from './remote/background-runner.ts'
import type { Catalog } from './remote/catalog.ts'
import type { Owners } from './remote/owners.ts'
import type { StatsRefresh } from './remote/stats-refresh.ts'
import type { Admission } from './rules/facts.ts'
import type { Guard, GuardRules } from './rules/guard.ts'
import type { OwnPaths } from './rules/own-places.ts'
import type { FileOpens } from './send/file-opens.ts'
import type { Bus } from './tell/bus.ts'
import type { SnapshotReader } from './tell/snapshot.ts'

/**
 * What the administrators of this computer forbid. Never changed in place: after a change,
 * `EngineOptions.policy` returns a new object.
 */
export interface EnginePolicy {
  /** Absolute directories from which nothing is uploaded. */
  readonly forbidden: readonly string[]
  /**
   * Opaque value that changes when the policy allows a different service, or no longer allows any. Compare it
   * only for equality.
   */
  readonly address: string
}

export interface EngineOptions {
  readonly ports: Ports
  /** Path of the journal file, or `:memory:`. */
  readonly journal: string
  readonly files: JournalFiles
  readonly seal: Seal | null
  /** Syncs the journal's WAL; absent if nothing has to survive a power cut. */
  readonly sync?: FileSync
  /** The file that reveals whether an older copy of the journal was restored; absent if that can't happen. */
  readonly stamp?: StampFile
  readonly version: string
  readonly createApi: (
    baseUrl: string,
    key: () => string | null,
    learned: LearnedOrigins,
  ) => ApiClient<string>
  /** Reads the API key and the service's address. A failure is worded for the user. */
  readonly identity: () => Promise<Result<Identity>>
  /** Returns the name to send for a name that may contain bytes that aren't valid UTF-8. */
  readonly wireName: (name: string) => string
  /** Slipway's own folders. Only pasted data is uploaded from them. */
  readonly own: OwnPaths
  /**
   * Returns the administrators' current policy; the same object until the policy changes. Called before every
   * upload.
   */
  readonly policy?: () => EnginePolicy
  readonly concurrency?: Concurrency
  /**
   * Returns the user's rules about what to hold or allow, in addition to the built-in rules for secrets.
   * Called often, so it must return the same object until the rules change.
   */
  readonly guardRules?: () => GuardRules
  /**
   * If true, no upload, deletion, or lookup of an unconfirmed upload starts until `upload`, `watch` or `work`
   * is called. A command that only shows something must not send files that an earlier command left in the
   * queue. There is one exception: while a command that cancels or deletes an upload waits to learn whether
   * the upload was stored, lookups and deletions are sent.
   */
  readonly passive?: boolean
}

/** The parts that implement the contract's procedures. Each handler picks the ones it uses. */
export interface Services {
  readonly ports: Ports
  readonly wireName: EngineOptions['wireName']
  readonly db: Database
  readonly ids: FileIds
  readonly transfers: Transfers
  readonly files: Files
  readonly remote: Remote
  readonly claims: Claims
  readonly doubts: Pick<Doubts, 'of' | 'twinsLeft'>
  readonly owners: Owners
  readonly budget: Budget
  readonly account: AccountState
  readonly identity: IdentityKeeper
  readonly stats: StatsRefresh
  readonly limits: UploadLimits
  readonly catalog: Catalog
  readonly admission: Admission
  readonly guard: Guard
  readonly folders: WatchedFolders
  readonly scheduler: Scheduler
  readonly opens: Pick<FileOpens, 'diskOf' | 'isFolderUnanswered'>
  readonly reconciler: Reconciler
  /** Compares files that an earlier journal may have sent. */
  readonly compare: Pick<Comparison, 'isForeseen'>
  readonly uploadPause: UploadPause
  readonly gate: UploadGate
  readonly throttle: Throttle
  readonly backgroundJobs: BackgroundRunner
  readonly snapshots: SnapshotReader
  readonly bus: Bus
  /** Aborted when the engine closes. */
  readonly stop: AbortSignal
  /** Translates a failed call into a message for the user. */
  readonly callFailure: (failure: CallFailure) => Failure
}

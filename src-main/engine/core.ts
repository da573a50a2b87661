// What the engine is made of once it is composed, and what it is composed from. Types alone: compose/ builds the parts, engine.ts opens and
// closes them, the handlers call them.
import type { Failure, Result } from '../../src-shared/contract.ts'
import type { ApiClient } from '../api/types.ts'
import type { CallFailure } from './account/failures.ts'
import type { Identity, IdentityKeeper } from './account/identity.ts'
import type { AccountState } from './account/state.ts'
import type { Admission } from './admission/facts.ts'
import type { Guard, GuardRules } from './admission/guard.ts'
import type { OwnPaths } from './admission/own-places.ts'
import type { Bus } from './bus.ts'
import type { WatchedFolders } from './discovery/watched-folders.ts'
import type { FileSync } from './journal/barrier.ts'
import type { Claims } from './journal/claims.ts'
import type { Files } from './journal/files.ts'
import type { Database, FileMoves, Seal } from './journal/open.ts'
import type { Remote } from './journal/remote.ts'
import type { StampFile } from './journal/stamp.ts'
import type { Transfers } from './journal/transfers.ts'
import type { Throttle } from './limits/bandwidth.ts'
import type { Budget } from './limits/budget.ts'
import type { UploadLimits } from './limits/upload-limits.ts'
import type { Ports } from './ports.ts'
import type { BackgroundRunner } from './remote/background-runner.ts'
import type { Catalog } from './remote/catalog.ts'
import type { LinkCheck } from './remote/link-check.ts'
import type { Owners } from './remote/owners.ts'
import type { StatsRefresh } from './remote/stats-refresh.ts'
import type { SnapshotReader } from './snapshot.ts'
import type { LostAnswers } from './transfer/lost-answer-pause.ts'
import type { Reconciler } from './transfer/reconciler.ts'
import type { Concurrency, Scheduler } from './transfer/scheduler.ts'
import type { UploadGate } from './transfer/upload-gate.ts'

export interface EngineOptions {
  readonly ports: Ports
  /** Path of the journal's file, or `:memory:`. */
  readonly journal: string
  readonly files: FileMoves
  readonly seal: Seal | null
  /** Syncs the journal's log; absent where nothing has to survive a power cut. */
  readonly sync?: FileSync
  /** Detects that an older copy of the journal was put back; absent where that can't happen. */
  readonly stamp?: StampFile
  readonly version: string
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  /** Reads key and address; a failure says what a person can do. */
  readonly identity: () => Promise<Result<Identity>>
  /** The name to send for one that holds bytes of no character. */
  readonly wireName: (name: string) => string
  /** Where Slipway keeps its own things: nothing there is ever sent. */
  readonly own: OwnPaths
  readonly concurrency?: Concurrency
  /** What a person holds back or lets pass beside the rules for secrets. Asked often; the same object as long as nothing changed. */
  readonly guardRules?: () => GuardRules
  /**
   * true: nothing goes out by itself until an upload or a folder is asked for. A command that only looks must not start to send what an
   * earlier one left behind.
   */
  readonly passive?: boolean
}

/** The parts that answer the contract's procedures. A handler names the ones that it calls. */
export interface Services {
  readonly ports: Ports
  readonly wireName: EngineOptions['wireName']
  readonly db: Database
  readonly transfers: Transfers
  readonly files: Files
  readonly remote: Remote
  readonly claims: Claims
  readonly owners: Owners
  readonly budget: Budget
  readonly account: AccountState
  readonly identity: IdentityKeeper
  readonly stats: StatsRefresh
  readonly limits: UploadLimits
  readonly catalog: Catalog
  readonly linkCheck: LinkCheck
  readonly admission: Admission
  readonly guard: Guard
  readonly folders: WatchedFolders
  readonly scheduler: Scheduler
  readonly reconciler: Reconciler
  readonly lostAnswers: LostAnswers
  readonly gate: UploadGate
  readonly throttle: Throttle
  readonly backgroundJobs: BackgroundRunner
  readonly snapshots: SnapshotReader
  readonly bus: Bus
  /** The engine closes. */
  readonly stop: AbortSignal
  /** What a call that brought no answer means to the person who asked. */
  readonly callFailure: (failure: CallFailure) => Failure
}

// What the engine is made of once it is composed, and what it is composed from. Types alone: compose/ builds the parts, engine.ts opens and
// closes them, the handlers call them.
import type { Failure, Result } from '../../src-shared/contract.ts'
import type { Gate, Snapshot, Transfer } from '../../src-shared/model.ts'
import type { ApiClient } from '../api/types.ts'
import type { CallFailure } from './account/failures.ts'
import type { Identity } from './account/identity.ts'
import type { AccountRoom } from './account/state.ts'
import type { Admission } from './admission/facts.ts'
import type { Guard, GuardRules } from './admission/guard.ts'
import type { OwnPaths } from './admission/own-places.ts'
import type { Bus } from './bus.ts'
import type { FolderSession } from './discovery/folder.ts'
import type { FileSync } from './journal/barrier.ts'
import type { Claims } from './journal/claims.ts'
import type { Files } from './journal/files.ts'
import type { Database, FileMoves, Seal } from './journal/open.ts'
import type { Remote } from './journal/remote.ts'
import type { StampFile } from './journal/stamp.ts'
import type { TransferRow, Transfers } from './journal/transfers.ts'
import type { Budget } from './limits/budget.ts'
import type { UploadLimits } from './limits/upload-limits.ts'
import type { Ports } from './ports.ts'
import type { Catalog } from './remote/catalog.ts'
import type { Owners } from './remote/owners.ts'
import type { Calls } from './remote/requests.ts'
import type { Accounting } from './transfer/progress.ts'
import type { Concurrency } from './transfer/scheduler.ts'

export interface EngineOptions {
  readonly ports: Ports
  /** Path of the journal's file, or `:memory:`. */
  readonly journal: string
  readonly files: FileMoves
  readonly seal: Seal | null
  /** Syncs the journal's log; absent where nothing has to survive a power cut. */
  readonly sync?: FileSync
  /** Tells an older journal from the one that was here last; absent where nobody could have put one in its place. */
  readonly stamp?: StampFile
  readonly version: string
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  /** Reads key and address; a failure says what a person can do. */
  readonly identity: () => Promise<Result<Identity>>
  /** What the service is told for a name that holds bytes of no character. */
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

/** Everything that handlers may use. */
export interface Core {
  readonly options: EngineOptions
  readonly db: Database
  readonly transfers: Transfers
  readonly files: Files
  readonly remote: Remote
  readonly claims: Claims
  readonly owners: Owners
  readonly budget: Budget
  readonly account: AccountRoom
  readonly calls: Calls
  readonly catalog: Catalog
  readonly limits: UploadLimits
  readonly accounting: Accounting
  readonly bus: Bus
  readonly stop: AbortSignal
  readonly admission: Admission
  readonly guard: Guard
  sessions(): ReadonlyMap<number, FolderSession>
  openSession(folderId: number): FolderSession
  closeSession(folderId: number): Promise<void>
  /** A command takes part in watching a folder; the folder stays open until the last one lets go, and for good where the app keeps it. */
  join(folderId: number, watcher: string): void
  letGo(folderId: number, watcher: string): Promise<void>
  /** A person ends watching: nothing new starts, and what waits in the folder is taken back. */
  endWatching(folderId: number): Promise<void>
  snapshot(): Snapshot
  gate(): Gate | null
  view(row: TransferRow): Transfer
  /** Something may be due now. */
  pump(): void
  /** From now on what is due goes out. */
  work(): void
  /** The app is here: what is due goes out, every kept folder is watched, and spare budget keeps the catalog fresh. */
  attend(): void
  isAttended(): boolean
  /** How hard to work: uploads at once, and a cap in bytes a second over all of them. */
  configure(options: { readonly concurrency: number; readonly bytesPerSecond: number | null }): void
  setPaused(paused: boolean): void
  abort(id: number): void
  /** Ends every upload under way as if its connection were cut, and resolves once each has its state: queued, or unknown until looked up. */
  breakOff(): Promise<void>
  isActive(id: number): boolean
  loadIdentity(): Promise<Failure | null>
  /** Reads `/stats` now. */
  refreshStats(priority: 'person' | 'background', maxWaitMs: number): Promise<Failure | null>
  callFailure(failure: CallFailure): Failure
}

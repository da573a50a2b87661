// Defines the messages between the main thread and the engine thread, and the operations that each offers the
// other. All values can be structured-cloned. Nothing is validated here, because both ends belong to the same
// build and input from a page has already been validated.

import type { Failure, Input, Output, ProcedureName, Result } from '../../../src-shared/engine-contract.ts'
import type { EngineEvent, NoticeAbout } from '../../../src-shared/events.ts'
import type { StatsView } from '../../../src-shared/model.ts'
import type { Connection } from '../../../src-shared/window-contract.ts'
import type { ProxyLogin } from '../../api/types.ts'
import type { KeychainAnswer, KeychainCall } from '../../platform/account/keychain.ts'
import type { Occasion } from './patient-keychain.ts'

/**
 * Start-up data of the thread. `apiKey` is the key from the environment, which `env` doesn't contain, or a
 * trial's key. Null if there is neither.
 */
export interface EngineThreadStart {
  readonly slipwayRole: 'engine'
  /** The ID of the account to open; null for the account that the environment or the stored list selects. */
  readonly account: string | null
  readonly dataDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly proxy: string
  /**
   * The IDs of the accounts to which the current pause of all accounts has been applied. Any other account is
   * paused when its engine opens. Null if there is no such pause.
   */
  readonly pausedAccounts: readonly string[] | null
  /**
   * A key to hold in memory: the previous thread held it, or it was entered before the account had a thread.
   */
  readonly held: HeldKey | null
}

/**
 * A key entered in this run that isn't in the keychain, or that takes precedence over the environment's. The
 * main thread keeps a copy, so that the key survives a crash of the engine thread.
 */
export interface HeldKey {
  readonly baseUrl: string
  readonly key: string
  /** Whether the key is also in the keychain. */
  readonly saved: boolean
}

/** The account whose engine a thread runs. */
export interface OpenedAccount {
  /** Null if no account is registered yet. The first one is registered as soon as there is a key. */
  readonly id: string | null
  /** Path of the account's folder. */
  readonly dir: string
  /** Path of its log file. */
  readonly log: string
  /** Path of the folder for its pasted content. */
  readonly pasted: string
}

/**
 * An account on this computer, according to the list of accounts and its journal. Its engine may not be
 * running.
 */
export interface AccountLine {
  readonly id: string
  readonly name: string
  /** `host` or `host:port`; null if the stored address is missing or invalid. */
  readonly host: string | null
  /** Null if the keychain couldn't be queried for this account or for an earlier one in the list. */
  readonly isKeyStored: boolean | null
  readonly folders: number
  /** The number of unfinished files that need no action by the user. */
  readonly open: number
  /**
   * Whether a deletion on the service is pending, or the file of an unconfirmed upload (outcome unknown) may
   * still appear there.
   */
  readonly hasCleanup: boolean
  /** The number of held and failed files, which need the user's attention. */
  readonly needs: number
  /**
   * Whether the account's journal couldn't be read, in which case `folders`, `open`, `hasCleanup` and `needs`
   * are unknown.
   */
  readonly isUnread?: boolean
}

/** The account that a checked key belongs to. */
export interface KeyOwner {
  /** Null for a new account. */
  readonly id: string | null
  /** The account's name, or the name that a new account will get. */
  readonly name: string
  /** Whether this is the account of the running engine. */
  readonly isOpen: boolean
}

export interface KeptKey {
  readonly account: string
  readonly baseUrl: string
  /** Whether this is the first account, whose address is also stored in the settings. */
  readonly first: boolean
  /**
   * Which engine uses the key: the running one, the running one after it is reopened, or that of another
   * account.
   */
  readonly engine: 'this' | 'reopened' | 'other'
  /** The key, if another account's engine needs it and it isn't in the keychain; otherwise null. */
  readonly held: HeldKey | null
}

export interface Proved {
  readonly host: string
  readonly baseUrl: string
  readonly stats: StatsView
}

/** Operations of the engine thread that aren't part of the contract. */
export interface EngineThreadOps {
  connect(input: {
    readonly token: string
    readonly address: string
    readonly key: string
    readonly plainHttp: boolean
  }): Promise<Result<Proved>>
  /** Finds the account that the checked key belongs to. May send a request to the service. */
  owner(input: { readonly token: string }): Promise<Result<KeyOwner>>
  /**
   * Stores the checked key in the keychain or in memory. The caller must then notify the engine that uses it.
   */
  keep(input: { readonly token: string; readonly save: boolean }): Promise<Result<KeptKey>>
  /**
   * Makes the thread use a key that another account's thread has checked, or the key in the keychain if
   * `held` is null. The caller must then call `reloadKey`.
   */
  hold(input: { readonly held: HeldKey | null }): Promise<Result<Record<string, never>>>
  accounts(input: Record<string, never>): Promise<Result<{ readonly accounts: readonly AccountLine[] }>>
  /** Makes this account the current one, for the next start and for the command line. */
  use(input: { readonly account: string }): Promise<Result<Record<string, never>>>
  rename(input: { readonly account: string; readonly name: string }): Promise<Result<Record<string, never>>>
  /** Counts the account's pasted and piped items that aren't uploaded yet. `remove` deletes them. */
  unsentPastes(input: { readonly account: string }): Promise<Result<{ readonly count: number }>>
  /** Closes the engine if it belongs to this account, then deletes the account's key and data. */
  remove(input: { readonly account: string }): Promise<Result<Record<string, never>>>
  signOut(input: Record<string, never>): Promise<Result<Connection>>
  connection(input: Record<string, never>): Promise<Result<Connection>>
  /**
   * Reads the key from the keychain again and passes it to the engine, if the occasion justifies another
   * system dialog. Resolves to null if it doesn't.
   */
  readKeyAgain(input: { readonly occasion: Occasion }): Promise<Result<Connection | null>>
  /**
   * Checks whether the keychain can be read. Resolves to null if an earlier read failed and the occasion
   * doesn't justify another dialog. If `occasion` is null, an earlier failure is returned without opening a
   * dialog.
   */
  keychain(input: {
    readonly occasion: Occasion | null
  }): Promise<Result<{ readonly ok: boolean; readonly message: string | null } | null>>
  proxy(input: { readonly proxy: string }): Promise<Result<Record<string, never>>>
  /**
   * Drops the thread's cached proxy logins and contacts the service again. Call after the user has entered or
   * removed a login.
   */
  proxyLogin(input: Record<string, never>): Promise<Result<Record<string, never>>>
}
export type OpName = keyof EngineThreadOps
export type OpInput<K extends OpName> = Parameters<EngineThreadOps[K]>[0]
export type OpOutput<K extends OpName> =
  Awaited<ReturnType<EngineThreadOps[K]>> extends Result<infer T> ? T : never

/**
 * Operations that only Electron's main process can perform for the engine thread. If one rejects, the thread
 * gets null.
 */
export interface MainThreadOps {
  /**
   * Runs the call in a separate process. If it takes longer than `ms` milliseconds, the process is killed and
   * the result is null.
   */
  keychain(input: { readonly request: KeychainCall; readonly ms: number }): Promise<KeychainAnswer | null>
  /**
   * Returns the system's proxies for a URL in the format of a PAC script: `PROXY proxy.example:3128; DIRECT`.
   * Null if they can't be determined.
   */
  systemProxy(input: { readonly url: string }): Promise<string | null>
  /** Returns the login for a proxy's origin; null if there is none. */
  findProxyLogin(input: { readonly proxy: string }): Promise<ProxyLogin | null>
  /** Moves a file to the system's bin. */
  trash(input: { readonly path: string }): Promise<true | null>
  proxyLoginRefused(input: { readonly proxy: string; readonly login: ProxyLogin | null }): Promise<null>
}
export type MainThreadOpName = keyof MainThreadOps
export type MainThreadInput<K extends MainThreadOpName> = Parameters<MainThreadOps[K]>[0]
export type MainThreadOutput<K extends MainThreadOpName> = Awaited<ReturnType<MainThreadOps[K]>>

export type ToEngineThread =
  | { readonly type: 'call'; readonly id: number; readonly procedure: ProcedureName; readonly input: unknown }
  | { readonly type: 'op'; readonly id: number; readonly op: OpName; readonly input: unknown }
  | { readonly type: 'close'; readonly graceMs: number }
  /** The answer to an `ask`. */
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown }

export type FromEngineThread =
  | { readonly type: 'answer'; readonly id: number; readonly result: Result<unknown> }
  | { readonly type: 'event'; readonly event: EngineEvent }
  /**
   * An engine is available, in this process or in another one that owns the data folder. Sent again whenever
   * the engine changes.
   */
  | { readonly type: 'up'; readonly owner: boolean; readonly account: OpenedAccount }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'held'; readonly held: HeldKey | null }
  /** The keychain could be read again after an earlier read failed. */
  | { readonly type: 'key-read'; readonly connection: Connection }
  | {
      readonly type: 'tell'
      readonly title: string
      readonly hint: string | null
      readonly about: NoticeAbout
    }
  | { readonly type: 'closed' }
  | { readonly type: 'ask'; readonly id: number; readonly op: MainThreadOpName; readonly input: unknown }

/** The engine as seen from the main thread. */
export interface EngineLink {
  call<K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>>
  op<K extends OpName>(op: K, input: OpInput<K>): Promise<Result<OpOutput<K>>>
  /** Returns a function that removes the listener, as does `onState`. */
  onEvent(listener: (event: EngineEvent) => void): () => void
  /**
   * `up` is true each time an engine becomes available, and false when its thread has ended or no engine
   * could be started (`failure`).
   */
  onState(listener: (state: { readonly up: boolean; readonly failure: Failure | null }) => void): () => void
  onTell(listener: (title: string, hint: string | null, about: NoticeAbout) => void): void
  /** The listener is called when the keychain could be read again after an earlier read failed. */
  onKeyRead(listener: (connection: Connection) => void): void
  isUp(): boolean
  /** The account of the engine; null until an engine has been available. */
  account(): OpenedAccount | null
  /**
   * Shuts the engine down cleanly and starts it again, so that it reads the list of accounts again. Resolves
   * once the new engine answers or has failed to start, or once the link is closed. Does nothing before the
   * start.
   */
  reopen(): Promise<void>
  /**
   * Shuts the engine down; uploads under way get `graceMs` milliseconds to finish. Resolves to false if a
   * thread is stuck in native code, which prevents the process from exiting normally.
   */
  close(graceMs: number): Promise<boolean>
}

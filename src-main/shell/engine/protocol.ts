// The messages between the main thread and the engine thread: numbered calls, responses, events. Structured-clone values only. Both ends
// belong to the same build, so nothing is validated here; input from a page has been validated before.
import type { Connection } from '../../../src-shared/app.ts'
import type { EngineEvent, Failure, Input, NoticeAbout, Output, ProcedureName, Result } from '../../../src-shared/contract.ts'
import type { StatsView } from '../../../src-shared/model.ts'
import type { KeychainAnswer, KeychainCall } from '../../platform/account/keychain.ts'

/** Start-up data of the thread. `apiKey` is the environment's key, which has been removed from `env`. */
export interface EngineThreadStart {
  readonly slipwayRole: 'engine'
  /** The account to open, by its ID; null: the one that the environment or the list of accounts says. */
  readonly account: string | null
  readonly dataDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly proxy: string
  /** The key held by the previous thread. */
  readonly held: HeldKey | null
}

/**
 * A key entered in this run that isn't in the keychain, or that takes precedence over the environment's. The main thread keeps a copy, so
 * that it survives a crash of the engine thread.
 */
export interface HeldKey {
  readonly baseUrl: string
  readonly key: string
  /** Whether it is in the keychain, too. */
  readonly saved: boolean
}

/** The account whose engine a thread runs. */
export interface OpenedAccount {
  /** Null: no account is known yet; the first key makes one. */
  readonly id: string | null
  /** Its folder, and what lies in it. */
  readonly dir: string
  readonly log: string
  readonly pasted: string
}

/** An account of this computer, as the list of accounts and its journal know it; its engine need not run. */
export interface AccountLine {
  readonly id: string
  readonly name: string
  /** `host:port`, or null if an earlier version kept no address. */
  readonly host: string | null
  /** Null: the keychain can't be asked. */
  readonly isKeyStored: boolean | null
  readonly folders: number
  /** Files that can be uploaded without the user, and those that can't. */
  readonly open: number
  readonly needs: number
}

/** Whose a checked key is. */
export interface KeyOwner {
  /** Null: a new account's. */
  readonly id: string | null
  /** Its name, or the one that it will get. */
  readonly name: string
  /** Whether it is the account of the engine at hand. */
  readonly isOpen: boolean
}

export interface KeptKey {
  readonly account: string
  readonly baseUrl: string
  /** The first account's address is kept in the settings, too. */
  readonly first: boolean
  /** Which engine uses the key: the one at hand, the one at hand once it is opened again, or that of another account. */
  readonly engine: 'this' | 'reopened' | 'other'
  /** For another account's engine, where the keychain doesn't have the key. */
  readonly held: HeldKey | null
}

export interface Proved {
  readonly host: string
  readonly baseUrl: string
  readonly stats: StatsView
}

/** Operations of the engine thread beyond the contract. */
export interface EngineThreadOps {
  connect(input: {
    readonly token: string
    readonly address: string
    readonly key: string
    readonly plainHttp: boolean
  }): Promise<Result<Proved>>
  /** Whose the checked key is. The service may have to be asked. */
  owner(input: { readonly token: string }): Promise<Result<KeyOwner>>
  /** Keeps the checked key: in the keychain, or in memory alone. The engine that uses it then has to be told. */
  keep(input: { readonly token: string; readonly save: boolean }): Promise<Result<KeptKey>>
  /** Uses a key that was kept for this account by another account's thread. The caller then asks to reload. */
  hold(input: { readonly held: HeldKey | null }): Promise<Result<Record<string, never>>>
  accounts(input: Record<string, never>): Promise<Result<{ readonly accounts: readonly AccountLine[] }>>
  /** Makes an account the current one, for the next start and for commands. */
  use(input: { readonly account: string }): Promise<Result<Record<string, never>>>
  rename(input: { readonly account: string; readonly name: string }): Promise<Result<Record<string, never>>>
  /** Closes the engine if it is this account's, then deletes its key and its data. */
  remove(input: { readonly account: string }): Promise<Result<Record<string, never>>>
  signOut(input: Record<string, never>): Promise<Result<Connection>>
  connection(input: Record<string, never>): Promise<Result<Connection>>
  keychain(input: Record<string, never>): Promise<Result<{ readonly ok: boolean; readonly message: string | null }>>
  proxy(input: { readonly proxy: string }): Promise<Result<Record<string, never>>>
  /** For benchmarks: percentiles and maximum of the event loop delay since the last call, in milliseconds. */
  delay(input: Record<string, never>): Promise<Result<{ readonly p50: number; readonly p99: number; readonly max: number }>>
}
export type OpName = keyof EngineThreadOps
export type OpInput<K extends OpName> = Parameters<EngineThreadOps[K]>[0]
export type OpOutput<K extends OpName> = Awaited<ReturnType<EngineThreadOps[K]>> extends Result<infer T> ? T : never

/** What the engine thread asks of the main thread, because only Electron's main process can do it. Must not reject. */
export interface MainThreadOps {
  /** Runs the call in a process that is killed after `ms`; null if it was. */
  keychain(input: { readonly request: KeychainCall; readonly ms: number }): Promise<KeychainAnswer | null>
  /** The system's proxies for an address, as a PAC script returns them: `PROXY proxy.example:3128; DIRECT`. */
  systemProxy(input: { readonly url: string }): Promise<string>
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
  /** An engine is available: in this process, or in another one that owns the data folder. Sent again whenever the engine changes. */
  | { readonly type: 'up'; readonly owner: boolean; readonly account: OpenedAccount }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'held'; readonly held: HeldKey | null }
  | { readonly type: 'tell'; readonly title: string; readonly hint: string | null; readonly about: NoticeAbout }
  | { readonly type: 'closed' }
  | { readonly type: 'ask'; readonly id: number; readonly op: MainThreadOpName; readonly input: unknown }

/** The engine as seen from the main thread. */
export interface EngineLink {
  call<K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>>
  op<K extends OpName>(op: K, input: OpInput<K>): Promise<Result<OpOutput<K>>>
  onEvent(listener: (event: EngineEvent) => void): void
  /** `up`: true each time an engine becomes available, false when it goes away. `failure`: set if none could be started. */
  onState(listener: (state: { readonly up: boolean; readonly failure: Failure | null }) => void): void
  onTell(listener: (title: string, hint: string | null, about: NoticeAbout) => void): void
  isUp(): boolean
  /** Whose engine it is; null until one was available. */
  account(): OpenedAccount | null
  /** Ends the engine in order and starts it again, because the account's entry has changed. Resolves once it answers, or can't start. */
  reopen(): Promise<void>
  /** Resolves to false if a thread is stuck in native code: the process then can't exit by itself. */
  close(graceMs: number): Promise<boolean>
}

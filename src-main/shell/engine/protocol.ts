// What the main thread and the engine's thread say to each other: calls by number, answers, events. Structured-clone values only. Both ends
// are ours and of one build, so nothing is checked here; what comes from a page was checked before.
import type { Connection } from '../../../src-shared/app.ts'
import type { EngineEvent, Failure, Input, Output, ProcedureName, Result } from '../../../src-shared/contract.ts'
import type { StatsView } from '../../../src-shared/model.ts'

/** Given to the thread at its start. The key may come from the environment; it is taken out of it before. */
export interface EngineThreadStart {
  readonly slipwayRole: 'engine'
  readonly dataDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly proxy: string
  /** What the thread before this one held. */
  readonly held: HeldKey | null
}

/** A key that a person gave in this run and that the keychain does not have, or that goes before the environment's. Kept by the main thread too,
 * so that a thread that falls takes no key with it. */
export interface HeldKey {
  readonly baseUrl: string
  readonly key: string
  /** The keychain has it as well. */
  readonly saved: boolean
}

export interface Proved {
  readonly host: string
  readonly baseUrl: string
  readonly stats: StatsView
}

/** What the thread does beside the contract. */
export interface EngineThreadOps {
  connect(input: {
    readonly token: string
    readonly address: string
    readonly key: string
    readonly plainHttp: boolean
  }): Promise<Result<Proved>>
  /** Keeps the proved key: in the keychain, or in memory alone. The caller then writes the address into the settings and asks to reload. */
  keep(input: { readonly token: string; readonly save: boolean }): Promise<Result<{ readonly baseUrl: string }>>
  signOut(input: Record<string, never>): Promise<Result<Connection>>
  connection(input: Record<string, never>): Promise<Result<Connection>>
  keychain(input: Record<string, never>): Promise<Result<{ readonly ok: boolean; readonly message: string | null }>>
  proxy(input: { readonly proxy: string }): Promise<Result<Record<string, never>>>
  /** For the bench: the longest and the 99th of the event loop's delays since the last call, in ms. */
  delay(input: Record<string, never>): Promise<Result<{ readonly p50: number; readonly p99: number; readonly max: number }>>
}
export type OpName = keyof EngineThreadOps
export type OpInput<K extends OpName> = Parameters<EngineThreadOps[K]>[0]
export type OpOutput<K extends OpName> = Awaited<ReturnType<EngineThreadOps[K]>> extends Result<infer T> ? T : never

export type ToEngineThread =
  | { readonly type: 'call'; readonly id: number; readonly procedure: ProcedureName; readonly input: unknown }
  | { readonly type: 'op'; readonly id: number; readonly op: OpName; readonly input: unknown }
  | { readonly type: 'close'; readonly graceMs: number }

export type FromEngineThread =
  | { readonly type: 'answer'; readonly id: number; readonly result: Result<unknown> }
  | { readonly type: 'event'; readonly event: EngineEvent }
  /** An engine answers: this one, or another process' that owns the data folder. Said again after every change of engines. */
  | { readonly type: 'up'; readonly owner: boolean }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'held'; readonly held: HeldKey | null }
  | { readonly type: 'tell'; readonly title: string; readonly hint: string | null }
  | { readonly type: 'closed' }

/** The engine as the main thread sees it. */
export interface EngineLink {
  call<K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>>
  op<K extends OpName>(op: K, input: OpInput<K>): Promise<Result<OpOutput<K>>>
  onEvent(listener: (event: EngineEvent) => void): void
  /** `up` true with every engine that begins to answer, false when it went away. `failure` where it can't start at all. */
  onState(listener: (state: { readonly up: boolean; readonly failure: Failure | null }) => void): void
  onTell(listener: (title: string, hint: string | null) => void): void
  isUp(): boolean
  close(graceMs: number): Promise<void>
}

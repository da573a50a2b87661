// The main thread's side of a fake engine: a test answers each call, emits events, and makes it available or
// unavailable. Every call is checked against the contract, as the engine would do.

import type { EngineLink, OpName } from '../../../src-main/shell/engine/protocol.ts'
import {
  type Failure,
  type ProcedureName,
  procedures,
  type Result,
} from '../../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { Connection } from '../../../src-shared/window-contract.ts'

export const GONE: { readonly ok: false; readonly failure: Failure } = {
  ok: false,
  failure: { code: 'closing', title: 'The engine stopped.', hint: null },
}

type Answer = (input: never) => unknown

export interface FakeLink {
  readonly link: EngineLink
  readonly calls: { readonly name: string; readonly input: unknown }[]
  callsOf(name: string): unknown[]
  /** The number of listeners for events and for the state. */
  listeners(): number
  say(event: EngineEvent): void
  state(up: boolean, failure?: Failure): void
  /** The keychain could be read after it couldn't. */
  keyRead(connection: Connection): void
}

/**
 * `answers` by procedure or `op:` name: a value that becomes a success, or a complete result with `ok`.
 * Without an answer the engine counts as gone.
 */
export function fakeLink(answers: Readonly<Record<string, Answer>> = {}): FakeLink {
  const calls: { name: string; input: unknown }[] = []
  const events = new Set<(event: EngineEvent) => void>()
  const states = new Set<(state: { readonly up: boolean; readonly failure: Failure | null }) => void>()
  const keys = new Set<(connection: Connection) => void>()
  let up = true
  const answer = async (name: string, input: unknown): Promise<Result<unknown>> => {
    calls.push({ name, input })
    const given = answers[name]
    if (given === undefined) return GONE
    const value = await (given as (input: unknown) => unknown)(input)
    return typeof value === 'object' &&
      value !== null &&
      'ok' in value &&
      ('failure' in value || 'value' in value)
      ? (value as Result<unknown>)
      : { ok: true, value }
  }
  const link = {
    call: (name: ProcedureName, input: unknown) => {
      procedures[name].input.parse(input)
      return answer(name, input)
    },
    op: (name: OpName, input: unknown) => answer(`op:${name}`, input),
    onEvent: (listener: (event: EngineEvent) => void) => {
      events.add(listener)
      return () => events.delete(listener)
    },
    onState: (listener: (state: { readonly up: boolean; readonly failure: Failure | null }) => void) => {
      states.add(listener)
      return () => states.delete(listener)
    },
    onTell: () => undefined,
    onKeyRead: (listener: (connection: Connection) => void) => void keys.add(listener),
    isUp: () => up,
    account: () => null,
    reopen: async () => {
      await answer('reopen', null)
    },
    close: async () => undefined,
  } as unknown as EngineLink
  return {
    link,
    calls,
    listeners: () => events.size + states.size,
    callsOf: (name) => calls.filter((one) => one.name === name).map((one) => one.input),
    say: (event) => {
      for (const listener of events) listener(event)
    },
    keyRead: (connection) => {
      for (const listener of keys) listener(connection)
    },
    state: (now, failure) => {
      up = now
      for (const listener of states) listener({ up: now, failure: failure ?? null })
    },
  }
}

/** Resolves after everything that doesn't wait for external events has happened. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

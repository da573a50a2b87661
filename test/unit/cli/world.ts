// A fake environment for commands: an engine whose answers the test defines, a terminal that records its
// lines, and a clock that the test advances. Every call is checked against the contract, so a command can't
// make a call that no engine would accept.

import { resolve } from 'node:path'
import type { Ctx, PathKind, Terminal } from '../../../src-main/cli/context.ts'
import { keySourceOf } from '../../../src-main/cli/key-source.ts'
import type { ProgressView } from '../../../src-main/cli/output/progress-line.ts'
import type { EngineSession } from '../../../src-main/platform/host/engine-session.ts'
import type { Time } from '../../../src-main/platform/time.ts'
import {
  type Handlers,
  type Input,
  type Output,
  type ProcedureName,
  procedures,
  type Result,
} from '../../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { Account, Folder, RemoteRow, Snapshot, Transfer } from '../../../src-shared/model.ts'
import { remoteRow as anyRow, folderView, snapshotView, transferView } from '../views.ts'

/** 2026-11-20 20:00:00 UTC. */
export const NOW = Date.UTC(2026, 10, 20, 20, 0, 0)

export interface FakeTime extends Time {
  /** Advances the clock step by step, waiting for all consequences of each step. */
  pass(ms: number): Promise<void>
  /** Sets the clock forward, or back if `ms` is negative. Timers aren't affected. */
  setClock(ms: number): void
}

export async function settle(): Promise<void> {
  for (let i = 0; i < 60; i++) await Promise.resolve()
}

export function createFakeTime(): FakeTime {
  let now = NOW
  let offset = 0
  let nextId = 1
  const timers = new Map<number, { at: number; call: () => void }>()
  return {
    now: () => now + offset,
    setClock: (ms) => {
      offset += ms
    },
    after: (ms, call) => {
      const id = nextId++
      timers.set(id, { at: now + ms, call })
      return () => timers.delete(id)
    },
    pass: async (ms) => {
      const end = now + ms
      await settle()
      for (;;) {
        const due = [...timers]
          .filter(([, timer]) => timer.at <= end)
          .toSorted(([, a], [, b]) => a.at - b.at)[0]
        if (due === undefined) break
        timers.delete(due[0])
        now = Math.max(now, due[1].at)
        due[1].call()
        await settle()
      }
      now = end
      await settle()
    },
  }
}

export interface FakeTerminal extends Terminal {
  readonly lines: string[]
  readonly errors: string[]
  readonly views: (ProgressView | null)[]
  readonly asked: string[]
}

export function createFakeTerminal(
  options: { tty?: boolean; columns?: number; answers?: (string | null)[]; input?: string | null } = {},
): FakeTerminal {
  const lines: string[] = []
  const errors: string[] = []
  const views: (ProgressView | null)[] = []
  const asked: string[] = []
  const answers = [...(options.answers ?? [])]
  const tty = options.tty ?? false
  return {
    lines,
    errors,
    views,
    asked,
    out: (line) => lines.push(line),
    err: (line) => errors.push(line),
    progress: (view) => views.push(view),
    paint: (_stream, _colour, text) => text,
    inIsTerminal: tty,
    outIsTerminal: tty,
    errIsTerminal: tty,
    columns: options.columns ?? 80,
    ask: (prompt, hidden) => {
      asked.push(hidden ? `${prompt}(hidden)` : prompt)
      return Promise.resolve(answers.shift() ?? null)
    },
    readInput: () => Promise.resolve(options.input ?? null),
  }
}

type Answers = { [K in ProcedureName]?: (input: Input<K>) => Result<Output<K>> | Promise<Result<Output<K>>> }

export interface FakeSession extends EngineSession {
  readonly calls: { procedure: ProcedureName; input: unknown }[]
  answers: Answers
  owner: boolean
  emit(event: EventBody): void
  /** Simulates that another engine has taken over. */
  reopen(): void
  skipSeq(): void
}

type Body<E> = E extends EngineEvent ? Omit<E, 'seq'> : never
type EventBody = Body<EngineEvent>

export function createFakeSession(answers: Answers = {}): FakeSession {
  const calls: { procedure: ProcedureName; input: unknown }[] = []
  const events = new Set<(event: EngineEvent) => void>()
  const reopened = new Set<() => void>()
  let seq = 0
  let generation = 1
  const session: FakeSession = {
    calls,
    // Unless a test says otherwise, no path was ever uploaded, and there are no second copies.
    answers: {
      secondCopies: () => ok([]),
      versions: ({ selectors }) =>
        ok(selectors.map((selector) => ({ selector, found: 'none', versions: [] }))),
      ...answers,
    },
    owner: true,
    call: async (procedure, input) => {
      const checked = procedures[procedure].input.parse(input)
      calls.push({ procedure, input: checked })
      const answer = session.answers[procedure] as
        | ((input: unknown) => ReturnType<Handlers[typeof procedure]>)
        | undefined
      if (answer === undefined) throw new Error(`nobody wrote down what ${procedure} answers`)
      const result = await answer(checked)
      if (result.ok) procedures[procedure].output.parse(result.value)
      return result
    },
    onEvent: (listener) => {
      events.add(listener)
      return () => events.delete(listener)
    },
    onClose: () => () => undefined,
    onReopen: (listener) => {
      reopened.add(listener)
      return () => reopened.delete(listener)
    },
    isOwner: () => session.owner,
    failure: () => null,
    generation: () => generation,
    close: () => Promise.resolve(),
    emit: (event) => {
      seq++
      for (const listener of events) listener({ ...event, seq })
    },
    reopen: () => {
      generation++
      seq = 0
      for (const listener of reopened) listener()
    },
    skipSeq: () => {
      seq++
    },
  }
  return session
}

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export interface World {
  readonly ctx: Ctx
  readonly term: FakeTerminal
  readonly session: FakeSession
  readonly time: FakeTime
  readonly stop: AbortController
  /** Stored standard input that was removed. */
  readonly dropped: readonly string[]
  json(): unknown
  events(): Record<string, unknown>[]
}

export function createWorld(
  answers: Answers,
  options: {
    json?: boolean
    quiet?: boolean
    tty?: boolean
    columns?: number
    answers?: (string | null)[]
    kinds?: Record<string, PathKind>
    /** Symbolic links and their targets. */
    links?: Record<string, string>
    hasEnvironmentKey?: boolean
  } = {},
): World {
  const term = createFakeTerminal(options)
  const session = createFakeSession({ snapshot: () => ok(snapshot()), ...answers })
  const time = createFakeTime()
  const stop = new AbortController()
  const dropped: string[] = []
  // On Windows, the commands ask about paths with a drive letter.
  const kinds = new Map(Object.entries(options.kinds ?? {}).map(([path, kind]) => [resolve(path), kind]))
  const links = new Map(
    Object.entries(options.links ?? {}).map(([path, target]) => [resolve(path), resolve(target)]),
  )
  const ctx: Ctx = {
    account: null,
    baseUrl: null,
    client: session,
    keySource: () => keySourceOf(options.hasEnvironmentKey ?? false, session),
    term,
    time,
    json: options.json ?? false,
    quiet: options.quiet ?? false,
    cwd: resolve('/home/u'),
    home: resolve('/home/u'),
    kindOf: (path) => Promise.resolve(kinds.get(resolve(path)) ?? 'directory'),
    realOf: (path) => Promise.resolve(links.get(path) ?? path),
    keepInput: (name) => Promise.resolve(ok(`/data/pasted/stdin-1-0123456789abcdef/${name}`)),
    dropInput: (path) => {
      dropped.push(path)
      return Promise.resolve()
    },
    signal: stop.signal,
  }
  return {
    ctx,
    term,
    session,
    time,
    stop,
    dropped,
    json: () => {
      if (term.lines.length !== 1) throw new Error(`not one document but ${term.lines.length} lines`)
      return JSON.parse(term.lines[0] ?? '')
    },
    events: () => term.lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

export function account(over: Partial<Account> = {}): Account {
  return {
    state: 'ok',
    baseUrl: 'https://files.example.com/api/v1',
    plan: 'pro',
    provedAt: NOW,
    message: null,
    ...over,
  }
}

export function snapshot(over: Partial<Snapshot> = {}): Snapshot {
  const window = { limit: 50, used: 1, nextAt: null }
  const shown = { minute: window, day: { ...window, limit: 5000 }, dailyUploads: { ...window, limit: null } }
  return snapshotView(account(), { seq: 0, version: '0.1.0', ...shown, ...over })
}

export function transfer(id: number, over: Partial<Transfer> = {}): Transfer {
  return transferView({ id, path: `/home/u/${id}.txt`, size: 12, createdAt: NOW, ...over })
}

export function done(id: number, over: Partial<Transfer> = {}): Transfer {
  return transfer(id, {
    state: 'done',
    sha256: 'ab'.repeat(32),
    fileId: 1000 + id,
    publicLink: `https://files.example.com/download/t${id}`,
    filename: `${id}.txt`,
    doneAt: NOW + 1,
    ...over,
  })
}

export function folder(over: Partial<Folder> = {}): Folder {
  return folderView({ id: 7, path: '/home/u/in', lastScanAt: NOW, ...over })
}

export function remoteRow(fileId: number, over: Partial<RemoteRow> = {}): RemoteRow {
  return anyRow(fileId, {
    filename: `${fileId}.pdf`,
    size: 1500,
    bytes: 1500,
    uploadDate: '2026-11-20 19:00:00',
    downloadCount: 3,
    publicLink: `https://files.example.com/download/t${fileId}`,
    kind: 'document',
    ...over,
  })
}

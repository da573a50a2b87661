// The main thread's end of the engine's thread: numbered calls, events, and a new thread when one falls. A fall takes no window down; calls
// under way get an answer that says to try again, and the journal knows the rest. It knows no procedure by name.
import { Worker } from 'node:worker_threads'
import type { EngineEvent, Failure, Input, Output, ProcedureName, Result } from '../../../src-shared/contract.ts'
import type { EngineLink, EngineThreadStart, FromEngineThread, HeldKey, OpInput, OpName, OpOutput, ToEngineThread } from './protocol.ts'

/** A thread that falls again and again is given more and more time, up to this. */
const LONGEST_PAUSE_MS = 30_000
const FIRST_PAUSE_MS = 250
/** After this long without a fall the next one counts as the first. */
const STEADY_MS = 60_000

const GONE: { readonly ok: false; readonly failure: Failure } = {
  ok: false,
  failure: { code: 'closing', title: 'The engine stopped and is being started again.', hint: 'Try again in a moment.' },
}

export function createEngineLink(options: {
  readonly entry: URL
  readonly startWith: () => Omit<EngineThreadStart, 'held'>
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}): EngineLink & { readonly start: () => void } {
  const eventListeners = new Set<(event: EngineEvent) => void>()
  const stateListeners = new Set<(state: { readonly up: boolean; readonly failure: Failure | null }) => void>()
  const tellListeners = new Set<(title: string, hint: string | null) => void>()
  const waiting = new Map<number, (result: Result<unknown>) => void>()
  let nextId = 1
  let up = false
  let closing: Promise<void> | null = null
  let closed: () => void = () => undefined
  let falls = 0
  let startedAt = 0
  /** Null before the start and between two threads: what is posted to a thread that fell is answered by nobody. */
  let worker: Worker | null = null
  let started = false
  let held: HeldKey | null = null

  function state(now: boolean, failure: Failure | null): void {
    up = now
    for (const listener of stateListeners) listener({ up: now, failure })
  }

  function launch(): Worker {
    startedAt = Date.now()
    const next = new Worker(options.entry, { workerData: { ...options.startWith(), held } satisfies EngineThreadStart, execArgv: [] })
    next.on('message', take)
    next.on('error', (error: Error) => options.log('engine.fell', { message: error.stack ?? error.message }))
    next.on('exit', (code) => fell(code))
    return next
  }

  function fell(code: number): void {
    worker = null
    for (const answer of waiting.values()) answer(GONE)
    waiting.clear()
    if (closing !== null) {
      closed()
      return
    }
    state(false, null)
    falls = Date.now() - startedAt > STEADY_MS ? 1 : falls + 1
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (falls - 1))
    options.log('engine.restart', { code, pause })
    setTimeout(() => {
      if (closing === null) worker = launch()
    }, pause)
  }

  function take(message: FromEngineThread): void {
    switch (message.type) {
      case 'answer':
        waiting.get(message.id)?.(message.result)
        waiting.delete(message.id)
        return
      case 'event':
        for (const listener of eventListeners) listener(message.event)
        return
      case 'up':
        state(true, null)
        return
      case 'failed':
        state(false, message.failure)
        return
      case 'held':
        held = message.held
        return
      case 'tell':
        for (const listener of tellListeners) listener(message.title, message.hint)
        return
      case 'closed':
        if (closing !== null) void worker?.terminate()
        return
      default:
        message satisfies never
    }
  }

  const ask = (message: (id: number) => ToEngineThread): Promise<Result<unknown>> =>
    new Promise((resolve) => {
      if (closing !== null || worker === null) {
        resolve(GONE)
        return
      }
      const id = nextId++
      waiting.set(id, resolve)
      worker.postMessage(message(id))
    })

  return {
    start: () => {
      if (started) return
      started = true
      worker = launch()
    },
    call: async <K extends ProcedureName>(procedure: K, input: Input<K>) =>
      (await ask((id) => ({ type: 'call', id, procedure, input }))) as Result<Output<K>>,
    op: async <K extends OpName>(op: K, input: OpInput<K>) => (await ask((id) => ({ type: 'op', id, op, input }))) as Result<OpOutput<K>>,
    onEvent: (listener) => eventListeners.add(listener),
    onState: (listener) => stateListeners.add(listener),
    onTell: (listener) => tellListeners.add(listener),
    isUp: () => up,
    close: (graceMs) => {
      closing ??= new Promise<void>((resolve) => {
        closed = resolve
        if (worker === null) resolve()
        worker?.postMessage({ type: 'close', graceMs } satisfies ToEngineThread)
        // A thread that hangs in native code is not waited for.
        setTimeout(() => {
          void worker?.terminate()
          resolve()
        }, graceMs + 4000).unref()
      })
      return closing
    },
  }
}

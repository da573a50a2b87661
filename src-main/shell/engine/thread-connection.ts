// Connects the main thread to the engine thread: sends numbered calls, passes on events, and restarts the
// thread if it dies. The window survives a restart: pending calls fail with a hint to try again, and
// everything else is in the journal. A thread stuck in native code can't be terminated, so it is left behind
// and a new one starts.
import { Worker } from 'node:worker_threads'
import type { Failure, Input, Output, ProcedureName, Result } from '../../../src-shared/engine-contract.ts'
import type { EngineEvent, NoticeAbout } from '../../../src-shared/events.ts'
import type { Connection } from '../../../src-shared/window-contract.ts'
import type {
  EngineLink,
  EngineThreadStart,
  FromEngineThread,
  HeldKey,
  MainThreadOpName,
  MainThreadOps,
  OpenedAccount,
  OpInput,
  OpName,
  OpOutput,
  ToEngineThread,
} from './protocol.ts'

/** Maximum delay before a restart. The delay doubles with each crash. */
const LONGEST_PAUSE_MS = 30_000
const FIRST_PAUSE_MS = 250
/** Grace period for uploads under way before the engine is restarted on purpose. */
const REOPEN_GRACE_MS = 2000
/** Maximum time for the engine to close its parts after the grace period. */
const CLOSING_MS = 4000
/**
 * A thread that is still alive this long after `terminate()` counts as stuck in native code. The promise from
 * `terminate()` never settles for such a thread.
 */
const TERMINATE_MS = 1000
/** After this long without a crash, the next crash counts as the first. */
const STEADY_MS = 60_000

const GONE: { readonly ok: false; readonly failure: Failure } = {
  ok: false,
  failure: {
    code: 'closing',
    title: 'The sync engine stopped and is being restarted.',
    hint: 'Try again in a moment.',
  },
}

type StateListener = (state: { readonly up: boolean; readonly failure: Failure | null }) => void

/** Pending calls, keyed by number. */
class Calls {
  readonly #waiting = new Map<number, (result: Result<unknown>) => void>()
  #nextId = 1

  ask(worker: Worker | null, message: (id: number) => ToEngineThread): Promise<Result<unknown>> {
    if (worker === null) return Promise.resolve(GONE)
    return new Promise((resolve) => {
      const id = this.#nextId++
      this.#waiting.set(id, resolve)
      worker.postMessage(message(id))
    })
  }

  answer(id: number, result: Result<unknown>): void {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }

  /** Fails all pending calls, because the thread that should answer them has ended. */
  abandon(): void {
    for (const answer of this.#waiting.values()) answer(GONE)
    this.#waiting.clear()
  }
}

/**
 * Resolves once the current thread, if there is one, has ended and the next one answers or has failed to
 * start.
 */
function nextStart(listeners: Set<StateListener>, isRunning: boolean): Promise<void> {
  return new Promise((resolve) => {
    let hasEnded = !isRunning
    const settle: StateListener = ({ up, failure }) => {
      if (!up && failure === null) hasEnded = true
      else if (hasEnded) {
        listeners.delete(settle)
        resolve()
      }
    }
    listeners.add(settle)
  })
}

interface LinkOptions {
  readonly entry: URL
  readonly startWith: () => Omit<EngineThreadStart, 'held'>
  /** A key that was entered for this account before its thread existed. */
  readonly held?: HeldKey | null
  /** Operations that the thread may request from the main thread. */
  readonly mainOps: MainThreadOps
  readonly log: (event: string, fields: Readonly<Record<string, string | number | boolean | null>>) => void
}

export function createEngineLink(options: LinkOptions): EngineLink & { readonly start: () => void } {
  return new EngineThreadLink(options)
}

class EngineThreadLink implements EngineLink {
  readonly #options: LinkOptions
  readonly #eventListeners = new Set<(event: EngineEvent) => void>()
  readonly #stateListeners = new Set<StateListener>()
  readonly #tellListeners = new Set<(title: string, hint: string | null, about: NoticeAbout) => void>()
  readonly #keyListeners = new Set<(connection: Connection) => void>()
  readonly #calls = new Calls()
  /**
   * Null before the start and between two threads, so that no message is posted to a dead thread, which would
   * never answer.
   */
  #worker: Worker | null = null
  /** Threads that haven't exited yet, including those left behind. */
  readonly #alive = new Set<Worker>()
  #isUp = false
  #isStarted = false
  #held: HeldKey | null
  #account: OpenedAccount | null = null
  /** Whether `reopen` is ending the thread. The next one then starts without a delay. */
  #isReopening = false
  #closing: Promise<boolean> | null = null
  readonly #closed = Promise.withResolvers<void>()
  /** Starts the next thread after a crash. */
  #restart: ReturnType<typeof setTimeout> | undefined
  #falls = 0
  #startedAt = 0

  constructor(options: LinkOptions) {
    this.#options = options
    this.#held = options.held ?? null
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#worker = this.#launch()
  }

  async call<K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>> {
    return (await this.#ask((id) => ({ type: 'call', id, procedure, input }))) as Result<Output<K>>
  }

  async op<K extends OpName>(op: K, input: OpInput<K>): Promise<Result<OpOutput<K>>> {
    return (await this.#ask((id) => ({ type: 'op', id, op, input }))) as Result<OpOutput<K>>
  }

  onEvent(listener: (event: EngineEvent) => void): () => void {
    this.#eventListeners.add(listener)
    return () => this.#eventListeners.delete(listener)
  }

  onState(listener: StateListener): () => void {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  onTell(listener: (title: string, hint: string | null, about: NoticeAbout) => void): void {
    this.#tellListeners.add(listener)
  }

  onKeyRead(listener: (connection: Connection) => void): void {
    this.#keyListeners.add(listener)
  }

  isUp(): boolean {
    return this.#isUp
  }

  account(): OpenedAccount | null {
    return this.#account
  }

  reopen(): Promise<void> {
    if (this.#closing !== null || !this.#isStarted) return Promise.resolve()
    const ending = this.#worker
    const next = nextStart(this.#stateListeners, ending !== null)
    if (ending === null) {
      // The thread has crashed. The user is waiting for the next one, so skip the delay.
      clearTimeout(this.#restart)
      this.#worker = this.#launch()
    } else {
      this.#isReopening = true
      this.#endAfter(ending, REOPEN_GRACE_MS)
    }
    return Promise.race([next, this.#closed.promise])
  }

  close(graceMs: number): Promise<boolean> {
    if (this.#closing !== null) return this.#closing
    this.#closing = this.#closed.promise.then(() => this.#alive.size === 0)
    if (this.#worker === null) this.#closed.resolve()
    else this.#endAfter(this.#worker, graceMs)
    return this.#closing
  }

  #ask(message: (id: number) => ToEngineThread): Promise<Result<unknown>> {
    return this.#calls.ask(this.#closing === null ? this.#worker : null, message)
  }

  #state(up: boolean, failure: Failure | null): void {
    this.#isUp = up
    for (const listener of this.#stateListeners) listener({ up, failure })
  }

  #launch(): Worker {
    this.#startedAt = Date.now()
    const { entry, startWith, log } = this.#options
    const next = new Worker(entry, {
      workerData: { ...startWith(), held: this.#held } satisfies EngineThreadStart,
      execArgv: [],
    })
    this.#alive.add(next)
    next.on('message', (message: FromEngineThread) => this.#take(next, message))
    next.on('error', (error: Error) => log('engine.fell', { message: error.stack ?? error.message }))
    next.on('exit', (code) => {
      this.#alive.delete(next)
      this.#gone(next, code)
    })
    return next
  }

  /**
   * Asks the thread to shut down cleanly. If it hangs, it is terminated `CLOSING_MS` after the grace period.
   */
  #endAfter(ending: Worker, graceMs: number): void {
    ending.postMessage({ type: 'close', graceMs } satisfies ToEngineThread)
    setTimeout(() => this.#end(ending), graceMs + CLOSING_MS).unref()
  }

  /** Terminates the thread, or leaves it behind if it is stuck. */
  #end(ending: Worker): void {
    void ending.terminate()
    setTimeout(() => {
      if (!this.#alive.has(ending)) return
      this.#options.log('engine.stuck', {})
      this.#gone(ending, null)
    }, TERMINATE_MS).unref()
  }

  /** Handles the end of a thread. `code` is its exit code; null if the thread was left behind. */
  #gone(ended: Worker, code: number | null): void {
    if (this.#worker !== ended) return
    this.#worker = null
    this.#calls.abandon()
    if (this.#closing !== null) {
      this.#closed.resolve()
      return
    }
    this.#state(false, null)
    if (this.#isReopening) {
      this.#isReopening = false
      this.#worker = this.#launch()
      return
    }
    this.#falls = Date.now() - this.#startedAt > STEADY_MS ? 1 : this.#falls + 1
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#falls - 1))
    this.#options.log('engine.restart', { code, pause })
    this.#restart = setTimeout(() => {
      if (this.#closing === null) this.#worker = this.#launch()
    }, pause)
  }

  #take(from: Worker, message: FromEngineThread): void {
    if (from !== this.#worker) return
    switch (message.type) {
      case 'answer':
        this.#calls.answer(message.id, message.result)
        return
      case 'event':
        for (const listener of this.#eventListeners) listener(message.event)
        return
      case 'up':
        this.#account = message.account
        this.#state(true, null)
        return
      case 'failed':
        this.#state(false, message.failure)
        return
      case 'held':
        this.#held = message.held
        return
      case 'key-read':
        for (const listener of this.#keyListeners) listener(message.connection)
        return
      case 'tell':
        for (const listener of this.#tellListeners) listener(message.title, message.hint, message.about)
        return
      case 'closed':
        if (this.#closing !== null || this.#isReopening) this.#end(from)
        return
      case 'ask':
        void this.#perform(message.op, message.input).then((value) => {
          if (from === this.#worker)
            from.postMessage({ type: 'reply', id: message.id, value } satisfies ToEngineThread)
        })
        return
      default:
        message satisfies never
    }
  }

  /**
   * Performs an operation for the thread. Resolves to null if it fails, so that the thread always gets an
   * answer.
   */
  async #perform(op: MainThreadOpName, input: unknown): Promise<unknown> {
    try {
      // The operation always matches its input, but the compiler can't infer that from the index.
      return await this.#options.mainOps[op](input as never)
    } catch (error) {
      this.#options.log('main.op-failed', {
        op,
        message: error instanceof Error ? error.message : String(error),
      })
      return null
    }
  }
}

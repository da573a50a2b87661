// Both ends of the control socket. The owner serves its handlers to other processes, which call them through
// a client. Everything received from the socket is validated against the contract, because the other end
// isn't trusted.
import {
  CONTRACT_VERSION,
  type EngineClient,
  Failure,
  type Handlers,
  type Input,
  type Output,
  type ProcedureName,
  procedures,
  type Result,
} from '../../../src-shared/engine-contract.ts'
import { EngineEvent } from '../../../src-shared/events.ts'
import { Folder } from '../../../src-shared/model.ts'
import type { Log } from '../../engine/ports.ts'
import type { ControlEndpoint } from './control-key.ts'
import {
  ClosedError,
  type ControlClient,
  type ControlServer,
  connectControl,
  createControlServer,
  TooLongError,
} from './control-socket.ts'
import { dispatch } from './engine-local.ts'

/** A working engine sends its greeting at once, so an engine that takes longer than this has hung. */
const GREET_MS = 3000

function refuse(failure: Failure): Result<never> {
  return { ok: false, failure }
}

export function serveRemoteEngine(options: {
  readonly endpoint: ControlEndpoint
  readonly handlers: Handlers
  readonly log: Log
  readonly onClients: (count: number) => void
}): Promise<ControlServer> {
  const { handlers, log } = options
  const watchers = new RemoteWatchers(
    (folderId, watcher) => void dispatch(handlers, 'unwatch', { folderId, watcher }, log),
  )
  return createControlServer({
    endpoint: options.endpoint,
    version: CONTRACT_VERSION,
    handle: async (procedure, input, connection) => {
      const watcher = watcherOf(input)
      if (watcher === null) return dispatch(handlers, procedure, input, log)
      if (procedure === 'unwatch') watchers.left(watcher)
      const joined = procedure === 'watch' ? watchers.join(watcher, connection) : null
      const result = await dispatch(handlers, procedure, input, log)
      joined?.(result.ok ? (Folder.safeParse(result.value).data?.id ?? null) : null)
      return result
    },
    tooLong: refuse({
      code: 'defect',
      title: "The running engine's response is too long.",
      hint: 'Quit it, then try again, or ask about fewer files at once.',
    }),
    onClients: options.onClients,
  })
}

function watcherOf(input: unknown): string | null {
  const watcher: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'watcher') : null
  return typeof watcher === 'string' ? watcher : null
}

/**
 * Connects to the engine at `endpoint`, which is null if none is running. Resolves to null if no engine
 * answers. Fails if the engine uses another version of the protocol.
 */
export async function connectRemoteEngine(
  endpoint: ControlEndpoint | null,
): Promise<Result<EngineClient | null>> {
  if (endpoint === null) return { ok: true, value: null }
  let control: ControlClient | null
  try {
    control = await connectControl({ endpoint, version: CONTRACT_VERSION, timeoutMs: GREET_MS })
  } catch (error) {
    return refuse({
      code: 'usage',
      title: error instanceof Error ? error.message : String(error),
      hint: null,
    })
  }
  return { ok: true, value: control === null ? null : createRemoteEngine(control) }
}

function createRemoteEngine(control: ControlClient): EngineClient {
  return {
    call: async <K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>> => {
      let answer: unknown
      try {
        answer = await control.call(procedure, input)
      } catch (error) {
        if (error instanceof ClosedError)
          return refuse({ code: 'closing', title: 'The engine has stopped.', hint: null })
        if (error instanceof TooLongError)
          return refuse({
            code: 'usage',
            title: 'The request is too long for the running engine.',
            hint: 'Name fewer files at once.',
          })
        throw error
      }
      return readResult(procedure, answer)
    },
    onEvent: (listener) =>
      control.onEvent((value) => {
        const event = EngineEvent.safeParse(value)
        // An invalid event is dropped. The client notices the gap in the sequence numbers and requests the
        // state again.
        if (event.success) listener(event.data)
      }),
    onClose: (listener) => control.onClose(listener),
    close: () => control.close(),
  }
}

function readResult<K extends ProcedureName>(procedure: K, answer: unknown): Result<Output<K>> {
  const odd = refuse({
    code: 'defect',
    title: "The running engine's response is invalid.",
    hint: 'Quit it, then try again.',
  })
  if (typeof answer !== 'object' || answer === null) return odd
  if (Reflect.get(answer, 'ok') !== true) {
    const failure = Failure.safeParse(Reflect.get(answer, 'failure'))
    return failure.success ? refuse(failure.data) : odd
  }
  const value = procedures[procedure].output.safeParse(Reflect.get(answer, 'value'))
  return value.success ? { ok: true, value: value.data as Output<K> } : odd
}

// Tracks which folder each `watch` command in another process watches, and over which connection. A killed
// command can't unregister itself, so it is unregistered when its connection ends. Otherwise, the engine
// would keep uploading from the folder.
interface Watching {
  /** Aborted when the command's connection ends. */
  readonly connection: AbortSignal
  /** Null until the engine has answered. */
  folderId: number | null
}

class RemoteWatchers {
  readonly #leave: (folderId: number, watcher: string) => void
  /** Keyed by the watcher's ID. A watcher that has reconnected belongs to its newest connection. */
  readonly #watching = new Map<string, Watching>()

  constructor(leave: (folderId: number, watcher: string) => void) {
    this.#leave = leave
  }

  /**
   * Registers a command that asks to watch a folder. Call the returned function with the folder's ID once the
   * engine has answered, or with null if the engine refused.
   */
  join(watcher: string, connection: AbortSignal): (folderId: number | null) => void {
    const mine: Watching = { connection, folderId: null }
    this.#watching.set(watcher, mine)
    connection.addEventListener('abort', () => this.#end(watcher, mine), { once: true })
    return (folderId) => {
      mine.folderId = folderId
      if (connection.aborted) this.#end(watcher, mine)
    }
  }

  /** Stops tracking a command that has unregistered itself. */
  left(watcher: string): void {
    this.#watching.delete(watcher)
  }

  #end(watcher: string, mine: Watching): void {
    if (mine.folderId === null || this.#watching.get(watcher) !== mine) return
    this.#watching.delete(watcher)
    this.#leave(mine.folderId, watcher)
  }
}

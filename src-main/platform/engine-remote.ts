// The contract over the control socket, both ends: an owner's handlers for other processes, and a client that looks like an engine here.
// Everything that crosses is checked against the contract; nothing a peer sends is trusted.
import {
  CONTRACT_VERSION,
  type EngineClient,
  EngineEvent,
  Failure,
  type Handlers,
  type Input,
  type Output,
  type ProcedureName,
  procedures,
  type Result,
} from '../../src-shared/contract.ts'
import { writeTrouble } from '../engine/journal/write-trouble.ts'
import type { Log } from '../engine/ports.ts'
import { ClosedError, type ControlClient, type ControlServer, connectControl, createControlServer } from './control-socket.ts'

/** A running engine greets at once; one that hangs is not waited for longer than a person would. */
const GREET_MS = 3000

function isProcedure(name: string): name is ProcedureName {
  return Object.hasOwn(procedures, name)
}

function refuse(failure: Failure): Result<never> {
  return { ok: false, failure }
}

/** Answers one call, whatever was sent. */
export async function dispatch(handlers: Handlers, procedure: string, input: unknown, log: Log): Promise<Result<unknown>> {
  if (!isProcedure(procedure))
    return refuse({ code: 'usage', title: 'This engine does not know the request.', hint: 'Both ends must be of one version.' })
  const read = procedures[procedure].input.safeParse(input)
  if (!read.success)
    return refuse({
      code: 'usage',
      title: 'The request does not fit the contract.',
      hint: read.error.issues[0]?.message.slice(0, 200) ?? null,
    })
  return run(handlers[procedure] as (checked: unknown) => Promise<Result<unknown>>, procedure, read.data, log)
}

async function run<I, O>(handler: (input: I) => Promise<Result<O>>, procedure: string, input: I, log: Log): Promise<Result<O>> {
  try {
    return await handler(input)
  } catch (error) {
    const full = writeTrouble(error)
    if (full !== null) {
      log.error('handler.disk', { procedure, message: error instanceof Error ? error.message : String(error) })
      const title = full === 'full' ? "Couldn't write to disk: no space left." : "Couldn't write to disk."
      return refuse({ code: 'disk', title, hint: 'Free some room or check the disk, then try again. Nothing is lost.' })
    }
    log.error('handler.defect', { procedure, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    return refuse({ code: 'defect', title: 'Slipway made a mistake.', hint: 'The log has the details. Nothing is lost.' })
  }
}

export function serveEngine(options: {
  readonly path: string
  readonly handlers: Handlers
  readonly log: Log
  readonly onClients: (count: number) => void
}): Promise<ControlServer> {
  return createControlServer({
    path: options.path,
    version: CONTRACT_VERSION,
    handle: (procedure, input) => dispatch(options.handlers, procedure, input, options.log),
    onClients: options.onClients,
  })
}

/** The engine of this process as a client: the same checks of failures as over the socket, without the copies. */
export function localClient(options: {
  readonly handlers: Handlers
  readonly log: Log
  readonly onEvent: EngineClient['onEvent']
  readonly close: () => Promise<void>
}): EngineClient {
  const closeListeners = new Set<() => void>()
  let closing: Promise<void> | null = null
  return {
    call: async (procedure, input) => {
      if (closing !== null) return refuse({ code: 'closing', title: 'Slipway is closing.', hint: null })
      // The type of a handler and of its input belong together; the compiler can't follow that through the index.
      return run(
        options.handlers[procedure] as (checked: typeof input) => Promise<Result<Output<typeof procedure>>>,
        procedure,
        input,
        options.log,
      )
    },
    onEvent: options.onEvent,
    onClose: (listener) => {
      closeListeners.add(listener)
      return () => closeListeners.delete(listener)
    },
    close: () => {
      closing ??= options.close().then(() => {
        for (const listener of closeListeners) listener()
        closeListeners.clear()
      })
      return closing
    },
  }
}

/** Null: nobody answers there. */
export async function connectEngine(path: string): Promise<Result<EngineClient | null>> {
  let control: ControlClient | null
  try {
    control = await connectControl({ path, version: CONTRACT_VERSION, timeoutMs: GREET_MS })
  } catch (error) {
    return refuse({ code: 'usage', title: error instanceof Error ? error.message : String(error), hint: null })
  }
  return { ok: true, value: control === null ? null : remoteClient(control) }
}

function remoteClient(control: ControlClient): EngineClient {
  return {
    call: async <K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>> => {
      let answer: unknown
      try {
        answer = await control.call(procedure, input)
      } catch (error) {
        if (error instanceof ClosedError) return refuse({ code: 'closing', title: 'The engine went away.', hint: null })
        throw error
      }
      return readResult(procedure, answer)
    },
    onEvent: (listener) =>
      control.onEvent((value) => {
        const event = EngineEvent.safeParse(value)
        // An event that can't be read leaves a gap in the numbers, and who sees the gap asks again.
        if (event.success) listener(event.data)
      }),
    onClose: (listener) => control.onClose(listener),
    close: () => control.close(),
  }
}

function readResult<K extends ProcedureName>(procedure: K, answer: unknown): Result<Output<K>> {
  const odd = refuse({ code: 'defect', title: 'The running engine gave an answer that does not fit.', hint: 'Quit it, then try again.' })
  if (typeof answer !== 'object' || answer === null) return odd
  if (Reflect.get(answer, 'ok') !== true) {
    const failure = Failure.safeParse(Reflect.get(answer, 'failure'))
    return failure.success ? refuse(failure.data) : odd
  }
  const value = procedures[procedure].output.safeParse(Reflect.get(answer, 'value'))
  return value.success ? { ok: true, value: value.data as Output<K> } : odd
}

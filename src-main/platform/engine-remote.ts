// The engine of another process over the control socket, both ends: the owner's handlers for others, and a client of them. Everything that
// crosses is checked against the contract; nothing a peer sends is trusted.
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
import type { Log } from '../engine/ports.ts'
import { ClosedError, type ControlClient, type ControlServer, connectControl, createControlServer } from './control-socket.ts'
import { runHandler } from './engine-local.ts'

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
  return runHandler(handlers[procedure] as (checked: unknown) => Promise<Result<unknown>>, procedure, read.data, log)
}

export function serveRemoteEngine(options: {
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

/** Null: no engine answers there. */
export async function connectRemoteEngine(path: string): Promise<Result<EngineClient | null>> {
  let control: ControlClient | null
  try {
    control = await connectControl({ path, version: CONTRACT_VERSION, timeoutMs: GREET_MS })
  } catch (error) {
    return refuse({ code: 'usage', title: error instanceof Error ? error.message : String(error), hint: null })
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

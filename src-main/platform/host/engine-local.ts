// Gives this process's engine the same client interface as a remote engine, without serialization. Input is
// validated for both in one place, so that both have the same limits. If a
// handler throws, the result is a failure with a readable message, and the details go to the log.
import type { z } from 'zod'
import {
  type EngineClient,
  type Failure,
  type Handlers,
  type Output,
  type ProcedureName,
  procedures,
  type Result,
} from '../../../src-shared/engine-contract.ts'
import { writeTrouble } from '../../engine/journal/disk-trouble.ts'
import type { Log } from '../../engine/ports.ts'

function refuse(failure: Failure): Result<never> {
  return { ok: false, failure }
}

function isProcedure(name: string): name is ProcedureName {
  return Object.hasOwn(procedures, name)
}

/** Validates and answers one call, of this process or another. Never rejects. */
export async function dispatch(
  handlers: Handlers,
  procedure: string,
  input: unknown,
  log: Log,
): Promise<Result<unknown>> {
  if (!isProcedure(procedure))
    return refuse({
      code: 'usage',
      title: "The running engine doesn't support this request.",
      hint: 'It must be the same version as this Slipway.',
    })
  const read = procedures[procedure].input.safeParse(input)
  if (!read.success) return refuse(invalid(read.error.issues[0]))
  return runHandler(
    handlers[procedure] as (checked: unknown) => Promise<Result<unknown>>,
    procedure,
    read.data,
    log,
  )
}

function invalid(issue: z.core.$ZodIssue | undefined): Failure {
  if (issue?.code !== 'too_big' || issue.origin !== 'string')
    return { code: 'usage', title: 'The request is invalid.', hint: issue?.message.slice(0, 200) ?? null }
  const what = issue.path.findLast((part) => typeof part === 'string') ?? 'text'
  return {
    code: 'usage',
    title: `The request is invalid: its ${what} is too long.`,
    hint: `Use at most ${issue.maximum} characters.`,
  }
}

/** Calls one handler with validated input. Never rejects. */
async function runHandler<I, O>(
  handler: (input: I) => Promise<Result<O>>,
  procedure: string,
  input: I,
  log: Log,
): Promise<Result<O>> {
  try {
    return await handler(input)
  } catch (error) {
    const trouble = writeTrouble(error)
    if (trouble === 'locked') {
      log.error('handler.locked', {
        procedure,
        message: error instanceof Error ? error.message : String(error),
      })
      const hint =
        'Close that program, such as a database browser or a backup, then try again. Nothing is lost.'
      return refuse({
        code: 'disk',
        title: "Couldn't write to disk: another program has locked the journal.",
        hint,
      })
    }
    if (trouble !== null) {
      log.error('handler.disk', {
        procedure,
        message: error instanceof Error ? error.message : String(error),
      })
      const title = trouble === 'full' ? "Couldn't write to disk: no space left." : "Couldn't write to disk."
      return refuse({
        code: 'disk',
        title,
        hint: 'Free up space or check the disk, then try again. Nothing is lost.',
      })
    }
    log.error('handler.defect', {
      procedure,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    return refuse({
      code: 'defect',
      title: 'Internal error.',
      hint: 'See the log for details. Nothing is lost.',
    })
  }
}

export function createLocalEngine(options: {
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
      const answer = await dispatch(options.handlers, procedure, input, options.log)
      // The compiler can't infer that a procedure's handler returns its output.
      return answer as Result<Output<typeof procedure>>
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

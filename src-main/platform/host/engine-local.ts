// Gives this process's engine the same client interface as a remote engine, without serialization. If a
// handler throws, the result is a failure with a readable message, and the details go to the log.
import type { EngineClient, Failure, Handlers, Output, Result } from '../../../src-shared/contract.ts'
import { writeTrouble } from '../../engine/journal/disk-trouble.ts'
import type { Log } from '../../engine/ports.ts'

function refuse(failure: Failure): Result<never> {
  return { ok: false, failure }
}

/** Calls one handler with validated input. Never rejects. */
export async function runHandler<I, O>(
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
      // The procedure's handler always matches its input, but the compiler can't infer that from the index.
      return runHandler(
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

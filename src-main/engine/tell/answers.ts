// Constructors for success and failure; handlers return failures that the user can cause as values.
// `answerDurably` delays answers with links until they would survive a power cut.
import type { Failure, Handlers, Result } from '../../../src-shared/engine-contract.ts'

/** The procedures whose results must be durable. */
const TELLS: ReadonlySet<string | symbol> = new Set([
  'upload',
  'batchPage',
  'transfers',
  'catalog',
  'info',
  'links',
  'versions',
  'audit',
  'secondCopies',
  'auditPage',
  'auditSearch',
  'folderSums',
  'folderIdle',
  'remove',
])

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function failed(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

export function refuse(
  code: Failure['code'],
  title: string,
  hint: string | null = null,
): { readonly ok: false; readonly failure: Failure } {
  return failed({ code, title, hint })
}

// Delays results until they are durable. A procedure that returns links, or reports that something is done,
// waits until the reported state would survive a power cut. It fails if the disk reports an error. Other
// results aren't delayed, and events are handled in bus.ts.

/**
 * Wraps the handlers of these procedures. `attempt`: returns null if everything committed is durable.
 * Otherwise resolves to true once it is, or to false if the disk reports an error first.
 */
export function answerDurably(handlers: Handlers, attempt: () => Promise<boolean> | null): Handlers {
  return new Proxy(handlers, {
    get: (target, name, receiver) => {
      const handler: unknown = Reflect.get(target, name, receiver)
      if (typeof handler !== 'function' || !TELLS.has(name)) return handler
      return async (...input: readonly unknown[]): Promise<unknown> => {
        const answer: unknown = await Reflect.apply(handler, target, input)
        if ((await attempt()) !== false) return answer
        return {
          ok: false,
          failure: {
            code: 'disk',
            title: "Couldn't write to disk.",
            hint: "Check the disk's free space and health. Slipway keeps trying, and nothing is lost.",
          },
        }
      }
    },
  })
}

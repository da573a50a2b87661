// Makes answers durable before they leave the engine: procedures that return links, or report that all is done, wait until the state they
// report would survive a power cut. Events are handled in bus.ts. All other answers never wait for the disk.
import type { Handlers } from '../../../src-shared/contract.ts'

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
  'folderSums',
  'folderIdle',
  'remove',
])

/** `attempt`: returns null if everything is durable, otherwise a promise of whether it could be made durable. */
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
            hint: 'Check its space and its health. Slipway keeps trying, and nothing is lost.',
          },
        }
      }
    },
  })
}

// Sends the engine thread's requests to the main thread. Each request has a number and gets one answer. The other side is in link.ts. A
// busy main thread may delay the answer indefinitely, so callers that can't wait set their own timeouts.
import type { FromEngineThread, MainThreadInput, MainThreadOpName, MainThreadOutput } from './protocol.ts'

export class MainThread {
  readonly #say: (message: FromEngineThread) => void
  readonly #open = new Map<number, (value: unknown) => void>()
  #nextId = 1

  constructor(say: (message: FromEngineThread) => void) {
    this.#say = say
  }

  ask<K extends MainThreadOpName>(op: K, input: MainThreadInput<K>): Promise<MainThreadOutput<K>> {
    return new Promise((resolve) => {
      const id = this.#nextId++
      this.#open.set(id, (value) => resolve(value as MainThreadOutput<K>))
      this.#say({ type: 'ask', id, op, input })
    })
  }

  reply(id: number, value: unknown): void {
    this.#open.get(id)?.(value)
    this.#open.delete(id)
  }
}

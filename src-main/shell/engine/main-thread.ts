// The engine thread's end of its questions to the main thread: numbered, each answered once. The other end is in link.ts.
// A question stays open if the main thread is busy; time limits belong to the caller.
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

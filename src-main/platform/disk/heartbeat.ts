// Shared memory in which the disk thread records its progress. The engine's thread can read it even while the disk thread is stuck in a
// system call.

/** The first message to each thread. The thread must not answer it. */
export interface HeartbeatMessage {
  readonly id: number
  readonly kind: 'heartbeat'
  readonly shared: SharedArrayBuffer
}

const TICKS = 0
const ID = 1
const INDEX = 2

export class Heartbeat {
  readonly shared: SharedArrayBuffer
  readonly #fields: Int32Array

  constructor(shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#fields = new Int32Array(shared)
  }

  /** Changes whenever the thread makes progress, for example with every path and every entry of a directory. */
  get ticks(): number {
    return Atomics.load(this.#fields, TICKS)
  }

  /** ID of the request that is being served; 0 if there is none. */
  get id(): number {
    return Atomics.load(this.#fields, ID)
  }

  /** Index of the current path among those of the request that is being served. */
  get index(): number {
    return Atomics.load(this.#fields, INDEX)
  }

  serving(id: number): void {
    Atomics.store(this.#fields, INDEX, 0)
    Atomics.store(this.#fields, ID, id)
    this.tick()
  }

  at(index: number): void {
    Atomics.store(this.#fields, INDEX, index)
    this.tick()
  }

  tick(): void {
    Atomics.add(this.#fields, TICKS, 1)
  }
}

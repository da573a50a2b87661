// Shared memory in which a disk thread records its progress. The engine's thread can read it even while the
// disk thread is stuck in a system call, or in a search that takes too long.

/** The first message to each thread. The thread must not answer it. */
export interface HeartbeatMessage {
  readonly id: number
  readonly kind: 'heartbeat'
  readonly shared: SharedArrayBuffer
}

const TICKS = 0
const ID = 1
const INDEX = 2
const SEARCH = 3
const SEARCHES = 4

export class Heartbeat {
  readonly shared: SharedArrayBuffer
  readonly #fields: Int32Array

  constructor(shared = new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#fields = new Int32Array(shared)
  }

  /**
   * Changes whenever the thread makes progress, for example with every path and every entry of a directory.
   */
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

  /** ID of the request whose file is being searched in memory; 0 if none is. */
  get search(): number {
    return Atomics.load(this.#fields, SEARCH)
  }

  /** Number of searches begun so far. */
  get searches(): number {
    return Atomics.load(this.#fields, SEARCHES)
  }

  /** Marks the thread as searching a file of this request while `work` runs. */
  searching<T>(id: number, work: () => T): T {
    Atomics.add(this.#fields, SEARCHES, 1)
    Atomics.store(this.#fields, SEARCH, id)
    try {
      return work()
    } finally {
      Atomics.store(this.#fields, SEARCH, 0)
    }
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

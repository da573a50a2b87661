// Computes SHA-256 hashes: synchronously for data in memory, and in a worker thread for streams. A stream
// must wait when it gets a few megabytes ahead of its hash.
import { hash } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import type { Hasher, Hashing } from '../../engine/ports.ts'
import type { SpawnWorker } from '../worker/spawn-worker.ts'
import { WorkerThread } from '../worker/worker-thread.ts'
import type { HashAnswer, HashRequest } from './hash-worker.ts'

/** A stream that is more than this many bytes ahead of its hash must wait. */
const AHEAD = 4 * 1024 * 1024
/** Chunks of fewer bytes are joined before they are posted. */
const PART = 64 * 1024
/** Number of buffers kept for reuse. */
const SPARE = 8

interface Stream {
  behind: number
  wake: (() => void) | null
  done: ((hex: string) => void) | null
  fail: ((error: Error) => void) | null
  lost: Error | null
}

export interface NodeHashing extends Hashing {
  /** Ends the worker thread if it is idle. The next stream starts another. */
  rest(): void
  close(): Promise<void>
}

export function createHashing(options: { readonly spawn: SpawnWorker }): NodeHashing {
  const thread = new HashThread(options.spawn)
  return {
    now: (data) => hash('sha256', data),
    stream: () => new StreamHasher(thread),
    rest: () => thread.rest(),
    close: () => thread.close(),
  }
}

/** The worker thread, the streams that it hashes, and a pool of buffers into which their bytes are copied. */
class HashThread {
  readonly #streams = new Map<number, Stream>()
  readonly #spare: ArrayBuffer[] = []
  readonly #thread: WorkerThread<HashAnswer>
  #nextId = 1

  constructor(spawn: SpawnWorker) {
    this.#thread = new WorkerThread<HashAnswer>({
      spawn: () => spawn('hash'),
      name: 'hashing',
      onMessage: (answer, worker) => {
        if (answer.kind === 'took') this.#took(answer)
        else this.#digested(answer, worker)
      },
      onLost: (error) => this.#lost(error),
    })
  }

  nextId(): number {
    return this.#nextId++
  }

  /** Registers a stream and returns the thread, starting it if it isn't running. */
  open(id: number, stream: Stream): Worker {
    this.#streams.set(id, stream)
    return this.#thread.use()
  }

  drop(id: number, worker: Worker): boolean {
    if (!this.#streams.delete(id)) return false
    worker.postMessage({ stream: id, kind: 'drop' })
    if (this.#streams.size === 0) worker.unref()
    return true
  }

  /** Returns a buffer of exactly this length, from the pool if possible. */
  buffer(length: number): ArrayBuffer {
    const index = this.#spare.findIndex((buffer) => buffer.byteLength === length)
    return index >= 0 ? (this.#spare.splice(index, 1)[0] ?? new ArrayBuffer(length)) : new ArrayBuffer(length)
  }

  rest(): void {
    if (this.#streams.size > 0) return
    this.#spare.length = 0
    this.#thread.rest()
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  #took(answer: Extract<HashAnswer, { kind: 'took' }>): void {
    if (this.#spare.length < SPARE) this.#spare.push(answer.data)
    const stream = this.#streams.get(answer.stream)
    if (stream === undefined) return
    stream.behind -= answer.data.byteLength
    if (stream.behind > AHEAD) return
    stream.wake?.()
    stream.wake = null
  }

  #digested(answer: Exclude<HashAnswer, { kind: 'took' }>, worker: Worker): void {
    const stream = this.#streams.get(answer.stream)
    if (stream === undefined) return
    this.#streams.delete(answer.stream)
    stream.done?.(answer.hex)
    if (this.#streams.size === 0) worker.unref()
  }

  #lost(error: Error): void {
    for (const stream of this.#streams.values()) {
      stream.lost = error
      stream.wake?.()
      stream.fail?.(error)
    }
    this.#streams.clear()
  }
}

/**
 * Hashes one stream. Small chunks are joined, because a message to the thread costs as much for one byte as
 * for 64 KiB.
 */
class StreamHasher implements Hasher {
  readonly #thread: HashThread
  readonly #id: number
  readonly #state: Stream = { behind: 0, wake: null, done: null, fail: null, lost: null }
  #worker: Worker | null = null
  #part: ArrayBuffer | null = null
  #filled = 0

  constructor(thread: HashThread) {
    this.#thread = thread
    this.#id = thread.nextId()
  }

  update(chunk: Uint8Array): Promise<void> | undefined {
    stillThere(this.#state)
    if (chunk.length >= PART) {
      this.#postPart()
      const data = this.#thread.buffer(chunk.length)
      new Uint8Array(data).set(chunk)
      this.#post(data, chunk.length)
    } else {
      if (this.#filled + chunk.length > PART) this.#postPart()
      this.#part ??= this.#thread.buffer(PART)
      new Uint8Array(this.#part, this.#filled).set(chunk)
      this.#filled += chunk.length
    }
    return this.#state.behind > AHEAD ? this.#room() : undefined
  }

  digest(): Promise<string> {
    return new Promise((resolve, reject) => {
      const worker = this.#begin()
      if (this.#state.lost === null) this.#postPart()
      if (this.#state.lost !== null) {
        reject(this.#state.lost)
        return
      }
      this.#state.done = resolve
      this.#state.fail = reject
      worker.postMessage({ stream: this.#id, kind: 'digest' } satisfies HashRequest)
    })
  }

  drop(): void {
    if (this.#worker !== null && this.#thread.drop(this.#id, this.#worker)) this.#state.wake?.()
  }

  #begin(): Worker {
    this.#worker ??= this.#thread.open(this.#id, this.#state)
    return this.#worker
  }

  #post(data: ArrayBuffer, length: number): void {
    const worker = this.#begin()
    this.#state.behind += data.byteLength
    worker.postMessage({ stream: this.#id, kind: 'chunk', data, length } satisfies HashRequest, [data])
  }

  #postPart(): void {
    if (this.#part !== null && this.#filled > 0) this.#post(this.#part, this.#filled)
    this.#part = null
    this.#filled = 0
  }

  async #room(): Promise<void> {
    if (this.#state.behind > AHEAD)
      await new Promise<void>((resolve) => {
        this.#state.wake = resolve
      })
    stillThere(this.#state)
  }
}

function stillThere(stream: Stream): void {
  if (stream.lost !== null) throw new Error(stream.lost.message, { cause: stream.lost })
}

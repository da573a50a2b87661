// sha-256 at once for small data, and beside a stream in a thread of its own. A hasher never runs more than a few megabytes behind.
// It opens no file.
import { hash } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import type { Hasher, Hashing } from '../engine/ports.ts'
import type { HashAnswer, HashRequest } from './hash-worker.ts'
import type { SpawnWorker } from './worker-roles.ts'

/** Bytes a stream may be ahead of its hash. */
const AHEAD = 4 * 1024 * 1024
/** Pieces smaller than this are put together before they are handed over. */
const PART = 64 * 1024
/** Buffers kept for the next copy. */
const SPARE = 8

interface Stream {
  behind: number
  wake: (() => void) | null
  done: ((hex: string) => void) | null
  fail: ((error: Error) => void) | null
  lost: Error | null
}

export interface NodeHashing extends Hashing {
  /** Lets the thread go if it has nothing to do; the next stream starts another. */
  rest(): void
  close(): Promise<void>
}

export function createHashing(options: { readonly spawn: SpawnWorker }): NodeHashing {
  let worker: Worker | null = null
  let nextId = 1
  const streams = new Map<number, Stream>()
  const spare: ArrayBuffer[] = []

  const start = (): Worker => {
    if (worker !== null) return worker
    const mine = options.spawn('hash')
    mine.on('message', (answer: HashAnswer) => {
      const stream = streams.get(answer.stream)
      if (answer.kind === 'took') {
        if (spare.length < SPARE) spare.push(answer.data)
        if (stream === undefined) return
        stream.behind -= answer.data.byteLength
        if (stream.behind <= AHEAD) {
          stream.wake?.()
          stream.wake = null
        }
      } else if (stream !== undefined) {
        streams.delete(answer.stream)
        stream.done?.(answer.hex)
        if (streams.size === 0) mine.unref()
      }
    })
    const lost = (error: Error): void => {
      // After a rest another has taken its place, with streams of its own.
      if (worker !== null && worker !== mine) return
      worker = null
      for (const stream of streams.values()) {
        stream.lost = error
        stream.wake?.()
        stream.fail?.(error)
      }
      streams.clear()
    }
    mine.on('error', lost)
    mine.on('exit', () => lost(new Error('the hashing thread ended')))
    worker = mine
    return mine
  }

  const stream = (): Hasher => {
    const id = nextId++
    const state: Stream = { behind: 0, wake: null, done: null, fail: null, lost: null }
    let mine: Worker | null = null
    const begin = (): Worker => {
      if (mine === null) {
        streams.set(id, state)
        mine = start()
        mine.ref()
      }
      return mine
    }
    /** Small pieces are put together: a message to the thread costs the same for a byte as for 64 KiB, and waits in memory many times its size. */
    let part: ArrayBuffer | null = null
    let filled = 0

    const take = (length: number): ArrayBuffer => {
      const index = spare.findIndex((buffer) => buffer.byteLength === length)
      return index >= 0 ? (spare.splice(index, 1)[0] ?? new ArrayBuffer(length)) : new ArrayBuffer(length)
    }
    const post = (data: ArrayBuffer, length: number): void => {
      const to = begin()
      state.behind += data.byteLength
      to.postMessage({ stream: id, kind: 'chunk', data, length } satisfies HashRequest, [data])
    }
    const postPart = (): void => {
      if (part !== null && filled > 0) post(part, filled)
      part = null
      filled = 0
    }
    const room = async (): Promise<void> => {
      if (state.behind > AHEAD)
        await new Promise<void>((resolve) => {
          state.wake = resolve
        })
      stillThere(state)
    }

    return {
      update: (chunk) => {
        stillThere(state)
        if (chunk.length >= PART) {
          postPart()
          const data = take(chunk.length)
          new Uint8Array(data).set(chunk)
          post(data, chunk.length)
        } else {
          if (filled + chunk.length > PART) postPart()
          part ??= take(PART)
          new Uint8Array(part, filled).set(chunk)
          filled += chunk.length
        }
        return state.behind > AHEAD ? room() : undefined
      },
      digest: () =>
        new Promise((resolve, reject) => {
          const to = begin()
          if (state.lost === null) postPart()
          if (state.lost !== null) {
            reject(state.lost)
            return
          }
          state.done = resolve
          state.fail = reject
          to.postMessage({ stream: id, kind: 'digest' })
        }),
      drop: () => {
        if (mine === null || !streams.delete(id)) return
        state.wake?.()
        mine.postMessage({ stream: id, kind: 'drop' })
        if (streams.size === 0) mine.unref()
      },
    }
  }

  return {
    now: (data) => hash('sha256', data),
    stream,
    rest: () => {
      if (streams.size > 0) return
      const mine = worker
      worker = null
      spare.length = 0
      void mine?.terminate()
    },
    close: async () => {
      const mine = worker
      worker = null
      await mine?.terminate()
    },
  }
}

function stillThere(stream: Stream): void {
  if (stream.lost !== null) throw new Error(stream.lost.message, { cause: stream.lost })
}

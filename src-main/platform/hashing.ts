// sha-256 at once for small data, and beside a stream in a thread of its own. A hasher never runs more than a few megabytes behind.
// It opens no file.
import { hash } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import type { Hasher, Hashing } from '../engine/ports.ts'
import type { HashAnswer } from './hash-worker.ts'
import type { SpawnWorker } from './worker-roles.ts'

/** Bytes a stream may be ahead of its hash. */
const AHEAD = 4 * 1024 * 1024
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
      if (worker === mine) worker = null
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
    return {
      update: async (chunk) => {
        const to = begin()
        stillThere(state)
        const index = spare.findIndex((buffer) => buffer.byteLength === chunk.length)
        const data = index >= 0 ? (spare.splice(index, 1)[0] ?? new ArrayBuffer(chunk.length)) : new ArrayBuffer(chunk.length)
        new Uint8Array(data).set(chunk)
        state.behind += data.byteLength
        to.postMessage({ stream: id, kind: 'chunk', data }, [data])
        if (state.behind > AHEAD)
          await new Promise<void>((resolve) => {
            state.wake = resolve
          })
        stillThere(state)
      },
      digest: () =>
        new Promise((resolve, reject) => {
          const to = begin()
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

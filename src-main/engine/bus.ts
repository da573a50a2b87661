// The engine's one numbered event stream. Transfers are folded to the newest state of each row and told at most four times a second,
// so ten thousand uploads cost the listeners no more than ten. It stores nothing.
import type { EngineEvent } from '../../src-shared/contract.ts'
import type { Clock, Log } from './ports.ts'

/** Four a second is what a person can read (goals.md S8). */
const EVERY_MS = 250

type Body<E> = E extends EngineEvent ? Omit<E, 'seq'> : never
export type EventBody = Body<EngineEvent>

export interface Bus {
  on(listener: (event: EngineEvent) => void): () => void
  emit(body: EventBody): void
  /** Marks a transfer as changed; its newest row is read when the time has come. */
  changed(id: number): void
  /** Something of the snapshot changed. */
  touched(): void
  seq(): number
  flush(): void
  close(): void
}

export interface BusOptions {
  readonly clock: Clock
  readonly log: Log
  readonly readTransfers: (ids: readonly number[]) => Extract<EngineEvent, { kind: 'transfers' }>['items']
  readonly readSnapshot: () => Extract<EngineEvent, { kind: 'state' }>['snapshot']
}

export function createBus(options: BusOptions): Bus {
  const listeners = new Set<(event: EngineEvent) => void>()
  let seq = 0
  let closed = false
  const ids = new Set<number>()
  let stateTouched = false
  let cancel: (() => void) | null = null
  let lastAt = Number.NEGATIVE_INFINITY

  const emit = (body: EventBody): void => {
    const event: EngineEvent = { ...body, seq: ++seq }
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        options.log.error('bus.listener', { message: error instanceof Error ? error.message : String(error) })
      }
    }
  }

  const flush = (): void => {
    cancel?.()
    cancel = null
    lastAt = options.clock.mono()
    // A page at a time: one huge event would hold up every listener.
    if (ids.size > 0) {
      const all = [...ids]
      ids.clear()
      if (listeners.size > 0)
        for (let i = 0; i < all.length; i += 500) emit({ kind: 'transfers', items: options.readTransfers(all.slice(i, i + 500)) })
    }
    if (stateTouched) {
      stateTouched = false
      if (listeners.size > 0) emit({ kind: 'state', snapshot: options.readSnapshot() })
    }
  }

  const schedule = (): void => {
    if (closed || cancel !== null) return
    const wait = Math.max(0, lastAt + EVERY_MS - options.clock.mono())
    cancel = options.clock.after(wait, flush)
  }

  return {
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit,
    changed: (id) => {
      ids.add(id)
      schedule()
    },
    touched: () => {
      stateTouched = true
      schedule()
    },
    seq: () => seq,
    flush,
    close: () => {
      if (closed) return
      flush()
      closed = true
      listeners.clear()
    },
  }
}

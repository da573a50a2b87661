// The engine's one numbered event stream. Transfers are folded to the newest state of each row and told at most four times a second,
// so ten thousand uploads cost the listeners no more than ten. It stores nothing.
import type { EngineEvent } from '../../src-shared/contract.ts'
import type { Clock, Log } from './ports.ts'

/** Four a second is what a person can read (goals.md S8). */
const EVERY_MS = 250
/** The end of all that was under way is waited for by somebody, and told sooner; one file after another is told no more often than this. */
const END_MS = 40
/** Rows in one event, and the pause before the next page where very many have changed. */
const PAGE = 500
const NEXT_PAGE_MS = 15

type Body<E> = E extends EngineEvent ? Omit<E, 'seq'> : never
export type EventBody = Body<EngineEvent>

export interface Bus {
  on(listener: (event: EngineEvent) => void): () => void
  emit(body: EventBody): void
  /** Marks a transfer as changed; its newest row is read when the time has come, and the snapshot with it. */
  changed(id: number): void
  /** Rows of the remote list changed, or (0) it was read anew; told as one number. */
  remoteChanged(rows: number): void
  /** Something of the snapshot changed. */
  touched(): void
  /** Nothing is under way any more: what was marked is told soon. */
  ended(): void
  seq(): number
  flush(): void
  close(): void
}

export interface BusOptions {
  readonly clock: Clock
  readonly log: Log
  readonly readTransfers: (ids: readonly number[]) => Extract<EngineEvent, { kind: 'transfers' }>['items']
  readonly readSnapshot: () => Extract<EngineEvent, { kind: 'state' }>['snapshot']
  /** null: what the journal says now would survive a power cut. Else true once it does, false if that is given up. */
  readonly durable?: () => Promise<boolean> | null
}

export function createBus(options: BusOptions): Bus {
  const listeners = new Set<(event: EngineEvent) => void>()
  let seq = 0
  let closed = false
  const ids = new Set<number>()
  let stateTouched = false
  let remoteRows: number | null = null
  let cancel: (() => void) | null = null
  let dueAt = Number.POSITIVE_INFINITY
  let lastAt = Number.NEGATIVE_INFINITY
  let stateAt = Number.NEGATIVE_INFINITY

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

  /** Rows that were read and may not be told yet: a link that was told must not be forgotten by a power cut. In order. */
  let deferred: EventBody[] = []
  let waiting = false
  const emitDeferred = (count: number): void => {
    for (const body of deferred.splice(0, count)) emit(body)
  }
  const release = (): void => {
    const wait = options.durable?.() ?? null
    if (wait === null) {
      emitDeferred(deferred.length)
      return
    }
    if (waiting) return
    waiting = true
    const count = deferred.length
    void wait.then((isDurable) => {
      waiting = false
      if (closed) return
      if (!isDurable) deferred = []
      emitDeferred(count)
      if (deferred.length > 0) release()
    })
  }

  /** A page of changed rows; true if more are waiting. One huge event would hold up this thread and every listener. */
  const page = (): boolean => {
    const now: number[] = []
    for (const id of ids) {
      now.push(id)
      ids.delete(id)
      if (now.length === PAGE) break
    }
    if (now.length > 0 && listeners.size > 0) {
      deferred.push({ kind: 'transfers', items: options.readTransfers(now) })
      release()
    }
    return ids.size > 0
  }

  const tellState = (): void => {
    if (remoteRows !== null) {
      const changed = remoteRows
      remoteRows = null
      emit({ kind: 'catalog', changed })
    }
    if (!stateTouched) return
    stateTouched = false
    if (listeners.size > 0) emit({ kind: 'state', snapshot: options.readSnapshot() })
  }

  const round = (): void => {
    cancel = null
    lastAt = options.clock.mono()
    const more = page()
    // Pages follow one another fast, a snapshot costs a count of all rows.
    if (!more || lastAt - stateAt >= EVERY_MS) {
      stateAt = lastAt
      tellState()
    }
    if (more) schedule(NEXT_PAGE_MS)
  }

  /** Everything, at once: only at the end. */
  const flush = (): void => {
    cancel?.()
    cancel = null
    while (page());
    tellState()
  }

  const schedule = (gap: number): void => {
    if (closed) return
    const now = options.clock.mono()
    const at = Math.max(now, lastAt + gap)
    if (cancel !== null && dueAt <= at) return
    cancel?.()
    dueAt = at
    cancel = options.clock.after(at - now, round)
  }

  return {
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit,
    changed: (id) => {
      ids.add(id)
      // The counts of the snapshot are of the same rows.
      stateTouched = true
      schedule(EVERY_MS)
    },
    remoteChanged: (rows) => {
      remoteRows = (remoteRows ?? 0) + rows
      schedule(EVERY_MS)
    },
    touched: () => {
      stateTouched = true
      schedule(EVERY_MS)
    },
    ended: () => {
      if (ids.size > 0 || stateTouched) schedule(END_MS)
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

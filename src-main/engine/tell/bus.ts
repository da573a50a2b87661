// What goes upward in the engine: every room may call `changed` for a transfer and `wake` for the scheduler.
// Also the numbered event stream for callers. Changes to transfers, the snapshot and the remote list (the
// files on the service) are coalesced and sent at most four times a second, with two exceptions: the end of
// all work is reported sooner, and if many transfers have changed, their rows are sent in pages that follow
// each other quickly. Events passed to `emit` are sent at once.
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { Ports } from '../ports.ts'

/**
 * Minimum time between two rounds of events, except at the end of all work (END_MS) and between the pages of
 * changed transfers (NEXT_PAGE_MS). Four updates a second are as many as a person can follow.
 */
const EVERY_MS = 250
/**
 * Minimum time between two rounds once no work is left. It is short, because a command or the user may be
 * waiting for the last upload.
 */
const END_MS = 40
/**
 * Maximum number of rows per event. If more have changed, the next page of them follows after NEXT_PAGE_MS.
 */
const PAGE = 500
const NEXT_PAGE_MS = 15

type Body<E> = E extends EngineEvent ? Omit<E, 'seq'> : never
export type EventBody = Body<EngineEvent>

/**
 * What may have become due. `queue`: the rows to send, or their order, have changed. `lookups`: also a row
 * whose upload is unconfirmed.
 */
export type Due = 'anything' | 'queue' | 'lookups'

/** The rooms above, which are composed after the bus. */
interface Above {
  readonly db: {
    /**
     * Returns null if the journal's current state would survive a power cut. Otherwise resolves to true once
     * it would, or to false if the journal is closed first.
     */
    durable(): Promise<boolean> | null
    attemptDurable(): Promise<boolean> | null
  }
  readonly snapshots: {
    transfers(ids: readonly number[]): Extract<EngineEvent, { kind: 'transfers' }>['items']
    snapshot(): Extract<EngineEvent, { kind: 'state' }>['snapshot']
  }
  readonly scheduler: { wake(due?: Due, at?: number): void }
}

export interface Bus {
  on(listener: (event: EngineEvent) => void): () => void
  emit(body: EventBody): void
  /**
   * Runs the scheduler soon, because something may be due. `at`: when lookups are due, in epoch milliseconds;
   * if absent, now. Does nothing before `attach`.
   */
  wake(due?: Due, at?: number): void
  /** Connects the rooms above. Until then, nothing is read and nothing is woken. */
  attach(above: Above): void
  /** Marks a transfer as changed. Its row and the snapshot are read in one of the next rounds, not now. */
  changed(id: number): void
  /**
   * Adds `rows` to the number of changed rows of the remote list that the next `catalog` event reports. Call
   * with 0 if nothing has changed except the time of the last read.
   */
  remoteChanged(rows: number): void
  /** Marks the snapshot as changed. It is read and sent in one of the next rounds, not now. */
  touched(): void
  /**
   * Makes the next round due END_MS after the last one if a transfer or the snapshot has changed. Call when
   * no work is left.
   */
  ended(): void
  seq(): number
  /** Sends everything that is pending, once it is on disk; drops it if the disk fails. */
  close(): Promise<void>
}

export function createBus(ports: Pick<Ports, 'clock' | 'log'>): Bus {
  return new EventBus(ports)
}

class EventBus implements Bus {
  readonly #ports: Pick<Ports, 'clock' | 'log'>
  #above: Above | null = null
  readonly #listeners = new Set<(event: EngineEvent) => void>()
  #seq = 0
  #isClosed = false
  /** Transfers that changed since their rows were last read. */
  readonly #changed = new Set<number>()
  #isStateTouched = false
  #remoteRows: number | null = null
  /**
   * Transfer events, oldest first, that wait until their state is on disk: a link that was shown must survive
   * a power cut.
   */
  #deferred: EventBody[] = []
  #isWaitingForDisk = false
  /** The scheduled round; null if there is none. `at` is monotonic time in milliseconds. */
  #timer: { readonly at: number; readonly cancel: () => void } | null = null
  #roundAt = Number.NEGATIVE_INFINITY
  #stateAt = Number.NEGATIVE_INFINITY

  constructor(ports: Pick<Ports, 'clock' | 'log'>) {
    this.#ports = ports
  }

  attach(above: Above): void {
    this.#above = above
  }

  wake(due?: Due, at?: number): void {
    this.#above?.scheduler.wake(due, at)
  }

  on(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  emit(body: EventBody): void {
    const event: EngineEvent = { ...body, seq: ++this.#seq }
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#ports.log.error('bus.listener', {
          message: error instanceof Error ? error.message : String(error),
        })
      }
    }
  }

  changed(id: number): void {
    this.#changed.add(id)
    // The snapshot contains counts of transfers by state.
    this.touched()
  }

  remoteChanged(rows: number): void {
    this.#remoteRows = (this.#remoteRows ?? 0) + rows
    this.#schedule(EVERY_MS)
  }

  touched(): void {
    this.#isStateTouched = true
    this.#schedule(EVERY_MS)
  }

  ended(): void {
    if (this.#changed.size > 0 || this.#isStateTouched) this.#schedule(END_MS)
  }

  seq(): number {
    return this.#seq
  }

  /**
   * Reads and sends everything that is pending, without waiting for the next round.
   * Transfer events whose state isn't on disk yet are still held back.
   */
  #flush(): void {
    this.#timer?.cancel()
    this.#timer = null
    while (this.#page());
    this.#emitState()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#flush()
    if ((await this.#above?.db.attemptDurable()) !== false) this.#emitDeferred(this.#deferred.length)
    this.#isClosed = true
    this.#listeners.clear()
  }

  #schedule(gapMs: number): void {
    if (this.#isClosed) return
    const { clock } = this.#ports
    const now = clock.mono()
    const at = Math.max(now, this.#roundAt + gapMs)
    if (this.#timer !== null && this.#timer.at <= at) return
    this.#timer?.cancel()
    this.#timer = { at, cancel: clock.after(at - now, () => this.#round()) }
  }

  #round(): void {
    this.#timer = null
    this.#roundAt = this.#ports.clock.mono()
    const hasMore = this.#page()
    // Further pages follow within milliseconds. Reading a snapshot with each of them would be too expensive.
    if (!hasMore || this.#roundAt - this.#stateAt >= EVERY_MS) {
      this.#stateAt = this.#roundAt
      this.#emitState()
    }
    if (hasMore) this.#schedule(NEXT_PAGE_MS)
  }

  /**
   * Reads one page of changed rows and sends them, or discards them if there are no listeners; returns true
   * if more are left. A single huge event would block this thread and every listener.
   */
  #page(): boolean {
    const page: number[] = []
    for (const id of this.#changed) {
      page.push(id)
      this.#changed.delete(id)
      if (page.length === PAGE) break
    }
    if (page.length > 0 && this.#listeners.size > 0 && this.#above !== null) {
      this.#deferred.push({ kind: 'transfers', items: this.#above.snapshots.transfers(page) })
      this.#release()
    }
    return this.#changed.size > 0
  }

  #emitState(): void {
    if (this.#remoteRows !== null) {
      const changed = this.#remoteRows
      this.#remoteRows = null
      this.emit({ kind: 'catalog', changed })
    }
    if (!this.#isStateTouched) return
    this.#isStateTouched = false
    if (this.#listeners.size > 0 && this.#above !== null)
      this.emit({ kind: 'state', snapshot: this.#above.snapshots.snapshot() })
  }

  #emitDeferred(count: number): void {
    for (const body of this.#deferred.splice(0, count)) this.emit(body)
  }

  /**
   * Sends the deferred events once the state that they report is on disk. Drops them if the journal closes
   * first.
   */
  #release(): void {
    const wait = this.#above?.db.durable() ?? null
    if (wait === null) {
      this.#emitDeferred(this.#deferred.length)
      return
    }
    if (this.#isWaitingForDisk) return
    this.#isWaitingForDisk = true
    const count = this.#deferred.length
    void wait.then((isDurable) => {
      this.#isWaitingForDisk = false
      if (this.#isClosed) return
      if (!isDurable) this.#deferred = []
      this.#emitDeferred(count)
      if (this.#deferred.length > 0) this.#release()
    })
  }
}

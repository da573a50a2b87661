// A simulated world for the pacer: true time, a client's clock that can sleep and be set, a service that
// counts requests in sliding or aligned windows and answers 429, and a client with a backlog. Deterministic
// for a given seed. Contains no expectations; the tests evaluate its figures.
import type { AnswerMeta, RateHints } from '../../../../src-main/api/types.ts'
import { type Pacer, type Priority } from '../../../../src-main/engine/budget/pacer-types.ts'
import type { StatedRates } from '../../../../src-main/engine/budget/rate-limits.ts'
import { createPacer } from '../../../../src-main/engine/budget/request-pacer.ts'
import type { PacerStore, PersistedRequest } from '../../../../src-main/engine/journal/pacer-store.ts'
import type { Clock, Random } from '../../../../src-main/engine/ports.ts'

export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000
export const START = Date.UTC(2026, 10, 20, 9, 30, 17, 345)

const noHints: RateHints = { retryAfterMs: null, limit: null, remaining: null, resetMs: null }

export function answer(
  status: number,
  over: Partial<RateHints> & { readonly serverDate?: number | null } = {},
): AnswerMeta {
  const { serverDate = null, ...rate } = over
  return { status, serverDate, rate: { ...noHints, ...rate } }
}

/** A small seeded generator. Good enough for simulated load, but not for secrets. */
export function seeded(seed: number): Random {
  let a = (seed * 2_654_435_761) >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The client's clock relative to real time. */
export interface FakeClock extends Clock {
  advance(ms: number): void
  /** Real time passes, but monotonic time doesn't. */
  sleep(ms: number): void
  /** The user sets the wall clock. */
  set(byMs: number): void
  /** Restarts the system: the uptime starts again. */
  reboot(): void
  real(): number
}

export function fakeClock(start = START): FakeClock {
  let real = start
  let mono = 5_000
  let wallOffset = 0
  let bootedAt = start - 3_600_000
  return {
    now: () => real + wallOffset,
    mono: () => mono,
    uptime: () => real - bootedAt,
    after: () => () => {},
    advance(ms) {
      real += ms
      mono += ms
    },
    sleep(ms) {
      real += ms
    },
    set(byMs) {
      wallOffset += byMs
    },
    reboot() {
      bootedAt = real
    },
    real: () => real,
  }
}

export interface MemoryStore extends PacerStore {
  readonly rows: Map<number, PersistedRequest>
  state(): string | null
}

export function memoryStore(): MemoryStore {
  const rows = new Map<number, PersistedRequest>()
  let state: string | null = null
  return {
    rows,
    state: () => state,
    load: () => ({ requests: [...rows.values()], state }),
    addRequest(row) {
      if (rows.has(row.id)) throw new Error(`request ${row.id} twice`)
      rows.set(row.id, row)
    },
    settleRequest(id, settledAt) {
      const row = rows.get(id)
      if (row !== undefined) rows.set(id, { ...row, settledAt })
    },
    removeRequest: (id) => void rows.delete(id),
    saveState(json) {
      state = json
    },
    prune(before) {
      for (const [id, row] of rows) if (row.settledAt !== null && row.settledAt < before) rows.delete(id)
    },
  }
}

export type WindowStyle = 'sliding' | 'aligned'

export interface ServiceOptions {
  readonly perMinute: number
  readonly perDay: number
  readonly minuteStyle: WindowStyle
  readonly dayStyle: WindowStyle
  /** Milliseconds by which aligned windows begin before the multiples of their length since the epoch. */
  readonly phase?: number
  readonly retryAfter?: boolean
  /**
   * Counts in whole seconds, including both ends of the window: the coarsest way that still conforms to the
   * document.
   */
  readonly coarse?: boolean
  /** The error of the service's own clock. */
  readonly clockOffset?: number
  readonly date?: (trueTime: number) => number | null
}

/** Counts requests in its own windows. `count` must be called in chronological order. */
function createService(options: ServiceOptions) {
  const { perMinute, perDay, minuteStyle, dayStyle, phase = 0, coarse = false, clockOffset = 0 } = options
  function counter(style: WindowStyle, length: number, limit: number) {
    let stamps: number[] = []
    let head = 0
    let current = Number.NaN
    let count = 0
    return {
      full(at: number): boolean {
        if (style === 'aligned') {
          const index = Math.floor((at + phase) / length)
          if (index !== current) {
            current = index
            count = 0
          }
          return count >= limit
        }
        const from = coarse ? Math.floor(at / SECOND) * SECOND - length : at - length
        while (head < stamps.length && (coarse ? (stamps[head] ?? 0) < from : (stamps[head] ?? 0) <= from))
          head += 1
        if (head > 10_000 && head * 2 > stamps.length) {
          stamps = stamps.slice(head)
          head = 0
        }
        return stamps.length - head >= limit
      },
      add(at: number): void {
        if (style === 'aligned') count += 1
        else stamps.push(coarse ? Math.floor(at / SECOND) * SECOND : at)
      },
    }
  }
  const minute = counter(minuteStyle, MINUTE, perMinute)
  const day = counter(dayStyle, DAY, perDay)
  return {
    /** Returns whether the request is accepted. */
    count(trueTime: number): boolean {
      const at = trueTime + clockOffset
      const minuteFull = minute.full(at)
      const dayFull = day.full(at)
      if (minuteFull || dayFull) return false
      minute.add(at)
      day.add(at)
      return true
    },
    meta(trueTime: number, passed: boolean): AnswerMeta {
      const at = trueTime + clockOffset
      const date = options.date === undefined ? Math.floor(at / SECOND) * SECOND : options.date(at)
      return answer(passed ? 200 : 429, {
        serverDate: date,
        retryAfterMs: !passed && options.retryAfter ? 5_000 : null,
      })
    },
  }
}

interface Event {
  readonly at: number
  readonly seq: number
  readonly run: () => void
}

/** A heap ordered by time. */
function createQueue() {
  const heap: Event[] = []
  const before = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.seq < b.seq)
  let seq = 0
  return {
    push(at: number, run: () => void): void {
      seq += 1
      const event = { at, seq, run }
      let i = heap.length
      heap.push(event)
      while (i > 0) {
        const up = (i - 1) >> 1
        const parent = heap[up]
        if (parent === undefined || !before(event, parent)) break
        heap[i] = parent
        i = up
      }
      heap[i] = event
    },
    peek: () => heap[0],
    pop(): Event | undefined {
      const top = heap[0]
      const last = heap.pop()
      if (top === undefined || last === undefined || heap.length === 0) return top
      let i = 0
      for (;;) {
        let child = 2 * i + 1
        const left = heap[child]
        const right = heap[child + 1]
        if (left === undefined) break
        let small = left
        if (right !== undefined && before(right, left)) {
          child += 1
          small = right
        }
        if (!before(small, last)) break
        heap[i] = small
        i = child
      }
      heap[i] = last
      return top
    },
  }
}

export interface WorldOptions {
  readonly seed: number
  readonly service: ServiceOptions
  readonly plan?: string | null
  readonly told?: StatedRates
  readonly concurrency?: number
  /** Duration of a request in milliseconds. */
  readonly latency?: (random: Random) => number
  /**
   * The fraction of a request's duration, 0 to 1, after which the service counts the request; random by
   * default.
   */
  readonly stampAt?: (random: Random) => number
  /** Number of requests to make; endless by default. */
  readonly backlog?: number
  readonly priority?: Priority
  /** The probability that an answer is lost although the request was counted. */
  readonly lost?: number
}

export function createWorld(options: WorldOptions) {
  const random = seeded(options.seed)
  const clock = fakeClock()
  const store = memoryStore()
  const service = createService(options.service)
  const queue = createQueue()
  const latency = options.latency ?? ((r: Random) => r() * 5_000)
  const stampAt = options.stampAt ?? ((r: Random) => r())
  const concurrency = options.concurrency ?? 8
  const told = options.told ?? { perMinute: null, perDay: null }
  const figures = { sent: 0, passed: 0, refused: 0, lastAnswerAt: 0, refusedAt: [] as number[] }
  let left = options.backlog ?? Number.POSITIVE_INFINITY
  let active = 0
  let life = 0
  let pacer: Pacer = start()
  let timer = 0
  let running = true

  function start(): Pacer {
    const made = createPacer({ clock, store, random, onCapacity: () => queue.push(clock.real(), work) })
    made.setPlan(options.plan === undefined ? 'pro' : options.plan, told)
    const mine = life
    queue.push(clock.real() + 500, () => beat(mine))
    return made
  }

  function work(): void {
    if (!running) return
    while (active < concurrency && left > 0) {
      const claim = pacer.claim({ kind: 'upload', priority: options.priority ?? 'watched' })
      if (!claim.ok) {
        if (claim.waitMs !== null) {
          timer += 1
          const mine = timer
          queue.push(clock.real() + claim.waitMs, () => {
            if (mine === timer) work()
          })
        }
        return
      }
      send(claim.id)
    }
  }

  /** What the engine does every minute. */
  function beat(mine: number): void {
    if (mine !== life) return
    pacer.tick()
    queue.push(clock.real() + MINUTE, () => beat(mine))
  }

  function send(id: number): void {
    active += 1
    left -= 1
    figures.sent += 1
    const mine = life
    const from = clock.real()
    const duration = latency(random)
    const stamp = from + duration * stampAt(random)
    const lost = random() < (options.lost ?? 0)
    let passed = false
    let stamped = false
    function count(): void {
      if (stamped) return
      stamped = true
      passed = service.count(clock.real())
      if (passed) figures.passed += 1
      else {
        figures.refused += 1
        figures.refusedAt.push(clock.real())
      }
    }
    // The service counts in real time, even while the client sleeps.
    queue.push(stamp, count)
    queue.push(from + duration, () => {
      count()
      if (mine !== life) return
      active -= 1
      figures.lastAnswerAt = clock.real()
      if (!passed) left += 1
      pacer.settle(id, { meta: lost ? null : service.meta(clock.real(), passed) })
      work()
    })
  }

  return {
    clock,
    store,
    service,
    figures,
    random,
    queue,
    pacer: () => pacer,
    left: () => left,
    /**
     * Calls `run` after `ms` of real time, for example for a request of another client, which the pacer
     * doesn't see.
     */
    at(ms: number, run: () => void): void {
      queue.push(clock.real() + ms, run)
    },
    /** Runs until real time has advanced by `ms` or the backlog is done. */
    run(ms: number): void {
      const end = clock.real() + ms
      queue.push(clock.real(), work)
      for (let event = queue.peek(); event !== undefined && event.at <= end; event = queue.peek()) {
        queue.pop()
        const wait = event.at - clock.real()
        if (wait > 0) clock.advance(wait)
        event.run()
        if (left <= 0 && active === 0) return
      }
      if (end > clock.real()) clock.advance(end - clock.real())
    },
    /**
     * The machine sleeps. The service continues to count requests in progress; the client gets the answers
     * afterwards.
     */
    sleep(ms: number): void {
      clock.sleep(ms)
    },
    /**
     * Kills the client (or shuts it down cleanly), waits for `ms`, sets the wall clock by `wallJump`, and
     * starts the client again with the stored state. `isReboot`: the system was off as well.
     */
    restart(ms: number, wallJump = 0, orderly = false, isReboot = false): void {
      if (orderly) pacer.tick()
      life += 1
      active = 0
      timer += 1
      // Requests in progress still reach the service and are counted.
      const end = clock.real() + ms
      running = false
      for (let event = queue.peek(); event !== undefined && event.at <= end; event = queue.peek()) {
        queue.pop()
        if (event.at > clock.real()) clock.advance(event.at - clock.real())
        event.run()
      }
      if (end > clock.real()) clock.advance(end - clock.real())
      clock.set(wallJump)
      if (isReboot) clock.reboot()
      running = true
      pacer = start()
    },
  }
}

// Manages worker threads that read the user's files. Normally, one thread serves all requests. If it is stuck
// on a drive that doesn't answer, it keeps the requests about that drive, and another thread serves the rest.
// A search for secrets that takes too long is ended together with its thread.
import { dirname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { below } from '../../engine/disk/rel-path.ts'
import { silentDrive } from '../../engine/sleep.ts'
import { ThreadQuestions } from '../worker/worker-thread.ts'
import { Heartbeat, type HeartbeatMessage } from './heartbeat.ts'

/**
 * A thread counts as stuck once it has made no progress for at least this long. A sleeping disk takes several
 * seconds to spin up.
 */
const STUCK_MS = 6000
/** How often the threads are checked while requests are pending. */
const LOOK_MS = 100
/** Maximum number of threads that may be stuck on drives that don't answer. Each takes 45 MB. */
const STUCK_MOST = 3

interface WithId {
  readonly id: number
}

/** A request without its ID. */
type Question<Request> = Request extends unknown ? Omit<Request, 'id'> : never

interface Asked<Request extends WithId, Answer extends WithId> {
  readonly question: Question<Request>
  readonly paths: readonly string[]
  readonly mayFail: boolean
  readonly resolve: (answer: Answer | Error) => void
  /** The thread that must answer. An answer from another thread is ignored. */
  lane: Lane<Request, Answer>
}

/** A search was given up because it took too long, or needed more memory than its thread may have. */
export class SearchLimitError extends Error {
  constructor() {
    super('the search took too long')
  }
}

export interface DiskThreadsOptions<Request extends WithId> {
  /** Used in the message "the … thread ended". */
  readonly name: string
  /** Whether a request fails if the drive doesn't answer. All others wait for the drive. */
  readonly mayFail: (question: Question<Request>) => boolean
  readonly spawn: () => Worker
  /** Default: `STUCK_MS`. */
  readonly stuckMs?: number
  /**
   * CPU time, in milliseconds, after which the search of one file is given up; its request resolves to a
   * SearchLimitError.
   */
  readonly searchMs: number
  /**
   * Returns the root directory of the drive that a path is on; null if it isn't known or the drive always
   * answers. Must not access the drive.
   */
  readonly mountOf: (path: string) => string | null
}

/** Sends each new thread a `HeartbeatMessage` before any request. The thread must not answer that message. */
export class DiskThreads<Request extends WithId, Answer extends WithId> {
  readonly #options: DiskThreadsOptions<Request>
  #main: Lane<Request, Answer>
  #stuck: Lane<Request, Answer>[] = []
  #watching: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: DiskThreadsOptions<Request>) {
    this.#options = options
    this.#main = new Lane(options)
  }

  get isRunning(): boolean {
    return this.#main.questions.isRunning || this.#stuck.length > 0
  }

  /**
   * Sends a request about these paths. Resolves to an Error if the thread ends before it answers, and to a
   * DiskError if the drive doesn't answer and the request may fail (`mayFail`).
   */
  ask(question: Question<Request>, paths: readonly string[]): Promise<Answer | Error> {
    return new Promise((resolve) => {
      const stuck = this.#stuck.find((lane) => lane.isNear(paths))
      const mayFail = this.#options.mayFail(question)
      if (stuck !== undefined && mayFail) return resolve(silentDrive())
      this.#send({ question, paths, mayFail, resolve, lane: stuck ?? this.#main })
    })
  }

  /** The places (`Lane.place`) at which threads are stuck. */
  stuckAt(): readonly string[] {
    return this.#stuck.flatMap((lane) => lane.place ?? [])
  }

  /** Ends the thread if no request is pending. The next request starts another. */
  rest(): void {
    this.#main.questions.rest()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#watching !== null) clearTimeout(this.#watching)
    await Promise.all([this.#main, ...this.#stuck].map((lane) => lane.questions.close()))
  }

  #send(asked: Asked<Request, Answer>): void {
    const { lane, question } = asked
    let id = 0
    let { beat } = lane
    const answered = lane.questions.ask((next) => {
      id = next
      // The thread may just have been started.
      ;({ beat } = lane)
      lane.open.set(id, asked)
      return { ...question, id } as unknown as Request
    })
    void answered.then((answer) => {
      if (asked.lane !== lane) return
      lane.open.delete(id)
      // If a search ended the thread, the other requests are innocent.
      const { search } = beat
      if (!(answer instanceof Error) || search === 0 || this.#isClosed) asked.resolve(answer)
      else if (search === id) asked.resolve(new SearchLimitError())
      else this.#send(asked)
    })
    // One timer watches many requests, because starting one for each would cost more than sending the
    // request.
    if (this.#watching === null) this.#watch()
  }

  #watch(): void {
    this.#watching = setTimeout(() => this.#look(), LOOK_MS).unref()
  }

  #look(): void {
    this.#watching = null
    for (const lane of [this.#main, ...this.#stuck]) void this.#lookAtSearch(lane)
    for (const lane of this.#stuck) {
      const isStill = lane.isStill()
      // The thread had resumed, but is stuck again, perhaps on another drive.
      if (isStill && lane.place === null) this.#leave(lane, this.#main)
      if (isStill) continue
      lane.place = null
      if (!lane.questions.isIdle) continue
      this.#stuck = this.#stuck.filter((one) => one !== lane)
      lane.questions.rest()
    }
    if (this.#main.isStill() && this.#stuck.length < STUCK_MOST) {
      this.#stuck.push(this.#main)
      this.#leave(this.#main, new Lane(this.#options))
    }
    if (!this.#main.questions.isIdle || this.#stuck.length > 0) this.#watch()
  }

  async #lookAtSearch(lane: Lane<Request, Answer>): Promise<void> {
    const search = await lane.searchTime()
    if (search === null || search.ms < this.#options.searchMs || this.#isClosed) return
    if (lane === this.#main) this.#main = new Lane(this.#options)
    this.#stuck = this.#stuck.filter((one) => one !== lane)
    for (const [id, asked] of lane.open) {
      lane.open.delete(id)
      asked.lane = this.#main
      if (id === search.id) asked.resolve(new SearchLimitError())
      else this.#send(asked)
    }
    await lane.questions.close()
  }

  /**
   * Handles the open requests of a stuck thread. Requests about the drive that doesn't answer stay in `lane`,
   * or fail at once if they may fail. Requests about other drives move to `next`.
   */
  #leave(lane: Lane<Request, Answer>, next: Lane<Request, Answer>): void {
    this.#main = next
    lane.findPlace(this.#options.mountOf)
    for (const [id, asked] of lane.open) {
      const isStuck = id === lane.beat.id || lane.isNear(asked.paths)
      if (isStuck && !asked.mayFail) continue
      lane.open.delete(id)
      asked.lane = next
      if (isStuck) asked.resolve(silentDrive())
      else this.#send(asked)
    }
  }
}

/** One thread with its unanswered requests. */
class Lane<Request extends WithId, Answer extends WithId> {
  readonly questions: ThreadQuestions<Request, Answer>
  readonly open = new Map<number, Asked<Request, Answer>>()
  beat = new Heartbeat()
  /**
   * The directory or file that doesn't answer. Everything below it counts as stuck too. Null unless the
   * thread is stuck.
   */
  place: string | null = null
  readonly #stuckLooks: number
  #looks = 0
  #ticks = 0
  #worker: Worker | null = null
  /** The search that was last measured, with the CPU time of the thread when it was first seen. */
  #search: { readonly beat: Heartbeat; readonly searches: number; readonly from: NodeJS.CpuUsage } | null =
    null

  constructor({
    spawn,
    name,
    stuckMs = STUCK_MS,
  }: Pick<DiskThreadsOptions<Request>, 'spawn' | 'name' | 'stuckMs'>) {
    this.#stuckLooks = Math.ceil(stuckMs / LOOK_MS)
    this.questions = new ThreadQuestions({
      spawn: () => {
        const worker = spawn()
        this.#worker = worker
        this.beat = new Heartbeat()
        worker.postMessage({ id: 0, kind: 'heartbeat', shared: this.beat.shared } satisfies HeartbeatMessage)
        return worker
      },
      name,
    })
  }

  /**
   * Call every `LOOK_MS`. Returns true if the thread has a pending request but has made no progress for
   * `stuckMs`.
   */
  isStill(): boolean {
    const { ticks, id } = this.beat
    const isSame = id !== 0 && !this.questions.isIdle && ticks === this.#ticks
    this.#ticks = ticks
    this.#looks = isSame ? this.#looks + 1 : 0
    return this.#looks >= this.#stuckLooks
  }

  /**
   * The CPU time that the current search has taken since the first call during it, and the ID of its request;
   * null if there is none. CPU time, because a busy machine would make any file look like one that takes too
   * long.
   */
  async searchTime(): Promise<{ readonly id: number; readonly ms: number } | null> {
    const worker = this.#worker
    const { beat } = this
    const { search: id, searches } = beat
    if (id === 0 || worker === null) return null
    const before =
      this.#search?.beat === beat && this.#search.searches === searches ? this.#search.from : null
    // Rejects if the thread has just ended.
    const now = await worker.cpuUsage().catch(() => null)
    if (now === null || beat.search !== id || beat.searches !== searches) return null
    if (before === null) this.#search = { beat, searches, from: now }
    const from = before ?? now
    return { id, ms: (now.user + now.system - from.user - from.system) / 1000 }
  }

  findPlace(mountPoint: (path: string) => string | null): void {
    const { id, index } = this.beat
    const asked = this.open.get(id)
    const path = asked?.paths[index] ?? asked?.paths[0]
    if (path === undefined) return
    this.place = mountPoint(path) ?? (asked?.mayFail === true ? dirname(path) : path)
  }

  isNear(paths: readonly string[]): boolean {
    const { place } = this
    return place !== null && paths.some((path) => below(place, path) !== null)
  }
}

// Manages the life cycle of a worker thread. The thread is started on first use, can be ended while it is
// idle, and is replaced after a crash. Also sends requests to the thread and matches its answers.
import type { Worker } from 'node:worker_threads'
import { within } from '../time.ts'

/**
 * How long to wait for a terminated thread to end. A thread that runs JavaScript ends within milliseconds.
 */
const TERMINATE_MS = 1000

/**
 * Terminates a thread. Waits for at most `TERMINATE_MS`, because a thread that is stuck in native code, for
 * example in a read from a dead network drive, may never end.
 */
export async function endThread(worker: Worker): Promise<void> {
  const ended = worker.terminate()
  if ((await within(TERMINATE_MS, ended)) !== null) return
  stuck.add(ended)
  void ended.then(() => stuck.delete(ended))
}

const stuck = new Set<Promise<unknown>>()

/**
 * Waits up to `ms` milliseconds for threads that `endThread` couldn't end in time. Resolves to true if one is
 * still stuck in native code. `process.exit()` would wait for that thread forever.
 */
export async function hasStuckThread(ms: number): Promise<boolean> {
  if (stuck.size === 0) return false
  await within(ms, Promise.all(stuck))
  return stuck.size > 0
}

/** Milliseconds between two checks for open requests. */
const LOOK_MS = 20

/**
 * Waits up to `ms` milliseconds for the calling thread's disk requests. Resolves to true if one is still
 * open. `process.exit()` would also wait for Node's thread pool, which executes these requests.
 */
export async function hasStuckRequest(ms: number): Promise<boolean> {
  const isOpen = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
  for (let left = ms; left > 0 && isOpen(); left -= LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  return isOpen()
}

/**
 * Ends the process, even while a thread is stuck in native code. To keep the exit code, this function
 * replaces the program with a shell that exits, which ends all threads. On Windows, it kills the process, so
 * the exit code is lost.
 */
export function forceExit(code: number): void {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`])
  process.kill(process.pid, 'SIGKILL')
}

interface Life<Message> {
  readonly spawn: () => Worker
  /** Used in the message "the … thread ended". */
  readonly name: string
  readonly onMessage: (message: Message, worker: Worker) => void
  /**
   * Called when the thread has ended, on purpose or not, unless another thread has replaced it. Pending
   * requests won't be answered.
   */
  readonly onLost: (error: Error) => void
}

export class WorkerThread<Message> {
  readonly #life: Life<Message>
  #worker: Worker | null = null

  constructor(life: Life<Message>) {
    this.#life = life
  }

  get isRunning(): boolean {
    return this.#worker !== null
  }

  /**
   * Returns the running thread, starting one if necessary. The thread keeps the process alive until its
   * `unref` is called.
   */
  use(): Worker {
    const worker = this.#worker ?? this.#start()
    worker.ref()
    return worker
  }

  /**
   * Ends the thread without waiting. The next `use` starts another. Call only while no request is pending.
   */
  rest(): void {
    void this.close()
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    if (worker !== null) await endThread(worker)
  }

  #start(): Worker {
    const worker = this.#life.spawn()
    const lost = (error: Error): void => {
      // If `rest` ended this thread and another one has replaced it, the pending requests belong to its
      // successor.
      if (this.#worker !== null && this.#worker !== worker) return
      this.#worker = null
      this.#life.onLost(error)
    }
    worker.on('message', (message: Message) => this.#life.onMessage(message, worker))
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error(`the ${this.#life.name} thread ended`)))
    this.#worker = worker
    return worker
  }
}

/** Sends requests to a thread that answers each with a message of the same `id`. */
export class ThreadQuestions<
  Question extends { readonly id: number },
  Answer extends { readonly id: number },
> {
  readonly #thread: WorkerThread<Answer>
  readonly #open = new Map<number, (answer: Answer | Error) => void>()
  #nextId = 1

  constructor(life: Pick<Life<Answer>, 'spawn' | 'name'>) {
    this.#thread = new WorkerThread<Answer>({
      ...life,
      onMessage: (answer, worker) => {
        this.#open.get(answer.id)?.(answer)
        this.#open.delete(answer.id)
        if (this.#open.size === 0) worker.unref()
      },
      onLost: (error) => {
        for (const answer of this.#open.values()) answer(error)
        this.#open.clear()
      },
    })
  }

  get isRunning(): boolean {
    return this.#thread.isRunning
  }

  /** Whether no request is pending. */
  get isIdle(): boolean {
    return this.#open.size === 0
  }

  /** Sends a request. Resolves to the answer, or to an Error if the thread ends before it answers. */
  ask(withId: (id: number) => Question): Promise<Answer | Error> {
    return new Promise((resolve) => {
      const id = this.#nextId++
      this.#open.set(id, resolve)
      this.#thread.use().postMessage(withId(id))
    })
  }

  /** Ends the thread if no request is pending. The next request starts another. */
  rest(): void {
    if (this.isIdle) this.#thread.rest()
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

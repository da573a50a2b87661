// The life of a worker thread: started when it is first needed, released while it has nothing to do, and replaced after it was lost.
// What it is asked, and what an answer means, is its users' matter.
import type { Worker } from 'node:worker_threads'

interface Life<Message> {
  readonly spawn: () => Worker
  /** Completes "the … thread ended". */
  readonly name: string
  readonly onMessage: (message: Message, worker: Worker) => void
  /** The thread is gone, and nothing that it was asked will be answered. */
  readonly onLost: (error: Error) => void
}

export class WorkerThread<Message> {
  readonly #life: Life<Message>
  #worker: Worker | null = null

  constructor(life: Life<Message>) {
    this.#life = life
  }

  /** The running thread, started if there is none. It keeps the process alive until it is unref'd. */
  use(): Worker {
    const worker = this.#worker ?? this.#start()
    worker.ref()
    return worker
  }

  /** Ends the thread without waiting; the next `use` starts another. Only while nothing is asked. */
  rest(): void {
    void this.close()
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = this.#life.spawn()
    const lost = (error: Error): void => {
      // After a rest another thread has taken its place, and whatever is open now was asked of that one.
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

/** Questions to a thread that answers each with a message of the same `id`. */
export class ThreadQuestions<Question extends { readonly id: number }, Answer extends { readonly id: number }> {
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

  /** Resolves with an Error if the thread is lost before it answers. */
  ask(withId: (id: number) => Question): Promise<Answer | Error> {
    return new Promise((resolve) => {
      const id = this.#nextId++
      this.#open.set(id, resolve)
      this.#thread.use().postMessage(withId(id))
    })
  }

  /** Ends the thread if nothing is asked; the next question starts another. */
  rest(): void {
    if (this.#open.size === 0) this.#thread.rest()
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

// Replaces `Worker` of `node:worker_threads` in an older Node: it starts a process of Node 24, in which
// thread-host.ts runs the real thread and passes its messages on. In that process, `Worker` is Node's own.
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { createRequire, syncBuiltinESMExports } from 'node:module'

interface ThreadOptions {
  readonly workerData?: unknown
  readonly env?: NodeJS.ProcessEnv
  readonly execArgv?: string[]
  readonly eval?: boolean
  readonly resourceLimits?: Readonly<Record<string, number>>
}

/** What the host gets first. */
export interface ThreadStart extends ThreadOptions {
  readonly entry: string
}

export type FromHost =
  | { readonly type: 'online' }
  | { readonly type: 'message'; readonly message: unknown }
  | { readonly type: 'error'; readonly message: string; readonly stack: string | undefined }
  | { readonly type: 'exit'; readonly code: number }

/** Set by the lane: Node 24 and the host's file. */
const [NODE = 'node', HOST = ''] = (process.env['SLIPWAY_THREADS'] ?? '').split('\n')

class ProcessThread extends EventEmitter {
  readonly #child
  readonly #ended: Promise<number>
  #end: (code: number) => void = () => undefined
  #hasExited = false

  constructor(entry: string | URL, options: ThreadOptions = {}) {
    super()
    this.#ended = new Promise((resolve) => {
      this.#end = resolve
    })
    const { NODE_OPTIONS: _options, ...env } = options.env ?? process.env
    this.#child = spawn(NODE, ['--disable-warning=ExperimentalWarning', HOST], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
      env,
    })
    this.#child.on('message', (message: FromHost) => this.#take(message))
    this.#child.on('exit', (code) => this.#gone(code ?? 1))
    this.#child.on('error', (error) => {
      if (!this.#hasExited) this.emit('error', error)
      this.#gone(1)
    })
    this.#send({ entry: String(entry), ...options, env })
  }

  #send(message: unknown): void {
    // A process that has just ended can't be written to, and a thread that has ended takes no messages either.
    if (this.#child.connected) this.#child.send(message as never, () => undefined)
  }

  #take(message: FromHost): void {
    switch (message.type) {
      case 'online':
        this.emit('online')
        break
      case 'message':
        this.emit('message', message.message)
        break
      case 'error':
        this.emit('error', Object.assign(new Error(message.message), { stack: message.stack }))
        break
      case 'exit':
        this.#gone(message.code)
    }
  }

  #gone(code: number): void {
    if (this.#hasExited) return
    this.#hasExited = true
    this.#end(code)
    this.emit('exit', code)
  }

  postMessage(message: unknown): void {
    this.#send({ message })
  }

  terminate(): Promise<number> {
    this.#child.kill('SIGKILL')
    return this.#ended
  }

  ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }
}

if (process.getBuiltinModule?.('node:sqlite') === undefined) {
  Object.assign(createRequire(import.meta.url)('node:worker_threads') as object, { Worker: ProcessThread })
  syncBuiltinESMExports()
}

// `utilityProcess`: a separate Node process for each fork, with messages in both directions. As in Electron,
// it can start only once the app is ready, and `kill` ends it even if it hangs.
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { desk } from './desk.ts'
import { strictClass } from './strict.ts'

/** The same choice as in bin/electron: npm may have no Node for this system. */
const PINNED = join(import.meta.dirname, '../../node_modules/.bin/node')
/** How long Electron waits after SIGTERM before it sends SIGKILL. */
const REAP_MS = 2000

export class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess
  readonly stdout = null
  readonly stderr = null

  private constructor(modulePath: string, args: readonly string[], options: Electron.ForkOptions) {
    super()
    const stdio = options.stdio === 'ignore' ? 'ignore' : 'inherit'
    this.#child = fork(join(import.meta.dirname, 'utility-main.ts'), [modulePath, ...args], {
      execPath: existsSync(PINNED) ? PINNED : 'node',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...(options.env ?? process.env) },
      serialization: 'advanced',
      stdio: ['ignore', stdio, stdio, 'ipc'],
    })
    this.#child.once('spawn', () => this.emit('spawn'))
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.once('exit', (code) => this.emit('exit', code ?? 0))
    process.once('exit', () => this.#child.kill('SIGKILL'))
  }

  static fork(modulePath: string, args: string[] = [], options: Electron.ForkOptions = {}): UtilityProcess {
    if (!desk.ready) throw new Error('utilityProcess cannot be created before app is ready.')
    return new UtilityProcess(modulePath, args, options)
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }

  postMessage(message: unknown): void {
    if (!this.#child.connected) return
    try {
      this.#child.send(message as object)
    } catch {
      throw new Error('An object could not be cloned.')
    }
  }

  kill(): boolean {
    if (this.pid === undefined) return false
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), REAP_MS)
    this.#child.once('exit', () => clearTimeout(timer))
    return this.#child.kill('SIGTERM')
  }
}
strictClass('utilityProcess', UtilityProcess)

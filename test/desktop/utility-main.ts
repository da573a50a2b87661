// The child's side of utility-process.ts: provides Electron's `parentPort`, then runs the requested module.
// As in Electron, messages wait until the module listens.
import { EventEmitter } from 'node:events'
import { flushCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'

class ParentPort extends EventEmitter {
  readonly #early: unknown[] = []

  constructor() {
    super()
    process.on('message', (data) => {
      if (this.listenerCount('message') > 0) this.emit('message', { data, ports: [] })
      else this.#early.push(data)
    })
    this.on('newListener', (event) => {
      if (event === 'message') setImmediate(() => this.#deliver())
    })
  }

  postMessage(message: unknown): void {
    process.send?.(message)
  }

  #deliver(): void {
    for (const data of this.#early.splice(0)) this.emit('message', { data, ports: [] })
  }
}

// Without this, the process would outlive its parent.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
Object.defineProperties(process, {
  type: { value: 'utility', enumerable: true },
  parentPort: { value: new ParentPort(), enumerable: true },
})
const [module = ''] = process.argv.splice(2, 1)
// Node writes it when a process ends by itself, but this one is killed. Without it, each start would compile
// what removes the types of this file.
flushCompileCache()
await import(pathToFileURL(module).href)

// A connection to the D-Bus session bus, used to find out whether the desktop has a tray, which Electron
// doesn't reveal. Nothing here rejects. If the bus is missing, slow or sends invalid data, `open` and `call`
// resolve to null, and `hasOwner` to false.
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  decodeMessage,
  encodeCall,
  METHOD_RETURN,
  type Message,
  type MethodCall,
  messageLength,
  SIGNAL,
} from './dbus-message.ts'

/** How long to wait for a reply. A desktop that is still starting can keep the bus busy. */
const ANSWER_MS = 3000
/** Maximum size of a message. All expected replies and signals are far smaller. */
const MOST_BYTES = 1024 * 1024

const BUS = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** Paths of the session bus's socket in order of precedence. Paths of abstract sockets begin with a NUL. */
export function busPaths(env: Environment): readonly string[] {
  const named = (env['DBUS_SESSION_BUS_ADDRESS'] ?? '').split(';').flatMap((address) => {
    const [, kind, path = ''] = /^unix:(?:.*,)?(path|abstract)=([^,]*)/.exec(address) ?? []
    if (kind === undefined) return []
    try {
      const plain = decodeURIComponent(path)
      return [kind === 'abstract' ? `\0${plain}` : plain]
    } catch {
      return []
    }
  })
  const runtimeDir = env['XDG_RUNTIME_DIR'] ?? ''
  return named.length > 0 || runtimeDir === '' ? named : [join(runtimeDir, 'bus')]
}

export class SessionBus {
  readonly #socket: Socket
  readonly #onSignal: () => void
  readonly #open = new Map<number, (message: Message | null) => void>()
  #serial = 0
  #received: Buffer = Buffer.alloc(0)
  #isReady = false
  #ready = Promise.withResolvers<boolean>()

  /** `onEnd` is called when the connection has ended or couldn't be established. */
  private constructor(path: string, onSignal: () => void, onEnd: () => void) {
    this.#onSignal = onSignal
    this.#socket = connect({ path })
    this.#socket.unref()
    this.#socket.on('error', () => undefined)
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#socket.on('close', () => {
      this.#ready.resolve(false)
      for (const answer of this.#open.values()) answer(null)
      this.#open.clear()
      onEnd()
    })
    // The protocol expects the user ID as decimal digits, encoded in hexadecimal.
    const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')
    this.#socket.write(`\0AUTH EXTERNAL ${user}\r\n`)
  }

  /** Connects to the session bus. Resolves to null if there is no bus or if none accepts the connection. */
  static async open(env: Environment, onSignal: () => void, onEnd: () => void): Promise<SessionBus | null> {
    for (const path of busPaths(env)) {
      const bus = new SessionBus(path, onSignal, onEnd)
      if ((await bus.#isLetIn()) && (await bus.call({ ...BUS, member: 'Hello', args: [] })) !== null)
        return bus
      bus.close()
    }
    return null
  }

  /** Resolves to the reply; null if the call fails or isn't answered within `ANSWER_MS`. */
  async call(call: MethodCall): Promise<Message | null> {
    if (this.#socket.destroyed) return null
    const serial = ++this.#serial
    const answer = await new Promise<Message | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), ANSWER_MS)
      this.#open.set(serial, (message) => {
        clearTimeout(timer)
        resolve(message)
      })
      this.#socket.write(encodeCall(call, serial))
    })
    this.#open.delete(serial)
    return answer?.type === METHOD_RETURN ? answer : null
  }

  async hasOwner(name: string): Promise<boolean> {
    return (await this.call({ ...BUS, member: 'NameHasOwner', args: [name] }))?.value === true
  }

  /** Subscribes to the signals that match a rule. */
  async listen(rule: string): Promise<void> {
    await this.call({ ...BUS, member: 'AddMatch', args: [rule] })
  }

  close(): void {
    this.#socket.destroy()
  }

  async #isLetIn(): Promise<boolean> {
    const timer = setTimeout(() => this.close(), ANSWER_MS)
    const isReady = await this.#ready.promise
    clearTimeout(timer)
    return isReady
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    if (!this.#isReady) {
      const end = this.#received.indexOf('\r\n')
      if (end < 0) return
      if (!this.#received.toString('latin1', 0, end).startsWith('OK ')) return this.close()
      this.#received = this.#received.subarray(end + 2)
      this.#isReady = true
      this.#socket.write('BEGIN\r\n')
      this.#ready.resolve(true)
    }
    try {
      for (;;) {
        const length = messageLength(this.#received)
        if (length !== null && length > MOST_BYTES) return this.close()
        if (length === null || this.#received.length < length) return
        const message = decodeMessage(this.#received.subarray(0, length))
        this.#received = this.#received.subarray(length)
        if (message.replyTo !== null) this.#open.get(message.replyTo)?.(message)
        else if (message.type === SIGNAL) this.#onSignal()
      }
    } catch {
      this.close()
    }
  }
}

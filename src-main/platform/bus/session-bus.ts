// A connection to the D-Bus session bus, for what Electron doesn't reveal (whether the desktop has a tray),
// lacks (screenshots), or does only while its main thread waits (notifications). Nothing here rejects or blocks. If the bus is
// missing, slow or sends invalid data, `open` and `call` resolve to null, and `hasOwner` to false.
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
  type Value,
} from './message.ts'

/** How long to wait for a reply. A desktop that is still starting can keep the bus busy. */
const ANSWER_MS = 3000
/** Larger messages are skipped: all expected replies and signals are far smaller. */
const MOST_BYTES = 128 * 1024
/** The largest message that D-Bus allows. */
const VALID_BYTES = 128 * 1024 * 1024

/** The bus itself, which is also the sender of its signals. */
export const BUS = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** Paths of the session bus's socket in order of precedence. Paths of abstract sockets begin with a NUL. */
export function busPaths(env: Environment): readonly string[] {
  const address = env['DBUS_SESSION_BUS_ADDRESS'] ?? ''
  const runtimeDir = env['XDG_RUNTIME_DIR'] ?? ''
  if (address === '') return runtimeDir === '' ? [] : [join(runtimeDir, 'bus')]
  return socketPaths(address)
}

/** Paths of the sockets in the value of an address variable. */
export function socketPaths(addresses: string): readonly string[] {
  return addresses.split(';').flatMap((address) => {
    const [, kind, path = ''] = /^unix:(?:.*,)?(path|abstract)=([^,]*)/.exec(address) ?? []
    if (kind === undefined) return []
    try {
      const plain = decodeURIComponent(path)
      return [kind === 'abstract' ? `\0${plain}` : plain]
    } catch {
      return []
    }
  })
}

/** The first line of a conversation with a bus, which lets this user in. */
export function authentication(): string {
  // The protocol expects the user ID as decimal digits, encoded in hexadecimal.
  return `\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`
}

export class SessionBus {
  readonly #socket: Socket
  readonly #onSignal: (signal: Message) => void
  readonly #open = new Map<number, (message: Message | null) => void>()
  #serial = 0
  /** Bytes still to arrive of a message that is too large. */
  #skip = 0
  #received: Buffer = Buffer.alloc(0)
  #isReady = false
  #ready = Promise.withResolvers<boolean>()

  /** `onEnd` is called when the connection has ended or couldn't be established. */
  private constructor(path: string, onSignal: (signal: Message) => void, onEnd: () => void) {
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
    this.#socket.write(authentication())
  }

  /** Connects to the session bus. Resolves to null if there is no bus or if none accepts the connection. */
  static async open(
    env: Environment,
    onSignal: (signal: Message) => void,
    onEnd: () => void,
  ): Promise<SessionBus | null> {
    for (const path of busPaths(env)) {
      const bus = new SessionBus(path, onSignal, onEnd)
      if ((await bus.#isLetIn()) && (await bus.call({ ...BUS, member: 'Hello', args: [] })) !== null)
        return bus
      bus.close()
    }
    return null
  }

  /** Resolves to the values of the reply; null if the call fails or isn't answered within `ANSWER_MS`. */
  call(call: MethodCall): Promise<readonly Value[] | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), ANSWER_MS)
      this.request(call, (values) => {
        clearTimeout(timer)
        resolve(values)
      })
    })
  }

  /**
   * Calls `answered` once the reply arrives, before any later signal is passed on, however long that takes;
   * with null if the call fails or the connection ends.
   */
  request(call: MethodCall, answered: (values: readonly Value[] | null) => void): void {
    if (this.#socket.destroyed) return answered(null)
    const serial = ++this.#serial
    this.#open.set(serial, (message) => {
      this.#open.delete(serial)
      answered(message?.type === METHOD_RETURN ? message.body() : null)
    })
    this.#socket.write(encodeCall(call, serial))
  }

  async hasOwner(name: string): Promise<boolean> {
    return (await this.call({ ...BUS, member: 'NameHasOwner', args: [name] }))?.[0] === true
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
    const skipped = Math.min(this.#skip, chunk.length)
    this.#skip -= skipped
    this.#received = Buffer.concat([this.#received, chunk.subarray(skipped)])
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
      for (let length = messageLength(this.#received); length !== null; ) {
        if (length > VALID_BYTES) return this.close()
        if (length > MOST_BYTES) this.#skip = Math.max(0, length - this.#received.length)
        else if (this.#received.length < length) return
        else this.#pass(decodeMessage(this.#received.subarray(0, length)))
        this.#received = this.#received.subarray(length)
        length = messageLength(this.#received)
      }
    } catch {
      this.close()
    }
  }

  #pass(message: Message): void {
    if (message.replyTo !== null) this.#open.get(message.replyTo)?.(message)
    else if (message.type === SIGNAL) this.#onSignal(message)
  }
}

// Finds a D-Bus bus that accepts connections and never answers, as a stopped one does, and turns it off for
// this process: Chromium and GTK wait for it without a time limit, with the main thread. The look has to be
// over before they connect, so it is synchronous. With a working bus it takes about a millisecond.
import { readFileSync, readSync, writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { encodeCall } from './message.ts'
import { authentication, BUS, busPaths, socketPaths } from './session-bus.ts'

/** How long a bus may take. A desktop that is still starting can keep the bus busy. */
const LIMIT_MS = 3000
/** The longest pause between two looks. */
const PAUSE_MS = 20
/** An address that fails at once in every D-Bus library. */
const OFF = 'disabled:'
const SYSTEM_BUS = 'unix:path=/run/dbus/system_bus_socket'

type Environment = Record<string, string | undefined>
export type BusName = 'session' | 'system'

/** Turns off, in `env`, the buses that don't answer, and returns which. Linux only. */
export function turnOffSilentBuses(env: Environment, limitMs = LIMIT_MS): readonly BusName[] {
  const buses = [
    { name: 'session', variable: 'DBUS_SESSION_BUS_ADDRESS', paths: busPaths(env) },
    {
      name: 'system',
      variable: 'DBUS_SYSTEM_BUS_ADDRESS',
      paths: socketPaths(env['DBUS_SYSTEM_BUS_ADDRESS'] || SYSTEM_BUS),
    },
  ] as const
  let open = buses.map((bus) => ({ ...bus, look: new Look(bus.paths) }))
  const end = performance.now() + limitMs
  for (let pause = 0.1; ; pause = Math.min(PAUSE_MS, pause * 1.5)) {
    open = open.filter(({ look }) => !look.isOver())
    if (open.length === 0 || performance.now() > end) break
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  for (const { variable, look } of open) {
    env[variable] = OFF
    look.close()
  }
  return open.map(({ name }) => name)
}

/** One conversation at a time, with the first of these buses that can be reached. */
class Look {
  readonly #paths: readonly string[]
  #at = 0
  #socket: Socket | null = null
  #received = ''

  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  /** Whether the bus has answered, or fails at once. */
  isOver(): boolean {
    for (let path = this.#paths[this.#at]; path !== undefined; path = this.#paths[this.#at]) {
      this.#socket ??= this.#greet(path)
      const heard = this.#socket === null ? 'nothing' : this.#hear()
      if (heard === 'answer') break
      if (heard === 'nothing' && (this.#socket !== null || isListening(path))) return false
      this.close()
      this.#at++
    }
    this.close()
    return true
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
    this.#received = ''
  }

  /** Returns null if there is no connection, which can also mean that too many others wait for theirs. */
  #greet(path: string): Socket | null {
    const socket = connect({ path })
    socket.on('error', () => undefined)
    try {
      writeSync(descriptorOf(socket), authentication())
      return socket
    } catch {
      socket.destroy()
      return null
    }
  }

  #hear(): 'nothing' | 'answer' | 'end' {
    const fd = descriptorOf(this.#socket)
    const bytes = Buffer.alloc(1024)
    try {
      const length = readSync(fd, bytes)
      if (length === 0) return 'end'
      const isGreeting = !this.#received.includes('\n')
      this.#received += bytes.toString('latin1', 0, length)
      // What follows the greeting answers the call.
      if (!isGreeting) return 'answer'
      if (!this.#received.includes('\n')) return 'nothing'
      if (!this.#received.startsWith('OK ')) return 'end'
      writeSync(
        fd,
        Buffer.concat([Buffer.from('BEGIN\r\n'), encodeCall({ ...BUS, member: 'Hello', args: [] }, 1)]),
      )
      return 'nothing'
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'nothing' : 'end'
    }
  }
}

/** Node connects to a local socket synchronously, but has no function that reads from it so. */
function descriptorOf(socket: Socket | null): number {
  const handle: unknown = socket === null ? null : Reflect.get(socket, '_handle')
  return Number(typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : -1)
}

/** Whether a program listens on this socket. Then a refusal means that its queue is full. */
function isListening(path: string): boolean {
  const name = path.replace('\0', '@')
  try {
    // The fourth column has the flag of a listening socket.
    return readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .some((line) => line.endsWith(` ${name}`) && line.split(/\s+/)[3] === '00010000')
  } catch {
    return false
  }
}

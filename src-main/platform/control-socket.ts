// The local control socket: JSON lines between one engine and its clients on this machine, for this user alone (mode 0600, in a folder of
// mode 0700). Transport only: it knows ids, answers and events, not what they mean. A slow or broken client is cut off, never waited for.
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { makePrivateDir } from './private-dir.ts'

const LINE_MOST = 8 * 1024 * 1024
/** A client that lets this much pile up reads no more. */
const BEHIND_MOST = 32 * 1024 * 1024

export type Message =
  | { readonly type: 'call'; readonly id: number; readonly procedure: string; readonly input: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly result: unknown }
  | { readonly type: 'event'; readonly event: unknown }
  | { readonly type: 'hello'; readonly version: number }

function readMessage(line: string): Message | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const get = (key: string): unknown => Reflect.get(value, key)
  const id = get('id')
  switch (get('type')) {
    case 'call': {
      const procedure = get('procedure')
      return typeof id === 'number' && typeof procedure === 'string' ? { type: 'call', id, procedure, input: get('input') } : null
    }
    case 'answer':
      return typeof id === 'number' ? { type: 'answer', id, result: get('result') } : null
    case 'event':
      return { type: 'event', event: get('event') }
    case 'hello': {
      const version = get('version')
      return typeof version === 'number' ? { type: 'hello', version } : null
    }
    default:
      return null
  }
}

/** Cuts a byte stream into lines; `onBroken` when one is longer than it may be. Nothing that follows the line for which a socket was cut off. */
function lines(socket: Socket, onLine: (line: string) => void, onBroken: () => void): void {
  let parts: string[] = []
  let length = 0
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    let rest = chunk
    for (;;) {
      if (socket.destroyed) return
      const at = rest.indexOf('\n')
      if (at < 0) break
      parts.push(rest.slice(0, at))
      const line = parts.join('')
      parts = []
      length = 0
      if (line !== '') onLine(line)
      rest = rest.slice(at + 1)
    }
    if (rest === '') return
    parts.push(rest)
    length += rest.length
    if (length > LINE_MOST) onBroken()
  })
}

function send(socket: Socket, message: Message): void {
  if (socket.destroyed) return
  if (socket.writableLength > BEHIND_MOST) {
    socket.destroy()
    return
  }
  socket.write(`${JSON.stringify(message)}\n`)
}

export interface ControlServer {
  /** To every connected client. */
  broadcast(event: unknown): void
  clients(): number
  close(): Promise<void>
}

export interface ControlServerOptions {
  readonly path: string
  readonly version: number
  readonly handle: (procedure: string, input: unknown) => Promise<unknown>
  readonly onClients: (count: number) => void
}

/** Rejects if the address can't be taken. The caller must hold the owner lock: a socket file found there is a dead one's. */
export function createControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    options.onClients(sockets.size)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      options.onClients(sockets.size)
    })
    send(socket, { type: 'hello', version: options.version })
    lines(
      socket,
      (line) => {
        const message = readMessage(line)
        if (message?.type !== 'call') {
          socket.destroy()
          return
        }
        void options.handle(message.procedure, message.input).then((result) => send(socket, { type: 'answer', id: message.id, result }))
      },
      () => socket.destroy(),
    )
  })
  return new Promise((resolve, reject) => {
    if (process.platform !== 'win32') {
      makePrivateDir(dirname(options.path))
      rmSync(options.path, { force: true })
    }
    server.once('error', reject)
    server.listen(options.path, () => {
      if (process.platform !== 'win32') chmodSync(options.path, 0o600)
      server.unref()
      resolve({
        broadcast: (event) => {
          for (const socket of sockets) send(socket, { type: 'event', event })
        },
        clients: () => sockets.size,
        close: () =>
          new Promise((done) => {
            for (const socket of sockets) {
              socket.end()
              setTimeout(() => socket.destroy(), 500).unref()
            }
            server.close(() => done())
          }),
      })
    })
  })
}

export interface ControlClient {
  /** Rejects with `ClosedError` if the engine goes away before it answers. */
  call(procedure: string, input: unknown): Promise<unknown>
  onEvent(listener: (event: unknown) => void): () => void
  onClose(listener: () => void): () => void
  close(): Promise<void>
}

export class ClosedError extends Error {
  constructor() {
    super('the engine closed the connection')
  }
}

/** Where others may write, anybody may have put a socket to play the engine. */
function isOwn(dir: string): boolean {
  if (process.platform === 'win32') return true
  try {
    const stat = lstatSync(dir)
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
  } catch {
    // Not there, below a file, or out of reach: in each case there is no socket of ours.
    return false
  }
}

/** Null if nobody listens there, or not in a folder of this user's own. Rejects if who listens speaks another version. */
export async function connectControl(options: {
  readonly path: string
  readonly version: number
  readonly timeoutMs: number
}): Promise<ControlClient | null> {
  if (!isOwn(dirname(options.path))) return null
  return new Promise((resolve, reject) => {
    const socket = createConnection(options.path)
    const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
    const eventListeners = new Set<(event: unknown) => void>()
    const closeListeners = new Set<() => void>()
    let nextId = 1
    let greeted = false
    let closed = false
    const timer = setTimeout(() => socket.destroy(), options.timeoutMs)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      closed = true
      if (!greeted) resolve(null)
      for (const call of waiting.values()) call.reject(new ClosedError())
      waiting.clear()
      for (const listener of closeListeners) listener()
      closeListeners.clear()
    })
    const client: ControlClient = {
      call: (procedure, input) =>
        new Promise((done, fail) => {
          if (closed) {
            fail(new ClosedError())
            return
          }
          const id = nextId++
          waiting.set(id, { resolve: done, reject: fail })
          send(socket, { type: 'call', id, procedure, input })
        }),
      onEvent: (listener) => {
        eventListeners.add(listener)
        return () => eventListeners.delete(listener)
      },
      onClose: (listener) => {
        if (closed) {
          queueMicrotask(listener)
          return () => undefined
        }
        closeListeners.add(listener)
        return () => closeListeners.delete(listener)
      },
      close: () =>
        new Promise((done) => {
          if (closed) {
            done()
            return
          }
          closeListeners.add(done)
          socket.end()
          setTimeout(() => socket.destroy(), 500).unref()
        }),
    }
    lines(
      socket,
      (line) => {
        const message = readMessage(line)
        if (message === null) return
        if (message.type === 'hello' && !greeted) {
          greeted = true
          clearTimeout(timer)
          if (message.version === options.version) resolve(client)
          else {
            socket.destroy()
            reject(new Error('The running Slipway is of another version. Quit it, then try again.'))
          }
        } else if (message.type === 'answer') {
          waiting.get(message.id)?.resolve(message.result)
          waiting.delete(message.id)
        } else if (message.type === 'event') for (const listener of eventListeners) listener(message.event)
      },
      () => socket.destroy(),
    )
  })
}

// The local control socket, which carries JSON lines between an engine and its clients on this machine. No
// message is sent before both ends are authenticated (control-handshake.ts). This module is only the
// transport; callers validate requests and events. A client that reads too slowly or sends invalid data is
// disconnected.
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { makePrivateDir } from '../data/private-dir.ts'
import { clientHandshake, engineHandshake, HANDSHAKE_LINE_MOST, type Handshake } from './control-handshake.ts'
import type { ControlEndpoint } from './control-key.ts'

const LINE_MOST = 8 * 1024 * 1024
/**
 * Maximum `writableLength` of a connection. If more data is waiting to be sent, the other end reads too
 * slowly and is disconnected.
 */
const BEHIND_MOST = 32 * 1024 * 1024
/** Maximum number of connections at a time whose other end hasn't proved that it knows the secret. */
const UNPROVEN_MOST = 32
/** How long a client may take to authenticate. */
const PROOF_MS = 5000

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
      return typeof id === 'number' && typeof procedure === 'string'
        ? { type: 'call', id, procedure, input: get('input') }
        : null
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

/**
 * Splits a stream into lines. Disconnects if a line has more than `most()` characters. Delivers nothing once
 * the socket is destroyed.
 */
function lines(socket: Socket, most: () => number, onLine: (line: string) => void): void {
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
      if (line.length > most()) socket.destroy()
      else if (line !== '') onLine(line)
      rest = rest.slice(at + 1)
    }
    if (rest === '') return
    parts.push(rest)
    length += rest.length
    if (length > most()) socket.destroy()
  })
}

/**
 * Handles a line of the handshake. Disconnects if the line is invalid. Returns true once the other end is
 * authenticated.
 */
function takeProof(socket: Socket, handshake: Handshake, line: string): boolean {
  const step = handshake.take(line)
  if (step === null) socket.destroy()
  else if (step.say !== null) socket.write(`${step.say}\n`)
  return step?.isDone ?? false
}

/**
 * Sends a message. Returns false, without sending it, if it is so long that the other end would disconnect.
 */
function send(socket: Socket, message: Message): boolean {
  if (socket.destroyed) return true
  if (socket.writableLength > BEHIND_MOST) {
    socket.destroy()
    return true
  }
  const line = JSON.stringify(message)
  if (line.length > LINE_MOST) return false
  socket.write(`${line}\n`)
  return true
}

export interface ControlServer {
  /** Sends `event` to all authenticated clients. */
  broadcast(event: unknown): void
  clients(): number
  close(): Promise<void>
}

export interface ControlServerOptions {
  readonly endpoint: ControlEndpoint
  readonly version: number
  /** `connection` is aborted when the calling client disconnects, but not when this server closes. */
  readonly handle: (procedure: string, input: unknown, connection: AbortSignal) => Promise<unknown>
  /** The result to send instead of one that is too long. */
  readonly tooLong: unknown
  readonly onClients: (count: number) => void
}

/**
 * Listens for clients at the endpoint; rejects if that fails. The caller must hold the owner lock, so an
 * existing socket file is a leftover and is replaced.
 */
export function createControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { path, secret } = options.endpoint
  /** All connections, including those that are not authenticated yet. */
  const sockets = new Set<Socket>()
  /** The connections of authenticated clients. */
  const clients = new Set<Socket>()
  let isClosing = false
  /**
   * Drops the oldest connections that haven't proved anything, so that a flood of them can't use up the
   * process's descriptors.
   */
  const dropUnproven = (): void => {
    const unproven = [...sockets].filter((one) => !clients.has(one))
    for (const one of unproven.slice(0, -UNPROVEN_MOST)) one.destroy()
  }
  const server = createServer((socket) => {
    const connection = new AbortController()
    const handshake = engineHandshake(secret)
    const patience = setTimeout(() => socket.destroy(), PROOF_MS)
    sockets.add(socket)
    dropUnproven()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(patience)
      sockets.delete(socket)
      if (clients.delete(socket)) options.onClients(clients.size)
      if (!isClosing) connection.abort()
    })
    const prove = (line: string): void => {
      if (!takeProof(socket, handshake, line)) return
      clearTimeout(patience)
      clients.add(socket)
      options.onClients(clients.size)
      send(socket, { type: 'hello', version: options.version })
    }
    const answer = (line: string): void => {
      const message = readMessage(line)
      if (message?.type !== 'call') {
        socket.destroy()
        return
      }
      void options.handle(message.procedure, message.input, connection.signal).then((result) => {
        const { id } = message
        if (!send(socket, { type: 'answer', id, result }))
          send(socket, { type: 'answer', id, result: options.tooLong })
      })
    }
    lines(
      socket,
      () => (clients.has(socket) ? LINE_MOST : HANDSHAKE_LINE_MOST),
      (line) => (clients.has(socket) ? answer(line) : prove(line)),
    )
  })
  return new Promise((resolve, reject) => {
    if (process.platform !== 'win32') {
      makePrivateDir(dirname(path))
      rmSync(path, { force: true })
    }
    server.once('error', reject)
    server.listen(path, () => {
      if (process.platform !== 'win32') chmodSync(path, 0o600)
      server.unref()
      resolve({
        broadcast: (event) => {
          for (const socket of clients) send(socket, { type: 'event', event })
        },
        clients: () => clients.size,
        close: () =>
          new Promise((done) => {
            isClosing = true
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
  /**
   * Sends a call and resolves to the answer. Rejects with a `ClosedError` if the engine disconnects before it
   * answers, and with a `TooLongError` if the call is too long to be sent.
   */
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

export class TooLongError extends Error {
  constructor() {
    super('the call is too long')
  }
}

/**
 * Whether only this user can write to the folder. In any other folder, another user's socket could
 * impersonate the engine. Always true on Windows, where the endpoint is a pipe.
 */
function isOwn(dir: string): boolean {
  if (process.platform === 'win32') return true
  try {
    const stat = lstatSync(dir)
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
  } catch {
    // If the folder can't be examined, for example because it is missing or inaccessible, no engine of this
    // user can be reached there.
    return false
  }
}

/**
 * Connects to the engine at the endpoint. Resolves to null if no engine that knows the secret answers in
 * time, or if others can write to the socket's folder. Rejects if the engine uses another protocol version.
 */
export async function connectControl(options: {
  readonly endpoint: ControlEndpoint
  readonly version: number
  readonly timeoutMs: number
}): Promise<ControlClient | null> {
  const { path, secret } = options.endpoint
  if (!isOwn(dirname(path))) return null
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    const handshake = clientHandshake(secret)
    let isProved = false
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
          if (send(socket, { type: 'call', id, procedure, input })) return
          waiting.delete(id)
          fail(new TooLongError())
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
    const prove = (line: string): void => {
      isProved = takeProof(socket, handshake, line)
    }
    const take = (line: string): void => {
      const message = readMessage(line)
      if (message === null) return
      if (message.type === 'hello' && !greeted) {
        greeted = true
        clearTimeout(timer)
        if (message.version === options.version) resolve(client)
        else {
          socket.destroy()
          reject(new Error('The running Slipway is a different version. Quit or restart it, then try again.'))
        }
      } else if (message.type === 'answer') {
        waiting.get(message.id)?.resolve(message.result)
        waiting.delete(message.id)
      } else if (message.type === 'event') for (const listener of eventListeners) listener(message.event)
    }
    lines(
      socket,
      () => (isProved ? LINE_MOST : HANDSHAKE_LINE_MOST),
      (line) => (isProved ? take(line) : prove(line)),
    )
    socket.write(`${handshake.first}\n`)
  })
}

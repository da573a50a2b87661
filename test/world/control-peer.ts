// Either end of the control socket for tests that write arbitrary data: an endpoint in a folder, an
// authenticated raw client, and a server that authenticates like an engine.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  clientHandshake,
  engineHandshake,
  type Handshake,
} from '../../src-main/platform/host/control-handshake.ts'
import type { ControlEndpoint } from '../../src-main/platform/host/control-key.ts'

export const SECRET = 'a1'.repeat(32)

export function endpointIn(dir: string, name = 'c.sock', secret = SECRET): ControlEndpoint {
  const path = join(dir, name)
  return { path: process.platform === 'win32' ? `\\\\.\\pipe\\${path.replaceAll(/\W/g, '')}` : path, secret }
}

/** A connection that sends its proof. What is written next is treated like any client's data. */
export async function connectRaw({ path, secret }: ControlEndpoint): Promise<Socket> {
  const socket = connect(path)
  socket.on('error', () => undefined)
  const handshake = clientHandshake(secret)
  socket.write(`${handshake.first}\n`)
  await shakeHands(socket, handshake)
  return socket
}

/** Passes on connections of authenticated clients right after the handshake. */
export function serveRaw(
  { path, secret }: ControlEndpoint,
  onClient: (socket: Socket) => void,
): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    void shakeHands(socket, engineHandshake(secret)).then(() => onClient(socket))
  })
  return new Promise((resolve) => {
    server.listen(path, () => resolve(server))
  })
}

/** Reads only the handshake, and nothing after it. Never resolves if the other end doesn't authenticate. */
function shakeHands(socket: Socket, handshake: Handshake): Promise<void> {
  return new Promise((resolve) => {
    let line = ''
    const read = (): void => {
      for (let chunk: unknown = socket.read(1); chunk instanceof Uint8Array; chunk = socket.read(1)) {
        const text = Buffer.from(chunk).toString()
        if (text !== '\n') {
          line += text
          continue
        }
        const step = handshake.take(line)
        line = ''
        if (step === null) {
          socket.destroy()
          return
        }
        if (step.say !== null) socket.write(`${step.say}\n`)
        if (!step.isDone) continue
        socket.off('readable', read)
        resolve()
        return
      }
    }
    socket.on('readable', read)
  })
}

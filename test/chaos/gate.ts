// A gate in front of the service that can fail in the ways a network does: refuse connections, accept them
// but never answer, or present an untrusted certificate. It passes bytes on without reading them.
import { spawnSync } from 'node:child_process'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { TEST_CERTIFICATE, TEST_KEY } from '../unit/api/certificate.ts'

export type GateMode = 'open' | 'refuse' | 'silent' | 'untrusted'

export interface Gate {
  /** Base URL of the API through the gate. It uses a host name, so that the name must be resolved. */
  readonly url: string
  /** Changes the mode, which ends every connection. */
  set(mode: GateMode): Promise<void>
  /**
   * Number of connections that were left unanswered or got the untrusted certificate. Refused connections
   * aren't visible here.
   */
  struck(): number
  close(): Promise<void>
}

interface Identity {
  readonly key: string
  readonly cert: string
}

let stranger: Identity | null | undefined

/** An untrusted certificate for the same name; null if openssl isn't available. */
export function untrusted(): Identity | null {
  if (stranger !== undefined) return stranger
  const made = spawnSync(
    'openssl',
    // Prints a key followed by a certificate to standard output.
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout - -out -'.split(
      ' ',
    ),
    { encoding: 'utf8' },
  )
  const key = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/.exec(made.stdout)?.[0]
  const cert = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/.exec(made.stdout)?.[0]
  stranger = made.status === 0 && key !== undefined && cert !== undefined ? { key, cert } : null
  return stranger
}

export async function openGate({
  target,
  tls,
}: {
  readonly target: () => number
  readonly tls: boolean
}): Promise<Gate> {
  let mode: GateMode = 'open'
  let port = 0
  let struck = 0
  const sockets = new Set<Socket>()
  let server: Server | null = null

  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const take = (client: Socket): void => {
    keep(client)
    // The system accepted the connection before the gate was closed and handed it over afterwards.
    if (server === null) {
      client.destroy()
      return
    }
    if (mode === 'silent') {
      struck++
      client.resume()
      return
    }
    const inner = dial(target(), '127.0.0.1')
    keep(inner)
    client.pipe(inner).pipe(client)
    client.on('close', () => inner.destroy())
    inner.on('close', () => client.destroy())
  }
  const open = async (): Promise<void> => {
    const shown = mode === 'untrusted' ? untrusted() : { key: TEST_KEY, cert: TEST_CERTIFICATE }
    const next = tls
      ? createTlsServer({ ...(shown ?? { key: TEST_KEY, cert: TEST_CERTIFICATE }) }, take)
      : createServer(take)
    next.on('tlsClientError', () => {
      if (mode === 'untrusted') struck++
    })
    server = next
    for (let attempt = 1; ; attempt++) {
      try {
        await new Promise<void>((resolve, reject) => {
          next.once('error', reject)
          next.listen(port, '127.0.0.1', () => {
            next.off('error', reject)
            resolve()
          })
        })
        break
      } catch (error) {
        if (attempt >= 20) throw error
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    }
    const address = next.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  }
  const shut = async (): Promise<void> => {
    const old = server
    server = null
    for (const socket of sockets) socket.destroy()
    if (old !== null) await new Promise<void>((resolve) => old.close(() => resolve()))
  }
  await open()
  return {
    url: `${tls ? 'https' : 'http'}://localhost:${port}/api/v1`,
    set: async (next) => {
      await shut()
      mode = next
      if (next !== 'refuse') await open()
    },
    struck: () => struck,
    close: shut,
  }
}

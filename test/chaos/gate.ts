// A door before the service that can be shut in the ways a network has: nobody listens, somebody accepts and never answers, or the
// certificate is one that nobody vouches for. It passes bytes on and reads none of them.
import { spawnSync } from 'node:child_process'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { TEST_CERTIFICATE, TEST_KEY } from '../unit/api/certificate.ts'

export type GateMode = 'open' | 'refuse' | 'silent' | 'untrusted'

export interface Gate {
  /** Base URL of the API through the gate, by name, so that the name has to be looked up. */
  readonly url: string
  /** Every connection ends with a change. */
  set(mode: GateMode): Promise<void>
  /** Connections that were refused, held or shown the wrong certificate cannot all be seen here; these were held or shown it. */
  struck(): number
  close(): Promise<void>
}

interface Identity {
  readonly key: string
  readonly cert: string
}

let stranger: Identity | null | undefined

/** A certificate for the same name that nobody vouches for. Null where there is no openssl to make one. */
export function untrusted(): Identity | null {
  if (stranger !== undefined) return stranger
  const made = spawnSync(
    'openssl',
    // A key and a certificate on standard output, one after the other.
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

export async function openGate({ target, tls }: { readonly target: () => number; readonly tls: boolean }): Promise<Gate> {
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
    // Accepted by the system before the door was shut, handed over after it.
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
    const next = tls ? createTlsServer({ ...(shown ?? { key: TEST_KEY, cert: TEST_CERTIFICATE }) }, take) : createServer(take)
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

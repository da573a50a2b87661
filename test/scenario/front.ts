// One address in front of several reference services, selected by the key of a request. Simulates a service
// with several accounts, and accounts with several keys. Requests are passed on unchanged; links lead to the
// services behind it.
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Service } from '../service/service.ts'

export interface Front {
  readonly url: string
  /** Requests by key, oldest first, for example `GET /api/v1/stats`. */
  readonly asked: Map<string, string[]>
  /** Accepts this key for that service; null refuses it from now on. */
  admit(key: string, service: Service | null): void
  close(): Promise<void>
}

export async function createFront(): Promise<Front> {
  const behind = new Map<string, Service>()
  const asked = new Map<string, string[]>()
  const server = createServer((req, res) => {
    const key = /^Bearer (.*)$/.exec(req.headers.authorization ?? '')?.[1] ?? ''
    asked.set(key, [...(asked.get(key) ?? []), `${req.method} ${req.url}`])
    const service = behind.get(key)
    if (service === undefined) {
      req.resume()
      res.writeHead(401, { 'content-type': 'application/json' }).end('{"success":false}')
      return
    }
    const { hostname, port } = new URL(service.url)
    const headers = { ...req.headers, authorization: `Bearer ${service.key}` }
    const onward = request({ hostname, port, method: req.method, path: req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
      answer.on('error', () => res.destroy())
    })
    onward.on('error', () => res.destroy())
    // If a client is killed, its request ends, too.
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  })
  return {
    ...(await listening(server)),
    asked,
    admit: (key, service) => {
      if (service === null) behind.delete(key)
      else behind.set(key, service)
    },
  }
}

/** Starts a front on a free port of this computer. */
export async function listening(server: Server): Promise<Pick<Front, 'url' | 'close'>> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

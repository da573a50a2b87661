// Another origin as the target of redirects: accepts everything, responds like the service, and records
// whether it received a key. Stores nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StrangerRequest {
  readonly method: string
  readonly path: string
  /** Whether a client followed a redirect with its key and thereby revealed it. */
  readonly hadKey: boolean
}

export interface Stranger {
  readonly origin: string
  readonly requests: readonly StrangerRequest[]
  close(): Promise<void>
}

export async function openStranger(): Promise<Stranger> {
  const requests: StrangerRequest[] = []
  const server = createServer((request, response) => {
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      hadKey: request.headers.authorization !== undefined,
    })
    request.resume()
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          success: true,
          file_id: 1,
          filename: 'x',
          size: 1,
          public_link: `${origin}/download/x`,
        }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

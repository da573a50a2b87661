// Minimal servers on loopback for the tests of the API client, and clients. Both are closed when their test
// ends. The servers know nothing about the service: each test determines the exact bytes of the response.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createApiClient } from '../../../src-main/api/client.ts'
import type { ApiClient, ApiClientOptions, ApiFailure, ApiResult } from '../../../src-main/api/types.ts'

export const KEY = 'slip_0123456789abcdefSECRET'

export const RECEIPT = {
  success: true,
  file_id: 7,
  public_link: 'https://files.example.com/download/abc',
  size: 3,
  filename: 'a.txt',
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

export async function httpServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  return listen(
    createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      request.on('error', () => undefined)
      answer(request, response)
    }),
  )
}

export async function rawServer(onSocket: (socket: Socket, nth: number) => void): Promise<number> {
  let nth = 0
  return listen(createNetServer((socket) => onSocket(socket, nth++)))
}

/** Reads a request to its end, then answers with JSON. */
export function answerJson(
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  request.resume()
  request.on('end', () => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
}

/** A server with the same answer to every request. */
export async function jsonServer(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Promise<number> {
  return httpServer((request, response) => answerJson(request, response, body, status, headers))
}

export function client(port: number | string, options: Partial<ApiClientOptions> = {}): ApiClient<string> {
  const baseUrl = typeof port === 'string' ? port : `http://127.0.0.1:${port}/api/v1`
  const api = createApiClient({ baseUrl, key: () => KEY, userAgent: 'slipway-test', ...options })
  onTestFinished(() => api.close())
  return api
}

export function failureOf<K extends ApiFailure['kind']>(
  result: ApiResult<unknown>,
  kind: K,
): Extract<ApiFailure, { kind: K }> {
  if (result.ok) throw new Error(`it succeeded: ${JSON.stringify(result)}`)
  if (result.failure.kind !== kind) throw new Error(`it failed as ${JSON.stringify(result.failure)}`)
  return result.failure as Extract<ApiFailure, { kind: K }>
}

export function valueOf<T>(result: ApiResult<T>): T {
  if (!result.ok) throw new Error(`it failed: ${JSON.stringify(result.failure)}`)
  return result.value
}

/**
 * A body of `size` bytes in chunks that reuse one buffer: it is overwritten as soon as the next chunk is
 * requested.
 */
export function generated(size: number, chunk = 256 * 1024): () => AsyncGenerator<Uint8Array> {
  return async function* run() {
    const buffer = Buffer.alloc(chunk)
    for (let at = 0, n = 0; at < size; at += chunk, n++) {
      buffer.fill(n % 251)
      yield buffer.subarray(0, Math.min(chunk, size - at))
    }
  }
}

export const SMALL = { filename: 'a.txt', size: 3, body: () => [Buffer.from('abc')] }

export function large(size = 32 * 1024 * 1024): {
  readonly filename: string
  readonly size: number
  readonly body: () => AsyncGenerator<Uint8Array>
} {
  return { filename: 'large.bin', size, body: generated(size) }
}

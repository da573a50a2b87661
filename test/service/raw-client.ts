// A minimal client for testing the service: one request per connection, no retries, and responses reported
// exactly as received. Not a model for the app.
import { request as httpRequest } from 'node:http'
import type { Service } from './service.ts'

export interface Reply {
  /** Null if the connection was cut before a response began. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** Whether the response was complete. */
  readonly whole: boolean
  readonly error: string | null
}

export interface Call {
  readonly method?: string
  /** Relative to the base URL, or an absolute URL. */
  readonly path: string
  /** Null to send no key. Default: the service's own. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Gives up after this time without a response. Only for faults that never respond. */
  readonly giveUpMs?: number
}

export function call(
  service: Pick<Service, 'url' | 'key'>,
  { method = 'GET', path, key, headers, body, giveUpMs }: Call,
): Promise<Reply> {
  return new Promise((resolve) => {
    const url = new URL(path.startsWith('http') ? path : service.url + path)
    const shown = key === undefined ? service.key : key
    let status: number | null = null
    let got: Readonly<Record<string, string | string[] | undefined>> = {}
    const chunks: Buffer[] = []
    const end = (whole: boolean, error: string | null): void =>
      resolve({ status, headers: got, body: Buffer.concat(chunks), whole, error })
    const request = httpRequest(
      url,
      {
        method,
        agent: false,
        headers: { ...(shown === null ? {} : { authorization: `Bearer ${shown}` }), ...headers },
      },
      (response) => {
        status = response.statusCode ?? null
        got = response.headers
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => end(response.complete, null))
        response.on('error', (error) => end(false, error.message))
      },
    )
    request.on('error', (error) => end(false, 'code' in error ? String(error.code) : error.message))
    if (giveUpMs !== undefined) request.setTimeout(giveUpMs, () => request.destroy(new Error('gave up')))
    request.end(body)
  })
}

const BOUNDARY = '----raw-client-7d1f'

export interface PartSpec {
  /** The Content-Disposition header as sent. */
  readonly disposition: string
  readonly bytes: Uint8Array | string
  readonly type?: string | null
}

export function form(parts: readonly PartSpec[]): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
} {
  const pieces = parts.flatMap(({ disposition, bytes, type = 'application/octet-stream' }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${type === null ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
  const body = Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)])
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(body.length),
    },
    body,
  }
}

export function upload(
  service: Pick<Service, 'url' | 'key'>,
  name: string,
  bytes: Uint8Array | string,
  more: Partial<Call> = {},
): Promise<Reply> {
  return call(service, {
    method: 'POST',
    path: '/files/upload',
    ...form([{ disposition: `form-data; name="file"; filename="${name}"`, bytes }]),
    ...more,
  })
}

/** The response's JSON. Throws if it isn't JSON. */
export function json(reply: Reply): Record<string, unknown> {
  return JSON.parse(reply.body.toString()) as Record<string, unknown>
}

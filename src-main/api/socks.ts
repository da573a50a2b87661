// Requests a connection from a SOCKS5 proxy (RFC 1928), with user name and password if the proxy asks for
// them (RFC 1929). Host names are passed on, so that the proxy resolves them. The proxy sends nothing after
// its last reply, so all further bytes come from the target.
import { isIPv4, isIPv6, type Socket } from 'node:net'

export function isSocks(proxy: URL): boolean {
  return proxy.protocol.startsWith('socks')
}

export interface SocksTarget {
  readonly host: string
  readonly port: number
  readonly credentials: { readonly name: string; readonly password: string } | null
}

const VERSION = 5
const NO_LOGIN = 0
const LOGIN = 2
const CONNECT = 1
const IPV4 = 1
const NAME = 3
const IPV6 = 4

/** User-facing texts for RFC 1928 reply codes. For all other codes, the message contains the code itself. */
const REFUSALS: Readonly<Record<number, string>> = {
  2: 'its rules forbid the connection',
  3: "it can't reach the network",
  4: "it can't reach the service",
  5: 'the service refused the connection',
  6: "the service didn't respond in time",
}

/** `login`: the proxy requires a user name and password, or rejected them. `message` is for the user. */
type SocksRefusal = 'login' | { readonly message: string }

/**
 * Connects to the target through the proxy. Resolves to null once connected, or to the reason for a refusal.
 * Rejects if the socket fails.
 */
export async function socksConnect(
  socket: Socket,
  { host, port, credentials }: SocksTarget,
): Promise<SocksRefusal | null> {
  const reader = new Reader(socket)
  try {
    const methods = credentials === null ? [NO_LOGIN] : [NO_LOGIN, LOGIN]
    socket.write(Buffer.from([VERSION, methods.length, ...methods]))
    const [version, method] = await reader.take(2)
    if (version !== VERSION) return { message: "The proxy doesn't speak SOCKS5." }
    if (method === LOGIN && credentials !== null) {
      const [name, password] = [Buffer.from(credentials.name), Buffer.from(credentials.password)]
      if (name.length > 255 || password.length > 255)
        return { message: 'The user name or password of the proxy is too long.' }
      socket.write(
        Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([password.length]), password]),
      )
      const [, status] = await reader.take(2)
      if (status !== 0) return 'login'
    } else if (method !== NO_LOGIN) return 'login'
    socket.write(
      Buffer.concat([
        Buffer.from([VERSION, CONNECT, 0]),
        addressOf(host),
        Buffer.from([port >> 8, port & 0xff]),
      ]),
    )
    const [, reply = 1, , kind] = await reader.take(4)
    if (reply !== 0)
      return { message: `The proxy refused the connection: ${REFUSALS[reply] ?? `code ${reply}`}.` }
    const length = kind === IPV4 ? 4 : kind === IPV6 ? 16 : ((await reader.take(1))[0] ?? 0)
    await reader.take(length + 2)
    return null
  } finally {
    reader.release()
  }
}

function addressOf(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([IPV4, ...host.split('.').map(Number)])
  if (isIPv6(host)) return Buffer.from([IPV6, ...ipv6Bytes(host)])
  const name = Buffer.from(host)
  return Buffer.concat([Buffer.from([NAME, name.length]), name])
}

function ipv6Bytes(host: string): number[] {
  // The URL parser has already shortened the address and converted an embedded IPv4 part.
  const [before = '', after] = host.split('::')
  const words = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16))
  const [head, tail] = [words(before), words(after ?? '')]
  const all =
    after === undefined
      ? head
      : [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
  return all.flatMap((word) => [word >> 8, word & 0xff])
}

/** Reads an exact number of bytes from a socket and leaves all further bytes unread. */
class Reader {
  readonly #socket: Socket
  #got = Buffer.alloc(0)
  #wanted: {
    readonly length: number
    readonly resolve: (bytes: Buffer) => void
    readonly reject: (error: Error) => void
  } | null = null

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', this.#onData).on('error', this.#onError).on('close', this.#onEnd).on('end', this.#onEnd)
  }

  take(length: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#wanted = { length, resolve, reject }
      this.#settle()
    })
  }

  release(): void {
    this.#socket
      .off('data', this.#onData)
      .off('error', this.#onError)
      .off('close', this.#onEnd)
      .off('end', this.#onEnd)
      .pause()
    if (this.#got.length > 0) this.#socket.unshift(this.#got)
  }

  #settle(): void {
    const wanted = this.#wanted
    if (wanted === null || this.#got.length < wanted.length) return
    this.#wanted = null
    const bytes = this.#got.subarray(0, wanted.length)
    this.#got = this.#got.subarray(wanted.length)
    wanted.resolve(bytes)
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#got = Buffer.concat([this.#got, chunk])
    this.#settle()
  }

  readonly #onError = (error: Error): void => this.#wanted?.reject(error)

  readonly #onEnd = (): void =>
    this.#wanted?.reject(Object.assign(new Error('the proxy hung up'), { code: 'ECONNRESET' }))
}

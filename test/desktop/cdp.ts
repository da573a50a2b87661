// Speaks the DevTools protocol with Chromium over a pair of pipes. Chromium exits when the pipes close, even
// if this process is killed, so no browser is ever left behind. Handles only the transport, not the commands.
import type { Readable, Writable } from 'node:stream'

export type Params = Readonly<Record<string, unknown>>
export type CdpListener = (method: string, params: Params, sessionId: string | undefined) => void

export interface Cdp {
  /** Rejects with Chromium's message, or when Chromium has exited. */
  readonly send: <T = unknown>(method: string, params?: Params, sessionId?: string) => Promise<T>
  readonly listen: (listener: CdpListener) => void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Params
  readonly sessionId?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Waiting {
  readonly method: string
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

export function connectCdp({ input, output }: { readonly input: Writable; readonly output: Readable }): Cdp {
  const waiting = new Map<number, Waiting>()
  const listeners: CdpListener[] = []
  let lastId = 0
  let gone = false
  let partial: Buffer[] = []

  const receive = (message: Message): void => {
    if (message.id === undefined) {
      for (const listener of listeners)
        listener(message.method ?? '', message.params ?? {}, message.sessionId)
      return
    }
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) asked?.reject(new Error(`${asked.method}: ${message.error.message}`))
    else asked?.resolve(message.result as never)
  }
  // Messages are separated by NUL bytes and arrive in pieces.
  output.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0, from); end !== -1; end = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...partial, chunk.subarray(from, end)]).toString()
      partial = []
      from = end + 1
      receive(JSON.parse(text) as Message)
    }
    if (from < chunk.length) partial.push(chunk.subarray(from))
  })
  const end = (): void => {
    gone = true
    for (const asked of waiting.values()) asked.reject(new Error(`${asked.method}: Chromium is gone`))
    waiting.clear()
  }
  output.on('close', end)
  input.on('error', end)

  return {
    send: <T>(method: string, params: Params = {}, sessionId?: string) =>
      new Promise<T>((resolve, reject) => {
        if (gone) {
          reject(new Error(`${method}: Chromium is gone`))
          return
        }
        const id = ++lastId
        waiting.set(id, { method, resolve, reject })
        input.write(
          `${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`,
        )
      }),
    listen: (listener) => {
      listeners.push(listener)
    },
  }
}

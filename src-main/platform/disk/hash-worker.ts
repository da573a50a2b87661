// Runs in the hashing thread. Computes the SHA-256 of streams while they are being sent. Buffers are
// transferred instead of copied. The thread returns each buffer after hashing it, so that the sender knows
// how far the hash lags behind.
import { createHash, type Hash } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'

export type HashRequest =
  | { readonly stream: number; readonly kind: 'chunk'; readonly data: ArrayBuffer; readonly length: number }
  | { readonly stream: number; readonly kind: 'digest' }
  | { readonly stream: number; readonly kind: 'drop' }

export type HashAnswer =
  | { readonly stream: number; readonly kind: 'took'; readonly data: ArrayBuffer }
  | { readonly stream: number; readonly kind: 'digest'; readonly hex: string }

export function serveHash(port: MessagePort): void {
  const streams = new Map<number, Hash>()
  port.on('message', (request: HashRequest) => {
    const hash = streams.get(request.stream) ?? createHash('sha256')
    streams.set(request.stream, hash)
    if (request.kind === 'chunk') {
      hash.update(new Uint8Array(request.data, 0, request.length))
      // Return the buffer for reuse.
      port.postMessage({ stream: request.stream, kind: 'took', data: request.data } satisfies HashAnswer, [
        request.data,
      ])
    } else {
      streams.delete(request.stream)
      if (request.kind === 'digest')
        port.postMessage({
          stream: request.stream,
          kind: 'digest',
          hex: hash.digest('hex'),
        } satisfies HashAnswer)
    }
  })
}

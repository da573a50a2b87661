// A long, lossy line to a server on this machine, as a process: `node slow-line.ts PORT` prints the port it
// listens on. Each connection has its own congestion window, as TCP has: it doubles every round trip until
// the first loss, then grows by one segment and is halved by a loss. Losses come from a fixed seed, so all
// clients that take the same number of round trips meet the same line.
import { connect, createServer, type Socket } from 'node:net'

/** Milliseconds there and back. */
const ROUND_TRIP_MS = 50
const LOSS = 0.01
const SEGMENT_BYTES = 1460
const INITIAL_SEGMENTS = 10
const SEED = 20_261_123

/** Mulberry32: uniform in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Passes what `from` sends on to `to`, one window per round trip, half a round trip later. */
function carry(from: Socket, to: Socket, random: () => number): void {
  let window = INITIAL_SEGMENTS
  let hasLost = false
  let isOver = false
  const later = (what: () => void): void => void setTimeout(what, ROUND_TRIP_MS / 2)
  const trip = (): void => {
    let sent = 0
    while (sent < window * SEGMENT_BYTES) {
      const chunk: Buffer | null = from.read(
        Math.min(window * SEGMENT_BYTES - sent, Math.max(1, from.readableLength)),
      )
      if (chunk === null) break
      sent += chunk.length
      later(() => to.writable && to.write(chunk))
    }
    const segments = Math.ceil(sent / SEGMENT_BYTES)
    const isLost = Array.from({ length: segments }).some(() => random() < LOSS)
    hasLost ||= isLost
    if (isLost) window = Math.max(2, Math.floor(window / 2))
    else if (segments >= window) window = hasLost ? window + 1 : window * 2
    if (sent === 0 && from.readableEnded) isOver = true
    if (isOver) later(() => to.end())
    else setTimeout(trip, ROUND_TRIP_MS)
  }
  // The data is pulled by `read`; this only starts reading from the connection.
  from.on('readable', () => undefined)
  from.on('error', () => to.destroy())
  from.on('close', () => {
    isOver = true
  })
  trip()
}

const target = Number(process.argv[2])
const server = createServer({ allowHalfOpen: true }, (client) => {
  const service = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
  const random = randomFrom(SEED)
  carry(client, service, random)
  carry(service, client, random)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address !== null ? address.port : 0)
})

// The handshake of the control socket. Before anything else is sent, both ends prove that they know the
// secret in control.key. Each end sends an HMAC of two fresh random numbers, one from each end, keyed with
// the secret. The secret itself is never sent, and a recorded handshake can't be reused.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Maximum length of a handshake line, in characters. */
export const HANDSHAKE_LINE_MOST = 512

export interface Step {
  /** The line to reply with; null if there is none. */
  readonly say: string | null
  /** Whether the other end is authenticated and has received, or is about to receive, this end's proof. */
  readonly isDone: boolean
}

export interface Handshake {
  /**
   * Handles the next line from the other end. Returns null if the line or its proof is invalid. The caller
   * must then disconnect.
   */
  take(line: string): Step | null
}

const NONCE = /^[0-9a-f]{64}$/

/**
 * The engine's end. It answers a challenge with a proof and its own challenge, and is done once the client's
 * proof is verified.
 */
export function engineHandshake(secret: string): Handshake {
  const own = newNonce()
  let theirs: string | null = null
  return {
    take: (line) => {
      if (theirs === null) {
        const nonce = field(line, 'nonce')
        if (nonce === null || !NONCE.test(nonce)) return null
        theirs = nonce
        return {
          say: JSON.stringify({ nonce: own, proof: proofOf(secret, 'engine', nonce, own) }),
          isDone: false,
        }
      }
      const proof = field(line, 'proof')
      return proof !== null && isSame(proof, proofOf(secret, 'client', theirs, own))
        ? { say: null, isDone: true }
        : null
    },
  }
}

/**
 * The client's end. It begins with `first`, and sends its proof only to an engine that has sent a valid one.
 */
export function clientHandshake(secret: string): Handshake & { readonly first: string } {
  const own = newNonce()
  return {
    first: JSON.stringify({ nonce: own }),
    take: (line) => {
      const theirs = field(line, 'nonce')
      const proof = field(line, 'proof')
      if (theirs === null || proof === null || !NONCE.test(theirs)) return null
      if (!isSame(proof, proofOf(secret, 'engine', own, theirs))) return null
      return { say: JSON.stringify({ proof: proofOf(secret, 'client', own, theirs) }), isDone: true }
    },
  }
}

function newNonce(): string {
  return randomBytes(32).toString('hex')
}

/** The proof includes the role, so that an attacker can't send an end's own proof back to it. */
function proofOf(
  secret: string,
  role: 'engine' | 'client',
  clientNonce: string,
  engineNonce: string,
): string {
  return createHmac('sha256', secret)
    .update(`slipway control ${role} ${clientNonce} ${engineNonce}`)
    .digest('hex')
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function field(line: string, name: string): string | null {
  try {
    const value: unknown = JSON.parse(line)
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
    return typeof found === 'string' ? found : null
  } catch {
    return null
  }
}

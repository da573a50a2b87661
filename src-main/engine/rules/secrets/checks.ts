// Filters out what only looks like a secret: placeholders, examples, wrong checksums, public tokens. Pure.
import { createHash } from 'node:crypto'
import { wordBits } from './randomness.ts'

const EXAMPLE =
  /example|placeholder|changeme|change_me|dummy|redacted|your[-_ ]|[-_]here$|x{5,}|\*{3,}|\.{3}|^<|^\$\{|^%[sd(]|^\{\{|insert[-_]|replace[-_ ]?(?:me|with)|^(?:password|passwd|secret|pass|token|my\w{0,30}(?:token|key|secret|password)\d{0,4}|s3cret|s3cr3t|hunter2)$/i

/** Tokens that RFC 6749, RFC 6750 and OpenID Connect show, and everyone who explains them. */
const SHOWN =
  /^(?:2YotnFZFEjr1zCsicM|tGzv3JOkF0XG5Qx2T|SplxlOBeZQQYbYS6W|czZCaGRSa3F0Mz|7Fjfp0ZBr1Kt|gX1fBat3b|SlAV32hkKG|8xLOxBtZp8|mF_9\.B5f-4)/

/** One character, any number of times. */
const SAME = /^(?:(.)\1*)?$/s

/** Whether this is a single repeated character, or contains what documentation puts in place of a secret, such as `example` or `<…>`. */
export function isPlaceholder(secret: string): boolean {
  return SAME.test(secret) || EXAMPLE.test(secret) || SHOWN.test(secret)
}

/**
 * Shannon entropy in bits per character. It is usually above 3.5 for 16 or more random letters and digits, and lower for words and names.
 */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const n of counts.values()) bits -= (n / text.length) * Math.log2(n / text.length)
  return bits
}

/** A text with fewer bits (`wordBits`) counts as random. Among identifiers, that applies only to short ones of abbreviations and digits. */
const RANDOM_BELOW_BITS = -4
/** For a text from this length on with small and capital letters, and digits that don't only end it. */
const MIXED = 10
const MIXED_BELOW_BITS = 2
/** Neighbouring keys, sequences, and spellings of "password". */
const TYPED = /123456|abc123|a1b2c3|1q2w3e|qwert|asdfg|zxcv|yxcv|p[a@4][s5$]{2}w/i
/** Names of algorithms and encodings, which look random because of their digits. */
const ALGORITHMS = /sha(?:1|2|3|224|256|384|512)|md5|pbkdf2|aes(?:128|192|256)|base(?:32|58|64)|utf(?:8|16)|x509|oauth2/gi
/** From this length on, entropy is reliable enough to recognize a secret that `wordBits` doesn't, such as hexadecimal digits. */
const LONG = 16

/**
 * Whether the text isn't a placeholder and looks random, rather than built of words and numbers like identifiers, paths and dates. With
 * `lettersOnly`, it counts as random if it has high entropy and contains letters of both cases.
 */
export function isLikelySecret(secret: string, lettersOnly = false): boolean {
  if (isPlaceholder(secret)) return false
  if (lettersOnly) return /[a-z]/.test(secret) && /[A-Z]/.test(secret) && entropy(secret) >= 3.4
  if (secret.length >= LONG && isMixed(secret)) return true
  const isOfAllKinds = secret.length >= MIXED && /\d[A-Za-z]/.test(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret)
  return wordsIn(secret) < (isOfAllKinds ? MIXED_BELOW_BITS : RANDOM_BELOW_BITS) && !isTyped(secret)
}

/** How much more likely the text is as words than as random, in bits, apart from names of algorithms. */
export function wordsIn(text: string): number {
  return wordBits(text.replace(ALGORITHMS, ' '))
}

/** Whether the text was typed by a pattern on the keyboard, or is a spelling of "password". */
export function isTyped(text: string): boolean {
  return TYPED.test(text)
}

/** Whether the text has high entropy, contains letters and digits, and doesn't consist of words joined into an identifier or a path. */
function isMixed(secret: string): boolean {
  if (!(/\d/.test(secret) && /[A-Za-z]/.test(secret))) return false
  // Mostly words and short numbers, separated by punctuation or camel case: an identifier or a path, not a secret.
  const parts = secret.split(/[^A-Za-z0-9]|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== '')
  if (parts.length > 1 && parts.filter((part) => /^(?:[A-Za-z]{2,}|\d{1,4}|v\d+)$/.test(part)).length > parts.length * 0.6) return false
  return entropy(secret) >= (/^[0-9a-f]+$/i.test(secret) ? 3 : 3.4)
}

/** The password in base64 text of `user:password`, as in HTTP's basic authentication; null if it isn't that. */
export function basicPassword(text: string): string | null {
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(text)) return null
  return /^[\x20-\x39\x3b-\x7e]{1,100}:([\x20-\x7e]{1,200})$/.exec(Buffer.from(text, 'base64').toString('latin1'))?.[1] ?? null
}

/** Whether a decoded password looks real, rather than like that of an example. */
export function isRealPassword(password: string): boolean {
  return password.length >= 4 && !/\s/.test(password) && !isPlaceholder(password)
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Verifies Base58Check, as used in Bitcoin keys: the last 4 bytes equal the first 4 bytes of the double SHA-256 of the rest. */
export function hasBase58Checksum(text: string): boolean {
  let value = 0n
  for (const char of text) {
    const digit = BASE58.indexOf(char)
    if (digit < 0) return false
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  if (bytes.length < 37) return false
  const once = createHash('sha256').update(bytes.subarray(0, -4)).digest()
  return createHash('sha256').update(once).digest().subarray(0, 4).equals(bytes.subarray(-4))
}

function fields(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null
  } catch {
    return null
  }
}

/**
 * Whether this is a signed token that grants access, rather than the well-known example or a token that is public by design (Supabase's
 * `anon`).
 */
export function isJwtOfSomeone(token: string): boolean {
  const [head, body, signature = ''] = token.split('.')
  const header = fields(head ?? '')
  const claims = fields(body ?? '')
  if (header === null || claims === null || typeof header['alg'] !== 'string' || header['alg'].toLowerCase() === 'none') return false
  if (claims['sub'] === '1234567890' || claims['role'] === 'anon') return false
  return !isPlaceholder(signature)
}

// Removes a secret from text and values received from outside. A service may echo the key, and its responses
// end up in logs and on screen. Covers the encodings that servers and proxies usually apply, but not a secret
// that was split on purpose.

/**
 * A key with fewer characters isn't redacted, because that would mangle ordinary words. Real keys are longer.
 */
const SHORTEST = 6
/** What a secret is replaced with. */
export const REDACTED = '[key]'
/** Minimum number of characters of base64 text to redact. Shorter text could occur in any link by chance. */
const SHORTEST_CODED = 10
/** A JSON integer that may be beyond 2^53, which has 16 digits. The numbers of arrays aren't IDs. */
const LONG_INTEGER = /[:\s]-?\d{16}/

export type Redact = (text: string) => string

export function createRedact(secret: string | null): Redact {
  if (secret === null || secret.length < SHORTEST) return (text) => text
  const forms = secretForms(secret)
  return (text) =>
    forms.reduce((rest, form) => (rest.includes(form) ? rest.replaceAll(form, REDACTED) : rest), text)
}

/**
 * Like `createRedact`, but caches the result for the last secret, because computing its forms takes longer
 * than reading a short response.
 */
export function rememberRedact(): (secret: string | null) => Redact {
  let last: { readonly secret: string | null; readonly redact: Redact } | null = null
  return (secret) => {
    if (last?.secret !== secret) last = { secret, redact: createRedact(secret) }
    return last.redact
  }
}

/** Returns the forms in which a secret is looked for in text, longest first. */
export function secretForms(secret: string): readonly string[] {
  const whole = secret.toWellFormed()
  const url = encodeURIComponent(whole)
  const json = JSON.stringify(secret).slice(1, -1)
  const bytes = Buffer.from(whole)
  const forms = new Set([
    secret,
    // If a secret was entered as a host name, URL parsing converts it to lower case.
    secret.toLowerCase(),
    url,
    url.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    // The secret in a URL within a URL, in JSON, and in JSON within JSON.
    encodeURIComponent(url),
    json,
    JSON.stringify(json).slice(1, -1),
    escapedHtml(whole),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64Forms(bytes),
  ])
  return [...forms].toSorted((a, b) => b.length - a.length)
}

function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/**
 * Returns the base64 of the bytes at each of the three alignments, because the secret may be part of a longer
 * text such as `name:key` or `Bearer key`. Characters at both ends that contain bits of neighbouring bytes
 * are omitted.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const inner = text.slice(
      before === 0 ? 0 : before + 1,
      (before + bytes.length) % 3 === 0 ? undefined : -1,
    )
    if (inner.length < SHORTEST_CODED) return []
    const forUrls = inner.replaceAll('+', '-').replaceAll('/', '_')
    return [inner, forUrls, encodeURIComponent(inner)]
  })
}

/**
 * Parses JSON and redacts every string and property name in it, including those written with escapes. An
 * integer in `file_id` that a number can't represent becomes a string with its digits. Throws on invalid
 * JSON.
 */
export function parseRedacted(text: string, redact: Redact): unknown {
  // Without a backslash, every string occurs literally. Otherwise parse first, because redacting the text
  // could split an escape sequence.
  const isLiteral = !text.includes('\\') && redact(text) === text
  // A reviver takes several times as long as parsing a long list without one.
  if (isLiteral && !LONG_INTEGER.test(text)) return JSON.parse(text)
  // TypeScript's library doesn't declare the third parameter.
  return JSON.parse(
    text,
    (key: string, value: unknown, ...[context]: readonly { readonly source?: string }[]) => {
      if (key === 'file_id' && typeof value === 'number' && !Number.isSafeInteger(value))
        return exactInteger(context?.source, redact) ?? value
      if (isLiteral) return value
      if (typeof value === 'string') return redact(value)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      const entries = Object.entries(value)
      // Like JSON.parse, `fromEntries` treats `__proto__` as an ordinary name.
      return entries.some(([name]) => redact(name) !== name)
        ? Object.fromEntries(entries.map(([name, one]) => [redact(name), one]))
        : value
    },
  )
}

/** The digits of a JSON integer; null for other numbers, whose text isn't unambiguous. */
function exactInteger(source: string | undefined, redact: Redact): string | null {
  return source !== undefined && /^-?\d+$/.test(source) ? redact(source) : null
}

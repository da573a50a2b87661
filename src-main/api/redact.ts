// Removes a secret from text and values received from outside. A service may echo the key, and its responses
// end up in logs and on screen. Recognizes a secret however each of its characters is escaped, and its base64
// and hexadecimal, but not a secret that was split on purpose.

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

/**
 * How URLs, JSON and programming languages, and HTML write a character by its number or
 * name. Backslashes alone are escapes of the next character, at any depth.
 */
const ESCAPE =
  /%(?:25)*([\da-f]{2})|\\+(?:u00|u\{0*|x)([\da-f]{2})\}?|&(?:amp;)*(?:#x0*([\da-f]{2})|#0*(\d{2,3})|(amp|lt|gt|quot|apos));|\\+/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** How many different kinds of escapes may be nested, such as JSON in a URL in HTML. */
const DEEPEST = 3

export type Redact = (text: string) => string

/** Returns a function that says whether a text contains the secret, in any form that is redacted. */
export function createRecognizer(secret: string): (text: string) => boolean {
  if (secret.length < SHORTEST) return () => false
  const forms = secretForms(secret)
  return (text) =>
    [0, DEEPEST].some((depth) => {
      const plain = unescaped(text, depth)
      return forms.some((form) => plain.includes(form))
    })
}

/**
 * The bytes of the secret as it is, in hexadecimal and in base64, and as it is in UTF-16 and UTF-32: for data in
 * which nothing is escaped, and which are too many for `createRecognizer`.
 */
export function secretBytes(secret: string): readonly Buffer[] {
  if (secret.length < SHORTEST) return []
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const wide = Buffer.from(secret, 'utf16le')
  const widest = Buffer.alloc(wide.length * 2)
  for (let at = 0; at < wide.length; at += 2) wide.copy(widest, at * 2, at, at + 2)
  return [
    bytes,
    ...[hex, hex.toUpperCase(), ...base64Forms(bytes)].map((form) => Buffer.from(form)),
    wide,
    Buffer.from(wide).swap16(),
    widest,
    Buffer.from(widest).swap32(),
  ]
}

export function createRedact(secret: string | null): Redact {
  return secret === null || secret.length < SHORTEST ? (text) => text : redactAll([secret])
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

/** Redacts several secrets, of any length. Where two begin at the same place, the longer one is replaced. */
export function redactAll(secrets: readonly string[]): Redact {
  const forms = [...new Set(secrets.flatMap(secretForms))].toSorted((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    // First as it is: an escape could seem to begin before a secret, and to include its first characters.
    for (const depth of [0, DEEPEST]) {
      const plain = unescaped(clean, depth)
      if (forms.some((form) => plain.includes(form))) clean = replaced(clean, forms, depth)
    }
    return clean
  }
}

/** The texts by which a secret is recognized in unescaped text. */
function secretForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('latin1'), bytes.toString('hex'), ...base64Forms(bytes)].flatMap((form) => [
    lower(form),
    unescaped(form),
  ])
}

/** The text with its escapes resolved, and in lower case: URL parsing converts a host name to it. */
function unescaped(text: string, depth = DEEPEST): string {
  let plain = text
  for (let i = 0; i < depth; i++) {
    const next = plain.replace(ESCAPE, (...match) => characterOf(match))
    if (next === plain) break
    plain = next
  }
  return lower(plain)
}

/** Unlike `toLowerCase`, never changes the length. */
function lower(text: string): string {
  const all = text.toLowerCase()
  return all.length === text.length ? all : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The character that a match of ESCAPE means; empty for backslashes, which belong to the next one. */
function characterOf([, url, code, hex, decimal, name]: readonly unknown[]): string {
  if (typeof name === 'string') return NAMED[name.toLowerCase()] ?? ''
  if (typeof decimal === 'string') return String.fromCharCode(Number(decimal))
  const digits = url ?? code ?? hex
  return typeof digits === 'string' ? String.fromCharCode(Number.parseInt(digits, 16)) : ''
}

/** Replaces each occurrence of a form, which are longest first, in unescaped text by its place in the text. */
function replaced(text: string, forms: readonly string[], depth: number): string {
  const { plain, starts } = located(text, depth)
  const next = forms.map((form) => plain.indexOf(form))
  let out = ''
  let kept = 0
  for (let at = 0; ; ) {
    let found = -1
    for (const [i, form] of forms.entries()) {
      if ((next[i] ?? -1) !== -1 && (next[i] ?? -1) < at) next[i] = plain.indexOf(form, at)
      const there = next[i] ?? -1
      if (there !== -1 && (found === -1 || there < (next[found] ?? -1))) found = i
    }
    if (found === -1) return out + text.slice(kept)
    const begin = next[found] ?? 0
    at = begin + (forms[found]?.length ?? 1)
    out += text.slice(kept, starts[begin]) + REDACTED
    kept = starts[at] ?? text.length
  }
}

/** Like `unescaped`, with the place in the text at which each character, and at last the end, begins. */
function located(
  text: string,
  depth: number,
): { readonly plain: string; readonly starts: readonly number[] } {
  let plain = text
  let starts = Array.from({ length: text.length + 1 }, (_, i) => i)
  for (let i = 0; i < depth; i++) {
    let next = ''
    const places: number[] = []
    let at = 0
    // Backslashes begin the character behind them.
    let begin: number | null = null
    const take = (char: string, place: number): void => {
      if (char !== '') {
        next += char
        places.push(begin ?? place)
      }
      begin = char === '' ? place : null
    }
    for (const match of plain.matchAll(ESCAPE)) {
      for (; at < match.index; at++) take(plain.charAt(at), starts[at] ?? 0)
      take(characterOf(match), starts[at] ?? 0)
      at += match[0].length
    }
    for (; at < plain.length; at++) take(plain.charAt(at), starts[at] ?? 0)
    places.push(begin ?? text.length)
    if (next === plain) break
    plain = next
    starts = places
  }
  return { plain: lower(plain), starts }
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
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
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

// Takes a secret out of texts and values that come from outside: a service may repeat the key in an answer, and answers end up in logs and on
// screens. It knows the secret in every form that the programs on the way write it, not what was cut into pieces on purpose.

/** Shorter ones would tear holes into ordinary words, and are no keys. */
const SHORTEST = 6
/** A shorter piece of base64 may stand in any link by chance. */
const SHORTEST_CODED = 10

export type Redact = (text: string) => string

export function createRedact(secret: string | null): Redact {
  if (secret === null || secret.length < SHORTEST) return (text) => text
  const forms = secretForms(secret)
  return (text) => forms.reduce((rest, form) => (rest.includes(form) ? rest.replaceAll(form, '[key]') : rest), text)
}

/** Every way in which a secret may stand in a text, the longest first. */
export function secretForms(secret: string): readonly string[] {
  const whole = secret.toWellFormed()
  const url = encodeURIComponent(whole)
  const json = JSON.stringify(secret).slice(1, -1)
  const bytes = Buffer.from(whole)
  const forms = new Set([
    secret,
    // A host name is written small by whoever reads it.
    secret.toLowerCase(),
    url,
    url.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    // Twice: an address within an address, a JSON within a JSON.
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
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** What base64 makes of the bytes whatever stands before and after them, as in `name:key` or `Bearer key`: without the characters at both ends
 * that hold bits of the neighbours. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    const inner = text.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1)
    if (inner.length < SHORTEST_CODED) return []
    const forUrls = inner.replaceAll('+', '-').replaceAll('/', '_')
    return [inner, forUrls, encodeURIComponent(inner)]
  })
}

/** Reads JSON and takes the secret out of every text and name in it, also where it was written with escapes. Throws what is no JSON. */
export function parseRedacted(text: string, redact: Redact): unknown {
  // Without a backslash every text stands in it as it is. Else it is read first: what is taken out before could take half an escape along.
  if (!text.includes('\\') && redact(text) === text) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === 'string') return redact(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const entries = Object.entries(value)
    // `fromEntries` makes `__proto__` a name like any other, as JSON.parse does.
    return entries.some(([name]) => redact(name) !== name) ? Object.fromEntries(entries.map(([name, one]) => [redact(name), one])) : value
  })
}

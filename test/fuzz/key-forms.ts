// The forms in which intermediate programs may write a key, and a search for its remains in a text. The
// search decodes everything that looks like base64, so it doesn't depend on how redaction is implemented.

export const KEY = 'sk-fuzz-0123456789-ABCDEF/+="abc'

/** Ways in which a service, a library or a user's own program repeats a key. */
export function repetitions(key: string): readonly string[] {
  const encoded = encodeURIComponent(key)
  return [
    key,
    `Authorization: Bearer ${key}`,
    `https://files.example/?api_key=${encoded}`,
    `https://files.example/?api_key=${encoded.replaceAll(/%../g, (code) => code.toLowerCase())}`,
    encodeURIComponent(`https://files.example/?next=${encoded}`),
    JSON.stringify({ key }),
    JSON.stringify(JSON.stringify({ key })),
    key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    Buffer.from(key).toString('base64'),
    Buffer.from(`Bearer ${key}`).toString('base64'),
    Buffer.from(`me:${key}`).toString('base64'),
    Buffer.from(`{"a":"${key}"}`).toString('base64url'),
    Buffer.from(key).toString('hex'),
  ]
}

/** The remains of the key in a text; empty if there are none. */
export function traces(text: string, key: string): readonly string[] {
  const readable = new Set([text])
  const add = (more: () => string): void => {
    try {
      readable.add(more())
    } catch {
      // The text can't be decoded in this way.
    }
  }
  add(() => decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25')))
  add(() => text.replaceAll('\\"', '"').replaceAll('\\\\', '\\'))
  for (const [coded] of text.matchAll(/[\w+/-]{12,}/g))
    for (let skip = 0; skip < 4; skip++) {
      add(() => Buffer.from(coded.slice(skip), 'base64').toString('latin1'))
      add(() => Buffer.from(coded.slice(skip), 'hex').toString('latin1'))
    }
  return [...readable].filter((one) => one.includes(key)).map((one) => one.slice(0, 500))
}

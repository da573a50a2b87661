// The forms in which intermediate programs may write a key, and a search for its remains in a text. The
// search decodes everything that looks like base64, so it doesn't depend on how redaction is implemented.

export const KEY = `sk-fuzz-0123456789-ABCDEF/+="a'<&c`

/** The text with each character, or each that a pattern matches, replaced by what a program writes for it. */
function escaped(text: string, write: (code: number) => string, which = /./gs): string {
  return text.replaceAll(which, (char) => write(char.charCodeAt(0)))
}
const hex = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0')

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
    // Django and Go, PHP, and whoever writes every character by its number.
    escaped(key, (code) => `&#x${hex(code)};`, /[<>&"'/]/g),
    escaped(key, (code) => `&#${String(code).padStart(3, '0')};`, /[<>&"']/g),
    escaped(key, (code) => `&#${code};`),
    escaped(JSON.stringify(key), (code) => `&#${code};`, /[<>&"']/g),
    escaped(key, (code) => `%${hex(code)}`),
    escaped(key, (code) => `\\u${hex(code, 4)}`),
    escaped(key, (code) => `\\u${hex(code, 4).toUpperCase()}`, /[<>&"'/]/g),
    escaped(key, (code) => `\\x${hex(code)}`, /\W/g),
    key.replaceAll(/["'\\/]/g, String.raw`\$&`),
    key.toUpperCase(),
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
  const numbered =
    (pattern: RegExp, base: number) =>
    (all: string): string =>
      all.replaceAll(pattern, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, base)))
  const html = (all: string): string =>
    numbered(
      /&#x([\da-f]+);/gi,
      16,
    )(numbered(/&#(\d+);/g, 10)(all))
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const slashes = (all: string): string => all.replaceAll(/\\([^ux]|$)/g, '$1')
  const codes = numbered(/\\(?:u00|x)([\da-f]{2})/gi, 16)
  add(() => decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25')))
  for (const decode of [slashes, codes, html]) {
    add(() => decode(text))
    // What is in JSON, in the log or in a result, has its own escapes around them.
    add(() => decode(slashes(text)))
    add(() => slashes(decode(text)))
  }
  for (const [coded] of text.matchAll(/[\w+/-]{12,}/g))
    for (let skip = 0; skip < 4; skip++) {
      add(() => Buffer.from(coded.slice(skip), 'base64').toString('latin1'))
      add(() => Buffer.from(coded.slice(skip), 'hex').toString('latin1'))
    }
  const sought = key.toUpperCase()
  return [...readable].filter((one) => one.toUpperCase().includes(sought)).map((one) => one.slice(0, 500))
}

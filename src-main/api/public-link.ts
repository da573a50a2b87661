// Reads the public link of a file. The API document gives it as a URL, but services also send references: relative to their origin, to its
// scheme, or without a scheme. Accepts only http(s) links without credentials, because links are copied and opened.

/** Schemes that could be taken for a host in front of a port. */
const NO_HOST = /^(?:about|blob|data|file|ftp|intent|javascript|mailto|sms|tel|urn|vbscript|view-source|wss?)$/i
/** A host, and perhaps its port. */
const HOST = /^(?:(?<name>[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}.])?)|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/iu
/** A user name or password in front of the host. For URLs of this kind, a backslash ends the host like a slash. */
const CREDENTIALS = /^https?:[/\\]*[^/\\?#]*@/i
/** The first segment of a path that looks like a host: a script. None of these endings is a top-level domain. */
const SCRIPT = /\.(?:aspx?|cfm|cgi|html?|jspx?|php\d?)$/i

/** Returns the link as an absolute URL, or null if the text isn't a link. `base`: the configured address, with `/api/v1`. */
export function resolveLink(sent: string, base: string): string | null {
  // A URL parser ignores these characters, so that they could hide a scheme.
  const typed = sent.trim().replace(/[\t\n\r]/g, '')
  if (/^https?:\/\//i.test(typed)) {
    // Keep the link as it was sent, unless it contains characters that are invalid in a URL. If it does, use its normalized form.
    if (!/^[\x21-\x7e]+$/.test(typed)) return parse(typed)?.href ?? null
    return URL.canParse(typed) && !CREDENTIALS.test(typed) ? typed : null
  }
  const reference = /^[\p{Cc}]|\\/u.test(typed) ? null : absoluteForm(typed, new URL(base))
  return reference === null ? null : (parse(reference)?.href ?? null)
}

/**
 * Resolves a reference (RFC 3986, section 5) against the root of the origin, because public links aren't under `/api/v1`. Null if the text
 * isn't a reference to a file, such as a note or another scheme.
 */
function absoluteForm(typed: string, base: URL): string | null {
  if (/^\/\/[^/]/.test(typed)) return base.protocol + typed
  if (/^\/[^/]/.test(typed)) return base.origin + typed
  const [first = ''] = typed.split(/[/?#]/, 1)
  if (/\s/.test(typed) || first === '') return null
  if (isHost(first, base)) return `${base.protocol}//${typed}`
  if (first.includes(':') || /^n\/a$/i.test(typed)) return null
  // A single word may be a note such as `pending` instead of a link.
  return typed.startsWith(`${first}/`) || SCRIPT.test(first) ? `${base.origin}/${typed}` : null
}

/** Whether the first segment of a reference without a scheme is a host. Without a dot or a port, it is the first part of a path. */
function isHost(segment: string, base: URL): boolean {
  if (segment === base.host || segment === base.hostname) return true
  const groups = HOST.exec(segment)?.groups
  if (groups === undefined) return false
  const { name, port } = groups
  if (name === undefined) return true
  return port === undefined ? name.includes('.') && !SCRIPT.test(name) : !NO_HOST.test(name)
}

function parse(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '' ? url : null
}

// Parses the service's responses tolerantly: any field may be missing or have another type, and the data may
// be nested in one or two objects. Unusable values become null. These functions never throw, and they don't
// guess units or time zones; engine/budget/ learns those.
import { z } from 'zod'
import { detailOf } from './detail.ts'
import { readFileId } from './file-id.ts'
import type { ListPage, Pagination, RemoteFile, Stats } from './types.ts'

/** Maximum number of characters of a text. Longer texts can't be names, dates or links. */
const LONGEST = 4096
/**
 * Maximum depth of the values in `/stats`. Unknown fields are kept as sent, and a value with 100,000 levels
 * would overflow the stack of the code that reads it.
 */
const DEEPEST = 16

const number = z.unknown().optional().transform(asNumber)
const id = z.unknown().optional().transform(readFileId)
const integer = z.unknown().optional().transform(asInteger)
const text = z.unknown().optional().transform(asText)

const remoteFile = z
  .object({
    file_id: id,
    filename: text,
    size: number,
    upload_date: text,
    download_count: integer,
    public_link: text,
  })
  .transform(
    (f): RemoteFile<string> => ({
      fileId: f.file_id,
      filename: f.filename,
      size: f.size,
      uploadDate: f.upload_date,
      downloadCount: f.download_count,
      publicLink: f.public_link,
    }),
  )

const pagination = z.object({ page: integer, limit: integer, total: integer, pages: integer })
const NO_PAGINATION: Pagination = { page: null, limit: null, total: null, pages: null }

// zod copies the record and removes `__proto__`.
const record = z.record(z.string(), z.unknown())
const fields = record.nullable().catch(null)
const success = z
  .unknown()
  .optional()
  .transform((value) =>
    value === true || value === 'true' || value === 1
      ? true
      : value === false || value === 'false' || value === 0
        ? false
        : null,
  )
const OTHER: Reading<never> = { kind: 'other' }

/** Schemes that could be taken for a host in front of a port. */
const NO_HOST =
  /^(?:about|blob|data|file|ftp|intent|javascript|mailto|sms|tel|urn|vbscript|view-source|wss?)$/i

/** A host, and perhaps its port. */
const HOST =
  /^(?:(?<name>[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}.])?)|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/iu

/**
 * A user name or password in front of the host. For URLs of this kind, a backslash ends the host like a
 * slash.
 */
const CREDENTIALS = /^https?:[/\\]*[^/\\?#]*@/i

/**
 * The first segment of a path that looks like a host: a script. None of these endings is a top-level domain.
 */
const SCRIPT = /\.(?:aspx?|cfm|cgi|html?|jspx?|php\d?)$/i

/** The result of reading a JSON body. */
export type Reading<T> =
  | { readonly kind: 'value'; readonly value: T }
  /** The body contains `success: false`, or the string or number equivalent. */
  | { readonly kind: 'refused'; readonly detail: string | null }
  /** JSON, but not in a format that this API uses. */
  | { readonly kind: 'other' }

/**
 * Reads an upload receipt or a single file, at the top level or nested in one or two objects. `base`: the
 * configured address, against which links are resolved.
 */
export function readFileAnswer(body: unknown, base: string): Reading<RemoteFile<string>> {
  return read(body, (f, stated) => {
    const data = fields.parse(f['data'])
    const found = [f, f['file'], data, data?.['file'], f['result']].flatMap(
      (one) => readFile(one, base) ?? [],
    )
    const file = found.find((one) => one.fileId !== null) ?? found.find((one) => one.publicLink !== null)
    if (file !== undefined) return file
    // If `success` is true, one known field is enough for a receipt.
    return stated ? (found.find((one) => Object.values(one).some((value) => value !== null)) ?? null) : null
  })
}

export function readListAnswer(body: unknown, base: string): Reading<ListPage<string>> {
  return read(body, (f, stated) => {
    const data = fields.parse(f['data'])
    const items = [f['files'], f['items'], f['data'], f['result'], data?.['files'], data?.['items']].find(
      (list) => Array.isArray(list),
    )
    if (!Array.isArray(items)) return null
    const files = items.flatMap((item) => readFile(item, base) ?? [])
    if (!stated && !files.some((file) => file.fileId !== null || file.publicLink !== null)) return null
    return {
      files,
      pagination: pagination.catch(NO_PAGINATION).parse(f['pagination'] ?? data?.['pagination']),
    }
  })
}

export function readStatsAnswer(body: unknown): Reading<Stats> {
  return read(body, (f, stated) => {
    if (!stated) return null
    const at = [f, fields.parse(f['data'])].find(
      (one) => one !== null && ('stats' in one || 'limits' in one || 'plan' in one),
    )
    if (at === undefined || at === null || isDeep(at['stats']) || isDeep(at['limits'])) return null
    return {
      plan: asText(at['plan'])?.trim().toLowerCase() ?? null,
      stats: fields.parse(at['stats']) ?? {},
      limits: fields.parse(at['limits']) ?? {},
    }
  })
}

export function readRemovalAnswer(body: unknown): Reading<{ readonly message: string | null }> {
  return read(body, (f, stated) => (stated ? { message: detailOf(f) } : null))
}

function read<T>(
  body: unknown,
  content: (f: Readonly<Record<string, unknown>>, stated: boolean) => T | null,
): Reading<T> {
  const f = record.safeParse(body)
  if (!f.success) return OTHER
  const stated = success.parse(f.data['success'])
  if (stated === false) return { kind: 'refused', detail: detailOf(f.data) }
  const value = content(f.data, stated === true)
  return value === null ? OTHER : { kind: 'value', value }
}

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++)
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
  return level.length > 0
}

function readFile(value: unknown, base: string): RemoteFile<string> | null {
  const file = remoteFile.safeParse(value)
  if (!file.success) return null
  const { publicLink } = file.data
  return publicLink === null ? file.data : { ...file.data, publicLink: resolveLink(publicLink, base) }
}

function asNumber(value: unknown): number | null {
  const n = typeof value === 'string' && /^\s*\d{1,20}(\.\d{1,20})?\s*$/.test(value) ? Number(value) : value
  // Adding zero turns -0, which would be displayed with a minus sign, into 0.
  return typeof n === 'number' && Number.isFinite(n) && n >= 0 ? n + 0 : null
}

function asInteger(value: unknown): number | null {
  const n = asNumber(value)
  return n !== null && Number.isSafeInteger(n) ? n : null
}

function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? value.toWellFormed() : null
}

// Reads the public link of a file. The API document gives it as a URL, but services also send references:
// relative to their origin, to its scheme, or without a scheme. Accepts only http(s) links without
// credentials, because links are copied and opened.

/**
 * Returns the link as an absolute URL, or null if the text isn't a link. `base`: the configured address, with
 * `/api/v1`.
 */
export function resolveLink(sent: string, base: string): string | null {
  // A URL parser ignores these characters, so that they could hide a scheme.
  const typed = sent.trim().replace(/[\t\n\r]/g, '')
  if (/^https?:\/\//i.test(typed)) {
    // Keep the link as it was sent, unless it contains characters that are invalid in a URL. If it does, use
    // its normalized form.
    if (!/^[\x21-\x7e]+$/.test(typed)) return parse(typed)?.href ?? null
    return URL.canParse(typed) && !CREDENTIALS.test(typed) ? typed : null
  }
  const reference = /^[\p{Cc}]|\\/u.test(typed) ? null : absoluteForm(typed, new URL(base))
  return reference === null ? null : (parse(reference)?.href ?? null)
}

/**
 * Resolves a reference (RFC 3986, section 5) against the root of the origin, because public links aren't
 * under `/api/v1`. Null if the text isn't a reference to a file, such as a note or another scheme.
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

/**
 * Whether the first segment of a reference without a scheme is a host. Without a dot or a port, it is the
 * first part of a path.
 */
function isHost(segment: string, base: URL): boolean {
  if (segment === base.host || segment === base.hostname) return true
  const groups = HOST.exec(segment)?.groups
  if (groups === undefined) return false
  const { name, port } = groups
  if (name === undefined) return true
  return port === undefined ? name.includes('.') && !SCRIPT.test(name) : !NO_HOST.test(name)
}

function parse(link: string): URL | null {
  if (!URL.canParse(link)) return null
  const url = new URL(link)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === ''
    ? url
    : null
}

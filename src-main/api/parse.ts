// Reads what the service answers, tolerantly: any field may be missing, of another type, or somewhere else. What can't be used is null.
// It never throws and never guesses a unit or a zone; those are learned elsewhere.
import { z } from 'zod'
import type { ListPage, RemoteFile, Stats } from './types.ts'

type Fields = Readonly<Record<string, unknown>>

const fields = z.record(z.string(), z.unknown())

function asFields(value: unknown): Fields | null {
  const read = fields.safeParse(value)
  return read.success ? read.data : null
}

function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null
  if (typeof value !== 'string' || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return null
  const n = Number(value)
  return Number.isFinite(n) ? n : null
}

function asInteger(value: unknown): number | null {
  const n = asNumber(value)
  return n !== null && Number.isSafeInteger(n) ? n : null
}

function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 4096) : null
}

/** Only http(s) addresses may ever be copied or opened. */
function asLink(value: unknown): string | null {
  const text = asText(value)
  if (text === null) return null
  try {
    const url = new URL(text)
    return url.protocol === 'https:' || url.protocol === 'http:' ? text : null
  } catch {
    return null
  }
}

export function readFile(value: unknown): RemoteFile | null {
  const f = asFields(value)
  if (f === null) return null
  return {
    fileId: asInteger(f['file_id'] ?? f['id']),
    filename: asText(f['filename'] ?? f['name']),
    size: asNumber(f['size']),
    uploadDate: asText(f['upload_date']),
    downloadCount: asNumber(f['download_count']),
    publicLink: asLink(f['public_link']),
  }
}

function useful(file: RemoteFile | null): file is RemoteFile {
  return file !== null && (file.fileId !== null || file.publicLink !== null)
}

/** A receipt or a single file: at the top level, or in the one object that holds it. */
export function readReceipt(value: unknown): RemoteFile | null {
  const f = asFields(value)
  if (f === null) return null
  for (const inner of [value, f['file'], f['data'], f['result']]) {
    const file = readFile(inner)
    if (useful(file)) return file
  }
  return null
}

export function readList(value: unknown): ListPage | null {
  const f = asFields(value)
  if (f === null) return null
  const data = asFields(f['data'])
  const items = [f['files'], f['items'], f['data'], data?.['files']].find((list) => Array.isArray(list))
  if (!Array.isArray(items)) return null
  const p = asFields(f['pagination'] ?? data?.['pagination']) ?? {}
  return {
    files: items.map(readFile).filter(useful),
    pagination: { page: asInteger(p['page']), limit: asInteger(p['limit']), total: asInteger(p['total']), pages: asInteger(p['pages']) },
  }
}

export function readStats(value: unknown): Stats | null {
  const f = asFields(value)
  if (f === null) return null
  const stats = asFields(f['stats'])
  const limits = asFields(f['limits'])
  const plan = asText(f['plan'])
  // None of its three members: this is some other JSON.
  if (stats === null && limits === null && plan === null) return null
  return { plan: plan?.trim().toLowerCase() ?? null, stats: stats ?? {}, limits: limits ?? {} }
}

/** `success` where it is stated. */
export function readSuccess(value: unknown): boolean | null {
  const stated = asFields(value)?.['success']
  if (typeof stated === 'boolean') return stated
  return stated === 'false' || stated === 0 ? false : stated === 'true' || stated === 1 ? true : null
}

function clean(text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a server's control characters must not reach a terminal
  const plain = text
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? null : plain.slice(0, 300)
}

const SAYING = ['message', 'error', 'detail', 'error_description', 'description', 'title', 'reason', 'msg', 'errors'] as const

function saying(value: unknown, depth: number): string | null {
  if (depth > 4) return null
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.length === 0 ? null : saying(value[0], depth + 1)
  const f = asFields(value)
  if (f === null) return null
  for (const key of SAYING) {
    const found = key in f ? saying(f[key], depth + 1) : null
    if (found !== null) return found
  }
  return null
}

/** A readable message of an error body of any form: JSON, HTML, text; null if there is none. At most 300 characters. */
export function readDetail(text: string): string | null {
  const body = text.replace(/^\uFEFF/, '').trim()
  if (body === '') return null
  try {
    return saying(JSON.parse(body), 0)
  } catch {
    // Not JSON.
  }
  if (/^\s*</.test(body)) {
    const title = /<(title|h1)[^>]*>([^<]{1,500})/i.exec(body)?.[2]
    return title === undefined ? null : clean(title)
  }
  return body.length <= 1000 ? clean(body) : null
}

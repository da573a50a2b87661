// Builds responses in the chosen dialect: pure functions from the service's state to the response.
// Nothing here counts, stores or sends.
import { STATUS_CODES } from 'node:http'
import { assertNever } from '../../src-shared/assert.ts'
import type { Dialect } from './dialect.ts'
import { draw, type Intercept } from './faults.ts'
import type { Limits } from './limits.ts'
import type { StoredFile } from './store.ts'

export interface Answer {
  readonly status: number
  readonly type: string | null
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

type Json = Record<string, unknown>

const KB = 1024
const MB = 1024 * 1024

function inUnit(bytes: number, unit: Dialect['sizeUnit']): number | string {
  switch (unit) {
    case 'bytes':
      return bytes
    case 'KB':
      return Math.ceil(bytes / KB)
    case 'MB':
      return Math.ceil(bytes / MB)
    case 'text':
      return bytes < KB
        ? `${bytes} B`
        : bytes < MB
          ? `${Math.ceil(bytes / KB)} KB`
          : `${Math.ceil(bytes / MB)} MB`
    default:
      return assertNever(unit, 'unit')
  }
}

/** The `upload_date` of a time in the dialect's format. */
export function uploadDate(at: number, dialect: Pick<Dialect, 'zoneMinutes' | 'dateForm'>): string | number {
  const local = new Date(at + dialect.zoneMinutes * 60_000).toISOString()
  const [day = '', time = ''] = local.slice(0, 19).split('T')
  switch (dialect.dateForm) {
    case 'plain':
    case 'missing':
      return `${day} ${time}`
    case 'iso':
      return new Date(at).toISOString()
    case 'iso-zone': {
      const off = Math.abs(dialect.zoneMinutes)
      const two = (n: number): string => String(n).padStart(2, '0')
      return `${day}T${time}${dialect.zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(off / 60))}:${two(off % 60)}`
    }
    case 'epoch':
      return Math.floor(at / 1000)
    default:
      return assertNever(dialect.dateForm, 'date form')
  }
}

/** Splits a name before its extension; the dot belongs to the extension. */
function parts(name: string): readonly [string, string] {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

function counted(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name
  const [stem, end] = parts(name)
  for (let n = 1; ; n++) if (!taken(`${stem} (${n})${end}`)) return `${stem} (${n})${end}`
}

/** Derives a UUID from `unique`, for formats that need a unique word. */
const uuidOf = (unique: number): string => {
  const hex = Array.from({ length: 4 }, (_, n) =>
    Math.floor(draw(n, 'uuid', unique) * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** How some letters are spelled in ASCII. */
const SPELLED: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  а: 'a',
  л: 'l',
  н: 'n',
  п: 'p',
}

/**
 * The name that the service gives to a file. `taken`: whether another file has a name; `unique`: a number
 * that no other file has.
 */
export function shownName(
  sent: string,
  dialect: Pick<Dialect, 'filename' | 'nameLength'>,
  taken: (name: string) => boolean,
  unique: number,
): string {
  const [stem, end] = parts(sent)
  switch (dialect.filename) {
    case 'same':
      return sent
    case 'ascii':
      return sent.normalize('NFKD').replaceAll(/[^\x20-\x7e]/gu, '_')
    case 'lower':
      return sent.toLowerCase()
    case 'url-encoded':
      return encodeURIComponent(sent.toWellFormed())
    case 'truncated':
      return [...sent].slice(0, dialect.nameLength).join('')
    case 'suffixed':
      return counted(sent, taken)
    case 'prefixed':
      return `${uuidOf(unique).slice(0, 8)}_${sent}`
    case 'random-suffix':
      return `${stem}-${uuidOf(unique).slice(0, 6)}${end}`
    case 'slug': {
      const slug = stem
        .normalize('NFKD')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '')
      return counted(`${slug === '' ? 'file' : slug}${end.toLowerCase()}`, taken)
    }
    case 'uuid':
      return `${uuidOf(unique)}${end}`
    case 'spelled':
      return sent.normalize('NFC').replaceAll(/[^\x20-\x7e]/gu, (letter) => SPELLED[letter] ?? 'x')
    default:
      return assertNever(dialect.filename, 'file name form')
  }
}

function publicLink(token: string, origin: string, dialect: Pick<Dialect, 'publicLink'>): string {
  switch (dialect.publicLink) {
    case 'same':
      return `${origin}/download/${token}`
    case 'other-path':
      return `${origin}/public/download/${token}`
    case 'localhost':
      return `${origin.replace('127.0.0.1', 'localhost')}/download/${token}`
    default:
      return assertNever(dialect.publicLink, 'link form')
  }
}

const BEYOND_DOUBLE = BigInt(Number.MAX_SAFE_INTEGER) * 1000n

/**
 * Marks digits that the JSON has without quotes. No name begins like this, because it is a character for
 * private use.
 */
const BARE = '\u{e000}bare:'
const BARE_VALUE = new RegExp(`"${BARE}(\\d+)"`, 'gu')

/** The ID as the service writes it, without quotes. */
export function idText(file: Pick<StoredFile, 'fileId'>, { idForm }: Pick<Dialect, 'idForm'>): string {
  switch (idForm) {
    case 'number':
    case 'quoted':
      return String(file.fileId)
    case 'beyond':
    case 'beyond-quoted':
      return String(BEYOND_DOUBLE + BigInt(file.fileId))
    case 'uuid':
      return uuidOf(file.fileId)
    default:
      return assertNever(idForm, 'ID form')
  }
}

/** The ID as a value in an answer. */
function shownId(file: StoredFile, dialect: Dialect): number | string {
  if (dialect.idForm === 'number') return file.fileId
  return dialect.idForm === 'beyond' ? `${BARE}${idText(file, dialect)}` : idText(file, dialect)
}

/** The number that the service calls the size of a file. Contents that are the same have the same one. */
export function sizeOf(
  file: Pick<StoredFile, 'size' | 'sha256' | 'fileId'>,
  dialect: Pick<Dialect, 'sizeOf'>,
): number {
  if (dialect.sizeOf === 'content') return file.size
  return (
    18 +
    Math.floor(
      file.size * (0.3 + 0.72 * draw(7, 'compressed', file.sha256 === '' ? file.fileId : file.sha256)),
    )
  )
}

/** All six fields, as in the response for a single file. */
export function fileFields(file: StoredFile, origin: string, dialect: Dialect): Json {
  const fields: Json = {
    file_id: dialect.receipt === 'id-as-string' ? idText(file, dialect) : shownId(file, dialect),
    filename: file.shownName,
    size: inUnit(sizeOf(file, dialect), dialect.sizeUnit),
    upload_date: uploadDate(file.storedAt, dialect),
    download_count: file.downloads,
    public_link: publicLink(file.token, origin, dialect),
  }
  if (dialect.dateForm === 'missing') delete fields['upload_date']
  return fields
}

const without = (fields: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const only = (fields: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

export function listItem(file: StoredFile, origin: string, dialect: Dialect): Json {
  const fields = fileFields(file, origin, dialect)
  switch (dialect.listFields) {
    case 'all':
      return fields
    case 'id-name':
      return only(fields, 'file_id', 'filename')
    case 'id-only':
      return only(fields, 'file_id')
    case 'id-size':
      return only(fields, 'file_id', 'size')
    case 'name-size':
      return only(fields, 'filename', 'size')
    case 'no-id':
      return without(fields, 'file_id')
    case 'no-size':
      return without(fields, 'size')
    case 'no-date':
      return without(fields, 'upload_date')
    case 'no-link':
      return without(fields, 'public_link')
    case 'no-count':
      return without(fields, 'download_count')
    case 'id-as-string':
      return { ...fields, file_id: idText(file, dialect) }
    case 'extra':
      return {
        ...fields,
        mime_type: 'application/octet-stream',
        is_public: true,
        owner: { id: 7, tags: [] },
        expires_at: null,
      }
    default:
      return assertNever(dialect.listFields, 'list fields')
  }
}

export function receipt(file: StoredFile, origin: string, dialect: Dialect): Json {
  const fields = without(fileFields(file, origin, dialect), 'upload_date', 'download_count')
  switch (dialect.receipt) {
    case 'plain':
    case 'id-as-string':
      return { success: true, ...fields }
    case 'extra':
      return {
        success: true,
        message: 'File uploaded',
        ...fields,
        mime_type: 'application/octet-stream',
        warnings: [],
      }
    case 'no-size':
      return { success: true, ...without(fields, 'size') }
    case 'no-filename':
      return { success: true, ...without(fields, 'filename') }
    case 'no-link':
      return { success: true, ...without(fields, 'public_link') }
    case 'only-id':
      return { success: true, ...only(fields, 'file_id') }
    case 'only-link':
      return { success: true, ...only(fields, 'public_link') }
    case 'in-file':
      return { success: true, file: fields }
    case 'in-data':
      return { success: true, data: fields }
    default:
      return assertNever(dialect.receipt, 'receipt form')
  }
}

export interface PageWish {
  readonly page: string | null
  readonly limit: string | null
}

export type Page =
  | { readonly ok: true; readonly from: number; readonly to: number; readonly pagination: Json | null }
  | { readonly ok: false; readonly status: 400 | 404; readonly message: string }

const LIE = 7

/** Determines which slice of `total` files a page contains. */
export function pageOf(wish: PageWish, total: number, dialect: Dialect): Page {
  const asked = wish.limit === null ? dialect.listDefault : Number(wish.limit)
  if (!Number.isInteger(asked) || asked < 1) return { ok: false, status: 400, message: 'Invalid limit' }
  if (asked > dialect.listCap && dialect.aboveCap === 'reject')
    return { ok: false, status: 400, message: `limit must be at most ${dialect.listCap}` }
  const limit = Math.min(asked, dialect.listCap)
  const first = dialect.firstPage
  let page = wish.page === null || dialect.pageNumber === 'ignored' ? first : Number(wish.page)
  if (!Number.isInteger(page)) return { ok: false, status: 400, message: 'Invalid page' }
  page = Math.max(first, page)
  const pages = Math.max(1, Math.ceil(total / limit))
  const beyond = page - first >= pages
  if (beyond && dialect.pageBeyond === 'not-found')
    return { ok: false, status: 404, message: 'Page not found' }
  if (beyond && dialect.pageBeyond === 'repeat-last') page = first + pages - 1
  const from = (page - first) * limit
  return {
    ok: true,
    from: Math.min(from, total),
    to: Math.min(from + limit, total),
    pagination: pagination({ page, limit, total }, dialect),
  }
}

function pagination(
  { page, limit, total }: { page: number; limit: number; total: number },
  dialect: Dialect,
): Json | null {
  const block = (shown: number): Json => ({ page, limit, total: shown, pages: Math.ceil(shown / limit) })
  switch (dialect.pagination) {
    case 'numbers':
      return block(total)
    case 'strings':
      return Object.fromEntries(Object.entries(block(total)).map(([name, value]) => [name, String(value)]))
    case 'missing':
      return null
    case 'empty':
      return {}
    case 'too-high':
      return block(total + LIE)
    case 'too-low':
      return block(Math.max(0, total - LIE))
    default:
      return assertNever(dialect.pagination, 'pagination form')
  }
}

export function inOrder(live: readonly StoredFile[], order: Dialect['listOrder']): readonly StoredFile[] {
  switch (order) {
    case 'oldest':
      return live
    case 'newest':
      return live.toReversed()
    case 'name':
      return live.toSorted((a, b) =>
        a.shownName < b.shownName ? -1 : a.shownName > b.shownName ? 1 : a.fileId - b.fileId,
      )
    case 'shuffled':
      return live.toSorted((a, b) => draw(1, a.fileId) - draw(1, b.fileId))
    default:
      return assertNever(order, 'order')
  }
}

function limitMember(name: string, shown: number | string, form: Dialect['dailyUploads']): Json {
  switch (form) {
    case 'number':
      return { [name]: shown }
    case 'zero':
      return { [name]: 0 }
    case 'minus-one':
      return { [name]: -1 }
    case 'null':
      return { [name]: null }
    case 'missing':
      return {}
    case 'huge':
      return { [name]: 9e15 }
    case 'string':
      return { [name]: String(shown) }
    case 'unlimited':
      return { [name]: 'unlimited' }
    default:
      return assertNever(form, 'limit form')
  }
}

/** JSON can't represent infinity. */
const finite = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER)

export interface StatsFacts {
  readonly plan: string
  readonly limits: Limits
  readonly files: number
  readonly bytes: number
  readonly downloads: number
  readonly uploadsToday: number
}

export function statsBody(facts: StatsFacts, dialect: Dialect): Json {
  const more = dialect.statsFields === 'more'
  const { limits } = facts
  const stats = {
    total_files: facts.files,
    total_size: inUnit(facts.bytes, dialect.sizeUnit),
    ...(more ? { total_downloads: facts.downloads, uploads_today: facts.uploadsToday } : {}),
  }
  const perMinute = Number.isFinite(limits.perMinute) ? limits.perMinute : null
  const perDay = Number.isFinite(limits.perDay) ? limits.perDay : null
  const shownLimits = {
    ...limitMember(
      'max_file_size',
      inUnit(finite(limits.maxFileSize), dialect.maxFileSizeUnit),
      dialect.maxFileSize,
    ),
    ...limitMember('daily_uploads', finite(limits.dailyUploads), dialect.dailyUploads),
    ...(more ? { storage_limit: 1024 ** 4, requests_per_minute: perMinute, requests_per_day: perDay } : {}),
  }
  const all: Json = { success: true, stats, limits: shownLimits, plan: planName(facts.plan, dialect) }
  switch (dialect.statsMembers) {
    case 'all':
      return all
    case 'no-stats':
      return without(all, 'stats')
    case 'no-limits':
      return without(all, 'limits')
    case 'no-plan':
      return without(all, 'plan')
    case 'only-plan':
      return only(all, 'success', 'plan')
    case 'none':
      return only(all, 'success')
    default:
      return assertNever(dialect.statsMembers, 'stats members')
  }
}

function planName(plan: string, dialect: Dialect): unknown {
  switch (dialect.planName) {
    case 'lower':
      return plan
    case 'upper':
      return plan.toUpperCase()
    case 'spaced':
      return ` ${plan.charAt(0).toUpperCase()}${plan.slice(1)} Plan`
    case 'number':
      return 3
    case 'null':
      return null
    default:
      return assertNever(dialect.planName, 'plan name form')
  }
}

function jsonType(dialect: Dialect): string | null {
  switch (dialect.contentType) {
    case 'json':
      return 'application/json'
    case 'charset':
      return 'application/json; charset=utf-8'
    case 'vendor':
      return 'application/vnd.service.v1+json'
    case 'text':
      return 'text/plain; charset=utf-8'
    case 'missing':
      return null
    default:
      return assertNever(dialect.contentType, 'content type')
  }
}

export function jsonAnswer(status: number, value: unknown, dialect: Dialect): Answer {
  return {
    status,
    type: jsonType(dialect),
    body: Buffer.from(JSON.stringify(value).replaceAll(BARE_VALUE, '$1')),
    headers: {},
  }
}

const HTML = 'text/html; charset=utf-8'

function errorPage(status: number, message: string): string {
  const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`
  return `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${message}</p></body></html>\n`
}

export function errorAnswer(
  status: number,
  message: string,
  dialect: Dialect,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  if (dialect.errorStatus === 'ok-200')
    return { ...jsonAnswer(200, { success: false, error: message, code: status }, dialect), headers }
  const json = (value: unknown): Answer => ({ ...jsonAnswer(status, value, dialect), headers })
  const raw = (type: string | null, body: string): Answer => ({
    status,
    type,
    body: Buffer.from(body),
    headers,
  })
  switch (dialect.errorBody) {
    case 'success-error':
      return json({ success: false, error: message })
    case 'error-object':
      return json({ error: { code: status, message } })
    case 'message':
      return json({ message })
    case 'nested':
      return json({ errors: [{ detail: [{ message }] }] })
    case 'html':
      return raw(HTML, errorPage(status, message))
    case 'text':
      return raw('text/plain; charset=utf-8', `${message}\n`)
    case 'empty':
      return raw(null, '')
    case 'html-as-json':
      return raw('application/json', errorPage(status, message))
    case 'json-as-html':
      return raw(HTML, JSON.stringify({ success: false, error: message }))
    default:
      return assertNever(dialect.errorBody, 'error body')
  }
}

/** A receipt after a failed insert: everything zero or blank. */
export function emptyReceipt(dialect: Dialect): Answer {
  return jsonAnswer(
    dialect.receiptStatus,
    { success: true, file_id: 0, public_link: null, size: 0, filename: '' },
    dialect,
  )
}

function htmlPage(title: string, text: string): Buffer {
  return Buffer.from(
    `<!doctype html>\n<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><p>${text}</p></body></html>\n`,
  )
}

/** What stands in for the service. `leftMs`: how long it still will; null if that isn't known. */
export function interceptAnswer(intercept: Intercept, leftMs: number | null, dialect: Dialect): Answer {
  const html = (
    status: number,
    title: string,
    text: string,
    headers: Readonly<Record<string, string>> = {},
  ): Answer => ({
    status,
    type: 'text/html',
    body: htmlPage(title, text),
    headers,
  })
  const json = (status: number, value: unknown): Answer => ({
    status,
    type: 'application/json',
    body: Buffer.from(JSON.stringify(value)),
    headers: {},
  })
  switch (intercept.page) {
    case 'nginx-404':
      return html(404, '404 Not Found', '<hr>nginx/1.24.0', { Server: 'nginx/1.24.0' })
    case 'json-404':
      return json(404, {
        timestamp: 1_764_000_000,
        status: 404,
        error: 'Not Found',
        message: 'No handler for this path',
      })
    case 'json-410':
      return json(410, { error: 'gone', detail: 'This application was removed' })
    case 'blocked-403':
      return html(
        403,
        'Access denied',
        'The owner of this website has banned your IP address (192.0.2.7). Ray 8f2c.',
      )
    case 'address-403':
      return json(403, { message: 'Your IP address is not on the allow list' })
    case 'basic-401':
      return html(401, '401 Authorization Required', 'Sign in to the proxy.', {
        'WWW-Authenticate': 'Basic realm="proxy"',
      })
    case 'proxy-413':
      return html(413, '413 Request Entity Too Large', '<hr>proxy')
    case 'portal-200':
      return html(
        200,
        'Welcome to our guest network',
        '<form action="/login"><button>Accept the terms</button></form>',
      )
    case 'program-200':
      return json(200, { status: 'ok', name: 'inventory', version: '4.1.0', items: [] })
    case 'maintenance-503':
      return html(503, 'Back soon', 'We are down for maintenance.')
    case 'maintenance-503-retry':
      return html(503, 'Back soon', 'We are down for maintenance.', {
        'Retry-After': String(Math.max(1, Math.ceil((leftMs ?? 60_000) / 1000))),
      })
    case 'refused-403':
      return errorAnswer(403, 'Access denied', dialect)
    case 'refused-404':
      return errorAnswer(404, 'Resource not found', dialect)
    case 'refused-405':
      return errorAnswer(405, 'Method not allowed', dialect)
    case 'refused-413':
      return errorAnswer(413, 'Payload too large', dialect)
    case 'refused-421':
      return errorAnswer(421, 'Misdirected request', dialect)
    case 'refused-425':
      return errorAnswer(425, 'Too early', dialect)
    default:
      return assertNever(intercept.page, 'intercept')
  }
}

/** What a proxy, a captive portal or a broken deployment may send with status 200. */
export function garbageAnswer(form: 'html' | 'bytes' | 'json' | 'empty'): Answer {
  const answer = (type: string, body: Buffer): Answer => ({ status: 200, type, body, headers: {} })
  switch (form) {
    case 'html':
      return answer(
        HTML,
        Buffer.from(
          '<!doctype html>\n<html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>\n',
        ),
      )
    case 'bytes':
      return answer('application/json', Buffer.from([0x7b, 0x22, 0x00, 0xff, 0xfe, 0x80, 0x22, 0x3a]))
    case 'json':
      return answer('application/json', Buffer.from('["ok",{"status":"up"}]'))
    case 'empty':
      return answer('application/json', Buffer.alloc(0))
    default:
      return assertNever(form, 'garbage')
  }
}

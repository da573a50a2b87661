// All parsers of the service's responses, fed with invalid data: the result is a typed value or a typed
// failure of limited size, and the same every time. Well-formed answers are parsed completely. client.test.ts
// tests what the client makes of whole responses.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import {
  array,
  boolean,
  constantFrom,
  dictionary,
  double,
  integer,
  oneof,
  record,
  string,
  tuple,
  uint8Array,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseBaseUrl } from '../../src-main/api/base-url.ts'
import { decodeText } from '../../src-main/api/client.ts'
import { detailOfText } from '../../src-main/api/detail.ts'
import { createForm, joinBody, SourceError, streamBody } from '../../src-main/api/multipart.ts'
import * as parse from '../../src-main/api/parse.ts'
import { chooseProxy } from '../../src-main/api/proxy.ts'
import { httpDate, readMeta } from '../../src-main/api/rate-headers.ts'
import type { RemoteFile } from '../../src-main/api/types.ts'
import { isFileId } from '../../src-shared/file-id.ts'
import { formParts } from './form-parts.ts'
import { deepJson, fuzz, hostileJson, hostileText } from './fuzz.ts'

const BASE = 'https://files.example.com/api/v1'
const readFileAnswer = (body: unknown) => parse.readFileAnswer(body, BASE)
const readListAnswer = (body: unknown) => parse.readListAnswer(body, BASE)
const { readRemovalAnswer, readStatsAnswer } = parse

const TEXT_MOST = 4096
const DETAIL_MOST = 300
/** Characters that move the cursor, end a line or change the writing direction. */
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

function expectText(text: string | null): void {
  if (text === null) return
  expect(text.length).toBeGreaterThan(0)
  expect(text.length).toBeLessThanOrEqual(TEXT_MOST)
  expect(text.isWellFormed()).toBe(true)
}

function expectNumber(n: number | null, whole: boolean): void {
  if (n === null) return
  expect(Number.isFinite(n) && n >= 0 && !Object.is(n, -0)).toBe(true)
  if (whole) expect(Number.isSafeInteger(n)).toBe(true)
}

function expectDetail(detail: string | null): void {
  if (detail === null) return
  expect(detail.length).toBeGreaterThan(0)
  expect(detail.length).toBeLessThanOrEqual(DETAIL_MOST)
  expect(detail).not.toMatch(STEERING)
  expect(detail.isWellFormed()).toBe(true)
}

function expectFile(file: RemoteFile<string>): void {
  expect(file.fileId === null || isFileId(file.fileId)).toBe(true)
  expectNumber(file.size, false)
  expectNumber(file.downloadCount, false)
  expectText(file.filename)
  expectText(file.uploadDate)
  expect(Object.keys(file)).toHaveLength(6)
  if (file.publicLink === null) return
  expect(file.publicLink).toMatch(/^https?:\/\/[\x21-\x7e]+$/i)
  expect(URL.canParse(file.publicLink)).toBe(true)
}

function expectUntouched(): void {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(Reflect.get({}, 'file_id')).toBeUndefined()
}

describe('answers', () => {
  fuzz(
    'of any JSON are a value of the promised types, a refusal, or none of this service',
    hostileJson,
    4000,
    (json) => {
      const readings = (): unknown[] => {
        const body: unknown = JSON.parse(json)
        const file = readFileAnswer(body)
        const list = readListAnswer(body)
        const stats = readStatsAnswer(body)
        const removal = readRemovalAnswer(body)
        for (const one of [file, list, stats, removal]) if (one.kind === 'refused') expectDetail(one.detail)
        if (file.kind === 'value') expectFile(file.value)
        if (list.kind === 'value') {
          for (const one of list.value.files) expectFile(one)
          for (const one of Object.values(list.value.pagination)) expectNumber(one as number | null, true)
        }
        if (stats.kind === 'value') {
          expectText(stats.value.plan)
          for (const fields of [stats.value.stats, stats.value.limits]) {
            expect(Object.hasOwn(fields, '__proto__')).toBe(false)
            expect([Object.prototype, null]).toContain(Object.getPrototypeOf(fields))
          }
        }
        if (removal.kind === 'value') expectDetail(removal.value.message)
        return [file, list, stats, removal]
      }
      expect(readings()).toEqual(readings())
      expectUntouched()
    },
  )

  const file = record({
    file_id: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    filename: string({ minLength: 1, maxLength: 60 }),
    size: integer({ min: 0 }),
    upload_date: constantFrom('2026-11-21 09:00:00', '1999-12-31 23:59:59'),
    download_count: integer({ min: 0 }),
    public_link: string({
      minLength: 4,
      maxLength: 40,
      unit: constantFrom(...Array.from('abcXYZ019-_')),
    }).map((one) => `https://files.example/${one}`),
  })
  const others = dictionary(
    string({ maxLength: 12 }).filter(
      (name) => !['file', 'data', 'result', 'files', 'items', 'success', 'pagination'].includes(name),
    ),
    hostileText,
    { maxKeys: 4, noNullPrototype: true },
  )
  fuzz(
    'that fit come through whole, whatever else stands in them',
    tuple(array(file, { maxLength: 5 }), others),
    1000,
    ([files, more]) => {
      const seen = files.map((one) =>
        readFileAnswer(JSON.parse(JSON.stringify({ ...more, success: true, file: { ...more, ...one } }))),
      )
      const wanted = files.map((one) => ({
        fileId: String(one.file_id),
        filename: one.filename,
        size: one.size,
        uploadDate: one.upload_date,
        downloadCount: one.download_count,
        publicLink: one.public_link,
      }))
      // Fields at the top level are read first, as in the receipt of an upload.
      if (!Object.keys(more).some((name) => name in (files[0] ?? {})))
        expect(seen).toEqual(wanted.map((value) => ({ kind: 'value', value })))
      const pagination = { page: 1, limit: 50, total: files.length, pages: 1 }
      expect(readListAnswer({ ...more, success: true, files, pagination })).toEqual({
        kind: 'value',
        value: { files: wanted, pagination },
      })
    },
  )

  it.each(['[', '{"data":', '{"error":'] as const)(
    '100,000 times %s within each other are none of this service',
    (open) => {
      const json = deepJson(open, 100_000)
      for (const read of [readFileAnswer, readListAnswer, readStatsAnswer, readRemovalAnswer])
        expect(read(JSON.parse(json)).kind).toBe('other')
      expectDetail(detailOfText(json))
    },
  )
})

describe('headers of time and rate', () => {
  const names = [
    'date',
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ]
  const value = oneof(
    hostileText,
    integer().map(String),
    double().map(String),
    constantFrom(
      'limit=50, remaining=3, reset=20',
      '"m";r=3;t=20',
      '"m";q=50;w=60',
      ';;;==,,,',
      'Sat, 21 Nov 2026 04:01:00 GMT',
    ),
    string({ maxLength: 200, unit: constantFrom(...Array.from(';=,"rtqw019 ')) }),
  )
  const headers = dictionary(
    constantFrom(...names, 'x-ratelimit-reset', 'x-rate-limit-reset-after'),
    oneof(value, array(value)),
    {
      noNullPrototype: true,
    },
  )
  fuzz(
    'give spans of at most two days, whole counts, moments, or nothing',
    tuple(headers, integer({ min: 0, max: 4e12 })),
    4000,
    ([head, now]) => {
      const { serverDate, rate } = readMeta(429, head, now)
      if (serverDate !== null) expect(Number.isSafeInteger(serverDate)).toBe(true)
      for (const ms of [rate.retryAfterMs, rate.resetMs]) {
        expectNumber(ms, true)
        expect(ms ?? 0).toBeLessThanOrEqual(48 * 3_600_000)
      }
      for (const count of [rate.limit, rate.remaining]) expectNumber(count, true)
    },
  )

  fuzz('a date is read as it was written', integer({ min: 0, max: 4_102_444_799 }), 1000, (second) => {
    const date = new Date(second * 1000)
    expect(httpDate(date.toUTCString())).toBe(second * 1000)
    expect(httpDate(date.toISOString())).toBe(second * 1000)
  })
})

describe('packed bodies', () => {
  const CAP = 20_000
  const packs = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    identity: (bytes: Uint8Array) => bytes,
  }
  const plain = Buffer.alloc(200_000, 'slipway')
  const bombs = {
    gzip: gzipSync(plain),
    'x-gzip': gzipSync(plain),
    deflate: deflateSync(plain),
    br: brotliCompressSync(plain),
    identity: plain,
  }
  const encoding = constantFrom(...(Object.keys(packs) as (keyof typeof packs)[]))
  fuzz(
    'are unpacked as they were packed',
    tuple(encoding, string({ unit: 'grapheme', maxLength: 2000 }), boolean()),
    500,
    async ([name, text, raw]) => {
      const bytes = Buffer.from(text)
      const packed = name === 'deflate' && raw ? deflateRawSync(bytes) : packs[name](bytes)
      expect(await decodeText({ 'content-encoding': name }, Buffer.from(packed), CAP)).toBe(
        text.toWellFormed(),
      )
    },
  )
  fuzz(
    'that are damaged, bombs or of another kind end as null or as at most so many bytes',
    tuple(encoding, uint8Array({ maxLength: 300 }), integer({ min: 0, max: 300 })),
    500,
    async ([name, noise, at]) => {
      const bomb = bombs[name]
      expect(
        name === 'identity' ? null : await decodeText({ 'content-encoding': name }, bomb, CAP),
      ).toBeNull()
      const damaged = Buffer.concat([bomb.subarray(0, at), noise])
      const text = await decodeText({ 'content-encoding': name }, damaged, CAP)
      if (text !== null) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(CAP * 3)
    },
  )
})

describe('sentences of errors', () => {
  fuzz(
    'are one short line, from any body',
    oneof(
      hostileJson,
      hostileText,
      hostileText.map((one) => `<title>${one}</title>`),
    ),
    4000,
    (body) => {
      expectDetail(detailOfText(body))
      expectUntouched()
    },
  )
  it.each([
    ['titles', '<title>'.repeat(9000)],
    ['headings', '<h1 '.repeat(20_000)],
    ['blanks in a tag', `<title${' '.repeat(60_000)}`],
    ['entities', '&#'.repeat(30_000)],
    ['brackets', '<'.repeat(60_000)],
    ['blanks', ' '.repeat(60_000)],
  ])('are none in a body that was made to be slow: %s', (_what, body) => {
    expect(detailOfText(body)).toBeNull()
  })
})

describe('uploads', () => {
  fuzz(
    'carry any name in one part, of exactly the length that was told',
    tuple(hostileText, uint8Array({ maxLength: 3000 })),
    1500,
    async ([name, bytes]) => {
      const form = createForm(name, bytes.length)
      const whole = await joinBody(form, () => [bytes])
      expect(whole.length).toBe(form.contentLength)
      const parts = formParts(form.contentType, whole)
      expect(parts).toHaveLength(1)
      expect(parts[0]?.name).toBe('file')
      expect(parts[0]?.bytes.equals(Buffer.from(bytes))).toBe(true)
      // Only characters that would end the name early are written differently.
      const last = name.toWellFormed().replaceAll('\0', '').split('/').at(-1) ?? ''
      expect(parts[0]?.filename).toBe(
        (last === '' ? 'file' : last).replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22'),
      )
    },
  )
  fuzz(
    'with more or fewer bytes than were told are never complete',
    tuple(array(uint8Array({ maxLength: 50 }), { maxLength: 6 }), integer({ min: 0, max: 200 })),
    1000,
    async ([chunks, size]) => {
      const given = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      const form = createForm('a', size)
      const body = streamBody({ form, source: () => chunks, flushed: () => null, onProgress: undefined })
      const out: Uint8Array[] = []
      const ended = await (async () => {
        for await (const chunk of body.chunks) out.push(chunk)
      })().then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(SourceError)
          return false
        },
      )
      expect([ended, body.finished()]).toEqual([given === size, given === size])
      expect(Buffer.concat(out).length === form.contentLength).toBe(given === size)
      expect(Buffer.concat(out).length).toBeLessThanOrEqual(form.contentLength)
    },
  )
})

describe('addresses', () => {
  const typed = oneof(
    hostileText,
    tuple(
      constantFrom('', 'http://', 'https://', 'HTTP:', 'ftp://', '//'),
      hostileText,
      constantFrom('', '/api/v1', '/api', '/x/../', ':80'),
    ).map((all) => all.join('')),
    constantFrom(
      '127.1',
      'localhost',
      '[::1]:80',
      '0x7f.1',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'http:\\\\evil.example',
      'https:///x',
    ),
  )
  fuzz(
    'are made plain once and for all, never http beyond this machine, never with a name in them',
    typed,
    4000,
    (text) => {
      const read = normaliseBaseUrl(text)
      if (!read.ok) {
        expectDetail(read.message)
        return
      }
      const url = new URL(read.baseUrl)
      expect(url.username + url.password + url.search + url.hash).toBe('')
      expect(read.baseUrl.endsWith('/api/v1')).toBe(true)
      if (url.protocol !== 'https:') {
        expect(url.protocol).toBe('http:')
        expect(url.hostname).toMatch(/^(127\.\d+\.\d+\.\d+|\[::1\]|(.*\.)?localhost\.?)$/)
      }
      expect(normaliseBaseUrl(read.baseUrl)).toEqual(read)
    },
  )
  fuzz(
    'of this machine are asked through no proxy; one that can not be used stops everything',
    tuple(typed, typed, boolean()),
    3000,
    ([target, proxy, local]) => {
      const read = normaliseBaseUrl(local ? 'http://127.0.0.1:8080' : target, { allowPlainHttp: true })
      if (!read.ok) return
      const choice = chooseProxy(new URL(read.baseUrl), { http: proxy, https: proxy, noProxy: target })
      if (local) expect(choice.kind).toBe('direct')
      if (choice.kind === 'proxy') expect(choice.url.protocol).toMatch(/^https?:$/)
      if (choice.kind === 'unusable') expectDetail(choice.message)
    },
  )
})

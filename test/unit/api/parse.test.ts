// Parsing of the service's JSON, field by field, however malformed; no JSON makes it throw.
// Where the API document leaves something open, the result is null instead of a guess.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as parse from '../../../src-main/api/parse.ts'
import { isFileId } from '../../../src-shared/file-id.ts'

const BASE = 'https://files.example.com/api/v1'
const readFileAnswer = (body: unknown) => parse.readFileAnswer(body, BASE)
const readListAnswer = (body: unknown) => parse.readListAnswer(body, BASE)
const { readRemovalAnswer, readStatsAnswer } = parse

const EMPTY = {
  fileId: null,
  filename: null,
  size: null,
  uploadDate: null,
  downloadCount: null,
  publicLink: null,
}
const LINK = 'https://files.example.com/download/abc'

describe('a file', () => {
  const field = (fields: Record<string, unknown>): unknown => {
    const reading = readFileAnswer({ success: true, file: { file_id: 1, ...fields } })
    return reading.kind === 'value' ? reading.value : reading
  }

  it('has six fields', () => {
    const file = {
      file_id: 12,
      filename: 'a.txt',
      size: 3,
      upload_date: '2026-11-21 04:00:00',
      download_count: 4,
      public_link: LINK,
      more: 1,
    }
    expect(readFileAnswer({ success: true, file })).toEqual({
      kind: 'value',
      value: {
        fileId: '12',
        filename: 'a.txt',
        size: 3,
        uploadDate: '2026-11-21 04:00:00',
        downloadCount: 4,
        publicLink: LINK,
      },
    })
  })

  it.each([
    [12, '12'],
    [0, '0'],
    ['12', '12'],
    [' 12 ', '12'],
    ['012', '012'],
    [12.5, null],
    [-1, '-1'],
    ['-1', '-1'],
    ['abc', 'abc'],
    ['a b/c?d', 'a b/c?d'],
    ['', null],
    ['.', null],
    ['..', null],
    ['...', '...'],
    ['a\nb', null],
    ['a\u0085b', null],
    ['a\u2028b', null],
    ['half \ud83d', null],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), null],
    ['9007199254740993', '9007199254740993'],
    // RFC 9562, appendix A.
    ['919108f7-52d1-4320-9bac-f847db4148a8', '919108f7-52d1-4320-9bac-f847db4148a8'],
    [2 ** 53, null],
    [Number.MAX_SAFE_INTEGER, String(Number.MAX_SAFE_INTEGER)],
    [null, null],
    [true, null],
    [[1], null],
    [{ id: 1 }, null],
  ])('file_id %j is %s', (sent, fileId) => {
    expect(field({ file_id: sent, public_link: LINK })).toMatchObject({ fileId })
  })

  it.each([
    [3, 3],
    ['3', 3],
    ['12.5', 12.5],
    [12.5, 12.5],
    ['12 KB', null],
    ['1,234', null],
    ['1e3', null],
    ['0x10', null],
    [-3, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [1e300, 1e300],
    [null, null],
    [false, null],
  ])('size %j is %s', (size, expected) => {
    const downloadCount = Number.isSafeInteger(expected) ? expected : null
    expect(field({ size, download_count: size })).toMatchObject({ size: expected, downloadCount })
  })

  it('shows no minus zero', () => {
    expect(Object.is((field({ size: -0 }) as { size: number }).size, 0)).toBe(true)
  })

  it.each([
    [LINK, LINK],
    ['http://files.example.com/x', 'http://files.example.com/x'],
    [` ${LINK} `, LINK],
    ['https://files.example.com/ä b', 'https://files.example.com/%C3%A4%20b'],
    ['https://files.example.com/\nx', 'https://files.example.com/x'],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
    ['https://', null],
    [`https://files.example.com/${'x'.repeat(5000)}`, null],
    [5, null],
    ['', null],
  ])('public_link %.60j is %s', (sent, publicLink) => {
    expect(field({ public_link: sent })).toMatchObject({ publicLink })
  })

  it.each([
    ['text', 'text'],
    ['', null],
    [5, null],
    [null, null],
    ['x'.repeat(5000), null],
    ['half \ud83d', 'half \ufffd'],
  ])('filename %.20j is %.20s', (sent, filename) => {
    expect(field({ filename: sent, upload_date: sent })).toMatchObject({ filename, uploadDate: filename })
  })
})

describe('a receipt', () => {
  const receipt = { file_id: 7, public_link: LINK }
  it.each([
    ['at the top', { success: true, ...receipt }],
    ['in file', { success: true, file: receipt }],
    ['in data', { success: true, data: receipt }],
    ['in data.file', { success: true, data: { file: receipt } }],
    ['in result', { success: true, result: receipt }],
    ['in file, with other things at the top', { success: true, size: 3, filename: 'x', file: receipt }],
    ['without success', receipt],
    ['with success as text', { success: 'true', ...receipt }],
    ['with an id of something else at the top', { success: true, id: 99, file: receipt }],
  ])('%s', (_name, body) => {
    expect(readFileAnswer(body)).toMatchObject({ kind: 'value', value: { fileId: '7', publicLink: LINK } })
  })

  it('may be thin, if success is stated', () => {
    expect(readFileAnswer({ success: true, filename: 'x' })).toEqual({
      kind: 'value',
      value: { ...EMPTY, filename: 'x' },
    })
    expect(readFileAnswer({ success: true, public_link: LINK })).toMatchObject({ kind: 'value' })
    expect(readFileAnswer({ public_link: LINK })).toMatchObject({ kind: 'value' })
  })

  it.each([
    { success: true },
    { filename: 'x', size: 3 },
    { success: null, filename: 'x' },
    {},
    [],
    [receipt],
    null,
    7,
    'file_id',
    true,
    { file: [receipt] },
  ])('%j is none', (body) => {
    expect(readFileAnswer(body)).toEqual({ kind: 'other' })
  })

  it.each([
    [{ success: false, message: 'no room' }, 'no room'],
    [{ success: false, ...receipt }, null],
    [{ success: 'false', error: 'no' }, 'no'],
    [{ success: 0, error: { message: 'no' } }, 'no'],
  ])('%j is a refusal', (body, detail) => {
    expect(readFileAnswer(body)).toEqual({ kind: 'refused', detail })
  })
})

describe('a list', () => {
  const files = [{ file_id: 1 }, { file_id: '2', filename: 'b' }]
  it.each([
    ['files', { success: true, files }],
    ['data', { success: true, data: files }],
    ['items', { success: true, items: files }],
    ['data.files', { success: true, data: { files } }],
    ['without success', { files }],
  ])('in %s', (_name, body) => {
    expect(readListAnswer(body)).toMatchObject({
      kind: 'value',
      value: { files: [{ fileId: '1' }, { fileId: '2', filename: 'b' }] },
    })
  })

  it.each([
    [
      { page: 1, limit: 2, total: 3, pages: 4 },
      { page: 1, limit: 2, total: 3, pages: 4 },
    ],
    [
      { page: '1', limit: '2', total: '3', pages: '4' },
      { page: 1, limit: 2, total: 3, pages: 4 },
    ],
    [
      { page: 0, total: -1, pages: 'x' },
      { page: 0, limit: null, total: null, pages: null },
    ],
    [undefined, { page: null, limit: null, total: null, pages: null }],
    [null, { page: null, limit: null, total: null, pages: null }],
    ['1/4', { page: null, limit: null, total: null, pages: null }],
    [[1], { page: null, limit: null, total: null, pages: null }],
  ])('pagination %j', (pagination, expected) => {
    expect(readListAnswer({ success: true, files: [], pagination })).toEqual({
      kind: 'value',
      value: { files: [], pagination: expected },
    })
  })

  it('keeps items of which little is known, and drops what is no item', () => {
    const reading = readListAnswer({
      success: true,
      files: [{ filename: 'x' }, {}, null, 5, 'x', [1], { file_id: 3 }],
    })
    expect(reading).toMatchObject({
      kind: 'value',
      value: { files: [{ filename: 'x' }, EMPTY, { fileId: '3' }] },
    })
  })

  it.each([
    { success: true },
    { success: true, files: {} },
    { files: [] },
    { success: true, files: 'none' },
    [],
  ])('%j is none', (body) => {
    expect(readListAnswer(body)).toEqual({ kind: 'other' })
  })
})

describe('statistics', () => {
  it.each([
    [
      { stats: { total_files: 1, odd: [1] }, limits: { max_file_size: '10' }, plan: ' PRO ' },
      { stats: { total_files: 1, odd: [1] }, limits: { max_file_size: '10' }, plan: 'pro' },
    ],
    [{ stats: {} }, { stats: {}, limits: {}, plan: null }],
    [{ plan: 'business' }, { stats: {}, limits: {}, plan: 'business' }],
    [
      { plan: 5, limits: [], stats: null },
      { stats: {}, limits: {}, plan: null },
    ],
    [
      { data: { plan: 'pro', limits: { daily_uploads: -1 } } },
      { stats: {}, limits: { daily_uploads: -1 }, plan: 'pro' },
    ],
  ])('%j', (body, expected) => {
    expect(readStatsAnswer({ success: true, ...body })).toEqual({ kind: 'value', value: expected })
  })

  it.each([{ stats: {}, limits: {}, plan: 'pro' }, { success: true }, { success: true, hello: 1 }, null])(
    '%j are none',
    (body) => {
      expect(readStatsAnswer(body)).toEqual({ kind: 'other' })
    },
  )

  it.each(['stats', 'limits'])('with %s nested too deeply are none', (member) => {
    const nested = (levels: number): unknown => {
      const text = `${'{"limit":'.repeat(levels)}1${'}'.repeat(levels)}`
      return { success: true, plan: 'pro', [member]: JSON.parse(text) }
    }
    expect([1, 16, 17, 100_000].map((levels) => readStatsAnswer(nested(levels)).kind)).toEqual([
      'value',
      'value',
      'other',
      'other',
    ])
  })
})

describe('a removal', () => {
  it('needs its success', () => {
    expect(readRemovalAnswer({ success: true, message: 'gone' })).toEqual({
      kind: 'value',
      value: { message: 'gone' },
    })
    expect(readRemovalAnswer({ success: true })).toEqual({ kind: 'value', value: { message: null } })
    expect(readRemovalAnswer({ message: 'gone' })).toEqual({ kind: 'other' })
    expect(readRemovalAnswer({ success: false })).toEqual({ kind: 'refused', detail: null })
  })
})

describe('any JSON', () => {
  const readers = [readFileAnswer, readListAnswer, readStatsAnswer, readRemovalAnswer] as const
  const known = fc.constantFrom(
    'success',
    'file',
    'files',
    'data',
    'result',
    'items',
    'file_id',
    'size',
    'public_link',
    'pagination',
    'page',
    'stats',
    'limits',
    'plan',
    'message',
    'error',
    'errors',
    '__proto__',
    'constructor',
  )
  const leaf = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant(true), fc.constant('1'))
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie('body'), { maxLength: 4 }),
      fc.array(fc.tuple(known, tie('body')), { maxLength: 6 }).map(Object.fromEntries),
    ),
  }))

  it('is read without a throw, and gives sane numbers only', () => {
    fc.assert(
      fc.property(body, (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
        for (const read of readers) expect(['value', 'refused', 'other']).toContain(read(parsed).kind)
        const file = readFileAnswer(parsed)
        if (file.kind === 'value' && file.value.fileId !== null)
          expect(isFileId(file.value.fileId)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('pollutes nothing', () => {
    const text =
      '{"success":true,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"stats":{"__proto__":{"polluted":1},"a":1},"limits":{},"files":[{"__proto__":{"file_id":5}}],"file":{"__proto__":{"file_id":5}},"plan":"pro"}'
    const stats = readStatsAnswer(JSON.parse(text))
    expect(stats).toMatchObject({ kind: 'value', value: { stats: { a: 1 } } })
    expect(stats.kind === 'value' && stats.value.stats['polluted']).toBeUndefined()
    expect(readListAnswer(JSON.parse(text))).toMatchObject({ value: { files: [EMPTY] } })
    expect(readFileAnswer(JSON.parse(text))).toEqual({ kind: 'other' })
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('may be as deep as it likes', () => {
    const deep: unknown = JSON.parse(`${'{"data":'.repeat(20_000)}{}${'}'.repeat(20_000)}`)
    const arrays: unknown = JSON.parse(
      `{"success":false,"errors":${'['.repeat(20_000)}"x"${']'.repeat(20_000)}}`,
    )
    for (const read of readers) {
      expect(read(deep).kind).toBe('other')
      expect(read(arrays)).toEqual({ kind: 'refused', detail: null })
    }
  })
})

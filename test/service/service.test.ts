// The service follows the API document: each endpoint, key and plan, file names in multipart, the public
// link, and what survives a restart. Faults and dialects have their own tests.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { spanOf } from './download.ts'
import { call, form, json, upload } from './raw-client.ts'
import { createService, type Service } from './service.ts'

let service: Service

beforeEach(async () => {
  service = await createService({ key: 'the-key', now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 600) })
})

afterEach(() => service.close())

describe('endpoints', () => {
  it('takes a file, lists it, tells of it, gives its bytes, deletes it', async () => {
    const bytes = randomBytes(700_000)
    const sent = await upload(service, 'a.bin', bytes)
    expect(sent.status).toBe(200)
    expect(sent.headers['date']).toBe('Fri, 02 Jan 2026 03:04:05 GMT')
    const { public_link: link, ...rest } = json(sent)
    expect(rest).toEqual({ success: true, file_id: 1, filename: 'a.bin', size: 700_000 })
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/download\/[\w-]{16}$/)

    const got = await call(service, { path: String(link), key: null })
    expect(got.body.equals(bytes)).toBe(true)

    const file = {
      file_id: 1,
      filename: 'a.bin',
      size: 700_000,
      upload_date: '2026-01-02 03:04:05',
      download_count: 1,
      public_link: link,
    }
    expect(json(await call(service, { path: '/files/1' }))).toEqual({ success: true, file })
    expect(json(await call(service, { path: '/files' }))).toEqual({
      success: true,
      files: [file],
      pagination: { page: 1, limit: 20, total: 1, pages: 1 },
    })
    expect(json(await call(service, { path: '/stats' }))).toMatchObject({
      success: true,
      stats: { total_files: 1, total_size: 700_000 },
      limits: { max_file_size: 10 * 1024 ** 3, daily_uploads: 5000 },
      plan: 'pro',
    })

    const gone = await call(service, { method: 'DELETE', path: '/files/1' })
    expect(json(gone)).toEqual({ success: true, message: 'File deleted' })
    for (const [method, path] of [
      ['DELETE', '/files/1'],
      ['GET', '/files/1'],
      ['GET', '/files/x'],
      ['GET', '/nothing'],
      ['PUT', '/files/1'],
    ] as const)
      expect((await call(service, { method, path })).status).toBe(404)
    expect((await call(service, { path: String(link), key: null })).status).toBe(404)
    expect(service.ledger.files()).toMatchObject([
      {
        fileId: 1,
        filename: 'a.bin',
        sha256: createHash('sha256').update(bytes).digest('hex'),
        deletedBy: 'client',
        requestNo: 1,
      },
    ])
    expect(service.ledger.live()).toEqual([])
  })

  it.each([
    ['no key', { key: null }, 401],
    ['a wrong key', { key: 'the-kex' }, 401],
    ['a key of another form', { key: null, headers: { authorization: 'Basic dGhlLWtleQ==' } }, 401],
    ['the key', {}, 200],
  ] as const)('with %s', async (_, how, status) => {
    expect((await call(service, { path: '/stats', ...how })).status).toBe(status)
  })

  it('answers 403 on a plan below Pro and 401 after the key was changed', async () => {
    service.setPlan('free')
    expect((await call(service, { path: '/stats' })).status).toBe(403)
    expect((await upload(service, 'a', 'x')).status).toBe(403)
    service.setPlan('business')
    expect(json(await call(service, { path: '/stats' }))['plan']).toBe('business')
    service.setKey('another')
    expect((await call(service, { path: '/stats', key: 'the-key' })).status).toBe(401)
    expect((await call(service, { path: '/stats' })).status).toBe(200)
    expect(service.ledger.files()).toEqual([])
  })

  it('refuses a file over the size and an upload over the day, and keeps neither', async () => {
    service.setLimits({ maxFileSize: 10_000, dailyUploads: 2 })
    expect((await upload(service, 'big', randomBytes(10_001))).status).toBe(403)
    expect((await upload(service, 'bigger', randomBytes(100_000))).status).toBe(403)
    service.setDialect({ tooBigStatus: 413 })
    expect((await upload(service, 'big', randomBytes(10_001))).status).toBe(413)
    expect((await upload(service, 'one', randomBytes(10_000))).status).toBe(200)
    expect((await upload(service, 'two', 'x')).status).toBe(200)
    expect((await upload(service, 'three', 'x')).status).toBe(403)
    // A deleted file still counts as one of the day's uploads.
    await call(service, { method: 'DELETE', path: '/files/1' })
    expect((await upload(service, 'three', 'x')).status).toBe(403)
    expect(service.ledger.files().map((file) => file.filename)).toEqual(['one', 'two'])
  })
})

describe('multipart', () => {
  it.each([
    ['plain', 'filename="a b.txt"', 'a b.txt'],
    ['escapes of browsers', 'filename="say %22hi%22%0D%0A%0a.txt"', 'say "hi"\r\n\n.txt'],
    ['a percent sign that is no escape', 'filename="100%25 %7e.txt"', '100%25 %7e.txt'],
    ['UTF-8', 'filename="Grüße 😀 日本.txt"', 'Grüße 😀 日本.txt'],
    ['255 bytes', `filename="${'ü'.repeat(125)}.txtx"`, `${'ü'.repeat(125)}.txtx`],
    ['a path', 'filename="a/b\\c.txt"', 'a/b\\c.txt'],
    ['a quote escaped by a backslash', 'filename="a\\"b.txt"', 'a"b.txt'],
    ['the extended form', "filename*=UTF-8''%E2%82%AC%20rates.txt", '€ rates.txt'],
    ['both forms', `filename="x"; filename*=UTF-8''%E2%82%AC%20rates.txt`, 'x'],
    ['no quotes', 'filename=plain.txt', 'plain.txt'],
    ['an empty name', 'filename=""', ''],
  ])('reads a name with %s', async (_, part, name) => {
    const reply = await call(service, {
      method: 'POST',
      path: '/files/upload',
      ...form([{ disposition: `form-data; name="file"; ${part}`, bytes: 'x' }]),
    })
    expect(json(reply)).toMatchObject({ success: true, filename: name, size: 1 })
    expect(service.ledger.live()).toMatchObject([{ filename: name }])
  })

  const file = (bytes: string) => ({ disposition: 'form-data; name="file"; filename="a"', bytes })
  it.each([
    ['no part', form([])],
    ['no part named file', form([{ ...file('x'), disposition: 'form-data; name="upload"; filename="a"' }])],
    ['a field instead of a file', form([{ disposition: 'form-data; name="file"', bytes: 'x', type: null }])],
    ['two files', form([file('x'), file('y')])],
    ['another type', { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }],
    ['no boundary', { headers: { 'content-type': 'multipart/form-data' }, body: form([file('x')]).body }],
    [
      'an end that is missing',
      {
        headers: { 'content-type': form([]).headers['content-type'] ?? '' },
        body: form([file('x')]).body.subarray(0, -20),
      },
    ],
  ] as const)('answers 400 to %s', async (_, request) => {
    expect((await call(service, { method: 'POST', path: '/files/upload', ...request })).status).toBe(400)
    expect(service.ledger.files()).toEqual([])
  })

  it('takes an empty file, and fields beside the file', async () => {
    const parts = [{ disposition: 'form-data; name="note"', bytes: 'hello', type: null }, file('')]
    expect(
      json(await call(service, { method: 'POST', path: '/files/upload', ...form(parts) })),
    ).toMatchObject({ success: true, size: 0 })
    expect(service.ledger.live()[0]?.sha256).toBe(createHash('sha256').digest('hex'))
  })

  it('reads no faster than told', async () => {
    service.setUploadRate(400_000)
    const from = performance.now()
    expect((await upload(service, 'a', randomBytes(40_000))).status).toBe(200)
    expect(performance.now() - from).toBeGreaterThan(80)
  })

  it('takes a body of unknown length', async () => {
    const { headers, body } = form([file('chunked')])
    const reply = await call(service, {
      method: 'POST',
      path: '/files/upload',
      headers: { 'content-type': headers['content-type'] ?? '', 'transfer-encoding': 'chunked' },
      body,
    })
    expect(json(reply)).toMatchObject({ success: true, size: 7 })
  })
})

describe('download', () => {
  it('gives ranges, names, and counts what began at the first byte', async () => {
    service.plant({ filename: 'naïve "name".txt', bytes: Buffer.from('0123456789') })
    const link = String(
      (json(await call(service, { path: '/files/1' }))['file'] as Record<string, unknown>)['public_link'],
    )
    const get = (range?: string, method = 'GET') =>
      call(service, { method, path: link, key: null, headers: range === undefined ? {} : { range } })
    const whole = await get()
    expect(whole.headers['content-disposition']).toBe(
      `attachment; filename="na_ve _name_.txt"; filename*=UTF-8''na%C3%AFve%20%22name%22.txt`,
    )
    expect(whole.headers['content-length']).toBe('10')
    const part = await get('bytes=3-5')
    expect([part.status, part.body.toString(), part.headers['content-range']]).toEqual([
      206,
      '345',
      'bytes 3-5/10',
    ])
    expect((await get('bytes=-2')).body.toString()).toBe('89')
    expect((await get('bytes=10-')).status).toBe(416)
    const head = await get(undefined, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '10', 0])
    expect(service.ledger.live()[0]?.downloads).toBe(1)
  })

  it.each([
    [undefined, null],
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=5-', { from: 5, to: 9 }],
    ['bytes=5-99', { from: 5, to: 9 }],
    ['bytes=-99', { from: 0, to: 9 }],
    ['bytes=-0', 'out'],
    ['bytes=10-', 'out'],
    ['bytes=5-3', null],
    ['bytes=0-1,3-4', null],
    ['lines=1-2', null],
  ])('reads the range %s', (header, span) => {
    expect(spanOf(header, 10)).toEqual(span)
  })

  it('has nothing to give when bytes are discarded', async () => {
    const lean = await createService({ storage: 'discard' })
    const link = String(json(await upload(lean, 'a', 'abc'))['public_link'])
    expect((await call(lean, { path: link, key: null })).status).toBe(410)
    expect(lean.ledger.live()).toMatchObject([
      { size: 3, sha256: createHash('sha256').update('abc').digest('hex') },
    ])
    await lean.close()
  })
})

describe('ledger and requests', () => {
  it('tells duplicates by name and bytes, and by bytes alone, of living files', async () => {
    for (const [name, bytes] of [
      ['a', '1'],
      ['a', '1'],
      ['b', '1'],
      ['a', '2'],
      ['c', '3'],
      ['c', '3'],
    ] as const)
      await upload(service, name, bytes)
    service.plant({ filename: 'a', bytes: Buffer.from('2') })
    expect(service.deleteBehindTheBack(6)).toBe(true)
    expect(service.deleteBehindTheBack(6)).toBe(false)
    const ids = (groups: readonly (readonly { readonly fileId: number }[])[]) =>
      groups.map((group) => group.map((file) => file.fileId))
    const { byNameAndSha, bySha } = service.ledger.duplicates()
    expect(ids(byNameAndSha)).toEqual([[1, 2]])
    expect(ids(bySha)).toEqual([[1, 2, 3]])
    expect(service.ledger.files().at(5)).toMatchObject({ deletedBy: 'service' })
    expect(service.requests.counts()).toEqual({ 200: 6 })
    expect(service.requests.list().at(1)).toMatchObject({
      no: 2,
      method: 'POST',
      path: '/api/v1/files/upload',
      status: 200,
      fileId: 2,
    })
    service.requests.clear()
    expect(service.requests.list()).toEqual([])
  })

  it('keeps nothing of an upload that breaks off', async () => {
    const { headers, body } = form([
      { disposition: 'form-data; name="file"; filename="a"', bytes: randomBytes(900_000) },
    ])
    const reply = await call(service, {
      method: 'POST',
      path: '/files/upload',
      headers: { ...headers, 'content-length': String(body.length + 10) },
      body,
      giveUpMs: 50,
    })
    expect(reply.status).toBeNull()
    await expect.poll(() => service.requests.list()[0]?.status).toBeNull()
    await service.idle()
    expect(service.ledger.files()).toEqual([])
  })
})

describe('data directory', () => {
  it('has the same files, key, windows and numbers after a restart, and no leftovers', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'service-test-'))
    const options = { dataDir, limits: { perMinute: 4 }, now: () => 1_000_000 }
    const first = await createService(options)
    const link = String(json(await upload(first, 'a', 'kept'))['public_link'])
    await upload(first, 'b', 'deleted')
    await call(first, { method: 'DELETE', path: '/files/2' })
    await call(first, { path: link, key: null })
    const { key } = first
    const before = first.ledger.files()
    await first.close()

    const second = await createService(options)
    expect(second.key).toBe(key)
    expect(second.ledger.files()).toEqual(before)
    expect(readdirSync(join(dataDir, 'files'))).toHaveLength(1)
    expect(
      (await call(second, { path: second.origin + new URL(link).pathname, key: null })).body.toString(),
    ).toBe('kept')
    expect((await call(second, { path: '/stats' })).status).toBe(200)
    expect((await call(second, { path: '/stats' })).status).toBe(429)
    second.setLimits({ perMinute: 50 })
    expect(json(await upload(second, 'c', 'next'))['file_id']).toBe(3)
    await second.close()
    rmSync(dataDir, { recursive: true })
  })
})

describe('control', () => {
  it('opens to the token alone and turns every dial', async () => {
    const door = await createService({ controlToken: 'T' })
    const control = (method: string, name: string, body?: unknown, token = 'T') =>
      call(door, {
        method,
        path: `${door.origin}/__control/${name}`,
        key: null,
        headers: { 'x-control': token },
        ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      })
    expect((await control('GET', 'ledger', undefined, 'no')).status).toBe(404)
    expect(
      (await call(service, { path: `${service.origin}/__control/ledger`, headers: { 'x-control': '' } }))
        .status,
    ).toBe(404)
    await control('POST', 'plant', { filename: 'p', text: 'hello' })
    expect(json(await control('GET', 'ledger'))).toMatchObject({ files: [{ filename: 'p', size: 5 }] })
    await control('POST', 'delete', { fileId: 1 })
    await control('POST', 'plan', { plan: 'business' })
    await control('POST', 'limits', { perMinute: 7 })
    await control('POST', 'dialect', { ids: 'big' })
    await control('POST', 'key', { key: 'K2' })
    await control('POST', 'faults', { rules: [{ on: 'stats', nth: 1, kinds: 'error-before-store' }] })
    expect((await call(door, { path: '/stats', key: 'K2' })).status).toBe(500)
    expect(json(await control('GET', 'state'))).toMatchObject({
      plan: 'business',
      limits: { perMinute: 7, perDay: 10_000 },
      dialect: { ids: 'big' },
    })
    expect(json(await control('GET', 'requests'))).toMatchObject({
      counts: { 500: 1 },
      requests: [{ fault: 'error-before-store' }],
    })
    await control('POST', 'intercept', { page: 'json-410' })
    expect((await call(door, { path: '/stats' })).status).toBe(410)
    expect((await control('POST', 'intercept', { page: 'nothing' })).status).toBe(400)
    await control('POST', 'intercept', null)
    expect((await call(door, { path: '/stats' })).status).toBe(200)
    expect((await control('POST', 'limits', { perMinute: -1 })).status).toBe(400)
    expect((await control('POST', 'faults', { rules: [{ kinds: 'nonsense' }] })).status).toBe(400)
    expect((await control('POST', 'nothing', {})).status).toBe(404)
    await control('POST', 'go-away', { ms: 50 })
    await expect
      .poll(async () => (await call(door, { path: '/stats', key: 'K2' })).status, { timeout: 10_000 })
      .toBe(200)
    await door.close()
  })
})

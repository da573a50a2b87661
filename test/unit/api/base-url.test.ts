// Addresses as users type and paste them, and those that are refused.
// Whether a service is at the address is tested elsewhere.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLoopback, looksLikeKey, normaliseBaseUrl } from '../../../src-main/api/base-url.ts'

describe('normaliseBaseUrl', () => {
  it.each([
    ['files.example.com', 'https://files.example.com/api/v1'],
    ['https://files.example.com', 'https://files.example.com/api/v1'],
    ['https://files.example.com/', 'https://files.example.com/api/v1'],
    ['https://files.example.com///', 'https://files.example.com/api/v1'],
    ['https://files.example.com/api/v1', 'https://files.example.com/api/v1'],
    ['https://files.example.com/api/v1/', 'https://files.example.com/api/v1'],
    ['https://files.example.com//api//v1//', 'https://files.example.com/api/v1'],
    ['https://files.example.com/api/v1/files/upload', 'https://files.example.com/api/v1'],
    ['https://files.example.com/api', 'https://files.example.com/api/v1'],
    ['https://files.example.com/sub/path', 'https://files.example.com/sub/path/api/v1'],
    ['https://files.example.com/sub/api/v1/', 'https://files.example.com/sub/api/v1'],
    ['https://files.example.com/api/v10', 'https://files.example.com/api/v10/api/v1'],
    ['https://files.example.com/api/v10/api/v1', 'https://files.example.com/api/v10/api/v1'],
    ['https://files.example.com/api/v1?key=x#y', 'https://files.example.com/api/v1'],
    ['  files.example.com/api/v1  \n', 'https://files.example.com/api/v1'],
    ['\u200bfiles.example.com\ufeff', 'https://files.example.com/api/v1'],
    ['//files.example.com', 'https://files.example.com/api/v1'],
    ['https:files.example.com', 'https://files.example.com/api/v1'],
    ['https:/files.example.com', 'https://files.example.com/api/v1'],
    ['HTTPS://Files.Example.COM', 'https://files.example.com/api/v1'],
    ['files.example.com:8443/x', 'https://files.example.com:8443/x/api/v1'],
    ['https://files.example.com:443', 'https://files.example.com/api/v1'],
    ['bücher.example', 'https://xn--bcher-kva.example/api/v1'],
    ['localhost', 'http://localhost/api/v1'],
    ['localhost:8080', 'http://localhost:8080/api/v1'],
    ['127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080/api/v1'],
    ['127.1', 'http://127.0.0.1/api/v1'],
    ['[::1]:8080', 'http://[::1]:8080/api/v1'],
    ['http://[::1]/', 'http://[::1]/api/v1'],
    ['http://127.8.9.10', 'http://127.8.9.10/api/v1'],
    ['demo.localhost:99', 'http://demo.localhost:99/api/v1'],
    ['https://localhost:8443', 'https://localhost:8443/api/v1'],
    ['192.168.1.5', 'https://192.168.1.5/api/v1'],
  ])('%j becomes %s', (typed, expected) => {
    expect(normaliseBaseUrl(typed)).toMatchObject({
      ok: true,
      baseUrl: expected,
      origin: new URL(expected).origin,
    })
  })

  it.each([
    ['', /No address/],
    ['   ', /No address/],
    ['http://files.example.com', /https/],
    ['http://127.0.0.1.example.com', /https/],
    ['http://localhost.example.com', /https/],
    ['http://192.168.1.5', /https/],
    ['http://0.0.0.0', /https/],
    ['ftp://files.example.com', /ftp/],
    ['file:///etc/passwd', /file/],
    ['ws://localhost', /ws/],
    ['https://ada:secret@files.example.com', /password/],
    ['ada@files.example.com', /password/],
    ['https://', /isn't an address/],
    ['https://exa mple.com', /isn't an address/],
    ['https://[nope]', /isn't an address/],
    ['javascript:alert(1)', /isn't an address/],
    ['htp:/files.example.com', /isn't an address/],
    ['https://files.example.com:99999', /isn't an address/],
  ])('%j is refused', (typed, message) => {
    const result = normaliseBaseUrl(typed)
    expect(result.ok).toBe(false)
    expect(result.ok ? '' : result.message).toMatch(message)
  })

  it('takes plain http where a person insists', () => {
    expect(normaliseBaseUrl('http://files.example.com', { allowPlainHttp: true })).toMatchObject({
      baseUrl: 'http://files.example.com/api/v1',
    })
    expect(normaliseBaseUrl('files.example.com', { allowPlainHttp: true })).toMatchObject({
      baseUrl: 'https://files.example.com/api/v1',
    })
  })

  it.each([
    ['a host', `https://${'files-'.repeat(43)}.example.com`],
    ['a host of many parts', `https://${'abc.'.repeat(70)}example.com`],
    ['a path', `https://files.example.com/${'a/'.repeat(2100)}`],
  ])('refuses %s that is too long to be stored', (_what, typed) => {
    expect(normaliseBaseUrl(typed)).toEqual({
      ok: false,
      message: 'This address is too long. Copy it again from the service.',
    })
  })

  it('never repeats what was typed, which may be the key', () => {
    for (const typed of [
      'slip key 0123456789',
      'http://slip_key_0123456789',
      'ftp://slip_key_0123456789',
      'https://slip_key_0123456789@x',
      'slip key:0123456789',
    ])
      expect(JSON.stringify(normaliseBaseUrl(typed))).not.toContain('0123456789')
  })

  it('takes what it gave, and never throws', () => {
    const parts = fc.constantFrom(
      'http',
      'https',
      ':',
      '/',
      '//',
      'api',
      'v1',
      '/api/v1',
      'localhost',
      'a.example',
      '@',
      '?',
      '#',
      '[::1]',
      ' ',
      '..',
      '%2f',
      'ü',
      ':80',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(parts).map((list) => list.join('')),
        ),
        (typed) => {
          const result = normaliseBaseUrl(typed)
          if (!result.ok) return
          expect(result.baseUrl).toMatch(/^https?:\/\/[^/@?#]+(\/[^?#]*)?\/api\/v1$/)
          expect(normaliseBaseUrl(result.baseUrl)).toEqual(result)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('isLoopback', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'x.localhost',
    '127.0.0.1',
    '127.255.0.3',
    '::1',
    '[::1]',
  ])('%s is', (host) => {
    expect(isLoopback(host)).toBe(true)
  })
  it.each(['localhost.example', '127.0.0.1.example', 'xlocalhost', '128.0.0.1', '0.0.0.0', '[::2]', ''])(
    '%j is not',
    (host) => {
      expect(isLoopback(host)).toBe(false)
    },
  )
})

describe('a key in place of an address', () => {
  it.each([
    ['sk-very-secret-1', true],
    ['sk_live_abc', true],
    ['key-0123456789abcdef01234567', true],
    ['a'.repeat(24), true],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', true],
    ['SG.aB3dE5fG7hI9jK1lM3nO5p.qR7sT9uV1wX3yZ5aB7cD9eF1gH3iJ5k', true],
    ['files.example.com', false],
    ['d111111abcdef8.cloudfront.net', false],
    ['a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6.example.com', false],
    ['localhost', false],
    ['localhost:4010/api/v1', false],
    ['127.0.0.1', false],
    ['[::1]:80', false],
    ['nas', false],
    ['fileserver01', false],
    ['my-long-host:8443', false],
    ['https://sk-very-secret-1', false],
  ])('%s: %s', (text, isKey) => {
    expect(looksLikeKey(text)).toBe(isKey)
    const read = normaliseBaseUrl(text, { allowPlainHttp: true })
    expect(read.ok).toBe(!isKey)
    if (!read.ok) expect(read.message).not.toContain(text)
  })
})

// Public links that aren't absolute URLs. The expected results come from RFC 3986, section 5, with one
// difference that the API document makes: links aren't under `/api/v1`, so relative paths are resolved
// against the root of the origin.
import { describe, expect, it } from 'vitest'
import { resolveLink } from '../../../src-main/api/parse.ts'

const BASE = 'https://files.example.com/api/v1'
const LOCAL = 'http://127.0.0.1:8080/api/v1'

describe('a public link', () => {
  it.each([
    ['/download/abc', 'https://files.example.com/download/abc'],
    ['/download/a b.txt', 'https://files.example.com/download/a%20b.txt'],
    ['download/abc', 'https://files.example.com/download/abc'],
    ['./download/abc', 'https://files.example.com/download/abc'],
    ['../download/abc', 'https://files.example.com/download/abc'],
    ['/../../download/abc', 'https://files.example.com/download/abc'],
    ['d/report.final.pdf', 'https://files.example.com/d/report.final.pdf'],
    ['download.php?id=5', 'https://files.example.com/download.php?id=5'],
    ['index.php/download/abc', 'https://files.example.com/index.php/download/abc'],
    ['//cdn.example.net/download/abc', 'https://cdn.example.net/download/abc'],
    ['//localhost/download/abc', 'https://localhost/download/abc'],
    ['cdn.example.net/download/abc', 'https://cdn.example.net/download/abc'],
    ['cdn.example.net:8443/download/abc?x=1#y', 'https://cdn.example.net:8443/download/abc?x=1#y'],
    ['files.example.com/download/abc', 'https://files.example.com/download/abc'],
    ['minio:9000/bucket/abc', 'https://minio:9000/bucket/abc'],
    ['localhost:3000/download/abc', 'https://localhost:3000/download/abc'],
    ['[::1]:8080/download/abc', 'https://[::1]:8080/download/abc'],
    ['münchen.example/download/abc', 'https://xn--mnchen-3ya.example/download/abc'],
    // What a list or a terminal would show in another direction, or carry out.
    ['https://files.example.com/\u202egpj.exe', 'https://files.example.com/%E2%80%AEgpj.exe'],
    ['https://files.example.com/\u001b[2J', 'https://files.example.com/%1B[2J'],
    [' \t/download/abc\r\n', 'https://files.example.com/download/abc'],
  ])('%j leads to %s', (sent, expected) => {
    expect(resolveLink(sent, BASE)).toBe(expected)
  })

  it.each([
    ['/download/abc', 'http://127.0.0.1:8080/download/abc'],
    ['download/abc', 'http://127.0.0.1:8080/download/abc'],
    ['//127.0.0.1:8080/download/abc', 'http://127.0.0.1:8080/download/abc'],
    ['127.0.0.1:8080/download/abc', 'http://127.0.0.1:8080/download/abc'],
    ['127.0.0.1/download/abc', 'http://127.0.0.1/download/abc'],
  ])('%j takes the scheme of a local address', (sent, expected) => {
    expect(resolveLink(sent, LOCAL)).toBe(expected)
  })

  it('has no part of the path in front of /api/v1', () => {
    expect(resolveLink('download/abc', 'https://example.com/drive/api/v1')).toBe(
      'https://example.com/download/abc',
    )
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript:1/alert',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript://files.example.com/%0aalert(1)',
    'data:text/html,x',
    'data:1/x',
    'file:///etc/passwd',
    'ftp://files.example.com/x',
    'mailto:a@files.example.com',
    'blob:https://files.example.com/x',
    'user:secret@files.example.com/x',
    'https://user:secret@files.example.com/x',
    'https:///user@files.example.com/x',
    'https://user:se%40cret@files.example.com/x',
    '//user@files.example.com/x',
    '//user:secret@files.example.com/x',
    '/\\evil.example/x',
    '\\\\evil.example\\x',
    '///evil.example/x',
    'https:/files.example.com/x',
    '//',
    '/',
    '#x',
    '?x=1',
    'pending',
    'n/a',
    'not available / later',
    'host name.example/x',
  ])('is not %j', (sent) => {
    expect(resolveLink(sent, BASE)).toBeNull()
  })
})

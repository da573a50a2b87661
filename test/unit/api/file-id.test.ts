// File IDs as independent services send them: beyond 2^53, in quotes, UUIDs and other text. They are read
// from the text of the response, and named in requests exactly as they came.
import { describe, expect, it } from 'vitest'
import { createRedact, parseRedacted } from '../../../src-main/api/redact.ts'
import { client, failureOf, httpServer, valueOf } from './servers.ts'

/** A service that stores one file, and knows it only by this JSON literal and this path segment. */
async function serviceWith(
  literal: string,
  segment: string,
): Promise<{ readonly port: number; readonly seen: string[] }> {
  const seen: string[] = []
  const file = `{"file_id":${literal},"filename":"a.txt"}`
  const port = await httpServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    request.resume()
    const isFile = request.url === `/api/v1/files/${segment}`
    response.setHeader('content-type', 'application/json')
    if (request.method === 'POST') response.end(`{"success":true,"file_id": ${literal},"filename":"a.txt"}`)
    else if (request.url?.startsWith('/api/v1/files?') === true)
      response.end(`{"success":true,"files":[${file},${file}]}`)
    else if (isFile && request.method === 'GET') response.end(`{"success":true,"file":${file}}`)
    else if (isFile) response.end('{"success":true,"message":"deleted"}')
    else response.writeHead(404).end('{}')
  })
  return { port, seen }
}

describe('a file ID', () => {
  it.each([
    ['an integer', '1001', '1001', '1001'],
    ['digits in quotes', '"1001"', '1001', '1001'],
    ['the largest safe integer', '9007199254740991', '9007199254740991', '9007199254740991'],
    ['an integer that a number would round down', '9007199254740993', '9007199254740993', '9007199254740993'],
    // The example in the documentation of a service whose IDs are snowflakes.
    ['a snowflake', '175928847299117063', '175928847299117063', '175928847299117063'],
    ['a snowflake in quotes', '"175928847299117063"', '175928847299117063', '175928847299117063'],
    [
      'the largest unsigned 64-bit integer',
      '18446744073709551615',
      '18446744073709551615',
      '18446744073709551615',
    ],
    ['a negative 64-bit integer', '-9223372036854775808', '-9223372036854775808', '-9223372036854775808'],
    ['zeros in front', '"0012"', '0012', '0012'],
    // RFC 9562, appendix A.6.
    [
      'a UUID',
      '"017F22E2-79B0-7CC3-98C4-DC0C0C07398F"',
      '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
      '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
    ],
    ['base64', '"aB+/x=="', 'aB+/x==', 'aB%2B%2Fx%3D%3D'],
    ['text with every delimiter', '"a/b?c#d%e f;g&h"', 'a/b?c#d%e f;g&h', 'a%2Fb%3Fc%23d%25e%20f%3Bg%26h'],
    ['a path that leads up', '"../stats"', '../stats', '..%2Fstats'],
    ['letters beyond ASCII', '"\\u00e4\\ud83d\\ude00"', 'ä😀', '%C3%A4%F0%9F%98%80'],
  ])('that is %s is kept, and names the file in requests', async (_name, literal, id, segment) => {
    const { port, seen } = await serviceWith(literal, segment)
    const api = client(port)
    const sent = valueOf(await api.upload({ filename: 'a.txt', size: 1, body: () => [Buffer.from('a')] }))
    expect(sent.fileId).toBe(id)
    expect(valueOf(await api.list({ page: 1, limit: 9 })).files.map((file) => file.fileId)).toEqual([id, id])
    expect(valueOf(await api.file(id))).toMatchObject({ fileId: id, filename: 'a.txt' })
    valueOf(await api.remove(id))
    expect(seen.slice(2)).toEqual([`GET /api/v1/files/${segment}`, `DELETE /api/v1/files/${segment}`])
  })

  it.each(['.', '..', '', 'a\nb', '\ud800', 'x'.repeat(201)])('%j is sent in no request', async (id) => {
    const { port, seen } = await serviceWith('1', '1')
    const api = client(port)
    expect(failureOf(await api.file(id), 'garbage')).toMatchObject({ phase: 'unsent' })
    expect(failureOf(await api.remove(id), 'garbage')).toMatchObject({ phase: 'unsent' })
    expect(seen).toEqual([])
  })

  it('of another file is noticed even if a number would round both to the same', async () => {
    const { port } = await serviceWith('9007199254740993', '9007199254740992')
    expect(failureOf(await client(port).file('9007199254740992'), 'garbage')).toMatchObject({ isOther: true })
  })
})

describe('the text of a response', () => {
  const none = createRedact(null)

  it('is read as it is if it contains no long integer', () => {
    const body = {
      files: [{ file_id: 1, public_link: 'https://x/1234567890123456789', size: 123_456_789_012_345 }],
    }
    expect(parseRedacted(JSON.stringify(body), none)).toEqual(body)
  })

  it('keeps long integers in other fields as numbers, and file IDs of other forms', () => {
    const text = '{"size": 36893488147419103232, "file_id": 1.5e20, "a": {"file_id": 12345678901234567890}}'
    expect(parseRedacted(text, none)).toEqual({
      size: 2 ** 65,
      file_id: 1.5e20,
      a: { file_id: '12345678901234567890' },
    })
  })

  it('shows no key in an ID', () => {
    const text = '{"success":true,"file_id":12345678901234567890}'
    expect(JSON.stringify(parseRedacted(text, createRedact('12345678901234567890')))).not.toContain(
      '1234567890',
    )
  })
})

// The key in everything that produces output: the log with the key in every form and position, the engine's
// failures, and the command line's two streams. Each test decodes the output; no part of the key may be left.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApiClient } from '../../../src-main/api/client.ts'
import { prove } from '../../../src-main/platform/account/key-check.ts'
import { createLog } from '../../../src-main/platform/log.ts'
import { KEY, repetitions, traces } from '../../fuzz/key-forms.ts'
import { tempFolder } from '../../world/temp-folder.ts'

let dir = ''
beforeEach(() => {
  dir = tempFolder()
})

function written(): string {
  return readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('\n')
}

describe('the log', () => {
  it.each(repetitions(KEY).map((text, i) => [i, text] as const))('keeps no key in form %i', (_i, text) => {
    const log = createLog({ file: join(dir, 'x.log') })
    log.addSecret(KEY)
    const error = new Error(`request failed: ${text}`, { cause: new Error(text) })
    log.error(`event`, { message: error.stack ?? '', cause: String(error.cause), [text.slice(0, 200)]: 1 })
    log.warn(text)
    log.info('long', { text: `${'x'.repeat(8192 - 40)}${text}` })
    log.close()
    expect(written().length).toBeGreaterThan(100)
    expect(traces(written(), KEY)).toEqual([])
  })

  it.each([
    ['a long text', { text: 'x'.repeat(20_000) }],
    [
      'many long texts',
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`n${i}`, 'y'.repeat(3000)])),
    ],
    ['text whose escapes are long', { text: '\u0000'.repeat(8000) }],
    ['text that is cut inside a character', { text: `x${'👍'.repeat(10_000)}` }],
    ['the key where the text is cut', { text: `${'x'.repeat(8192 - 4)}${KEY}${'x'.repeat(9000)}` }],
  ])('keeps a long line JSON: %s', (_what, fields) => {
    const log = createLog({ file: join(dir, 'x.log') })
    log.addSecret(KEY)
    log.info('event', { count: 7, ...fields })
    log.close()
    const line = written().trimEnd()
    expect(line.length).toBeLessThanOrEqual(8192)
    expect(line.length).toBeGreaterThan(2000)
    expect(JSON.parse(line)).toMatchObject({ level: 'info', event: 'event', count: 7 })
    expect(traces(line, KEY)).toEqual([])
  })

  it('keeps none of several keys, one the beginning of another', () => {
    const log = createLog({ file: join(dir, 'x.log') })
    log.addSecret(KEY)
    log.addSecret(`${KEY}-and-more`)
    log.info('event', { text: `${KEY}-and-more` })
    log.close()
    expect(written()).not.toContain('and-more')
  })

  it('keeps no bearer token that it was never told of', () => {
    const log = createLog({ file: join(dir, 'x.log') })
    for (const text of [
      'Bearer tok-1234567',
      'authorization: bearer tok-1234567',
      'Authorization=Bearer%20tok-1234567',
      '{"Authorization":"Bearer tok-1234567"}',
    ])
      log.info('event', { text })
    log.close()
    expect(written()).not.toContain('tok-1234567')
  })
})

describe('a proof that fails', () => {
  it.each([400, 401, 403, 404, 429, 500, 503])(
    'with %i says nothing of the key, however the service repeats it',
    async (status) => {
      for (const text of repetitions(KEY)) {
        const server = createServer((request, response) => {
          request.resume()
          response.writeHead(status, {
            'content-type': 'application/json',
            location: `/${encodeURIComponent(text)}`,
          })
          response.end(JSON.stringify({ success: false, message: `${'a'.repeat(270)} ${text}`, error: text }))
        })
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        const result = await prove({
          createApi: (baseUrl, key) => createApiClient({ baseUrl, key, userAgent: 'slipway-test' }),
          address: { baseUrl: `${origin}/api/v1`, origin, host: new URL(origin).host },
          key: KEY,
          signal: AbortSignal.timeout(10_000),
        })
        expect(result.ok).toBe(false)
        expect(traces(JSON.stringify(result), KEY)).toEqual([])
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  )
})

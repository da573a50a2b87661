// Table-driven tests of what each kind of answer means for an upload and for another call, and when a failed
// upload is tried again. Scenario tests cover what the propagator does with an outcome.
import { describe, expect, it } from 'vitest'
import type { AnswerMeta, ApiFailure, ApiResult, Phase, RemoteFile } from '../../../../src-main/api/types.ts'
import { callVerdict } from '../../../../src-main/engine/budget/call-verdict.ts'
import { lossOf, type UploadVerdict, uploadVerdict } from '../../../../src-main/engine/send/upload-answers.ts'

const file: RemoteFile = {
  fileId: 7,
  filename: 'a.txt',
  size: 3,
  uploadDate: null,
  downloadCount: null,
  publicLink: 'https://x.test/download/t',
}
const rate = { retryAfterMs: null, limit: null, remaining: null, resetMs: null }
const meta = (status: number): AnswerMeta => ({ status, serverDate: null, rate })
const bad = (failure: ApiFailure): ApiResult<RemoteFile> => ({ ok: false, failure })
const status = (code: number, phase: Phase): ApiFailure => ({
  kind: 'status',
  status: code,
  detail: 'words',
  isJson: true,
  phase,
  meta: meta(code),
  message: 'm',
})

const rows: readonly (readonly [string, ApiResult<RemoteFile>, UploadVerdict['kind']])[] = [
  ['2xx with a receipt', { ok: true, value: file, meta: meta(200) }, 'done'],
  ['2xx with an id alone', { ok: true, value: { ...file, publicLink: null }, meta: meta(200) }, 'done'],
  ['2xx with a link alone', { ok: true, value: { ...file, fileId: null }, meta: meta(201) }, 'done'],
  [
    '2xx that names nothing',
    { ok: true, value: { ...file, fileId: null, publicLink: null }, meta: meta(200) },
    'unknown',
  ],
  [
    '2xx with success false',
    bad({ kind: 'refused', detail: null, phase: 'sent', meta: meta(200), message: 'm' }),
    'unknown',
  ],
  ['2xx that is no JSON', bad({ kind: 'garbage', phase: 'sent', meta: meta(200), message: 'm' }), 'unknown'],
  ['no connection', bad({ kind: 'connect', cause: 'refused', phase: 'unsent', message: 'm' }), 'offline'],
  ['name not found', bad({ kind: 'connect', cause: 'dns', phase: 'unsent', message: 'm' }), 'offline'],
  ['certificate', bad({ kind: 'connect', cause: 'tls', phase: 'unsent', message: 'm' }), 'offline'],
  ['cut before anything was sent', bad({ kind: 'cut', phase: 'unsent', message: 'm' }), 'retry'],
  ['cut in the body', bad({ kind: 'cut', phase: 'partly', message: 'm' }), 'unknown'],
  ['cut after the body', bad({ kind: 'cut', phase: 'sent', message: 'm' }), 'unknown'],
  ['answer never came', bad({ kind: 'timeout', what: 'answer', phase: 'sent', message: 'm' }), 'unknown'],
  [
    'line went dead in the body',
    bad({ kind: 'timeout', what: 'idle', phase: 'partly', message: 'm' }),
    'unknown',
  ],
  ['400', bad(status(400, 'sent')), 'refused'],
  ['401', bad(status(401, 'sent')), 'key-refused'],
  ['403', bad(status(403, 'sent')), 'forbidden'],
  ['404 on the endpoint', bad(status(404, 'sent')), 'refused'],
  ['405 on the endpoint', bad(status(405, 'sent')), 'refused'],
  ['304', bad(status(304, 'sent')), 'unknown'],
  ['408 in the body', bad(status(408, 'partly')), 'retry'],
  ['408 after the body', bad(status(408, 'sent')), 'unknown'],
  ['413 in the middle', bad(status(413, 'partly')), 'too-big'],
  ['415', bad(status(415, 'sent')), 'refused'],
  ['429', bad(status(429, 'sent')), 'rate-limited'],
  ['500 after the body', bad(status(500, 'sent')), 'unknown'],
  ['503 before the last byte', bad(status(503, 'partly')), 'retry'],
  ['redirect elsewhere', bad({ kind: 'redirect', phase: 'sent', meta: meta(302), message: 'm' }), 'unknown'],
  ['303 after the body', bad({ kind: 'redirect', phase: 'sent', meta: meta(303), message: 'm' }), 'unknown'],
  [
    '303 in the body',
    bad({ kind: 'redirect', phase: 'partly', meta: meta(303), message: 'm' }),
    'wrong-address',
  ],
  ['called off before sending', bad({ kind: 'aborted', phase: 'unsent', message: 'm' }), 'aborted'],
  ['called off in the body', bad({ kind: 'aborted', phase: 'partly', message: 'm' }), 'unknown'],
  [
    'the file failed',
    bad({ kind: 'source', phase: 'partly', cause: new Error('x'), message: 'm' }),
    'source',
  ],
]

describe('uploadVerdict', () => {
  it.each(rows)('%s', (_name, result, kind) => {
    expect(uploadVerdict(result).kind).toBe(kind)
  })

  it('has an answer for every status there is', () => {
    for (let code = 100; code < 600; code++) {
      if (code >= 200 && code < 300) continue
      for (const phase of ['partly', 'sent'] as const)
        expect(uploadVerdict(bad(status(code, phase))).kind).not.toBe('done')
    }
  })

  it('passes on what the body of a 403 says, and nothing where it says nothing', () => {
    const silent = { ...status(403, 'sent'), detail: null } as ApiFailure
    expect([uploadVerdict(bad(status(403, 'sent'))), uploadVerdict(bad(silent))]).toEqual([
      { kind: 'forbidden', detail: 'words' },
      { kind: 'forbidden', detail: null },
    ])
  })

  it.each([302, 304, 400, 401, 403, 404, 407, 409, 413, 418, 421, 425, 429, 451, 499])(
    'doesn’t take %i after the body for not stored if it isn’t the service’s JSON',
    (code) => {
      const { isJson: _, ...page } = status(code, 'sent') as ApiFailure & { readonly isJson?: true }
      expect(uploadVerdict(bad(page)).kind).toBe('unknown')
      expect(uploadVerdict(bad({ ...page, phase: 'partly' } as ApiFailure)).kind).not.toBe('unknown')
    },
  )

  it.each([300, 304, 406, 408, 409, 410, 418, 421, 425, 451, 499])(
    'doesn’t take %i for an answer given before storing',
    (code) => {
      expect(uploadVerdict(bad(status(code, 'sent'))).kind).toBe('unknown')
    },
  )

  it('never takes a 5xx after the body for not stored', () => {
    for (let code = 500; code < 600; code++)
      expect(uploadVerdict(bad(status(code, 'sent'))).kind).toBe('unknown')
  })
})

describe('callVerdict', () => {
  it.each([
    [status(401, 'sent'), 'key-refused'],
    [status(403, 'sent'), 'forbidden'],
    [status(404, 'sent'), 'gone'],
    [status(410, 'sent'), 'gone'],
    [status(429, 'sent'), 'rate-limited'],
    [status(500, 'sent'), 'retry'],
    [status(400, 'sent'), 'refused'],
    [{ kind: 'connect', cause: 'refused', phase: 'unsent', message: '' }, 'offline'],
    [{ kind: 'garbage', phase: 'sent', meta: null, message: '' }, 'retry'],
  ] satisfies (readonly [ApiFailure, string])[])('%o is %s', (failure, verdict) => {
    expect(callVerdict(failure)).toBe(verdict)
  })
})

describe('lossOf', () => {
  it.each<readonly [string, ApiResult<RemoteFile>, string]>([
    ['cut in the body', bad({ kind: 'cut', phase: 'partly', message: 'm' }), 'partly'],
    ['dead in the body', bad({ kind: 'timeout', what: 'idle', phase: 'partly', message: 'm' }), 'partly'],
    ['cut after the body', bad({ kind: 'cut', phase: 'sent', message: 'm' }), 'cut'],
    ['500', bad(status(500, 'sent')), 'error'],
    ['502', bad(status(502, 'sent')), 'gateway'],
    ['504', bad(status(504, 'sent')), 'gateway'],
    ['408', bad(status(408, 'sent')), 'gateway'],
    ['no answer in time', bad({ kind: 'timeout', what: 'answer', phase: 'sent', message: 'm' }), 'gateway'],
    [
      '2xx that names nothing',
      { ok: true, value: { ...file, fileId: null, publicLink: null }, meta: meta(200) },
      'cut',
    ],
  ])('%s', (_name, result, loss) => {
    expect(lossOf(result)).toBe(loss)
  })
})

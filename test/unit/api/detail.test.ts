// The message found in an error's body of any format, and the parts of a body that the user never sees.
// A body without a message yields none.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detailOf, detailOfText } from '../../../src-main/api/detail.ts'
import { createRedact } from '../../../src-main/api/redact.ts'

describe('detailOf', () => {
  it.each([
    [{ message: 'no' }, 'no'],
    [{ error: 'no' }, 'no'],
    [{ error: { message: 'no', code: 5 } }, 'no'],
    [{ error: 'forbidden', message: 'Daily limit reached' }, 'Daily limit reached'],
    [{ detail: 'no' }, 'no'],
    [{ detail: [{ loc: ['body', 'file'], msg: 'field required' }] }, 'field required'],
    [{ errors: ['no', 'never'] }, 'no'],
    [{ errors: [{ title: 'no' }] }, 'no'],
    [{ errors: { file: ['The file is too big.'] } }, 'The file is too big.'],
    [{ title: 'Not allowed', type: 'about:blank', status: 403 }, 'Not allowed'],
    [{ title: 'Not allowed', detail: 'not on this plan' }, 'not on this plan'],
    [{ error: 'invalid_token', error_description: 'The key has expired' }, 'invalid_token'],
    [{ data: { message: 'no' } }, 'no'],
    [{ success: false, reason: 'no' }, 'no'],
    [{ msg: 'no' }, 'no'],
    ['no', 'no'],
    [['no'], 'no'],
    [{ message: '', error: 'no' }, 'no'],
    [{ message: 5 }, null],
    [{ message: null }, null],
    [{ code: 'x' }, null],
    [{ data: 'secret content' }, null],
    [{}, null],
    [[], null],
    [null, null],
    [5, null],
  ])('%j: %s', (body, expected) => {
    expect(detailOf(body)).toBe(expected)
    expect(detailOfText(JSON.stringify(body))).toBe(expected)
  })
})

describe('detailOfText', () => {
  it.each([
    ['', null],
    ['  \n ', null],
    ['Too many requests', 'Too many requests'],
    ['\uFEFF{"message":"no"}', 'no'],
    ['{"message":"cut o', null],
    ['[1,', null],
    [
      '<!doctype html><html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>',
      '413 Request Entity Too Large',
    ],
    ['<html><body><h1>Bad <b>Gateway</b></h1><p>x</p></body></html>', 'Bad Gateway'],
    [
      '<html><head><title></title></head><body><h1 class="x">Down &amp; out&#33; &#x41;&nbsp;&bogus;</h1>',
      'Down & out! A &bogus;',
    ],
    ['<html><body>nothing to say</body></html>', null],
    ['<title>unclosed', null],
    ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', null],
    ['x'.repeat(1001), null],
    ['one\r\ntwo\tthree\u0000\u001b[31mred\u009b', 'one two three [31mred'],
    ['left\u202eright\u2028next\u200b', 'left right next'],
    ['half \ud83d', 'half \ufffd'],
  ])('%.60j: %j', (body, expected) => {
    expect(detailOfText(body)).toBe(expected)
  })

  it('is 300 characters at most, and cuts none in half', () => {
    expect(detailOfText(JSON.stringify({ message: 'x'.repeat(5000) }))).toBe(`${'x'.repeat(299)}…`)
    expect(detailOfText('x'.repeat(300))).toBe('x'.repeat(300))
    const emoji = detailOfText(JSON.stringify({ message: `a${'🚀'.repeat(400)}` })) ?? ''
    expect(emoji.length).toBeLessThanOrEqual(300)
    expect(emoji.isWellFormed()).toBe(true)
  })

  it('is quick on pages made to be slow', () => {
    for (const piece of ['<title', '<title>', '<title x="', '<h1><b', '<', '&', '&#', '[', '{"message":'])
      expect(detailOfText(`<${piece.repeat(60_000 / piece.length)}`) ?? '').toHaveLength(0)
  })

  it('any text gives one line or nothing', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string().map((s) => `<h1>${s}</h1>`),
    )
    fc.assert(
      fc.property(text, (body) => {
        const detail = detailOfText(body)
        if (detail === null) return
        expect(detail.length).toBeGreaterThan(0)
        expect(detail.length).toBeLessThanOrEqual(300)
        expect(detail).not.toMatch(/\p{Cc}/u)
        expect(detail.isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('createRedact', () => {
  it('takes the key out in every form', () => {
    const redact = createRedact('slip/ke"y+1')
    expect(redact('a slip/ke"y+1 b slip/ke"y+1')).toBe('a [key] b [key]')
    expect(redact(`?k=${encodeURIComponent('slip/ke"y+1')}`)).toBe('?k=[key]')
    expect(redact(JSON.stringify({ k: 'slip/ke"y+1' }))).toBe('{"k":"[key]"}')
    expect(redact('nothing here')).toBe('nothing here')
  })

  it('leaves all else alone', () => {
    expect(createRedact(null)('text')).toBe('text')
    expect(createRedact('')('text')).toBe('text')
    expect(createRedact('te')('text')).toBe('text')
    expect(createRedact('$&$&$&')('x $&$&$& y')).toBe('x [key] y')
  })
})

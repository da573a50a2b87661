// The duration and seed of the fuzzers: a fixed number of runs from a fixed seed, forty times as many in `npm
// run test:long`, or SLIPWAY_FUZZ_SECONDS per property from SLIPWAY_FUZZ_SEED. fast-check prints the seed and
// the smallest failing input. Also contains hostile inputs that several fuzzers share.
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  letrec,
  oneof,
  string,
  tuple,
} from 'fast-check'
import { it } from 'vitest'
import { share } from '../tools/share.ts'

const seconds = Number(process.env['SLIPWAY_FUZZ_SECONDS'] ?? 0)
/** All fuzzers together take seconds on two cores, and minutes in the long share. */
const EFFORT = share(1, 40)
const seed = Number(process.env['SLIPWAY_FUZZ_SEED'] ?? 20_261_121)

/** Runs one property as a test. It fails if `check` throws for any value. */
export function fuzz<T>(
  name: string,
  values: Arbitrary<T>,
  runs: number,
  check: (value: T) => void | Promise<void>,
): void {
  const effort =
    seconds > 0
      ? { numRuns: 2 ** 31 - 1, interruptAfterTimeLimit: seconds * 1000 }
      : { numRuns: runs * EFFORT }
  it(
    name,
    async () => {
      // A run that is interrupted by the time limit isn't awaited. The next test must not overlap with it.
      let last: Promise<void> = Promise.resolve()
      const property = asyncProperty(values, (value) => {
        last = (async () => check(value))()
        return last
      })
      try {
        await assert(property, { seed, ...effort })
      } finally {
        await last.catch(() => undefined)
      }
    },
    seconds * 1000 + share(240_000, 3_600_000),
  )
}

/** Field names of the service's answers, names that every object has, and odd ones. */
const NAMES = [
  'success',
  'files',
  'file',
  'data',
  'result',
  'items',
  'pagination',
  'page',
  'limit',
  'total',
  'pages',
  'stats',
  'limits',
  'plan',
  'file_id',
  'filename',
  'size',
  'upload_date',
  'download_count',
  'public_link',
  'max_file_size',
  'daily_uploads',
  'total_files',
  'message',
  'error',
  'errors',
  'detail',
  'title',
  'reason',
  'response',

  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '',
  '\0',
  '\ud800',
  '0',
]
const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202egpj.exe',
  '\u001b[2J',
  '\u009b2J',
  'a\r\nb',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  '١٢',
  '99999999999999999999',

  'true',
  'false',
  'null',
  'pro',
  ' PRO ',
  '__proto__',
  'x'.repeat(5000),
  '2026-11-21 09:00:00',
  '2026-02-30 25:61:61',
  '0000-00-00 00:00:00',

  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  '//evil.example/x',
  'https://',
  'https://a b/',

  'https://files.example.com/download/abc',
  ' https://files.example.com/x\n',
  'https://u:p@files.example.com/x',
  'https://[::1]:99999/',

  'https://files.example.com/"><script>',
  'http://ü.example/ü',
  'HTTPS://FILES.EXAMPLE.COM',
  '<title>Sorry</title>',
  '&#115;&#0;&#x10ffff;',
]
const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1',
  '1.5',
  '7',
  '1e3',
  '1e308',
  '1e999',
  '-1e999',
  '9007199254740991',
  '9007199254740993',
  '1e-320',
  '0.1',
]

export const hostileText: Arbitrary<string> = oneof(
  constantFrom(...ODD_TEXTS),
  string({ unit: 'binary', maxLength: 20 }),
)

/**
 * JSON as text, so that it includes numbers, names and duplicates that serializing a value wouldn't produce.
 */
export const hostileJson: Arbitrary<string> = letrec<{ value: string; object: string; list: string }>(
  (tie) => ({
    value: oneof(
      { depthSize: 'small', withCrossShrink: true },
      constantFrom('null', 'true', 'false', ...NUMBERS),
      hostileText.map((one) => JSON.stringify(one)),
      integer().map(String),
      tie('object'),
      tie('list'),
    ),
    list: array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    object: array(tuple(oneof(constantFrom(...NAMES), hostileText), tie('value')), { maxLength: 8 }).map(
      (entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
    ),
  }),
).value

/** Lists or objects nested `depth` levels deep. */
export function deepJson(open: '[' | '{"data":' | '{"error":', depth: number): string {
  return `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`
}

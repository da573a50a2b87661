// Parsing the command line: what each line means, and the response to invalid ones.
// Table-driven; no command is run.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src-main/cli/argument-mistakes.ts'
import { parseArguments } from '../../../src-main/cli/arguments.ts'
import type { Invocation } from '../../../src-main/cli/grammar/invocation.ts'
import { parseDuration } from '../../../src-main/cli/grammar/values.ts'
import { toSelector } from '../../../src-main/cli/selectors.ts'
import { VERSION } from '../../../src-main/platform/version.ts'

function line(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ')
}

const WATCH = {
  name: 'watch',
  once: false,
  existing: 'upload',
  onChange: 'new-link',
  ignore: [],
  maxWaitMs: 900_000,
  changeRules: false,
} as const

describe('right lines', () => {
  it.each<[string, Invocation]>([
    ['login', { name: 'login', baseUrl: null, allowHttp: false }],
    ['login --base-url files.example.com', { name: 'login', baseUrl: 'files.example.com', allowHttp: false }],
    ['logout', { name: 'logout' }],
    ['status', { name: 'status' }],
    ['accounts', { name: 'accounts', use: null }],
    ['accounts --use work', { name: 'accounts', use: 'work' }],
    ['upload a b', { name: 'upload', paths: ['a', 'b'], again: false, maxWaitMs: 900_000 }],
    ['upload a --again --max-wait 24h', { name: 'upload', paths: ['a'], again: true, maxWaitMs: 86_400_000 }],
    ['upload --max-wait 90s a', { name: 'upload', paths: ['a'], again: false, maxWaitMs: 90_000 }],
    ['upload -- -a --json', { name: 'upload', paths: ['-a', '--json'], again: false, maxWaitMs: 900_000 }],
    ['watch in', { ...WATCH, folder: 'in' }],
    [
      'watch in --once --existing skip --on-change replace --ignore *.tmp --ignore a/ --max-wait=15m',
      { ...WATCH, folder: 'in', once: true, existing: 'skip', onChange: 'replace', ignore: ['*.tmp', 'a/'] },
    ],
    ['ls', { name: 'ls', search: '', sort: 'date', descending: true, limit: 50 }],
    [
      'ls --search report --sort name --limit 5',
      { name: 'ls', search: 'report', sort: 'name', descending: false, limit: 5 },
    ],
    ['ls --sort -size', { name: 'ls', search: '', sort: 'size', descending: true, limit: 50 }],
    ['info 1001', { name: 'info', selector: '1001' }],
    ['link a 1001', { name: 'link', selectors: ['a', '1001'], formats: ['url'] }],
    [
      'link a --format url,markdown,html',
      { name: 'link', selectors: ['a'], formats: ['url', 'markdown', 'html'] },
    ],
    ['rm 1 2 --yes', { name: 'rm', selectors: ['1', '2'], yes: true, which: 'all' }],
    ['rm a.txt --latest', { name: 'rm', selectors: ['a.txt'], yes: false, which: 'latest' }],
    ['rm a.txt --older', { name: 'rm', selectors: ['a.txt'], yes: false, which: 'older' }],
    ['stats', { name: 'stats' }],
    ['plan a', { name: 'plan', paths: ['a'] }],
    ['audit in', { name: 'audit', folder: 'in' }],
    ['doctor', { name: 'doctor' }],
    ['pause', { name: 'pause', now: false }],
    ['pause --now', { name: 'pause', now: true }],
    [
      'upload - --name a.txt',
      { name: 'upload', paths: ['-'], stdinName: 'a.txt', again: false, maxWaitMs: 900_000 },
    ],
    ['resume', { name: 'resume' }],
    ['retry', { name: 'retry', ids: [] }],
    ['retry 3 5', { name: 'retry', ids: [3, 5] }],
    ['cancel 3 5', { name: 'cancel', ids: [3, 5] }],
    ['release 3', { name: 'release', ids: [3], yes: false }],
    ['release 3 --yes', { name: 'release', ids: [3], yes: true }],
    ['unwatch in', { name: 'unwatch', folder: 'in' }],
  ])('%s', (text, invocation) => {
    expect(parseArguments(line(text))).toEqual({
      kind: 'run',
      invocation,
      globals: { json: false, account: null, quiet: false, color: true },
    })
  })

  it.each([
    '--json --quiet --no-color upload a',
    'upload --json a --quiet --no-color',
    '--json upload a --no-color --quiet',
  ])('options of every command stand anywhere: %s', (text) => {
    expect(parseArguments(line(text))).toMatchObject({
      kind: 'run',
      invocation: { name: 'upload', paths: ['a'] },
      globals: { json: true, quiet: true, color: false },
    })
  })
})

it.each([
  '--account work --json status',
  'status --account work --json',
  '--json --account=work status',
  'status --json --account=work',
])('the account stands anywhere: %s', (text) => {
  expect(parseArguments(line(text))).toMatchObject({
    invocation: { name: 'status' },
    globals: { json: true, account: 'work' },
  })
})

describe('wrong lines', () => {
  it.each([
    ['', 'No command was given.', 'Usage: slipway'],
    ['--json', 'No command was given.', 'slipway'],
    ['--account work', 'No command was given.', 'slipway'],
    ['status --account=', 'has an empty value', 'Nothing was done.'],
    [
      'rm -- a\ufffd.txt',
      "a\ufffd.txt contains \ufffd, which stands for bytes that aren't valid UTF-8.",
      'Name its folder',
    ],
    ['uplod a', "Unknown command 'uplod' (Did you mean upload?)", 'slipway --help'],
    ['upload', "Missing required argument 'path'", 'slipway upload --help'],
    ['upload a --jsn', "Unknown option '--jsn' (Did you mean --json?)", 'slipway upload --help'],
    ['upload -rf', "Unknown option '-rf'", 'slipway upload -- -rf'],
    ['rm --all', "Unknown option '--all'", 'slipway rm -- --all'],
    ['upload a --max-wait 15', 'A duration looks like 90s, 15m or 24h.', 'slipway upload --help'],
    ['watch a b', 'Too many arguments for watch.', 'slipway watch --help'],
    ['watch a --existing maybe', 'Allowed choices are upload, skip.', 'slipway watch --help'],
    ['ls --sort colour', 'It must be one of date, name, size, downloads, id.', 'slipway ls --help'],
    ['ls --limit 0', 'It must be a whole number greater than 0.', 'slipway ls --help'],
    [
      'link a --format url,pdf',
      'It must be one or several of url,markdown,html,bbcode.',
      'slipway link --help',
    ],
    ['retry x', "'x' is not a transfer ID.", 'slipway retry --help'],
    ['retry 0', "'0' is not a transfer ID.", 'slipway retry --help'],
  ])('%s', (text, message, hint) => {
    const parsed = parseArguments(line(text))
    expect(parsed.kind).toBe('wrong')
    if (parsed.kind !== 'wrong') return
    expect(parsed.message).toContain(message)
    expect(parsed.hint).toContain(hint)
  })

  it.each([
    'login --key s3cret',
    'login --api-key=s3cret',
    '--token s3cret upload a',
    'login s3cret',
    'upload a --key=s3cret',
  ])('a key on the command line is refused and not repeated: %s', (text) => {
    const parsed = parseArguments(line(text))
    expect(parsed).toMatchObject({ kind: 'wrong' })
    expect(JSON.stringify(parsed)).not.toContain('s3cret')
    expect(JSON.stringify(parsed)).toContain("can't be given on the command line")
  })
})

describe('answers', () => {
  it.each(['--version', '-V', 'upload --version', '--json --version', '-V upload'])('%s', (text) => {
    expect(parseArguments(line(text))).toEqual({ kind: 'answer', text: VERSION })
  })

  it('the version is the one of the package', () => {
    const value: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(value).toMatchObject({ version: VERSION })
  })

  it('help teaches: every command, examples, variables, exit codes', () => {
    const parsed = parseArguments(['--help'])
    const text = parsed.kind === 'answer' ? parsed.text : ''
    for (const part of [
      ...COMMANDS,
      'SLIPWAY_BASE_URL',
      'SLIPWAY_API_KEY',
      'SLIPWAY_DATA_DIR',
      'SLIPWAY_DEBUG',
      'NO_COLOR',
      'Examples:',
      'Exit codes:',
      '4 some files failed, are held, or were named but have no link',
      '6 no connection, or no usable answer from the service',
      '130',
    ])
      expect(text).toContain(part)
  })

  it.each(['upload --help', '--help upload', 'upload -h', 'upload a --help'])(
    'help of one command: %s',
    (text) => {
      const parsed = parseArguments(line(text))
      expect(parsed.kind === 'answer' && parsed.text).toContain('--max-wait <duration>')
    },
  )
})

describe('durations', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1.5h', 5_400_000],
    ['500ms', 500],
    ['0', 0],
    ['15', null],
    ['', null],
    ['-5s', null],
    ['5x', null],
    ['5s5', null],
    ['9e9h', null],
  ])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })
})

describe('what names a file', () => {
  it.each([
    ['1001', '1001'],
    [' 1001 ', '1001'],
    ['9007199254740991', '9007199254740991'],
    ['9007199254740993', '9007199254740993'],
    ['007', '007'],
    ['id:file-7', 'id:file-7'],
    ['./id:file-7', resolve('/home/u/id:file-7')],
    ['https://files.example.com/download/x', 'https://files.example.com/download/x'],
    ['a.pdf', resolve('/home/u/a.pdf')],
    ['./1001', resolve('/home/u/1001')],
    ['/abs', resolve('/abs')],
  ])('%s', (typed, selector) => {
    expect(toSelector(typed, '/home/u')).toBe(selector)
  })
})

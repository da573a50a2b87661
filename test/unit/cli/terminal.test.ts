// Terminal output: aligned tables, the progress line at every width, hidden input, broken streams.
// Streams are in-process, and the test advances the clock.
import { PassThrough } from 'node:stream'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { isAddressSoFar } from '../../../src-main/api/base-url.ts'
import { nodeCandidates } from '../../../src-main/cli/bootstrap.ts'
import { complain, note } from '../../../src-main/cli/context.ts'
import { isJournalStream } from '../../../src-main/cli/output/journal-stream.ts'
import { type ProgressView, renderProgress, share } from '../../../src-main/cli/output/progress-line.ts'
import { createFileOutput, flush, isReaderGone } from '../../../src-main/cli/output/stdout.ts'
import { fit, pairs, table, textWidth } from '../../../src-main/cli/output/table.ts'
import { createTerminal, typeKeys } from '../../../src-main/cli/output/terminal.ts'
import { hasUnicode, wantsColor } from '../../../src-main/cli/run.ts'
import { createFakeTime, NOW } from './world.ts'

const VIEW: ProgressView = {
  filesDone: 34,
  filesTotal: 200,
  bytesDone: 250,
  bytesTotal: 1000,
  speed: 12_300_000,
  etaMs: 120_000,
  wait: null,
  now: NOW,
}

describe('the live line', () => {
  it('shows all there is where there is room', () => {
    expect(renderProgress(VIEW, 120, true)).toBe(
      '█████░░░░░░░░░░░░░░░  25 %  34/200 files  12.3 MB/s  2 min left',
    )
    expect(renderProgress(VIEW, 120, false)).toBe(
      '[#####...............]  25 %  34/200 files  12.3 MB/s  2 min left',
    )
  })

  it('shows no time left where nothing is left, and no zeros before there is anything', () => {
    expect(renderProgress({ ...VIEW, filesDone: 200, bytesDone: 1000, etaMs: 0 }, 120, false)).toBe(
      '[####################]  100 %  200/200 files  12.3 MB/s',
    )
    expect(renderProgress({ ...VIEW, etaMs: 0 }, 120, false)).not.toContain('0 s left')
    expect(
      renderProgress(
        { ...VIEW, filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0, speed: 0 },
        120,
        false,
      ),
    ).toBe('Looking for files')
  })

  it('says why it waits', () => {
    expect(
      renderProgress(
        { ...VIEW, speed: 0, wait: { reason: 'rate-minute', until: null, message: null } },
        120,
        true,
      ),
    ).toBe('█████░░░░░░░░░░░░░░░  25 %  34/200 files  Waiting for the rate limit')
  })

  it('fits every width, without a break and with something to see', () => {
    const waits = {
      ...VIEW,
      wait: { reason: 'daily-uploads' as const, until: NOW + 90_000_000, message: null },
    }
    for (const view of [VIEW, waits, { ...VIEW, filesTotal: 1_000_000, filesDone: 999_999 }])
      for (let width = 1; width < 140; width++) {
        const line = renderProgress(view, width, true)
        expect(textWidth(line)).toBeLessThanOrEqual(Math.max(1, width - 1))
        expect(line).not.toBe('')
        expect(line).not.toMatch(/\n|NaN|undefined|null/)
      }
  })

  it.each<[Partial<ProgressView>, number]>([
    [{}, 0.25],
    [{ bytesTotal: 0, bytesDone: 0 }, 0.17],
    [{ bytesTotal: 0, filesTotal: 0 }, 0],
    [{ bytesDone: 5000 }, 0.99],
    [{ bytesDone: 1000, filesDone: 200 }, 1],
    [{ bytesDone: Number.NaN }, 0],
  ])('share of %j', (over, expected) => {
    expect(share({ ...VIEW, ...over })).toBeCloseTo(expected)
  })
})

describe('tables', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['', 0],
    ['✅', 2],
    ['☕', 2],
    ['❤️', 2],
    ['❤', 1],
    ['👨‍👩‍👧‍👦', 2],
    ['👩🏽‍💻', 2],
    ['🇩🇪', 2],
    ['1️⃣', 2],
    ['👍🏿', 2],
    ['ｱｲｳ', 3],
    ['ＡＢ', 4],
    ['한글', 4],
    ['각', 2],
    ['ไทย', 3],
    ['नमस्ते', 4],
    ['a\u200bb', 2],
    ['é', 1],
  ])('width of %s', (text, width) => {
    expect(textWidth(text)).toBe(width)
  })

  it.each([
    ['report.pdf', 20, 'report.pdf'],
    ['a very long report.pdf', 12, 'a ver…rt.pdf'],
    ['日本語の長い名前.pdf', 11, '日本語….pdf'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('%s in %i columns', (text, width, expected) => {
    expect(fit(text, width)).toBe(expected)
    expect(textWidth(fit(text, width))).toBeLessThanOrEqual(width)
  })

  it('keep everything in a pipe, but one long name does not widen the lines of others', () => {
    const columns = [
      { title: 'NAME', shrinkTo: 12 },
      { title: 'LINK', shrinkTo: 8 },
    ]
    const long = `${'n'.repeat(251)}.txt`
    const lines = table(
      columns,
      [
        [long, 'https://x'],
        ['b.txt', 'https://y'],
      ],
      null,
    )
    expect(lines[1]).toBe(`${long}  https://x`)
    expect(lines[2]?.length).toBeLessThanOrEqual(60)
    expect(lines[2]).toMatch(/^b\.txt {2,}https:\/\/y$/)
  })

  it('line up for names of any script, also when they are cut', () => {
    const names = [
      'plain.txt',
      '✅ done.txt',
      '☕.md',
      '👨‍👩‍👧‍👦 family of four at the sea.jpg',
      '日本語の長い名前です.pdf',
      '🇩🇪🇫🇷🇮🇹🇪🇸🇵🇹.png',
      '한글 이름.doc',
      'ﾊﾝｶｸ.txt',
    ]
    for (const width of [null, 30]) {
      const lines = table(
        [{ title: 'NAME', shrinkTo: 12 }, { title: 'X' }],
        names.map((name) => [name, '|']),
        width,
      ).slice(1)
      expect(new Set(lines.map((line) => stringWidth(line))).size).toBe(1)
    }
    // No character is cut in two.
    expect(fit('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 5)).toBe('👨‍👩‍👧‍👦…👨‍👩‍👧‍👦')
  })

  it('line up, cut where they may, and show no control character', () => {
    const columns = [
      { title: 'ID', align: 'right' as const },
      { title: 'NAME', shrinkTo: 6 },
      { title: 'LINK' },
    ]
    const rows = [
      ['1', 'a\nb', 'https://x'],
      ['22', 'a very long name.txt', 'https://y'],
    ]
    expect(table(columns, rows, null)).toEqual([
      'ID  NAME                  LINK',
      ' 1  a\\nb                  https://x',
      '22  a very long name.txt  https://y',
    ])
    expect(table(columns, rows, 25)).toEqual([
      'ID  NAME        LINK',
      ' 1  a\\nb        https://x',
      '22  a ve…e.txt  https://y',
    ])
    expect(
      pairs([
        ['a', '1'],
        ['long', '2\u001b[2J'],
        // Services name values themselves.
        ['\u0007\u202e', '3'],
      ]),
    ).toEqual(['a           1', 'long        2\\x1b[2J', '\\x07\\u202e  3'])
  })
})

describe('keys typed', () => {
  it.each([
    ['abc\r', 'abc', 'done'],
    ['abc\n', 'abc', 'done'],
    ['abx\u007fc\r', 'abc', 'done'],
    ['xx\u0015abc\r', 'abc', 'done'],
    ['\u001b[200~abc\u001b[201~\r', 'abc', 'done'],
    ['a\u001b[Db\u001bOAc\r', 'abc', 'done'],
    ['ab\u0003', 'ab', 'given-up'],
    ['\u0004', '', 'given-up'],
    ['a\u0004b', 'ab', null],
  ])('%j', (keys, typed, ended) => {
    expect(typeKeys('', keys)).toMatchObject({ typed, ended })
  })
})

function streams(tty: boolean, columns = 60) {
  const raw: boolean[] = []
  const make = () =>
    Object.assign(new PassThrough(), { isTTY: tty, columns, setRawMode: (on: boolean) => raw.push(on) })
  return { stdin: make(), stdout: make(), stderr: make(), raw }
}

function terminal(
  tty: boolean,
  over: { color?: boolean; quiet?: boolean; live?: boolean; journal?: boolean; columns?: number } = {},
) {
  const s = streams(tty, over.columns)
  const time = createFakeTime()
  const stop = new AbortController()
  let closed = 0
  const failed: string[] = []
  const term = createTerminal({
    ...(s as unknown as Pick<Parameters<typeof createTerminal>[0], 'stdin' | 'stdout' | 'stderr'>),
    color: true,
    quiet: false,
    unicode: true,
    time,
    signal: stop.signal,
    live: true,
    journal: false,
    onPipeClosed: () => {
      closed++
    },
    onWriteFailed: (error) => failed.push(error.message),
    ...over,
  })
  const read = (stream: PassThrough): string => String(stream.read() ?? '')
  return { ...s, term, time, stop, read, failed, closed: () => closed }
}

it('a terminal that does not know its size has 80 columns', () => {
  expect([terminal(true, { columns: 0 }).term.columns, terminal(true).term.columns]).toEqual([80, 60])
})

describe("systemd's journal", () => {
  it('is told which lines need attention, and no one else is', () => {
    for (const journal of [true, false]) {
      const { term, stdout, stderr, read } = terminal(false, { journal })
      const output = { json: false, quiet: false, term }
      complain(output, 'The key was refused.', 'Enter a new one.')
      note(output, '3 files: 3 uploaded.')
      term.out('a link')
      const at = journal ? '<4>' : ''
      expect(read(stderr)).toBe(
        `${at}slipway: The key was refused.\n${at}  Enter a new one.\n3 files: 3 uploaded.\n`,
      )
      expect(read(stdout)).toBe('a link\n')
    }
  })

  it.each([
    ['the stream of this process', '8:4711', true],
    ['the stream of its parent alone', '8:4712', false],
    ['nothing', '', false],
    ['no stream at all', 'journal', false],
  ])('is known by JOURNAL_STREAM: %s', (_name, named, expected) => {
    expect(isJournalStream({ JOURNAL_STREAM: named }, () => ({ dev: 8, ino: 4711 }))).toBe(expected)
  })
})

/** The content of the line after all backspaces. */
function finalLine(screen: string): string {
  const line: string[] = []
  let at = 0
  for (const char of screen.replace(/\n$/, '')) {
    if (char === '\b') at--
    else line[at++] = char
  }
  return line.slice(0, at).join('')
}

describe('a terminal', () => {
  it('takes the live line away before a line, and brings it back after', async () => {
    const { term, time, stderr, stdout, read } = terminal(true)
    term.progress(VIEW)
    await time.pass(100)
    expect(read(stderr)).toContain('34/200 files')
    term.out('https://x')
    expect(read(stderr)).toBe('\r\u001b[K')
    expect(read(stdout)).toBe('https://x\n')
    await time.pass(100)
    expect(read(stderr)).toContain('34/200 files')
    term.progress(null)
    expect(read(stderr)).toBe('\r\u001b[K')
    await time.pass(1000)
    expect(read(stderr)).toBe('')
  })

  it('redraws at most ten times a second', async () => {
    const { term, time, stderr, read } = terminal(true)
    for (let i = 0; i < 1000; i++) {
      term.progress({ ...VIEW, filesDone: i })
      await time.pass(1)
    }
    expect(read(stderr).split('\r').length - 1).toBeLessThanOrEqual(11)
  })

  it.each([
    [false, {}],
    [true, { quiet: true }],
    // With TERM=dumb the line would stay on the screen.
    [true, { live: false }],
  ])('shows no live line where it must not: terminal %s, %j', async (tty, over) => {
    const { term, time, stderr, read } = terminal(tty, over)
    term.progress(VIEW)
    await time.pass(1000)
    expect(read(stderr)).toBe('')
  })

  it('colours only where colours are shown', () => {
    expect(terminal(true).term.paint('out', 'red', 'x')).toBe('\u001b[31mx\u001b[39m')
    expect(terminal(false).term.paint('out', 'red', 'x')).toBe('x')
    expect(terminal(true, { color: false }).term.paint('out', 'red', 'x')).toBe('x')
  })

  it('tells once that nobody reads any more, and bears it', () => {
    const { term, stdout, closed } = terminal(false)
    stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    term.out('x')
    stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(closed()).toBe(1)
    expect(stdout.read()).toBe(null)
  })

  it.each([
    ['ENOSPC', false],
    ['EIO', false],
    ['EPIPE', true],
  ])('tells a reader that went away from lines that are lost: %s', (code, isGone) => {
    const { stdout, closed, failed } = terminal(false)
    stdout.emit('error', Object.assign(new Error(`write ${code}`), { code }))
    expect(closed()).toBe(isGone ? 1 : 0)
    expect(failed).toEqual(isGone ? [] : [`write ${code}`])
  })

  it('takes a terminal that was closed for a reader that went away', () => {
    const { stdout, closed } = terminal(true)
    stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }))
    expect(closed()).toBe(1)
  })

  it('reads a hidden answer without a trace of it', async () => {
    const { term, stdin, stderr, stdout, read } = terminal(true)
    const answer = term.ask('Key: ', true)
    stdin.write('s3cr')
    stdin.write('et\r')
    expect(await answer).toBe('s3cret')
    expect(read(stderr)).toBe('Key: \n')
    expect(read(stdout)).toBe('')
  })

  it.each([
    // Typed or pasted, a key never appears on the screen, not even in part.
    ['sk_live_51Habcdefghijk0123', '**************************', []],
    ['files.example.com', 'files.example.com', ['*****']],
    ['https://x', 'https://x', ['h']],
  ])('shows an address once it can only be one: %s', async (text, last, before) => {
    const { term, stdin, stderr, read } = terminal(true)
    const answer = term.ask('Address: ', false, isAddressSoFar)
    for (const char of text) stdin.write(char)
    stdin.write('\r')
    expect(await answer).toBe(text)
    const screen = read(stderr)
    for (const part of before) expect(screen).toContain(part)
    expect(finalLine(screen)).toBe(`Address: ${last}`)
    if (last.startsWith('*')) expect(screen.replace('Address: ', '')).not.toMatch(/[a-z0-9_]/i)
  })

  it('shows what is typed where it may be seen', async () => {
    const { term, stdin, stderr, read } = terminal(true)
    const answer = term.ask('Sure? ', false)
    stdin.write('yes\r')
    expect(await answer).toBe('yes')
    expect(read(stderr)).toBe('Sure? yes\n')
  })

  it('ends a question when the command should end, and leaves raw mode', async () => {
    const { term, stdin, stop, raw } = terminal(true)
    const answer = term.ask('Key: ', true)
    stdin.write('s3cr')
    stop.abort()
    expect(await answer).toBeNull()
    expect(raw).toEqual([true, false])
    // A signal that came before the question.
    expect(await term.ask('Sure? ', false)).toBeNull()
    expect(raw).toEqual([true, false])
    expect(await term.readInput()).toBeNull()
  })

  it('ends a question when the terminal is closed', async () => {
    const { term, stdin } = terminal(true)
    const answer = term.ask('Sure? ', false)
    stdin.emit('error', Object.assign(new Error('read EIO'), { code: 'EIO' }))
    expect(await answer).toBeNull()
    stdin.emit('error', Object.assign(new Error('setRawMode EIO'), { code: 'EIO' }))
  })

  it('asks nothing in a terminal that was closed just before', async () => {
    const { term, stdin, stderr, read } = terminal(true)
    Object.assign(stdin, {
      setRawMode: () => stdin.emit('error', Object.assign(new Error('setRawMode EIO'), { code: 'EIO' })),
    })
    expect(await term.ask('Sure? ', false)).toBeNull()
    expect(read(stderr)).not.toContain('Sure?')
    expect(stdin.listenerCount('data')).toBe(0)
  })

  it.each([
    ['key\n', 'key'],
    ['  key  \r\nmore\n', 'key'],
    ['key', 'key'],
    ['', null],
    ['\n', null],
  ])('reads the first line of standard input: %j', async (text, expected) => {
    const { term, stdin } = terminal(false)
    const line = term.readInput()
    stdin.end(text)
    expect(await line).toBe(expected)
  })
})

describe('standard output into a file', () => {
  it('takes every byte, also where the disk takes a part at a time', async () => {
    const taken: Buffer[] = []
    const out = createFileOutput((data, at) => {
      taken.push(Buffer.from(data.subarray(at, at + 3)))
      return Math.min(3, data.length - at)
    })
    out.write('https://x/ä\n')
    expect(await flush(out)).toBe(null)
    expect(Buffer.concat(taken).toString()).toBe('https://x/ä\n')
  })

  it('says what was not taken', async () => {
    const errors: Error[] = []
    const out = createFileOutput((_data, at) => {
      if (at === 0) return 3
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    })
    out.on('error', (error) => errors.push(error))
    out.write('https://x\n')
    expect((await flush(out))?.message).toContain('ENOSPC')
    expect(errors.map((error) => isReaderGone(error, false))).toEqual([false])
  })
})

describe('what the environment asks for', () => {
  it.each([
    [{}, true, true],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{}, false, false],
  ])('colours with %j, option %s', (env, color, expected) => {
    expect(wantsColor({ color }, env)).toBe(expected)
  })

  it.each([
    [{ LANG: 'en_US.UTF-8' }, 'linux', true],
    [{ LANG: 'C' }, 'linux', false],
    [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, 'linux', false],
    [{}, 'darwin', true],
    [{}, 'win32', false],
    [{ WT_SESSION: 'x' }, 'win32', true],
  ] as const)('block elements with %j on %s', (env, platform, expected) => {
    expect(hasUnicode(env, platform)).toBe(expected)
  })

  it('looks for the right Node where a person says, then beside the program and upwards', () => {
    expect(nodeCandidates({ SLIPWAY_NODE: '/opt/node' }, '/a/dist', false)).toEqual([
      '/opt/node',
      '/a/dist/node_modules/node/bin/node',
      '/a/dist/node_modules/.bin/node',
      '/a/node_modules/node/bin/node',
      '/a/node_modules/.bin/node',
      '/node_modules/node/bin/node',
      '/node_modules/.bin/node',
    ])
    expect(nodeCandidates({}, '/a', true)[0]).toBe('/a/node_modules/node/bin/node.exe')
  })
})

// Words aren't files: empty arguments, unknown words and missing paths end a command before it contacts the
// engine. Also checks that --help, completion and the list of commands agree. completion.test.ts tries
// completion in real shells.
import { homedir } from 'node:os'
import { parse, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src-main/cli/argument-mistakes.ts'
import { parseArguments } from '../../../src-main/cli/arguments.ts'
import { audit } from '../../../src-main/cli/commands/audit.ts'
import { plan } from '../../../src-main/cli/commands/plan.ts'
import { upload } from '../../../src-main/cli/commands/upload.ts'
import { watch } from '../../../src-main/cli/commands/watch.ts'
import { SHELLS } from '../../../src-main/cli/completion.ts'
import type { Ctx, PathKind } from '../../../src-main/cli/context.ts'
import { isStream, isWide } from '../../../src-main/cli/named-paths.ts'
import { startFolder, wrongJson } from '../../../src-main/cli/run.ts'
import { createWorld, ok } from './world.ts'

const NONE = resolve('/home/u/none')
const UPLOAD = { again: false, maxWaitMs: 900_000 }
const WATCH = {
  once: true,
  existing: 'upload',
  onChange: 'new-link',
  ignore: [],
  maxWaitMs: 900_000,
  changeRules: false,
} as const

describe('a line with an empty argument is wrong, whatever the command', () => {
  it.each<string[]>([
    [''],
    ['upload', ''],
    ['upload', 'a.txt', ''],
    ['upload', '--', ''],
    ['watch', ''],
    ['plan', ''],
    ['audit', ''],
    ['rm', '', '--yes'],
    ['link', ''],
    ['info', ''],
    ['retry', ''],
    ['cancel', ''],
    ['release', '', '--yes'],
    ['unwatch', ''],
    ['help', ''],
    ['completion', ''],
    ['watch', '.', '--ignore', ''],
    ['watch', '.', '--ignore='],
    ['login', '--base-url', ''],
    ['login', '--base-url='],
    ['ls', '--search', ''],
    ['upload', '-', '--name='],
  ])('%j', (...argv) => {
    const parsed = parseArguments(argv)
    expect(parsed).toMatchObject({ kind: 'wrong', message: expect.stringMatching(/empty/) as string })
  })

  it('but behind -- a name may end in =', () => {
    expect(parseArguments(['upload', '--', '--a='])).toMatchObject({
      kind: 'run',
      invocation: { paths: ['--a='] },
    })
  })
})

describe('a wrong line', () => {
  it.each<[string, string, string]>([
    ['foo', "Unknown command 'foo'", 'slipway --help'],
    ['statsu', 'Did you mean', 'slipway --help'],
    ['./a.txt', './a.txt is not a command.', 'slipway upload PATH'],
    ['photo.jpg', 'photo.jpg is not a command.', 'slipway upload PATH'],
    ['help foo', "Unknown command 'foo'", 'slipway'],
    ['upload - -', 'Standard input (-) can be named only once.', 'slipway upload --help'],
    ['upload a --name b', '--name is for standard input', 'slipway upload --help'],
    ['upload - --name a/b', 'no slashes', 'slipway upload --help'],
    ['upload - --name ..', 'no slashes', 'slipway upload --help'],
    ['completion tcsh', 'bash, zsh, fish, powershell', 'slipway completion --help'],
    ['cancel', "Missing required argument 'id'", 'slipway cancel --help'],
    ['release x', "'x' is not a transfer ID.", 'slipway release --help'],
    ['unwatch a b', 'Too many arguments for unwatch.', 'slipway unwatch --help'],
    ['foo status', "Unknown command 'foo'", 'List of commands: slipway --help'],
    ['--account work.example foo', "Unknown command 'foo'", 'List of commands: slipway --help'],
    ['--account status a.txt', 'a.txt is not a command.', 'slipway upload PATH'],
    ['--account ls upload a --wrong', "Unknown option '--wrong'", 'slipway upload --help'],
    ['help lss', "Unknown command 'lss'", 'List of commands: slipway --help'],
  ])('%s', (line, message, hint) => {
    const parsed = parseArguments(line.split(' '))
    expect(parsed.kind).toBe('wrong')
    if (parsed.kind !== 'wrong') return
    expect(parsed.message).toContain(message)
    expect(parsed.hint).toContain(hint)
  })

  it.each(['ls --search', 'login --base-url', 'watch . --ignore', 'upload - --name'])(
    '%s with a control character',
    (line) => {
      expect(parseArguments([...line.split(' '), 'a\u001bb'])).toMatchObject({ kind: 'wrong' })
    },
  )

  describe('with the name of a file that', () => {
    const { platform } = process
    const on = (system: NodeJS.Platform): void => {
      Object.defineProperty(process, 'platform', { value: system })
    }
    afterEach(() => on(platform))
    const parsed = (name: string): unknown => parseArguments(['upload', '-', '--name', name])

    it.each([
      'What?.txt',
      'a:b.txt',
      'a|b',
      '<a>',
      '"a"',
      '*',
      'end.',
      'end ',
      'nul',
      'NUL.txt',
      'com1',
      'Lpt9.tar.gz',
      'COM¹',
    ])('Windows can’t have: %s', (name) => {
      on('win32')
      expect(parsed(name)).toMatchObject({
        kind: 'wrong',
        message: expect.stringContaining('Windows') as string,
      })
      on('linux')
      expect(parsed(name)).toMatchObject({ kind: 'run', invocation: { stdinName: name } })
    })

    it.each(['.env', 'nullable.txt', 'com10', 'a.nul', 'Größe & [1].txt'])('Windows can have: %s', (name) => {
      on('win32')
      expect(parsed(name)).toMatchObject({ kind: 'run', invocation: { stdinName: name } })
    })
  })

  it('is one JSON document, or a summary, where a script asked for JSON', () => {
    const failure = { code: 'usage', title: 'It is wrong.', hint: 'Right it.' } as const
    expect(wrongJson(['status', 'x'], failure)).toBe(null)
    expect(wrongJson(['upload', '--', '--json'], failure)).toBe(null)
    expect(JSON.parse(wrongJson(['status', '--json', 'x'], failure) ?? '')).toEqual({ error: failure })
    expect(JSON.parse(wrongJson(['--json', 'upload', ''], failure) ?? '')).toMatchObject({
      event: 'summary',
      seen: 0,
      error: failure,
    })
  })
})

describe('a path that does not exist', () => {
  const kinds: Record<string, PathKind> = { '/home/u/none': 'missing', '/home/u/status': 'missing' }

  it.each([[['none']], [['a', 'none']], [['none', 'a']]])(
    'upload %j sends nothing and ends with 7',
    async (paths) => {
      const w = createWorld({}, { kinds })
      expect(await upload(w.ctx, { ...UPLOAD, paths })).toBe(7)
      expect(w.session.calls).toEqual([])
      expect(w.term.lines).toEqual([])
      expect(w.term.errors).toEqual([
        `slipway: ${NONE} does not exist.`,
        '  Check the path. Nothing was uploaded.',
      ])
    },
  )

  it('is a failed line with --json, and the summary comes last', async () => {
    const w = createWorld({}, { kinds, json: true })
    expect(await upload(w.ctx, { ...UPLOAD, paths: ['a', 'none'] })).toBe(7)
    expect(w.events()).toEqual([
      { event: 'failed', path: NONE, reason: 'missing', message: `${NONE} does not exist.` },
      { event: 'summary', seen: 1, uploaded: 0, waiting: 0, held: 0, failed: 1, ignored: 0 },
    ])
  })

  it('is wrong usage if it is the name of a command', async () => {
    const w = createWorld({}, { kinds })
    expect(await upload(w.ctx, { ...UPLOAD, paths: ['status'] })).toBe(2)
    expect(w.term.errors[0]).toBe('slipway: status is a command, and there is no file of this name.')
  })

  it('ends watch, plan and audit with 7 as well', async () => {
    const w = createWorld({}, { kinds, json: true })
    expect(await watch(w.ctx, { ...WATCH, folder: 'none' })).toBe(7)
    expect(w.events()[0]).toMatchObject({ event: 'summary', error: { code: 'not-found' } })
    for (const run of [() => plan(w.ctx, { paths: ['a', 'none'] }), () => audit(w.ctx, { folder: 'none' })])
      expect(await run()).toBe(7)
    expect(w.session.calls).toEqual([])
  })

  it.each([
    [
      'upload',
      (ctx: Ctx) => upload(ctx, { ...UPLOAD, paths: ['none'] }),
      'Check the path. Nothing was uploaded.',
    ],
    [
      'watch',
      (ctx: Ctx) => watch(ctx, { ...WATCH, folder: 'none' }),
      'Check the path. Nothing was uploaded.',
    ],
    ['plan', (ctx: Ctx) => plan(ctx, { paths: ['none'] }), 'Check the path.'],
    ['audit', (ctx: Ctx) => audit(ctx, { folder: 'none' }), 'Check the path.'],
  ] as const)(
    'is said to be not uploaded only by a command that uploads: %s',
    async (_command, run, hint) => {
      const w = createWorld({}, { kinds })
      await run(w.ctx)
      expect(w.term.errors[1]).toBe(`  ${hint}`)
    },
  )

  it.each([
    [
      'watch',
      (ctx: Ctx) => watch(ctx, { ...WATCH, folder: 'none' }),
      'For a single file: slipway upload FILE',
    ],
    ['audit', (ctx: Ctx) => audit(ctx, { folder: 'none' }), 'For a single file: slipway info FILE'],
  ] as const)('is told from a file, and what to do with a file: %s', async (_command, run, hint) => {
    const w = createWorld({}, { kinds: { '/home/u/none': 'file' } })
    expect(await run(w.ctx)).toBe(2)
    expect(w.term.errors).toEqual([`slipway: ${NONE} is not a folder.`, `  ${hint}`])
  })

  it('is told from a folder that can not be read', async () => {
    const w = createWorld({}, { kinds: { '/home/u/none': 'denied' } })
    expect(await watch(w.ctx, { ...WATCH, folder: 'none' })).toBe(4)
    expect(await audit(w.ctx, { folder: 'none' })).toBe(4)
    expect(w.term.errors[0]).toBe(`slipway: No permission to read ${NONE}.`)
  })
})

describe('a whole disk or a home folder', () => {
  it.each([
    ['/', true],
    ['/home', true],
    ['/home/u', true],
    ['/home/u/x', false],
    ['/srv', false],
  ])('%s: %s', (path, wide) => {
    expect(isWide(path, '/home/u')).toBe(wide)
  })

  it.each([
    ['win32', 'C:\\', true],
    ['win32', 'D:\\', true],
    ['win32', 'c:\\users', true],
    ['win32', 'c:\\USERS\\ada', true],
    ['win32', '\\\\?\\C:\\Users\\Ada', true],
    ['win32', '\\\\?\\C:\\', true],
    ['win32', '\\\\server\\share\\', true],
    ['win32', 'c:\\users\\ada\\x', false],
    ['win32', 'D:\\Users\\Ada', false],
    ['darwin', '/users/ada', true],
    ['darwin', '/Users/Ada/x', false],
    ['linux', '/users/ada', false],
  ] as const)('is recognised however it is written, on %s: %s: %s', (platform, path, wide) => {
    expect(isWide(path, platform === 'win32' ? 'C:\\Users\\Ada' : '/Users/Ada', platform)).toBe(wide)
  })

  it.each([
    ['n', 0],
    [null, 130],
  ])('is confirmed by a person, who answers %j', async (answer, code) => {
    const w = createWorld({}, { tty: true, answers: [answer] })
    expect(await upload(w.ctx, { ...UPLOAD, paths: ['/home/u'] })).toBe(code)
    expect(w.term.asked).toEqual([`Publish your whole home folder ${resolve('/home/u')}? [y/N] `])
    expect(w.session.calls).toEqual([])
  })

  it.each([
    ['n', undefined],
    [null, { code: 'closing', title: 'Interrupted.' }],
  ])('ends with a summary for a script if a person answers %j', async (answer, error) => {
    for (const run of [upload, (ctx: Ctx) => watch(ctx, { ...WATCH, folder: '/home/u' })]) {
      const w = createWorld({}, { tty: true, answers: [answer], json: true })
      await run(w.ctx, { ...UPLOAD, paths: ['/home/u'] })
      expect(w.events()).toEqual([
        { event: 'summary', seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0, error },
      ])
    }
  })
})

describe('a whole disk or a home folder, without a terminal', () => {
  const root = resolve('/')

  it.each([['/'], ['/home'], ['/home/u'], ['.'], ['/home/u/']])(
    '%s is neither uploaded nor watched unasked',
    async (path) => {
      for (const run of [upload, (ctx: Ctx) => watch(ctx, { ...WATCH, folder: path })]) {
        const w = createWorld({}, { json: true })
        expect(await run(w.ctx, { ...UPLOAD, paths: ['a.txt', path] })).toBe(2)
        expect(w.session.calls).toEqual([])
        expect(w.events()).toMatchObject([{ event: 'summary', seen: 0, error: { code: 'usage' } }])
        expect(w.term.errors[0]).toContain('Nothing was uploaded')
        expect(w.term.errors[1]).toContain('--yes')
      }
    },
  )

  it('is uploaded with --yes, as it is at a terminal without a question', async () => {
    for (const tty of [false, true]) {
      const w = createWorld({ upload: () => ok({ batch: 1, items: [], next: null }) }, { tty })
      expect(await upload(w.ctx, { ...UPLOAD, paths: [root], yes: true })).toBe(0)
      expect(w.term.asked).toEqual([])
      expect(w.session.calls.some((call) => call.procedure === 'upload')).toBe(true)
    }
  })

  it.each([
    ['HOME is a link to another place', { '/home/u': '/data/u' }, '/data/u'],
    ['HOME is a link, and a folder above its target is named', { '/home/u': '/data/u' }, '/data'],
    ['a link leads to HOME', { '/srv/link': '/home/u' }, '/srv/link'],
    ['a link leads to the root', { '/home/u/all': '/' }, 'all'],
  ])('is known behind links: %s', async (_case, links, path) => {
    const w = createWorld({}, { links })
    expect(await upload(w.ctx, { ...UPLOAD, paths: [path] })).toBe(2)
    expect(w.session.calls).toEqual([])
  })
})

describe('the folder that relative paths start from', () => {
  const NPM = { INIT_CWD: '/home/u/in', npm_lifecycle_event: 'slipway', npm_package_name: 'slipway' }
  it.each([
    ['is the one where the script was called', NPM, '/home/u/in'],
    ['is the current one without npm', {}, '/repo'],
    ['is the current one below another script', { ...NPM, npm_lifecycle_event: 'publish' }, '/repo'],
    ['is the current one below a script of another package', { ...NPM, npm_package_name: 'site' }, '/repo'],
    ['is the current one if npm names no absolute path', { ...NPM, INIT_CWD: 'in' }, '/repo'],
  ])('%s', (_case, env, folder) => {
    expect(startFolder(env, () => '/repo')).toBe(folder)
  })
  it.each([
    ['the one that the shell names', { PWD: '/home/u/gone' }, '/home/u/gone'],
    ['the root of the drive', {}, parse(homedir()).root],
  ])('is %s if the current one was deleted', (_case, env, folder) => {
    const gone = (): string => {
      throw new Error('uv_cwd')
    }
    expect(startFolder(env, gone)).toBe(folder)
  })
})

describe('the table of commands', () => {
  const text = (argv: string[]): string => {
    const parsed = parseArguments(argv)
    return parsed.kind === 'answer' ? parsed.text : ''
  }

  it('is the same in --help, in help, and in the list that tells words from files', () => {
    const help = text(['--help'])
    const listed = [...(help.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)].map(
      ([, name]) => name,
    )
    expect(listed.slice(0, COMMANDS.length)).toEqual(COMMANDS)
    expect(text(['help'])).toBe(help)
    expect(text(['-V'])).toBe(text(['--version']))
    for (const name of COMMANDS) {
      expect(text([name, '--help'])).toContain(`Usage: slipway ${name}`)
      expect(text(['help', name])).toBe(text([name, '--help']))
    }
  })

  it('shows no default as code', () => {
    for (const name of COMMANDS) expect(text([name, '--help'])).not.toMatch(/default: [{["]|choices:/)
  })

  it.each(SHELLS)('is what %s completes', (shell) => {
    const script = text(['completion', shell])
    for (const word of [...COMMANDS, 'max-wait', 'on-change', 'base-url', 'no-color'])
      expect(script).toContain(word)
    expect(script).not.toMatch(/undefined|\[object/)
  })
})

describe('an alternate stream of a file', () => {
  it.each([
    ['C:\\a.txt:stream', true],
    ['C:\\a.txt::$DATA', true],
    ['\\\\?\\C:\\a.txt:stream', true],
    ['\\\\server\\share\\a.txt:stream', true],
    ['C:\\Sub:stream\\a.txt', true],
    ['C:\\', false],
    ['C:\\a.txt', false],
    ['\\\\?\\C:\\a.txt', false],
    ['\\\\server\\share\\a.txt', false],
  ])('is recognised on Windows: %s: %s', (path, isOne) => {
    expect(isStream(path, 'win32')).toBe(isOne)
  })

  it.each(['linux', 'darwin'] as const)(
    "doesn't exist on %s, where a name may contain a colon",
    (platform) => {
      expect(isStream('/home/u/a.txt:stream', platform)).toBe(false)
    },
  )
})

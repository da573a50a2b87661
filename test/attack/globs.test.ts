// Ignore rules mean what they mean to git, which is asked about the same paths; and none, however it is
// written, keeps the engine busy.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIgnoreRules, NO_RULES } from '../../src-main/engine/rules/ignore-rules.ts'
import { Patterns } from '../../src-main/engine/rules/patterns.ts'
import { share } from '../tools/share.ts'

/** Patterns of git's documentation, and each kind of wildcard in each place. */
const PATTERNS = [
  [
    'foo',
    '/foo',
    'foo/',
    '/foo/',
    'foo/bar',
    'foo/bar/',
    '*.txt',
    '/*.txt',
    'foo/*',
    'foo/*/',
    '!foo',
    '\\!foo',
    '\\#foo',
    '#foo',
  ],
  [
    '**/foo',
    '**/foo/bar',
    'foo/**',
    'foo/**/',
    'foo/**/bar',
    'a/**/b/**/c',
    '**',
    '/**',
    '**/',
    '/**/',
    '***',
    'foo**/bar',
    'x**/y/z',
  ],
  [
    '**foo',
    'foo**',
    '/foo**',
    'f**o/bar',
    'foo/**bar',
    'foo/b**',
    'foo**bar',
    '**/*.txt',
    '*/*',
    '*/**/*',
    '/*',
    '*/',
    '?',
    'f?o',
  ],
  [
    '[a-c]',
    '[!a-c]',
    '[^a-c]',
    '[a\\-c]',
    '[]]',
    '[!]]',
    '[]a]',
    '[a-]',
    '[-a]',
    '[\\]]',
    '[a',
    '[',
    '[!',
    'f[o/]o',
    '[[:alpha:]]',
  ],
  [
    '[[:digit:]]x',
    '[[:upper:][:digit:]]',
    '[[:bad:]]',
    '[[:alpha',
    '[[:]',
    '[[::]]',
    '[c-a]',
    'foo\\',
    '\\foo',
    'f\\*o',
    'f*\\',
    'a\\/b',
  ],
  [
    'foo ',
    'foo\\ ',
    'foo  ',
    'foo\\  ',
    ' foo',
    'foo\t',
    'foo\r',
    '',
    ' ',
    '/',
    '//',
    'foo//',
    '//foo',
    'foo//bar',
    '!',
    '!/',
    '!foo/',
  ],
  [
    '!foo/bar',
    '!**/bar',
    'a*b*c',
    'a*/b',
    '*a*',
    'foo/*/bar',
    'foo/**/**/bar',
    '**/**',
    'foo/***/bar',
    'foo**\\/bar',
    'foo/**\\/bar',
  ],
].flat()
const NAMES = [
  'foo',
  'bar',
  'a',
  'b',
  'c',
  'x',
  'y',
  'z',
  'fo',
  'fooo',
  'a.txt',
  'foobar',
  'f*o',
  ']',
  '-',
  '1x',
  'A',
  '!foo',
  '#foo',
  'foo ',
  '[',
  'fxo',
]

/** A generator of numbers from 0 to 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const random = numbers(20_260_730)

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

const PATHS = [
  ...new Set([
    ...NAMES,
    ...NAMES.flatMap((name) => [`foo/${name}`, `a/${name}/b`, `foo/x/${name}`, `x/y/${name}/z`]),
    ...Array.from({ length: 300 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(NAMES)).join('/'),
    ),
  ]),
]

/** In one of the repositories each path is a directory, in the other none exists, and counts as a file. */
let repos = { files: '', dirs: '' }
beforeAll(() => {
  repos = {
    files: mkdtempSync(join(tmpdir(), 'slipway-globs-')),
    dirs: mkdtempSync(join(tmpdir(), 'slipway-globs-')),
  }
  for (const repo of Object.values(repos))
    execFileSync('git', ['-C', repo, 'init', '-q'], { env: envIn(repo) })
  for (const path of PATHS) mkdirSync(join(repos.dirs, path), { recursive: true })
})
afterAll(() => {
  for (const repo of Object.values(repos)) rmSync(repo, { recursive: true, force: true })
})

/** Without the user's own rules. */
function envIn(repo: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: repo, GIT_CONFIG_NOSYSTEM: '1' }
}

function ignoredByGit(repo: string, rules: string, paths: readonly string[]): ReadonlySet<string> {
  writeFileSync(join(repo, '.gitignore'), rules)
  const args = [
    '-C',
    repo,
    '-c',
    'core.ignoreCase=false',
    'check-ignore',
    '--no-index',
    '-z',
    '-v',
    '-n',
    '--stdin',
  ]
  const { stdout, stderr } = spawnSync('git', args, {
    input: `${paths.join('\0')}\0`,
    encoding: 'utf8',
    env: envIn(repo),
  })
  expect(stderr).toBe('')
  const ignored = new Set<string>()
  const fields = stdout.split('\0')
  for (let i = 0; i + 3 < fields.length; i += 4)
    if (fields[i + 2] !== '' && fields[i + 2]?.startsWith('!') === false) ignored.add(fields[i + 3] ?? '')
  return ignored
}

describe('ignore rules', () => {
  const difference = (rules: string): readonly string[] => {
    const patterns = new Patterns(rules, false)
    const [files, dirs] = [ignoredByGit(repos.files, rules, PATHS), ignoredByGit(repos.dirs, rules, PATHS)]
    return PATHS.flatMap((path) => [
      ...(patterns.test(path).ignored === files.has(path) ? [] : [`${JSON.stringify(rules)} ${path}`]),
      ...(patterns.test(`${path}/`).ignored === dirs.has(path) ? [] : [`${JSON.stringify(rules)} ${path}/`]),
    ])
  }

  it('mean what git means by each pattern', () => {
    expect(PATTERNS.flatMap(difference)).toEqual([])
  })

  it('mean what git means by patterns put together at random', () => {
    const parts = [
      '*',
      '**',
      '***',
      '?',
      '/',
      '/',
      '/',
      '!',
      '\\',
      '[a-f]',
      '[!b]',
      '[',
      ']',
      'a',
      'b',
      'c',
      'o',
      'foo',
      'x',
      ' ',
      '.txt',
      '#',
    ]
    const wrong: string[] = []
    for (let n = 0; n < share(150, 20_000); n++) {
      const rules = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        Array.from({ length: 1 + Math.floor(random() * 7) }, () => pick(parts)).join(''),
      ).join('\n')
      wrong.push(...difference(rules))
    }
    expect(wrong).toEqual([])
  })

  /** CPU time, in microseconds, of asking about the path once; the least of three. */
  const cost = (pattern: string, path: string): number =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const patterns = new Patterns([pattern], false)
        const before = process.threadCpuUsage()
        for (let n = 0; n < 20; n++) patterns.test(path)
        const { user, system } = process.threadCpuUsage(before)
        return user + system + 100
      }),
    )

  it.each<[string, (n: number) => string, string]>([
    ['directories at any depth', (n) => `${'**/a/'.repeat(n)}b`, `${'a/'.repeat(60)}c`],
    ['directories with wildcards', (n) => `${'**/*a*/'.repeat(n)}b`, `${`${'a'.repeat(20)}/`.repeat(60)}c`],
    ['names with wildcards', (n) => `${'*a'.repeat(n)}b`, 'a'.repeat(250)],
    ['names with classes', (n) => `${'*[a-z]?'.repeat(n)}1`, 'a'.repeat(250)],
  ])('take time in proportion to their length: %s', (_what, pattern, path) => {
    expect(cost(pattern(60), path) / cost(pattern(6), path)).toBeLessThan(100)
  })

  it('that would take long all the same are refused with their line', () => {
    const text = `*.log\n${'*a*b*c*d*e*f*g*h\n'.repeat(10_000)}`
    const rules = createIgnoreRules({ ...NO_RULES, files: [{ dir: 'sub', text }] })
    expect(rules.file('a.txt', 1)).toBeNull()
    expect(rules.file('sub/a.txt', 1)?.rule).toMatch(
      /^\.slipwayignore can't be read: line 5\d\d is too complex$/,
    )
  })
})

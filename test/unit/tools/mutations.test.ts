// Mutations: what each operator changes, that a seed always draws the same ones, in which order tests look at
// a mutated file, and how the results are shown.
import { describe, expect, it } from 'vitest'
import { drawMutations, type Mutation, mutate, mutationsOf } from '../../tools/mutation-operators.ts'
import { firstFailed, tableOf } from '../../tools/mutation-report.ts'
import { importersOf, stagesFor } from '../../tools/mutation-stages.ts'
import { OUTSIDE } from '../../tools/tally.ts'

/** All sources that one mutation makes of `source`. */
const mutated = (source: string, file = 'a.tsx'): string[] =>
  mutationsOf(file, source).map((one) => mutate(source, one))

describe('mutationsOf', () => {
  it.each([
    ['a < b', ['a <= b']],
    ['a >= b', ['a > b']],
    ['a === b', ['a !== b']],
    ['a && b', ['a || b']],
    ['a || b', ['a && b']],
    ['a ?? b', ['a']],
    ['a + b', ['a - b']],
    ['a * b', ['a / b']],
    ['a = true', ['a = false']],
    ['a = 59', ['a = 60']],
    ["a = 'yes'", ["a = ''"]],
    ['a = !b', ['a = b']],
    ['a = b ? c : d', ['a = true ? c : d', 'a = false ? c : d']],
    ['if (a) b = c', ['if (true) b = c', 'if (false) b = c']],
    ['while (a) b = c', ['while (false) b = c']],
    ['for (const a of b) continue', ['for (const a of b) void 0']],
    ['function a() { return }', ['function a() { void 0 }']],
    ['send(a)', ['void 0']],
    ['await send(a)', ['void 0']],
    ['void send(a)', ['void 0']],
    ['a = b.some(c)', ['a = b.every(c)']],
    ['a = b.every(c)', ['a = b.some(c)']],
    ['a = b.filter(c).length', ['a = b.length']],
    ['a = (b as number) > c', ['a = (b as number) >= c']],
    ['a = <p title="Files">{b && <i />}</p>', ['a = <p title="Files">{b || <i />}</p>']],
  ])('makes of %j: %j', (source, expected) => {
    expect(mutated(source)).toEqual(expected)
  })

  it.each([
    "import a from 'b'",
    "export * from './b.ts'",
    "type A = 'on' | 1 | true",
    'interface A { readonly b: 1 }',
    'const a = <B extends true>(b: B, c?: 1): 2 => b',
    '// a < b',
    "log.warn('Could not send', 1)",
    "this.#options.ports.log.info('sent', { a: true })",
    "console.log('a' + 1)",
    "throw new TypeError('No such file')",
    'a = `${b}s`',
    'a = `${b}s` + c',
  ])('leaves %s alone', (source) => {
    expect(mutated(source, 'a.ts')).toEqual([])
  })

  it('names the place and the change', () => {
    expect(mutationsOf('src-main/a.ts', 'let a\na = b < 2')).toEqual([
      {
        file: 'src-main/a.ts',
        line: 2,
        operator: 'comparison',
        start: 12,
        end: 13,
        before: '<',
        after: '<=',
      },
      { file: 'src-main/a.ts', line: 2, operator: 'number', start: 14, end: 15, before: '2', after: '3' },
    ])
  })

  it('refuses a source that it was not found in', () => {
    const [one] = mutationsOf('a.ts', 'a = b < c')
    expect(one).toBeDefined()
    if (one !== undefined) expect(() => mutate('a = b > c', one)).toThrow(/has changed/)
  })
})

describe('drawMutations', () => {
  const source = Array.from({ length: 100 }, (_, at) => `a = b < ${at}`).join('\n')
  const all = mutationsOf('a.ts', source)
  const draw = (seed: number, count: number): Mutation[] => drawMutations(seed, count, all, () => source)

  it('draws the same for the same seed, and others for another', () => {
    expect(draw(7, 10)).toEqual(draw(7, 10))
    expect(draw(7, 10)).not.toEqual(draw(8, 10))
  })

  it('draws each line at most once, and no more than there are', () => {
    const lines = draw(1, 1000).map((one) => one.line)
    expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
  })

  it('omits what would not parse', () => {
    const broken: Mutation = {
      file: 'a.ts',
      line: 1,
      operator: 'logic',
      start: 0,
      end: 1,
      before: 'a',
      after: '(',
    }
    expect(drawMutations(1, 5, [broken], () => source)).toEqual([])
  })
})

describe('stagesFor', () => {
  const tree: Readonly<Record<string, string>> = {
    'src-main/engine/budget/days.ts': '',
    'src-main/engine/engine.ts': `import './budget/days.ts'`,
    'test/tools/share.ts': '',
    'test/unit/engine/budget/a.test.ts': `import '../../../../src-main/engine/budget/days.ts'`,
    'test/unit/engine/budget/days.test.ts': `import '../../../../src-main/engine/budget/days.ts'`,
    'test/unit/cli/run.test.ts': `import '../../../src-main/engine/engine.ts'`,
    'test/unit/cli/other.test.ts': '',
    'test/scenario/engine.test.ts': `import '../../src-main/engine/engine.ts'`,
    'test/scenario/chaos.test.ts': `import '../tools/share.ts'`,
    'test/scenario/chaos.long.test.ts': '',
    'test/e2e/drop.spec.ts': '',
    'test/e2e/guard.spec.ts': `import '../tools/share.ts'`,
  }
  const files = Object.keys(tree)
  const stages = stagesFor(
    'src-main/engine/budget/days.ts',
    files,
    importersOf(files, (file) => tree[file] ?? ''),
  )

  it('begins with the units of the same name and folder, and ends with what runs long', () => {
    expect(stages).toEqual({
      mirror: ['test/unit/engine/budget/days.test.ts', 'test/unit/engine/budget/a.test.ts'],
      unit: ['test/unit/cli/run.test.ts'],
      related: ['test/scenario/engine.test.ts'],
      rest: ['test/unit/cli/other.test.ts', 'test/scenario/chaos.test.ts'],
      desktop: ['test/e2e/drop.spec.ts', 'test/e2e/guard.spec.ts'],
      long: ['test/scenario/chaos.test.ts', 'test/scenario/chaos.long.test.ts'],
      longDesktop: ['test/e2e/guard.spec.ts'],
    })
  })
})

describe('tableOf', () => {
  const mutation: Mutation = {
    file: 'a.ts',
    line: 3,
    operator: 'logic',
    start: 0,
    end: 2,
    before: '||',
    after: '&&',
  }

  it('has a row for each mutation, the survivors with their change, and a sum', () => {
    const table = tableOf([
      { mutation, result: { step: 'types', by: 'TS2322', seconds: 4 } },
      { mutation, result: { step: 'only test:long', by: 'a.long.test.ts', seconds: 700 } },
      { mutation, result: { step: null, by: '', seconds: 900 } },
      { mutation, result: null },
    ])
    expect(table.split('\n').slice(2, 6)).toEqual([
      '| 1 | a.ts:3 | logic | `\\|\\|` → `&&` | types: TS2322 | 4 |',
      '| 2 | a.ts:3 | logic | `\\|\\|` → `&&` | only test:long: a.long.test.ts | 700 |',
      '| 3 | a.ts:3 | logic | `\\|\\|` → `&&` | **survived** | 900 |',
      '| 4 | a.ts:3 | logic | `\\|\\|` → `&&` | not run |  |',
    ])
    expect(table).toContain('a.ts:3\n```diff\n-||\n+&&\n```')
    expect(table.split('\n').at(-1)).toBe(
      '3 of 4 tried: 1 caught by npm test, 1 only by npm run test:long, 1 survived',
    )
  })
})

describe('firstFailed', () => {
  const file = (name: string, status: string, message = '', ...tests: readonly string[]) => ({
    name,
    status,
    message,
    assertionResults: tests.map((one) => ({ status: one })),
  })
  const cancelled = file('cancelled.test.ts', 'failed')

  it('is the file with the failed test, not one that was cancelled', () => {
    expect(
      firstFailed({ testResults: [cancelled, file('a.test.ts', 'failed', '', 'passed', 'failed')] }),
    ).toBe('a.test.ts')
  })

  it('is a file that does not load', () => {
    expect(firstFailed({ testResults: [cancelled, file('a.test.ts', 'failed', 'no such export')] })).toBe(
      'a.test.ts',
    )
  })

  it('is none if no file is to blame', () => {
    expect(firstFailed({ testResults: [cancelled, file('a.test.ts', 'passed', '', 'passed')] })).toBeNull()
    expect(firstFailed({ testResults: [file(OUTSIDE, 'failed', 'no browser')] })).toBeNull()
  })
})

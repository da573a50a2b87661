// How Windows test runs are evaluated: a test passes, or known.txt says why not. A test that didn't run never
// counts as passed. Reports are made up; `npm run test:windows` runs the tests themselves.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, readTree } from '../../tools/tree.ts'
import { judge, knownOn, outcomesOf, readKnown } from '../../windows/judge.ts'

const AT = 'Z:\\lane\\app\\test\\unit\\a.test.ts'
const report = (tests: Readonly<Record<string, string>>, status = 'passed') => ({
  testResults: [
    {
      name: AT,
      status,
      assertionResults: Object.entries(tests).map(([fullName, one]) => ({ fullName, status: one })),
    },
  ],
})
const known = (...lines: readonly string[]) => readKnown(['# reason\tfile\ttest', ...lines, ''].join('\n'))

describe('judge', () => {
  it('counts what passed', () => {
    expect(judge(outcomesOf(report({ one: 'passed', two: 'passed' })), known())).toMatchObject({
      passed: 2,
      faults: [],
      stale: [],
    })
  })

  it('faults a failure and a skip that no reason is given for', () => {
    const { passed, faults } = judge(
      outcomesOf(report({ one: 'failed', two: 'skipped', three: 'pending', four: 'todo' })),
      known(),
    )
    expect(passed).toBe(0)
    expect(faults).toHaveLength(4)
    expect(faults[0]).toBe('test/unit/a.test.ts > one')
    expect(faults[1]).toContain('did not run')
  })

  it('excuses by reason, and tells failures from skips', () => {
    const list = known('wine\ttest/unit/a.test.ts\tone', 'posix\ttest/unit/a.test.ts\ttwo')
    const { passed, faults, excused } = judge(
      outcomesOf(report({ one: 'failed', two: 'skipped' }, 'failed')),
      list,
    )
    expect({ passed, faults }).toEqual({ passed: 0, faults: [] })
    expect([...excused]).toEqual([
      ['wine', { failed: 1, skipped: 0 }],
      ['posix', { failed: 0, skipped: 1 }],
    ])
  })

  it('knows a test by its name without the blanks at its end, which no line can show', () => {
    const list = known('posix\ttest/unit/a.test.ts\tslipway watch --existing')
    expect(
      judge(outcomesOf(report({ 'slipway watch  --existing ': 'failed' }, 'failed')), list).faults,
    ).toEqual([])
  })

  it('takes on Windows itself no excuse that is about Wine', () => {
    const list = known('wine\ttest/unit/a.test.ts\tone', 'posix\ttest/unit/a.test.ts\ttwo')
    const outcomes = outcomesOf(report({ one: 'failed', two: 'failed' }, 'failed'))
    expect(judge(outcomes, knownOn('windows', list)).faults).toEqual(['test/unit/a.test.ts > one'])
    expect(judge(outcomes, knownOn('wine', list)).faults).toEqual([])
  })

  it('knows the files of a checkout on a drive of Windows', () => {
    const [test] = report({ one: 'failed' }, 'failed').testResults
    const outcomes = outcomesOf({
      testResults: [{ ...test, name: 'D:/a/slipway/slipway/test/unit/a.test.ts' } as never],
    })
    expect(judge(outcomes, knownOn('windows', known('posix\ttest/unit/a.test.ts\tone'))).faults).toEqual([])
  })

  it('names what is listed and passes', () => {
    const { passed, stale } = judge(
      outcomesOf(report({ one: 'passed' })),
      known('wine\ttest/unit/a.test.ts\tone'),
    )
    expect({ passed, stale }).toEqual({ passed: 1, stale: ['test/unit/a.test.ts > one'] })
  })

  it('faults a file that fails outside its tests, and a run without tests', () => {
    expect(judge(outcomesOf(report({}, 'failed')), known()).faults).toEqual([
      'test/unit/a.test.ts > (outside its tests)',
    ])
    expect(judge(outcomesOf({ testResults: [] }), known()).faults).toEqual(['No test ran.'])
  })
})

it.each(['a line', 'because\ttest/unit/a.test.ts\tone', 'wine\ttest/unit/a.test.ts'])(
  'known.txt may not have %j',
  (line) => {
    expect(() => known(line)).toThrow('known.txt')
  },
)

it('known.txt names files that exist', () => {
  const files = [...readKnown(readTree('test/windows/known.txt')).keys()].map(
    (key) => key.split('\t')[0] ?? '',
  )
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

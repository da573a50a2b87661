// The table of a run on Electron: counts, failures, and reasons why a spec proves nothing.
import { describe, expect, it } from 'vitest'
import { planFor } from '../../electron/plan.ts'
import { isGreen, rowsOf, tableOf } from '../../electron/table.ts'

type Report = Parameters<typeof rowsOf>[0]
const spec = (
  title: string,
  status: string,
  description?: string,
): Report['suites'][number]['specs'][number] => ({
  title,
  tests: [
    {
      status,
      annotations: description === undefined ? [] : [{ type: 'skip', description }],
      results: [{ errors: status === 'unexpected' ? [{ message: 'no' }] : [] }],
    },
  ],
})
const report = (...specs: Report['suites'][number]['specs']): Report => ({
  suites: [{ file: 'tray.spec.ts', specs }],
  errors: [],
})

const OLD = { electron: '25.1.1', node: '18.15.0', chrome: '114' }
const NEW = { electron: '45.4.1', node: '24.1.0', chrome: '156' }
const table = (of: Report, versions = OLD): string =>
  tableOf(rowsOf(of), versions, planFor(versions, 'own', 'older')).join('\n')

describe('the table', () => {
  it('counts what passed, failed and isn’t provable, in each file and altogether', () => {
    const text = table(
      report(
        spec('opens', 'expected'),
        spec('closes', 'unexpected'),
        spec('copies', 'skipped', 'Electron 25.1.1: ClipboardItem came with 44'),
      ),
    )
    expect(text).toMatch(/^tray\.spec\.ts +1 +1 +1$/m)
    expect(text).toMatch(/^all +1 +1 +1$/m)
    expect(text).toContain('failed: closes')
    expect(text).toContain('not provable here (Electron 25.1.1: ClipboardItem came with 44): copies')
  })

  it('says what was replaced on an older Electron, and that nothing was on the pinned one', () => {
    expect(table(report(spec('opens', 'expected')))).toMatch(/Not proved by this run:[^]*node:sqlite/)
    expect(table(report(spec('opens', 'expected')), NEW)).toContain('Nothing was replaced')
  })
})

describe('a run', () => {
  const passed = spec('opens', 'expected')
  const cases: readonly (readonly [string, Report, boolean])[] = [
    ['passes if a test passed and none failed', report(passed), true],
    ['passes with a test that gives a reason', report(passed, spec('copies', 'skipped', 'a reason')), true],
    ['fails with a test that was skipped without a reason', report(passed, spec('copies', 'skipped')), false],
    ['fails with a failed test', report(passed, spec('closes', 'unexpected')), false],
    ['fails without a single test that passed', report(spec('copies', 'skipped', 'a reason')), false],
    [
      'fails if something went wrong outside of the tests',
      { ...report(passed), errors: [{ message: 'no' }] },
      false,
    ],
  ]
  it.each(cases)('%s', (_title, given, isPassed) => {
    expect(isGreen(rowsOf(given))).toBe(isPassed)
  })
})

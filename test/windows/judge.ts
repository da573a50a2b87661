// Evaluates a test run on Windows: every test passes, or is listed with the reason why it doesn't
// (known.txt). Pure. A test that didn't run needs a reason, too.
import { z } from 'zod'

export const REASONS = {
  defect: 'a defect of Slipway on Windows',
  wine: 'Wine does otherwise than Windows',
  windows:
    'Windows does otherwise than POSIX: no SIGTERM, open files stay, a reset connection loses the answer',
  posix: 'the test is about something that POSIX alone has',
  tree: 'the test asks git for the files of the tree, which are the same everywhere',
} as const
export type Reason = keyof typeof REASONS

/** The part of vitest's JSON report that is used. */
export const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
})

export interface Verdict {
  readonly passed: number
  /** Tests that failed or didn't run, and aren't listed. */
  readonly faults: readonly string[]
  /** Listed tests that failed or didn't run, by reason. */
  readonly excused: ReadonlyMap<Reason, { readonly failed: number; readonly skipped: number }>
  /** Listed tests that now pass. */
  readonly stale: readonly string[]
}

/** Each line consists of a reason, a file and a test, separated by tabs. Throws if a line is invalid. */
export function readKnown(text: string): ReadonlyMap<string, Reason> {
  const known = new Map<string, Reason>()
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue
    const [reason = '', file = '', ...test] = line.split('\t')
    if (!isReason(reason) || test.length === 0)
      throw new Error(`known.txt: not a reason, a file and a test: ${line}`)
    known.set(`${file}\t${test.join('\t')}`, reason)
  }
  return known
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(REASONS, text)
}

/** Where the tests ran: under Wine, or on Windows itself. */
export type System = 'wine' | 'windows'

/**
 * The part of the list that holds on this system. What Wine does otherwise than Windows is no excuse on
 * Windows.
 */
export function knownOn(system: System, known: ReadonlyMap<string, Reason>): ReadonlyMap<string, Reason> {
  return system === 'wine' ? known : new Map([...known].filter(([, reason]) => reason !== 'wine'))
}

/**
 * Tests that aren't run because they use git, run the tools of this repository or build installers, which
 * reveals nothing about Windows.
 */
export const LEFT_OUT = [
  'test/unit/house-rules.test.ts',
  'test/unit/import-directions.test.ts',
  'test/unit/packaging/**',
  'test/unit/tools/**',
  'test/unit/renderer/structure.test.ts',
  'test/scenario/built-file.test.ts',
] as const

interface Outcome {
  readonly key: string
  readonly status: 'passed' | 'failed' | 'skipped'
}

export function outcomesOf(report: z.infer<typeof Report>): readonly Outcome[] {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name
      .replaceAll('\\', '/')
      .replace(/^.*?\/(?=test\/(?:unit|service|fuzz|scenario|windows)\/)/, '')
    const tests = assertionResults.map((one): Outcome => {
      // A line break or tab in a name would break the list.
      const key = `${file}\t${one.fullName.replaceAll(/\s+/g, ' ').trim()}`
      return { key, status: one.status === 'passed' || one.status === 'failed' ? one.status : 'skipped' }
    })
    const isBroken = status === 'failed' && !tests.some((one) => one.status === 'failed')
    return isBroken ? [...tests, { key: `${file}\t(outside its tests)`, status: 'failed' }] : tests
  })
}

export function judge(outcomes: readonly Outcome[], known: ReadonlyMap<string, Reason>): Verdict {
  const faults: string[] = []
  const stale: string[] = []
  const excused = new Map<Reason, { failed: number; skipped: number }>()
  let passed = 0
  for (const { key, status } of outcomes) {
    const reason = known.get(key)
    const shown = key.replace('\t', ' > ')
    if (status === 'passed') {
      passed++
      if (reason !== undefined) stale.push(shown)
    } else if (reason === undefined)
      faults.push(status === 'failed' ? shown : `${shown} (did not run, and known.txt gives no reason)`)
    else {
      const count = excused.get(reason) ?? { failed: 0, skipped: 0 }
      count[status]++
      excused.set(reason, count)
    }
  }
  if (outcomes.length === 0) faults.push('No test ran.')
  return { passed, faults, excused, stale }
}

// The table of a run: for each spec file how many tests passed, failed and weren't provable, and why. Pure.
import type { z } from 'zod'
import { fromPlaywright, type PlaywrightReport } from '../tools/tally.ts'
import type { Plan, Versions } from './plan.ts'

interface Row {
  readonly file: string
  readonly passed: number
  readonly failed: readonly string[]
  /** Titles by reason. */
  readonly notProvable: ReadonlyMap<string, readonly string[]>
}

export function rowsOf(report: z.infer<typeof PlaywrightReport>): Row[] {
  return fromPlaywright(report, () => null).testResults.map(({ name, status, message, assertionResults }) => {
    const skipped = assertionResults.filter((one) => one.status === 'skipped')
    const failed = assertionResults
      .filter((one) => one.status === 'failed')
      .map(({ fullName = '' }) => fullName)
    const notProvable = new Map<string, string[]>()
    for (const { reason = '', fullName = '' } of skipped) {
      const why = reason === '' ? 'it did not run and gave no reason' : reason
      notProvable.set(why, [...(notProvable.get(why) ?? []), fullName])
    }
    return {
      file: name,
      passed: assertionResults.filter((one) => one.status === 'passed').length,
      failed: status === 'failed' ? [...failed, message.split('\n')[0] ?? ''] : failed,
      notProvable,
    }
  })
}

const sum = (rows: readonly Row[], count: (row: Row) => number): number =>
  rows.reduce((all, row) => all + count(row), 0)
const skippedIn = (row: Row): number => [...row.notProvable.values()].flat().length

/** A skipped test without a reason proves nothing and says nothing, so it fails the run. */
export function isGreen(rows: readonly Row[]): boolean {
  return (
    sum(rows, ({ passed }) => passed) > 0 &&
    rows.every(
      ({ failed, notProvable }) =>
        failed.length === 0 && !notProvable.has('it did not run and gave no reason'),
    )
  )
}

export function tableOf(rows: readonly Row[], versions: Versions, plan: Plan): string[] {
  const width = Math.max(5, ...rows.map(({ file }) => file.length))
  const line = (file: string, passed: number, failed: number, skipped: number): string =>
    `${file.padEnd(width)}  ${String(passed).padStart(6)}  ${String(failed).padStart(6)}  ${String(skipped).padStart(12)}`
  const details = (row: Row): string[] => [
    ...row.failed.map((title) => `    failed: ${title}`),
    ...[...row.notProvable].flatMap(([reason, titles]) =>
      titles.map((title) => `    not provable here (${reason}): ${title}`),
    ),
  ]
  const unproved = [
    ...plan.differences,
    ...plan.shims.map(({ unproved: what, replaces }) => `${what} (replaced: ${replaces})`),
  ]
  return [
    `Electron ${versions.electron} (Node ${versions.node}, Chrome ${versions.chrome}) on ${process.platform}`,
    '',
    `${'spec'.padEnd(width)}  passed  failed  not provable`,
    ...rows.flatMap((row) => [
      line(row.file, row.passed, row.failed.length, skippedIn(row)),
      ...details(row),
    ]),
    line(
      'all',
      sum(rows, ({ passed }) => passed),
      sum(rows, ({ failed }) => failed.length),
      sum(rows, skippedIn),
    ),
    '',
    unproved.length === 0
      ? 'Nothing was replaced: this is the build that is shipped.'
      : 'Not proved by this run:',
    ...unproved.map((what) => `  ${what}`),
  ]
}

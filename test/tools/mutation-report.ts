// The results of mutations as a Markdown table, with the survivors' changes below it and a line that sums up.
import type { Mutation } from './mutation-operators.ts'
import { OUTSIDE, type Report } from './tally.ts'

/** `step` is null for a survivor. */
export interface Caught {
  readonly step: string | null
  /** The test file, the compiler's error, or that the time limit ended it. */
  readonly by: string
  readonly seconds: number
}

export interface Drawn {
  readonly mutation: Mutation
  result: Caught | null
}

/** The step of what `npm test` doesn't catch, but the long runs do. */
export const LONG_STEP = 'only test:long'
const SHOWN = 50

/**
 * The file that a run ended at; null if none is named. The first failure cancels the files that still run,
 * and the report calls these failed as well, but without a test or a message.
 */
export function firstFailed({ testResults }: Report): string | null {
  const failed =
    testResults.find(({ assertionResults }) => assertionResults.some(({ status }) => status === 'failed')) ??
    testResults.find(({ name, status, message }) => status === 'failed' && message !== '' && name !== OUTSIDE)
  return failed?.name ?? null
}

/** A text in a table's cell, on one line. */
function cell(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  const short = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
  return short === '' ? '(nothing)' : `\`${short}\``
}

function resultOf(result: Caught | null): string {
  if (result === null) return 'not run'
  return result.step === null ? '**survived**' : `${result.step}: ${result.by}`
}

/** `first` is the number of the first row, from 0. */
export function tableOf(drawn: readonly Drawn[], first = 0): string {
  const rows = drawn.map(({ mutation: { file, line, operator, before, after }, result }, at) => {
    const seconds = result === null ? '' : result.seconds
    return `| ${first + at + 1} | ${file}:${line} | ${operator} | ${cell(before)} → ${cell(after)} | ${resultOf(result)} | ${seconds} |`
  })
  const survivors = drawn.filter(({ result }) => result?.step === null)
  const long = drawn.filter(({ result }) => result?.step === LONG_STEP)
  const tried = drawn.filter(({ result }) => result !== null)
  const caught = tried.length - survivors.length - long.length
  return [
    '| # | place | operator | change | caught by | s |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...survivors.flatMap(({ mutation: { file, line, before, after } }) => [
      `${file}:${line}`,
      '```diff',
      ...before.split('\n').map((one) => `-${one}`),
      ...after.split('\n').map((one) => `+${one}`),
      '```',
    ]),
    `${tried.length} of ${drawn.length} tried: ${caught} caught by npm test, ${long.length} only by npm run test:long, ${survivors.length} survived`,
  ].join('\n')
}

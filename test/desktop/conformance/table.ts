// Keeps which facts hold on which Electron: after a run with facts, one file for the Electron that was tried and
// a table of all that were tried in this checkout.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { FACTS } from '../../tools/tree.ts'
import { FROM, ON } from './fact.ts'

type Facts = Readonly<Record<string, string>>

export default class Table implements Reporter {
  readonly #facts: Record<string, string> = {}
  #electron = ''

  onTestEnd(test: TestCase, { annotations, status }: TestResult): void {
    const noted = (type: string): string | undefined =>
      annotations.find((one) => one.type === type)?.description
    const electron = noted(ON)
    if (electron === undefined || !test.location.file.includes('conformance')) return
    this.#electron = electron
    this.#facts[test.title] =
      status === 'passed' ? 'yes' : status === 'skipped' ? `from ${noted(FROM) ?? ''}` : 'no'
  }

  onEnd(): void {
    if (this.#electron === '') return
    mkdirSync(FACTS, { recursive: true })
    writeFileSync(join(FACTS, `${this.#electron}.json`), JSON.stringify(this.#facts))
    const tried = readdirSync(FACTS)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({
        name: name.slice(0, -'.json'.length),
        facts: JSON.parse(readFileSync(join(FACTS, name), 'utf8')) as Facts,
      }))
    const titles = [...new Set(tried.flatMap(({ facts }) => Object.keys(facts)))]
    const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
    const table = join(FACTS, 'table.md')
    writeFileSync(
      table,
      [
        row(['Fact', ...tried.map(({ name }) => name)]),
        row(['---', ...tried.map(() => '---')]),
        ...titles.map((title) => row([title, ...tried.map(({ facts }) => facts[title] ?? '')])),
      ].join(''),
    )
    const held = Object.values(this.#facts).filter((one) => one === 'yes').length
    console.log(`\n${held} of ${Object.keys(this.#facts).length} facts hold on ${this.#electron}: ${table}`)
  }
}

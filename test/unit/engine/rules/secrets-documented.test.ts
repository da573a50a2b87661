// How many files with secrets the guard holds, and how many it lets pass that only look like secrets, in a
// corpus made from the formats' documentation and independent of the rules. Prints the share for the part to
// which the rules weren't tuned, too, and what is missed.
import { expect, it } from 'vitest'
import { secretByContent, secretByName } from '../../../../src-main/engine/rules/secrets.ts'
import { secretRuleName } from '../../../../src-shared/i18n/de/secret-rules.ts'
import { type Random, seeded } from '../seeded.ts'
import {
  documentedLookAlikes,
  documentedSecrets,
  heldOutSecrets,
  independentFiles,
} from './documented-secrets.ts'
import type { Sample } from './secret-files.ts'

const SEEDS = [1, 2, 3, 4, 5]

function ruleFor({ path, bytes }: Sample): string | null {
  return secretByName(path)?.rule ?? secretByContent(bytes, path)?.rule ?? null
}

it.each([
  ['that were held out', 70, heldOutSecrets],
  ['that the rules were tuned to', 400, documentedSecrets],
  ['that someone other than the author of the rules wrote', 540, (r: Random) => independentFiles(r, 'held')],
  ['with passwords as people choose and note them', 70, (r: Random) => independentFiles(r, 'chosen')],
] as const)('holds at least 95 percent of the files %s', (_part, count, filesOf) => {
  const files = SEEDS.flatMap((seed) => filesOf(seeded(seed)))
  const missed = files.filter((file) => ruleFor(file) === null).map(({ kind }) => kind)
  console.log(
    `held ${files.length - missed.length} of ${files.length}; missed: ${[...new Set(missed)].join(' · ')}`,
  )
  expect(files.length).toBeGreaterThanOrEqual(count * SEEDS.length)
  expect(missed.length).toBeLessThanOrEqual(files.length * 0.05)
})

it('holds at least 85 percent of the files that were written last', () => {
  const files = SEEDS.flatMap((seed) => independentFiles(seeded(seed), 'last'))
  const missed = files.filter((file) => ruleFor(file) === null).map(({ kind }) => kind)
  console.log(
    `held ${files.length - missed.length} of ${files.length}; missed: ${[...new Set(missed)].join(' · ')}`,
  )
  expect(files.length).toBe(40 * SEEDS.length)
  expect(missed.length).toBeLessThanOrEqual(files.length * 0.15)
})

it.each([
  ['spelled as documented', 60, documentedLookAlikes],
  [
    'that someone other than the author of the rules wrote',
    110,
    (r: Random) => independentFiles(r, 'passed'),
  ],
] as const)('lets files pass that only look like secrets, %s', (_part, count, filesOf) => {
  const files = SEEDS.flatMap((seed) => filesOf(seeded(seed)))
  expect(files.length).toBeGreaterThanOrEqual(count * SEEDS.length)
  expect(files.flatMap((file) => (ruleFor(file) === null ? [] : [`${file.kind}: ${ruleFor(file)}`]))).toEqual(
    [],
  )
})

it('has a German name for every rule that it gives', () => {
  const rules = new Set(documentedSecrets(seeded(1)).map(ruleFor))
  expect([...rules].filter((rule) => rule !== null && secretRuleName(rule) === rule)).toEqual([])
})

// `npm run check`, weights: the house may not become heavier unnoticed. A commit that raises a limit says
// why.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { ROOT, readTree, treeFiles } from './tree.ts'
import { crumbsIn, linesOf, optionCallbacks, wayWeights, wideLines } from './weights.ts'

const texts = new Map(
  treeFiles().flatMap((file) =>
    /^(src-|test\/).*\.tsx?$/.test(file) ? [[file, readTree(file)] as const] : [],
  ),
)
const under = (folder: string): ReadonlyMap<string, string> =>
  new Map([...texts].filter(([file]) => file.startsWith(folder)))
const sources = under('src-')
const engine = under('src-main/engine/')
const sum = (some: ReadonlyMap<string, string>, weigh: (text: string, file: string) => number): number =>
  [...some].reduce((all, [file, text]) => all + weigh(text, file), 0)

const printed = execFileSync(process.execPath, ['--no-warnings', join(ROOT, 'test/tools/way.ts')], {
  encoding: 'utf8',
})
const way = wayWeights(z.array(z.string()).parse(JSON.parse(printed)))

/** What it weighs, and what it may weigh: a little more than was reached last. */
const weights: readonly (readonly [name: string, weight: number, limit: number])[] = [
  ['files entered on the way of one new file, from the event on disk to its link', way.files, 117],
  ['changes of folder on this way', way.changes, 61],
  ['returns to a folder that was left', way.returns, 49],
  ['functions in option objects of the engine', sum(engine, (text, file) => optionCallbacks(file, text)), 33],
  ['small files with one importer', crumbsIn(sources).length, 30],
  ['files of the engine', engine.size, 158],
  ['lines of the engine', sum(engine, linesOf), 39_350],
  ['lines of all sources', sum(sources, linesOf), 107_500],
  ['lines of all tests', sum(under('test/'), linesOf), 133_300],
  ['lines of sources over 120 columns', sum(sources, wideLines), 345],
]

for (const [name, weight, limit] of weights) {
  if (weight > limit) {
    console.error(
      `${name}: ${weight}, and at most ${limit} are allowed. Remove something, or raise the limit`,
    )
    console.error('  in test/tools/check-weights.ts by a commit that says why.')
    process.exitCode = 1
  } else if (process.argv.includes('--print')) console.log(`${name}: ${weight} of ${limit}`)
}

// `npm run check`, rules: applies to the tree what no linter knows. Directions and cycles of imports, how
// files begin, keys that specs press, and what READMEs of source folders name. The rules themselves have bad
// examples in test/unit.
import { keyFaults, openingFault, readmeFaults } from './house.ts'
import { wrongWays } from './imports.ts'
import { circles, edgesOf, layerFaults, UPWARD_IMPORTS } from './layers.ts'
import { readTree, treeFiles } from './tree.ts'

const files = treeFiles()
const faults: string[] = []

/**
 * At least `least` files that match. Fewer mean that the pattern no longer fits the tree, and a rule without
 * files would accept everything.
 */
function matching(pattern: RegExp, least: number): string[] {
  const found = files.filter((file) => pattern.test(file))
  if (found.length < least)
    faults.push(
      `only ${found.length} files match ${String(pattern)}; test/tools/check-rules.ts expects ${least}`,
    )
  return found
}

const sources = matching(/^src-.*\.[cm]?tsx?$/, 500)
const main = sources.filter((file) => file.startsWith('src-main/'))
const known = new Set(main)
const edges: ReturnType<typeof edgesOf> = []
// File by file, because parseSource keeps only the last one.
for (const file of sources) {
  const source = readTree(file)
  faults.push(...wrongWays(file, source))
  if (known.has(file)) edges.push(...edgesOf(file, source, known))
}
faults.push(...layerFaults(edges, main, UPWARD_IMPORTS))
faults.push(
  ...circles(edges, UPWARD_IMPORTS).map((circle) => `these import each other: ${circle.join(', ')}`),
)

for (const file of matching(/^(assets\/packaging\/|src-|test\/).*\.[cm]?tsx?$/, 1000)) {
  const fault = openingFault(readTree(file))
  if (fault !== null) faults.push(`${file} ${fault}`)
}
for (const file of matching(/^test\/(?:e2e\/|bench\/window).*\.ts$/, 20))
  faults.push(...keyFaults(readTree(file)).map((fault) => `${file}:${fault}`))
for (const file of matching(/^src-.*\/README\.md$/, 10))
  faults.push(...readmeFaults(file, readTree(file), files))

for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

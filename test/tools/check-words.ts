// `npm run check`, words: nothing in the tree names the machine it was written on, a host nobody agreed to, or work left undone.
// The lockfile is read for one thing only: it names no place that packages came from.
import { wordFaults } from './house.ts'
import { readTree, treeFiles } from './tree.ts'

const LOCKFILE = 'package-lock.json'
const BINARY = /\.(png|ico|icns|woff2|gz|zip)$/

const faults: string[] = []
for (const file of treeFiles()) {
  if (BINARY.test(file)) continue
  if (file === LOCKFILE) {
    if (readTree(file).includes('"resolved":')) faults.push(`${file}: has "resolved" fields; run npm install with the project's .npmrc`)
    continue
  }
  for (const fault of wordFaults(readTree(file))) faults.push(`${file}:${fault}`)
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

// `npm run check`: all static checks of the code in one command. A warning fails it.
// All steps run even if one fails, and the last line names what failed.
import { runTogether, type Step } from './steps.ts'
import { readTree, treeFiles } from './tree.ts'
import { typesCache, typesKey } from './types-cache.ts'

/**
 * Go collects no garbage before it has 2 GB, which the checks of this tree never reach: a quarter less CPU
 * time for 10 % more memory.
 */
const GO = { GOGC: 'off', GOMEMLIMIT: '2GiB' }

const key = typesKey(treeFiles(), readTree)

/** `cache` is a name that is no beginning of another. */
const types = (name: string, project: string, cache: string): Step => ({
  name,
  command: 'tsc',
  args: ['-p', project, '--incremental', '--tsBuildInfoFile', typesCache(cache, key)],
  env: GO,
})

/** The longest first, so that no long step is the only one at the end. */
const STEPS: readonly Step[] = [
  { name: 'lint', command: 'oxlint', args: [], env: GO },
  types('types', '.', 'types-all'),
  { name: 'unused', command: 'knip', args: ['--treat-config-hints-as-errors'] },
  { name: 'format', command: 'biome', args: ['check', '--error-on-warnings'] },
  types('types of the window', 'src-renderer', 'types-window'),
  { name: 'rules', command: 'node', args: ['test/tools/check-rules.ts'] },
  { name: 'weights', command: 'node', args: ['test/tools/check-weights.ts'] },
  { name: 'words', command: 'node', args: ['test/tools/check-words.ts'] },
  { name: 'licences', command: 'node', args: ['test/tools/check-licences.ts'] },
]

const failed: string[] = []
await runTogether(STEPS, ({ name }, { ok, seconds, output }) => {
  console.log(`check: ${name}: ${ok ? 'ok' : 'failed'} (${seconds.toFixed(1)} s)`)
  const text = output.trim()
  if (text !== '') console.log(text)
  if (!ok) failed.push(name)
})
console.log(
  failed.length === 0
    ? `check: ${STEPS.length} of ${STEPS.length} ok`
    : `check: failed: ${failed.join(', ')}`,
)
process.exitCode = failed.length === 0 ? 0 : 1

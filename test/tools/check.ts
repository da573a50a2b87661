// `npm run check`: all static checks of the code in one command. A warning fails it.
// All steps run even if one fails, and the last lines name what failed.
import { runStep, type Step } from './steps.ts'

const STEPS: readonly Step[] = [
  { name: 'types', command: 'tsc', args: ['-p', '.'] },
  { name: 'types of the window', command: 'tsc', args: ['-p', 'src-renderer'] },
  { name: 'lint', command: 'oxlint', args: [] },
  { name: 'format', command: 'biome', args: ['check', '--error-on-warnings'] },
  { name: 'unused', command: 'knip', args: ['--treat-config-hints-as-errors'] },
  { name: 'licences', command: 'node', args: ['test/tools/check-licences.ts'] },
  { name: 'words', command: 'node', args: ['test/tools/check-words.ts'] },
  {
    name: 'rooms',
    command: 'vitest',
    args: ['run', '--reporter=dot', 'test/unit/import-directions.test.ts', 'test/unit/house-rules.test.ts'],
  },
]

const failed: string[] = []
for (const step of STEPS) {
  console.log(`check: ${step.name}`)
  if (!runStep(step).ok) failed.push(step.name)
}
console.log(failed.length === 0 ? `check: ${STEPS.length} of ${STEPS.length} ok` : `check: failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

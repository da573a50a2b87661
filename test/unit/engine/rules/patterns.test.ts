// Ignore rules and the user's rules for secrets over the life of a session: a folder that is watched for
// months sees millions of paths.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

const PATHS = 200_000
const GROWTH_MAX_BYTES = 10 * 1024 * 1024
const ADMISSION = new URL('../../../../src-main/engine/rules/', import.meta.url)

/** Runs in a process of its own, in which garbage can be collected before memory is measured. */
function growth(createLook: string): number {
  const script = `
    const { createGuard } = await import('${new URL('guard.ts', ADMISSION)}')
    const { createIgnoreRules, NO_RULES } = await import('${new URL('ignore-rules.ts', ADMISSION)}')
    const look = ${createLook}
    gc()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < ${PATHS}; i++) look(\`cache/entry-\${i}.x1\`)
    gc()
    console.log(process.memoryUsage().heapUsed - before, look('cache/last.x1'))`
  const out = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  return Number.parseInt(out, 10)
}

it.each([
  [
    'ignore rules',
    `(() => {
      const rules = createIgnoreRules({ ...NO_RULES, patterns: ['*.log'] })
      return (path) => rules.file(path, 1)
    })()`,
  ],
  [
    "the user's rules for secrets",
    `(() => {
      const own = { hold: ['*.private'], allow: ['*.pub'] }
      const guard = createGuard({ rules: () => own, key: () => null, inspection: { inspect: async () => null, secretLine: async () => null } })
      return (path) => guard.byName('/home/me/' + path)
    })()`,
  ],
])('keep no memory of the paths that they were asked about: %s', (_what, createLook) => {
  expect(growth(createLook)).toBeLessThan(GROWTH_MAX_BYTES)
})

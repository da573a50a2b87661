// Steps that run at the same time: their output stays together, in the order of the steps, and each failure
// counts.
import { expect, it } from 'vitest'
import { runTogether, type Step } from '../../tools/steps.ts'

const script = (name: string, code: string, env?: Step['env']): Step => ({
  name,
  command: 'node',
  args: ['-e', code],
  ...(env === undefined ? {} : { env }),
})

async function run(steps: readonly Step[]) {
  const ended: { readonly name: string; readonly ok: boolean; readonly output: string }[] = []
  await runTogether(steps, ({ name }, { ok, output }) => void ended.push({ name, ok, output }))
  return ended
}

it("keeps each step's output together, and reports in the order of the steps", async () => {
  const lines = 'for (const at of [1, 2, 3]) setTimeout(() => console.log(at), at * 20)'
  const steps = [
    script('slow', lines),
    script('quick', 'console.log(0)'),
    script('silent', ''),
    script('errors', 'console.error(4)'),
  ]
  expect(await run(steps)).toEqual([
    { name: 'slow', ok: true, output: '1\n2\n3\n' },
    { name: 'quick', ok: true, output: '0\n' },
    { name: 'silent', ok: true, output: '' },
    { name: 'errors', ok: true, output: '4\n' },
  ])
})

it('goes on after a step that fails, that a signal ends, or that does not exist', async () => {
  const steps = [
    script('exit code', 'process.exit(3)'),
    script('signal', `process.kill(process.pid, 'SIGKILL')`),
    { name: 'missing', command: 'slipway-no-such-tool', args: [] },
    script('fine', ''),
  ]
  expect((await run(steps)).map(({ name, ok }) => [name, ok])).toEqual([
    ['exit code', false],
    ['signal', false],
    ['missing', false],
    ['fine', true],
  ])
})

it("runs a step with its environment, unless the caller's says otherwise", async () => {
  const print = 'console.log(process.env.SLIPWAY_STEP)'
  expect(await run([script('own', print, { SLIPWAY_STEP: 'own' })])).toMatchObject([{ output: 'own\n' }])
  process.env['SLIPWAY_STEP'] = 'caller'
  try {
    expect(await run([script('own', print, { SLIPWAY_STEP: 'own' })])).toMatchObject([{ output: 'caller\n' }])
  } finally {
    delete process.env['SLIPWAY_STEP']
  }
})

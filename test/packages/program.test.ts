// The executable of the command line can be made with any Node, wherever it lies and whatever lies beside it:
// npm's packages of Node for Windows hold node.exe alone, and the one for Apple silicon has a name of its
// own.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { itNeeding } from '../tools/needing.ts'
import { ROOT, readTree } from '../tools/tree.ts'

const LICENCE = 'assets/licences/node.txt'

describe.runIf(process.platform === 'linux')('the executable', () => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-program-test-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  itNeeding('binutils', 'is made by a Node without a licence beside it, and brings the licence', () => {
    const node = join(home, 'node')
    copyFileSync(process.execPath, node)
    mkdirSync(join(home, 'dist/program'), { recursive: true })
    // The signal that opens the debugger of any other Node, before a program could listen for it.
    const code =
      'console.log("it runs"); if (process.argv.includes("signal")) { process.kill(process.pid, "SIGUSR1"); setTimeout(() => {}, 500) }'
    writeFileSync(join(home, 'dist/program/slipway.cjs'), code)
    const script = `
      import { makeProgram } from ${JSON.stringify(join(ROOT, 'assets/packaging/program.ts'))}
      console.log(await makeProgram(${JSON.stringify(join(home, 'dist'))}))`
    const made =
      execFileSync(node, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .at(-1) ?? ''
    expect(execFileSync(made, { encoding: 'utf8' })).toBe('it runs\n')
    const opensDebugger = (program: string, args: readonly string[]): boolean =>
      spawnSync(program, args, { encoding: 'utf8' }).stderr.includes('Debugger listening')
    expect(
      opensDebugger(process.execPath, [join(home, 'dist/program/slipway.cjs'), 'signal']),
      'another Node does',
    ).toBe(true)
    expect(opensDebugger(made, ['signal'])).toBe(false)
    expect(readFileSync(join(made, '../LICENSE.node.txt'), 'utf8')).toBe(readTree(LICENCE))
  })

  it('brings the licence of exactly the Node that is pinned', () => {
    const inNode = createRequire(createRequire(import.meta.url).resolve('node/package.json'))
    const pinned = inNode.resolve(`node-linux-${process.arch}/package.json`)
    expect(readTree(LICENCE)).toBe(readFileSync(join(pinned, '../LICENSE'), 'utf8'))
  })
})

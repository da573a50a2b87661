// How an API key in the environment gets from the Linux packages' start script into the app: through a
// descriptor, in each shell that a distribution has as /bin/sh. Processes that inherit only the variable, or
// a wrong one, get no key and no error.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takePassedKey } from '../../../src-main/shell/app/passed-key.ts'
import { describeNeeding } from '../../tools/needing.ts'
import { ROOT } from '../../tools/tree.ts'

const KEY = `it's "$KEY" \\n 100% #é`
const home = mkdtempSync(join(tmpdir(), 'slipway-passed-key-'))
const script = join(home, 'a folder', 'slipway-desktop')
const SHELLS = process.platform === 'win32' ? [] : (['bash', 'busybox', 'dash', 'zsh'] as const)

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe.skipIf(SHELLS.length === 0)('the start script', () => {
  beforeAll(() => {
    execFileSync('mkdir', [join(home, 'a folder')])
    copyFileSync(join(ROOT, 'assets/linux/start-app.sh'), script)
    const taken = `
      import { readFileSync } from 'node:fs'
      import { takePassedKey } from ${JSON.stringify(join(ROOT, 'src-main/shell/app/passed-key.ts'))}
      const names = Object.keys(process.env).filter((name) => name.startsWith('SLIPWAY'))
      const key = takePassedKey(process.env)
      console.log(JSON.stringify({ key, again: takePassedKey(process.env), names, left: process.env.SLIPWAY_API_KEY_FD ?? null,
        pid: process.pid, input: readFileSync(0, 'utf8'), words: process.argv.slice(1) }))`
    writeFileSync(join(home, 'take.mjs'), taken)
    // Node would take words that begin with a dash for its own.
    const program = `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${join(home, 'take.mjs')}' "$@"\n`
    writeFileSync(`${script}.bin`, program, { mode: 0o755 })
    // The only other program that the script starts.
    mkdirSync(join(home, 'bin'))
    const spy = `#!/bin/sh\nenv >'${join(home, 'inherited')}'\nPATH=\${PATH#*:} exec readlink "$@"\n`
    writeFileSync(join(home, 'bin/readlink'), spy, { mode: 0o755 })
  })

  const start = (shell: string, key: string | undefined) => {
    const words = shell === 'busybox' ? ['sh', script] : [script]
    const child = spawnSync(shell, [...words, '--hidden', 'a file.txt', ''], {
      env: {
        PATH: `${home}/bin:${process.env['PATH']}`,
        ...(key === undefined ? {} : { SLIPWAY_API_KEY: key }),
      },
      input: 'input',
      encoding: 'utf8',
    })
    expect(child.stderr).toBe('')
    return { pid: child.pid, said: JSON.parse(child.stdout) as Record<string, unknown> }
  }

  for (const shell of SHELLS)
    describeNeeding(shell, `in ${shell}`, () => {
      it('passes the key on, and not in the environment', () => {
        const { pid, said } = start(shell, KEY)
        expect(said).toEqual({
          key: KEY,
          again: null,
          names: ['SLIPWAY_API_KEY_FD'],
          left: null,
          pid,
          input: 'input',
          words: [join(home, 'take.mjs'), '--hidden', 'a file.txt', ''],
        })
        expect(readFileSync(join(home, 'inherited'), 'utf8')).not.toContain('API_KEY')
      })

      it('passes nothing on where there is no key', () => {
        expect(start(shell, undefined).said).toMatchObject({ key: null, names: [], input: 'input' })
        expect(start(shell, '').said).toMatchObject({ key: null })
      })

      it('passes on a key that is longer than a pipe holds at once', () => {
        const long = 'k'.repeat(100_000)
        expect(start(shell, long).said).toMatchObject({ key: long, names: ['SLIPWAY_API_KEY_FD'] })
      })
    })
})

describe('takePassedKey', () => {
  it.each([undefined, '', '0', '2', '-1', '9999', '3x', '99999999999', '3.5'])(
    'takes nothing from the descriptor %j',
    (value) => {
      const env: Record<string, string | undefined> = { SLIPWAY_API_KEY_FD: value, OTHER: 'x' }
      expect(takePassedKey(env)).toBeNull()
      expect(env).toEqual({ OTHER: 'x' })
    },
  )

  it('neither reads nor closes a file that has a name', () => {
    const file = join(home, 'named.txt')
    writeFileSync(file, 'text')
    const fd = openSync(file, 'r')
    try {
      expect(takePassedKey({ SLIPWAY_API_KEY_FD: String(fd) })).toBeNull()
      expect(fstatSync(fd).size).toBe(4)
    } finally {
      closeSync(fd)
    }
  })
})

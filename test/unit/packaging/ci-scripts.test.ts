// The scripts of .ci, run with recorded commands in place of npm, apt and everything else that installs,
// builds or publishes: on each system they run the right steps, and they fail if any of these fails. What the
// steps themselves do is covered by the tests of the npm scripts.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import pkg from '../../../package.json' with { type: 'json' }
import { ROOT } from '../../tools/tree.ts'
import { tempFolder } from '../../world/temp-folder.ts'

type System = 'Linux' | 'Darwin' | 'MINGW64_NT-10.0-26100'

/** Commands that change the machine or need it, and what they print. */
const RECORDED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['apt-get', 'node', 'npx', 'openbox', 'spctl', 'tar', 'xcrun'].map((name) => [name, '']),
  ),
  npm: `[ "$1" = pkg ] && echo '"${pkg.version}"'`,
  'dpkg-query': "printf 'install ok installed'",
  uname: 'echo "$SYSTEM"',
  // These run the command that they are given.
  sudo: 'while [ $# -gt 0 ]; do case "$1" in -*) shift ;; *) exec "$@" ;; esac; done',
  sysctl: '',
  'xvfb-run': 'while [ $# -gt 0 ]; do case "$1" in -*) shift ;; *) exec "$@" ;; esac; done',
}

const APPLE = { APPLE_ID: 'ada@example.com', APPLE_APP_SPECIFIC_PASSWORD: 'secret', APPLE_TEAM_ID: 'TEAM' }
const RELEASE = {
  GITHUB_REF_NAME: `v${pkg.version}`,
  SLIPWAY_RELEASE_URL: `https://files.example.com/v${pkg.version}`,
}

let dir = ''
beforeEach(() => {
  dir = tempFolder()
  // The scripts work in the folder above theirs, which here has nothing to lose.
  cpSync(join(ROOT, '.ci'), join(dir, '.ci'), { recursive: true })
  mkdirSync(join(dir, 'bin'))
  for (const [name, body] of Object.entries(RECORDED)) {
    const record = 'echo "${0##*/} $*" >> "$LOG"; case "${0##*/} $*" in $FAILING) exit 9 ;; esac'
    writeFileSync(join(dir, 'bin', name), `#!/bin/sh\n${record}\n${body}\nexit 0\n`)
    chmodSync(join(dir, 'bin', name), 0o755)
  }
})

interface Ran {
  readonly code: number | null
  /** The commands of npm and npx, in order. */
  readonly steps: readonly string[]
}

function run(
  script: string,
  system: System,
  env: Readonly<Record<string, string>> = {},
  failing = 'nothing',
): Ran {
  const log = join(dir, 'log')
  rmSync(log, { force: true })
  const { status } = spawnSync('bash', [join(dir, '.ci', script)], {
    env: {
      PATH: `${join(dir, 'bin')}:/usr/bin:/bin`,
      HOME: dir,
      LOG: log,
      SYSTEM: system,
      FAILING: failing,
      ...env,
    },
    // The end of the pipe is waited for, too: openbox runs in the background and may write to the log after
    // the script has ended.
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  return { code: status, steps: lines.filter((line) => /^np[mx] (?!pkg)/.test(line)) }
}

/** The npm scripts and programs that ran, without their arguments. */
function names(steps: readonly string[]): readonly string[] {
  return steps.flatMap((step) => /^np[mx] (?:run )?(?:--\S+ )*([\w:-]+)/.exec(step)?.[1] ?? [])
}

const ELECTRON = ['ci', 'install-electron', 'test:electron', 'screenshots']
const PACKAGES = ['ci', 'pack', 'test:installed']

describe
  .runIf(process.platform !== 'win32')
  .each<[string, System, Readonly<Record<string, string>>, readonly string[]]>([
    ['run', 'Linux', {}, ['ci', 'test']],
    ['run', 'Darwin', {}, ['ci', 'test']],
    ['long', 'Linux', {}, ['ci', 'test:long']],
    ['windows', 'Linux', {}, ['ci', 'build', 'test:windows']],
    ['electron', 'Linux', {}, ELECTRON],
    ['electron', 'Darwin', {}, ELECTRON],
    ['electron', 'MINGW64_NT-10.0-26100', {}, ELECTRON],
    ['packages', 'Linux', {}, PACKAGES],
    ['packages', 'Darwin', {}, PACKAGES],
    ['packages', 'Darwin', { SLIPWAY_SIGNED: 'true', ...APPLE }, PACKAGES],
    ['packages', 'MINGW64_NT-10.0-26100', { SLIPWAY_SIGNED: 'true' }, PACKAGES],
    ['files', 'Linux', RELEASE, ['ci', 'build', 'release:files']],
    [
      'files',
      'Linux',
      { ...RELEASE, SLIPWAY_FEED_URL: 'https://files.example.com/updates.json' },
      ['ci', 'build', 'release:files'],
    ],
  ])('.ci/%s on %s with %j', (script, system, env, steps) => {
  it(`runs ${steps.join(', ')}`, () => {
    const ran = run(script, system, env)
    expect([ran.code, names(ran.steps)]).toEqual([0, steps])
  })

  it('fails if one of them fails', () => {
    for (const step of new Set(run(script, system, env).steps)) {
      const { code } = run(script, system, env, step)
      expect([step, code]).not.toEqual([step, 0])
    }
  })
})

// Bash 3 of macOS takes an empty array for an unset variable, and the scripts end at those. No newer Bash
// shows it.
it.each(readdirSync(join(ROOT, '.ci')))(
  '.ci/%s uses no array that may be empty as if it had items',
  (script) => {
    const text = readFileSync(join(ROOT, '.ci', script), 'utf8')
    const faults = [...text.matchAll(/^\s*(\w+)=\(\)$/gm)].flatMap(([, name = '']) => {
      const guarded = `\${${name}[@]+"\${${name}[@]}"}`
      if (text.includes(`if ((\${#${name}[@]} > 0)); then`)) return []
      return text.replaceAll(guarded, '').includes(`\${${name}[@]}`) ? [name] : []
    })
    expect(faults).toEqual([])
  },
)

it.runIf(process.platform !== 'win32')(
  'on Linux, the app is driven beside a window manager, without which no window is maximised',
  () => {
    run('electron', 'Linux')
    expect(readFileSync(join(dir, 'log'), 'utf8')).toMatch(/^openbox/m)
  },
)

it.runIf(process.platform !== 'win32')('a release is refused if the tag is not the version', () => {
  expect(run('files', 'Linux', { ...RELEASE, GITHUB_REF_NAME: 'v999.0.0' })).toEqual({ code: 1, steps: [] })
})

// `slipway watch` on a server: the scripts do what the unit and the container rely on, with a stand-in for
// the command in their PATH, and the container file refers only to existing files. Needs neither systemd nor
// a container engine.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import pkg from '../../../package.json' with { type: 'json' }
import { EXIT } from '../../../src-main/cli/exit-codes.ts'
import { CONTAINERFILE, copiedFiles } from '../../packages/containerfile.ts'
import { ROOT, readTree } from '../../tools/tree.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const onPosix = describe.skipIf(process.platform === 'win32')
let dir = ''
beforeEach(() => {
  dir = tempFolder()
})

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { PATH: `${dir}:/usr/bin:/bin`, ...env },
  })
  return { status, out: stdout, err: stderr }
}

/** A `slipway`, or another program, that runs this script. */
function stub(script: string, name = 'slipway'): void {
  writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(dir, name), 0o755)
}

onPosix('with-key', () => {
  const withKey = (text: string | null) => {
    const file = join(dir, 'key')
    if (text !== null) writeFileSync(file, text)
    stub('printf "%s|" "$SLIPWAY_API_KEY" "$@"')
    return run(join(ROOT, 'assets/server/with-key'), [file, 'slipway', 'watch', '/a b/$c'])
  }

  it.each([
    ['a line', 'sk_test-1\n'],
    ['a line without its end', 'sk_test-1'],
    ['more lines', 'sk_test-1\nnote\n'],
  ])('hands over the key from %s, and the words as they are', (_name, text) => {
    expect(withKey(text)).toEqual({ status: 0, out: 'sk_test-1|watch|/a b/$c|', err: '' })
  })

  it.each([
    ['no file', null],
    ['an empty file', ''],
    ['an empty line', '\n'],
  ])('starts nothing with %s, and exits as for a missing key', (_name, text) => {
    const { status, out, err } = withKey(text)
    expect({ status, out }).toEqual({ status: EXIT.account, out: '' })
    expect(err).toContain('There is no API key in ')
  })
})

onPosix('health', () => {
  const GOOD = {
    account: { state: 'ok' },
    folders: [{ path: '/share', state: 'watching' }],
    engine: 'another-process',
    health: [],
  }
  const health = (status: unknown, exit = 0) => {
    writeFileSync(join(dir, 'status.json'), JSON.stringify(status))
    stub(`cat "${join(dir, 'status.json')}"; exit ${exit}`)
    return run(join(ROOT, 'assets/server/health'), [])
  }

  it.each([
    ['all is well', GOOD],
    ['there is no connection', { ...GOOD, account: { state: 'offline' } }],
    [
      'a folder is named like a fault',
      { ...GOOD, folders: [{ path: '/share/"state":"away"', state: 'watching' }] },
    ],
  ])('is good where %s', (_name, status) => {
    expect(health(status)).toEqual({ status: 0, out: '', err: '' })
  })

  it.each([
    ['no engine runs', { ...GOOD, engine: 'this-command' }, /Nothing is being watched/],
    ['the key is refused', { ...GOOD, account: { state: 'key-refused' } }, /key/],
    ['there is no key', { ...GOOD, account: { state: 'none' } }, /key/],
    ['the plan has no API', { ...GOOD, account: { state: 'no-api' } }, /plan/],
    ['a folder is away', { ...GOOD, folders: [{ path: '/share', state: 'away' }] }, /folder/],
  ])('is bad where %s, and says so', (_name, status, why) => {
    const { status: code, out } = health(status)
    expect(code).toBe(1)
    expect(out).toMatch(why)
  })

  it('is bad where the command fails', () => {
    expect(health(GOOD, 1).status).toBe(1)
  })
})

describe('the unit', () => {
  const unit = readTree('assets/server/slipway@.service')
  const settings = unit.split('\n').filter((line) => /^[A-Z]/.test(line))

  it('restarts unless that would change nothing', () => {
    expect(settings).toContain('Restart=on-failure')
    expect(settings).toContain(`SuccessExitStatus=${EXIT.interrupted}`)
    expect(settings).toContain(`RestartPreventExitStatus=${EXIT.usage} ${EXIT.account}`)
  })

  it('has the key from a credential alone', () => {
    expect(unit).toMatch(/^LoadCredential=api-key:/m)
    expect(settings.filter((line) => line.startsWith('Environment=') && line.includes('KEY'))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('starts the watch with that key and the folder', () => {
    const [, script = ''] = /^ExecStart=:\/bin\/sh -c '(.*)' slipway %f$/m.exec(unit) ?? []
    writeFileSync(join(dir, 'api-key'), 'sk_test-1\n')
    stub('printf "%s|" "$SLIPWAY_API_KEY" "$@"')
    const started = run('/bin/sh', ['-c', script, 'slipway', '/srv/a b'], { CREDENTIALS_DIRECTORY: dir })
    expect(started).toEqual({ status: 0, out: 'sk_test-1|watch|/srv/a b|', err: '' })
    rmSync(join(dir, 'api-key'))
    expect(
      run('/bin/sh', ['-c', script, 'slipway', '/srv/a b'], { CREDENTIALS_DIRECTORY: dir }).status,
    ).not.toBe(0)
  })
})

describe("the user's unit", () => {
  const unit = readTree('assets/linux/slipway-watch@.service').replaceAll('\\\n', '')
  const settings = unit.split('\n').filter((line) => /^[A-Z]/.test(line))

  it('is tried again as long as its first command fails, but not where another start would change nothing', () => {
    expect(settings).toEqual(expect.arrayContaining(['Restart=on-failure', 'StartLimitIntervalSec=0']))
    expect(settings).toContain(`SuccessExitStatus=${EXIT.interrupted}`)
    expect(settings).toContain(`RestartPreventExitStatus=${EXIT.usage} ${EXIT.account}`)
  })

  describe.skipIf(process.platform === 'win32')('with its commands', () => {
    const script = (name: 'ExecStartPre' | 'ExecStart'): string => {
      const [, text = ''] = new RegExp(`^${name}=:/bin/sh -c '(.*)'(?: slipway %f)?$`, 'm').exec(unit) ?? []
      expect(text).toContain('/usr/bin/slipway ')
      return text.replaceAll('/usr/bin/slipway', 'slipway')
    }
    const start = (env: Readonly<Record<string, string>>) => {
      stub('printf "%s|" "${SLIPWAY_API_KEY-none}" "$@"')
      return run('/bin/sh', ['-c', script('ExecStart'), 'slipway', '/home/ada/a b'], env)
    }

    it('waits for a key, which the keychain may give long after the login', () => {
      const check = (state: string, env = {}) => {
        stub(`test "$*" = "status --json" && printf '%s' '{"account":{"state":"${state}"}}'`)
        return run('/bin/sh', ['-c', script('ExecStartPre')], env).status
      }
      expect(check('none')).toBe(1)
      for (const state of ['ok', 'offline', 'unproved', 'key-refused'])
        expect([state, check(state)]).toEqual([state, 0])
      expect(check('none', { CREDENTIALS_DIRECTORY: dir })).toBe(0)
    })

    it.each([
      ['b true', 1],
      ['b false', 0],
    ])(
      'reads no key from a keychain whose collection is locked (%s), because that would open a dialog',
      (answer, status) => {
        stub(`printf '%s' '{"account":{"state":"ok"}}'`)
        stub(`test "$1 $2" = "--user get-property" && echo '${answer}'`, 'busctl')
        expect(run('/bin/sh', ['-c', script('ExecStartPre')]).status).toBe(status)
      },
    )

    it('leaves to the watch itself what else is wrong', () => {
      stub('exit 1')
      stub('exit 1', 'busctl')
      expect(run('/bin/sh', ['-c', script('ExecStartPre')]).status).toBe(0)
    })

    it('watches the folder with the key of the keychain', () => {
      expect(start({})).toEqual({ status: 0, out: 'none|watch|--no-color|--|/home/ada/a b|', err: '' })
    })

    it('watches the folder with the key of a credential, as its comment describes', () => {
      expect(unit).toMatch(/^# {3}LoadCredential=api-key:/m)
      writeFileSync(join(dir, 'api-key'), 'sk_test-1\n')
      expect(start({ CREDENTIALS_DIRECTORY: dir })).toMatchObject({
        status: 0,
        out: 'sk_test-1|watch|--no-color|--|/home/ada/a b|',
      })
      rmSync(join(dir, 'api-key'))
      expect(start({ CREDENTIALS_DIRECTORY: dir })).toMatchObject({ status: 1, out: '' })
    })
  })
})

it('units and container give freed memory back, with the same settings', () => {
  const settings = 'MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072'
  for (const unit of ['assets/server/slipway@.service', 'assets/linux/slipway-watch@.service'])
    expect(readTree(unit).split('\n')).toContain(`Environment=${settings}`)
  expect(readTree('assets/server/Containerfile')).toMatch(new RegExp(`^ENV .*${settings}$`, 'm'))
})

describe('the Containerfile', () => {
  const lines = readTree(CONTAINERFILE).split('\n')
  const of = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

  it('runs on the Node that is pinned, not as root', () => {
    expect(of('FROM').map((line) => /^node:([\d.]+)-/.exec(line)?.[1])).toEqual([
      pkg.optionalDependencies.node,
      pkg.optionalDependencies.node,
    ])
    expect(of('USER')).toEqual(['node'])
  })

  it('copies what is in the tree', () => {
    expect(copiedFiles().length).toBeGreaterThan(8)
    expect(copiedFiles().filter((source) => !existsSync(join(ROOT, source)))).toEqual([])
  })

  it('gets nothing else handed over: no packages, no other build, no key file beside the sources', () => {
    const [first, ...others] = readTree(`${CONTAINERFILE}.dockerignore`)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
    expect(others.toSorted()).toEqual(
      copiedFiles()
        .map((source) => `!${source}`)
        .toSorted(),
    )
  })

  it('has the key from a mounted secret alone', () => {
    expect(JSON.parse(of('ENTRYPOINT')[0] ?? '')).toEqual([
      '/opt/slipway/with-key',
      '/run/secrets/slipway-api-key',
      'slipway',
    ])
    expect([...of('ENV'), ...of('ARG')].filter((line) => line.includes('KEY'))).toEqual([])
  })
})

// The decisions of `npm start`: where Electron is, whether there is a display, the message if the download
// fails, and how it ends. Doesn't start Electron, build or download anything; a two-line script replaces the
// binary.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  appEnvironment,
  binaryPath,
  downloadFault,
  exitCode,
  hasDisplay,
  noDisplay,
  open,
} from '../../tools/start.ts'
import { ROOT } from '../../tools/tree.ts'

const ELECTRON = {
  folder: '/app/node_modules/electron',
  path: 'electron',
  version: '45.4.1',
  wanted: '45.4.1',
}

describe('binaryPath', () => {
  it.each<
    [
      string,
      Record<string, string>,
      Partial<typeof ELECTRON> | { path: null } | { version: null },
      string | null,
    ]
  >([
    ['what is installed', {}, {}, join(ELECTRON.folder, 'dist', 'electron')],
    [
      'a version written with a v and a line end',
      {},
      { version: 'v45.4.1\n' },
      join(ELECTRON.folder, 'dist', 'electron'),
    ],
    ['nothing where nothing was unpacked', {}, { path: null }, null],
    ['nothing where the unpacking was cut', {}, { version: null }, null],
    ['nothing where another version lies', {}, { version: '45.4.0' }, null],
    [
      'the folder that is named',
      { ELECTRON_OVERRIDE_DIST_PATH: '/elsewhere' },
      { path: null },
      join('/elsewhere', 'electron'),
    ],
    [
      'what is installed, when an empty folder is named',
      { ELECTRON_OVERRIDE_DIST_PATH: '' },
      {},
      join(ELECTRON.folder, 'dist', 'electron'),
    ],
  ])('takes %s', (_name, env, change, path) => {
    expect(binaryPath(env, { ...ELECTRON, ...change })).toBe(path)
  })
})

describe('hasDisplay', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['linux', { DISPLAY: '' }, false],
    ['linux', { ELECTRON_OVERRIDE_DIST_PATH: '/elsewhere' }, true],
    ['linux', {}, false],
    ['darwin', {}, true],
    ['win32', {}, true],
  ])('on %s with %o: %s', (platform, env, answer) => {
    expect(hasDisplay(platform, env)).toBe(answer)
  })

  it('is asked for in words that name the other way', () => {
    expect(noDisplay()).toContain('npm run demo -- --headless')
  })
})

describe('downloadFault', () => {
  it.each([
    [
      'TypeError: fetch failed\n    at node:internal/deps/undici/undici:1:1',
      'its server cannot be reached from here',
    ],
    ['Error: getaddrinfo ENOTFOUND files.example.org', 'its server cannot be reached from here'],
    [
      'HTTPError: Response code 404 (Not Found) for http://mirror.test/v1/a.zip\n at x',
      'the server answered 404 for http://mirror.test/v1/a.zip',
    ],
    [
      'ChecksumMismatchError: Generated checksum for "a.zip" did not match expected checksum.',
      'what arrived is not what Electron published',
    ],
    ['Error: ENOSPC: no space left on device, write', 'the disk is full'],
    ["Error: EACCES: permission denied, mkdir 'dist'", 'node_modules/electron cannot be written'],
    ['Error: the zip ends too early\n    at unzip (a.js:1:1)', 'the zip ends too early'],
    ['', 'the download ended without a word'],
  ])('%j', (output, reason) => {
    const text = downloadFault('45.4.1', output, {})
    expect(text.split('\n')[0]).toBe(`Electron 45.4.1 could not be downloaded: ${reason}.`)
    expect(text).not.toMatch(/^\s+at /m)
    for (const way of ['ELECTRON_MIRROR', 'npm run demo', 'headless']) expect(text).toContain(way)
  })

  it('looks at the mirror where one is set', () => {
    const text = downloadFault('45.4.1', 'TypeError: fetch failed', {
      ELECTRON_MIRROR: 'http://mirror.test/electron',
    })
    expect(text).toContain(
      'ELECTRON_MIRROR is set to http://mirror.test/electron: its address ends in a slash',
    )
  })
})

describe('exitCode', () => {
  it.each<[number | null, NodeJS.Signals | null, number]>([
    [0, null, 0],
    [7, null, 7],
    [null, 'SIGINT', 130],
    [null, 'SIGTERM', 143],
    [null, null, 1],
  ])('%s and %s give %i', (code, signal, answer) => {
    expect(exitCode(code, signal)).toBe(answer)
  })
})

it('appEnvironment leaves out what would make the app a plain Node, and nothing else', () => {
  expect(appEnvironment({ PATH: '/bin', ELECTRON_RUN_AS_NODE: '1' })).toEqual({ PATH: '/bin' })
})

describe.runIf(process.platform !== 'win32')('open', () => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-start-'))
  afterAll(() => {
    rmSync(home, { recursive: true, force: true })
  })
  const script = (name: string, line: string): string => {
    writeFileSync(join(home, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    return join(home, name)
  }

  it('hands the folder and the arguments over and ends as the app ends', async () => {
    const binary = script('app', `[ "$*" = '. --lang=de a b' ] && [ -f package.json ] && exit 7`)
    expect(await open(binary, ['--lang=de', 'a b'])).toBe(7)
  })

  it('tells the end by a signal as a shell does', async () => {
    expect(await open(script('killed', 'kill -TERM $$'), [])).toBe(143)
  })

  it('passes a signal on to the app and waits for it', async () => {
    const before = process.listenerCount('SIGTERM')
    const ended = open(script('patient', `trap 'exit 5' TERM; while :; do sleep 0.05; done`), [])
    // The script may not have set its trap yet, so repeat the signal until the app has ended.
    const again = setInterval(() => process.emit('SIGTERM', 'SIGTERM'), 200)
    expect([5, 143]).toContain(await ended)
    clearInterval(again)
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })

  it('says what to do when the binary does not start', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await open(join(home, 'missing'), [])).toBe(1)
    expect(said.mock.calls.join('\n')).toMatch(
      /^Electron could not be started: .*ENOENT.*\nDelete node_modules\/electron\/dist/,
    )
    said.mockRestore()
  })
})

it.runIf(process.platform === 'linux')(
  'the program ends with 1 and without a stack where there is no display',
  () => {
    const { DISPLAY: _x, WAYLAND_DISPLAY: _w, ELECTRON_OVERRIDE_DIST_PATH: _o, ...env } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, ['test/tools/start.ts'], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `${noDisplay()}\n` })
  },
)

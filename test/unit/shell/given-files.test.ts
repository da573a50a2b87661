// Table-driven tests of the arguments of a start: files in every form on each system, and everything that
// isn't a file. Also `file:` URLs on their own. Only the check whether a file exists accesses the disk.
import { describe, expect, it } from 'vitest'
import { fileUrlPath } from '../../../src-main/shell/intake/file-url.ts'
import {
  givenFiles,
  missingFiles,
  refusal,
  remoteControlRefusal,
} from '../../../src-main/shell/intake/given-files.ts'

type Platform = Parameters<typeof fileUrlPath>[1]

describe('what a key of the desktop asks for', () => {
  const args = (...argv: string[]) =>
    ({ argv: ['slipway', ...argv], cwd: '/home/ada', appPath: null, platform: 'linux' }) as const

  it.each([
    ['--upload-files', 'upload'],
    ['--upload-clipboard', 'clipboard'],
    ['--take-screenshot', 'region'],
    ['--show-shelf', 'shelf'],
  ])('%s', (argument, action) => {
    expect(givenFiles(args(argument))).toMatchObject({ action, files: [], refused: null })
  })

  it('nothing, with another switch, and after --', () => {
    expect(givenFiles(args('--upload-all'))).not.toHaveProperty('action')
    expect(givenFiles(args('--', '--upload-clipboard'))).toMatchObject({
      files: ['/home/ada/--upload-clipboard'],
    })
    expect(givenFiles(args('--', '--upload-clipboard'))).not.toHaveProperty('action')
  })
})

describe('givenFiles', () => {
  it.each<[string, Platform, string | null, string[], string[]]>([
    ['nothing', 'linux', null, ['slipway'], []],
    ['not the program itself', 'linux', null, ['/opt/slipway'], []],
    ['absolute', 'linux', null, ['slipway', '/srv/a.txt'], ['/srv/a.txt']],
    [
      'relative to where the person stood',
      'linux',
      null,
      ['slipway', './a.txt', '../b c.txt'],
      ['/home/ada/a.txt', '/home/b c.txt'],
    ],
    ['the current folder, written as such', 'linux', null, ['slipway', '.'], ['/home/ada']],
    [
      'each once',
      'linux',
      null,
      ['slipway', './a.txt', '/home/ada/x/../a.txt', '/home/ada/a.txt'],
      ['/home/ada/a.txt'],
    ],
    [
      'no switches',
      'linux',
      null,
      ['slipway', '--no-sandbox', '-psn_0_1', '--x=/etc/y', '-', './a.txt'],
      ['/home/ada/a.txt'],
    ],
    [
      'all after --',
      'linux',
      null,
      ['slipway', '--x', '--', '-a.txt', '--', 'b'],
      ['/home/ada/-a.txt', '/home/ada/--', '/home/ada/b'],
    ],
    [
      'not the app in development',
      'linux',
      '/src/slipway',
      ['electron', '/src/slipway', './a.txt'],
      ['/home/ada/a.txt'],
    ],
    [
      'not the app as a relative path',
      'linux',
      '/home/ada',
      ['electron', '.', './a.txt'],
      ['/home/ada/a.txt'],
    ],
    ['the app after switches', 'linux', '/src/slipway', ['electron', '--inspect', '/src/slipway'], []],
    [
      'the app once, the second time as a folder',
      'linux',
      '/src/s',
      ['electron', '/src/s', '/src/s'],
      ['/src/s'],
    ],
    ['file addresses', 'linux', null, ['slipway', 'file:///srv/a%20b.txt'], ['/srv/a b.txt']],
    ['no other addresses', 'linux', null, ['slipway', 'https://files.example.com/x', 'slipway://open'], []],
    ['names with a colon', 'linux', null, ['slipway', './ab:c.txt'], ['/home/ada/ab:c.txt']],
    [
      'Windows: drives',
      'win32',
      null,
      ['slipway.exe', 'C:\\a.txt', '.\\b.txt'],
      ['C:\\a.txt', 'D:\\home\\b.txt'],
    ],
    ['Windows: shares', 'win32', null, ['slipway.exe', '\\\\nas\\share\\a.txt'], ['\\\\nas\\share\\a.txt']],
    ['Windows: its own mark', 'win32', null, ['slipway.exe', '/prefetch:5', '.\\b.txt'], ['D:\\home\\b.txt']],
    ['Windows: file addresses', 'win32', null, ['slipway.exe', 'file:///C:/a%20b.txt'], ['C:\\a b.txt']],
  ])('%s', (_name, platform, appPath, argv, files) => {
    const cwd = platform === 'win32' ? 'D:\\home' : '/home/ada'
    expect(givenFiles({ argv, cwd, appPath, platform })).toEqual({
      files,
      hidden: false,
      copyLink: false,
      refused: null,
    })
  })

  it.each([
    [['slipway', '--hidden'], true],
    [['slipway', '/a.txt', '--hidden'], true],
    [['slipway', '--hidden=1'], false],
    [['slipway', '--', '--hidden'], false],
    [['--hidden'], false],
  ])('%j starts hidden: %s', (argv, hidden) => {
    expect(givenFiles({ argv, cwd: '/', appPath: null, platform: 'linux' }).hidden).toBe(hidden)
  })
})

describe('--copy-link', () => {
  it.each([
    [['slipway', '--copy-link', '--', '/a'], true],
    [['slipway', '--', '--copy-link'], false],
    [['slipway', '/a'], false],
  ])('%j: %s', (argv, copyLink) => {
    expect(givenFiles({ argv, cwd: '/', appPath: null, platform: 'linux' }).copyLink).toBe(copyLink)
  })
})

describe('a word is never taken for a file', () => {
  it.each<[string, Platform, string[], string]>([
    ['a command of the command line and its folder', 'linux', ['slipway', 'plan', '/srv/photos'], 'plan'],
    ['a command behind a path', 'linux', ['slipway', '/srv/photos', 'upload'], 'upload'],
    ['an unknown word', 'linux', ['slipway', 'foo'], 'foo'],
    ['a bare file name', 'linux', ['slipway', 'a.txt'], 'a.txt'],
    ['a command and paths behind --', 'linux', ['slipway', 'audit', '--', './x'], 'audit'],
    ['a variable that is not set', 'linux', ['slipway', '', '/srv/photos'], ''],
    ['what no system takes', 'linux', ['slipway', '/a\0b'], '/a\0b'],
    ['a name with a colon', 'linux', ['slipway', 'ab:c.txt'], 'ab:c.txt'],
    ['Windows: a command', 'win32', ['slipway.exe', 'plan', 'C:\\photos'], 'plan'],
    ['Windows: a path of the current folder of a drive', 'win32', ['slipway.exe', 'C:photos'], 'C:photos'],
  ])('%s', (_name, platform, argv, refused) => {
    const cwd = platform === 'win32' ? 'D:\\home' : '/home/ada'
    expect(givenFiles({ argv, cwd, appPath: null, platform })).toEqual({
      files: [],
      hidden: false,
      copyLink: false,
      refused,
    })
    expect(refusal(refused)).toContain('Nothing was uploaded.')
    // In the packages, `slipway` is the command line.
    expect(refusal(refused)).toContain('slipway-desktop ./FILE')
  })

  it.each(['remote-debugging-port', 'remote-debugging-pipe'])(
    'nor is an installed version started with --%s, as Chromium reads it',
    (name) => {
      expect(remoteControlRefusal((one) => one === name)).toContain(`--${name} would let other programs`)
      expect(remoteControlRefusal((one) => one === 'lang')).toBe(null)
    },
  )

  it('and one that does not exist is named', async () => {
    const here = import.meta.filename
    expect(await missingFiles([here])).toEqual([])
    expect(await missingFiles([`${here}.none`, here, '/none'])).toEqual([`${here}.none`, '/none'])
    expect(await missingFiles([`${here}/below-a-file`])).toEqual([`${here}/below-a-file`])
  })
})

describe('fileUrlPath', () => {
  it.each<[string, Platform, string | null]>([
    ['file:///srv/a.txt', 'linux', '/srv/a.txt'],
    ['FILE:///srv/a.txt', 'linux', '/srv/a.txt'],
    ['file://localhost/srv/a.txt', 'linux', '/srv/a.txt'],
    ['file:///srv/Gr%C3%BC%C3%9Fe%23.txt', 'darwin', '/srv/Grüße#.txt'],
    ['file://nas/share/a.txt', 'linux', null],
    ['file://nas/share/a.txt', 'win32', '\\\\nas\\share\\a.txt'],
    ['file:///srv/a%2Fb.txt', 'linux', null],
    ['file:///srv/a%FFb.txt', 'linux', null],
    ['file:///srv/a%00b', 'linux', null],
    ['file:///.file/id=6571367.8621', 'darwin', null],
    ['file:///srv/a.txt', 'win32', null],
    ['https://files.example.com/a', 'linux', null],
    ['/srv/a.txt', 'linux', null],
    ['', 'linux', null],
  ])('%s on %s: %s', (url, platform, expected) => {
    expect(fileUrlPath(url, platform)).toBe(expected)
  })
})

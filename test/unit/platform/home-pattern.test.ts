// The home folder is shortened in the log in every spelling of a path on each system. Windows and macOS are
// passed as parameters, so that everything runs on every system.
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLog, homePattern } from '../../../src-main/platform/log.ts'
import { tempFolder } from '../../world/temp-folder.ts'

let dir = ''
beforeEach(() => {
  dir = tempFolder()
})

/** The value of `text` in the log. */
function logged(text: string, home: string, platform: NodeJS.Platform): unknown {
  const file = join(dir, 'x.log')
  rmSync(file, { force: true })
  const log = createLog({ file, home, platform })
  log.info('event', { text })
  log.close()
  const line = JSON.parse(readFileSync(file, 'utf8')) as { readonly text: unknown }
  return line.text
}

describe('on Windows', () => {
  const HOME = 'C:\\Users\\Ada Lovelace'
  it.each([
    ['C:\\Users\\Ada Lovelace\\Share\\a.txt', '~\\Share\\a.txt'],
    ['C:\\Users\\Ada Lovelace', '~'],
    ['c:\\users\\ada lovelace\\Share', '~\\Share'],
    ['C:/Users/Ada Lovelace/Share', '~/Share'],
    ['\\\\?\\C:\\Users\\Ada Lovelace\\Share', '~\\Share'],
    ['at file:///C:/Users/Ada%20Lovelace/cli.js:1:2', 'at file:///~/cli.js:1:2'],
    ["EPERM: open 'C:\\Users\\Ada Lovelace\\a'\nC:\\Users\\Ada Lovelace\\b", "EPERM: open '~\\a'\n~\\b"],
    [JSON.stringify({ path: 'C:\\Users\\Ada Lovelace\\a' }), '{"path":"~\\\\a"}'],
    [JSON.stringify(JSON.stringify('C:\\Users\\Ada Lovelace\\a')), String.raw`"\"~\\\\a\""`],
    ['D:\\Users\\Ada', 'D:\\Users\\Ada'],
  ])('%s', (text, expected) => {
    expect(logged(text, HOME, 'win32')).toBe(expected)
  })

  it('knows a home folder on a share', () => {
    expect(logged('\\\\server\\homes\\ada\\Share', '\\\\server\\homes\\ada', 'win32')).toBe('~\\Share')
  })
})

it.each([
  ['/home/ada/Share', '~/Share', 'linux'],
  ['/home/ADA/Share', '/home/ADA/Share', 'linux'],
  ['/HOME/Ada/Share', '~/Share', 'darwin'],
  ['error\n/home/ada/x', 'error\n~/x', 'linux'],
] as const)('%j is %j on %s', (text, expected, platform) => {
  expect(logged(text, '/home/ada', platform)).toBe(expected)
})

it('shortens nothing where the home folder is the root of a disk', () => {
  expect([homePattern('/', 'linux'), homePattern('C:\\', 'win32'), homePattern('', 'linux')]).toEqual([
    null,
    null,
    null,
  ])
})

it('also shortens the folder that a linked home folder leads to, and the longer one of the two first', () => {
  const real = join(realpathSync.native(dir), 'disk', 'ada')
  mkdirSync(real, { recursive: true })
  const outside = join(dir, 'home')
  const inside = join(real, 'home')
  symlinkSync(real, outside, 'junction')
  symlinkSync(real, inside, 'junction')
  const texts = (home: string): readonly unknown[] =>
    [home, join(real, 'a.txt')].map((text) => logged(text, home, process.platform))
  expect(texts(outside)).toEqual(['~', join('~', 'a.txt')])
  expect(texts(inside)).toEqual(['~', join('~', 'a.txt')])
})

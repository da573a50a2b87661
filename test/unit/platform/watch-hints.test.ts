// The hints derived from chokidar's events, with the paths of each system: on Windows it writes `/` where the
// disk has `\`, and there and on macOS one watch covers the whole tree. Uses real rules; their files are in
// memory.
import { posix, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toNative } from '../../../src-main/platform/disk/path-codec.ts'
import { createPruner } from '../../../src-main/platform/watch/prune.ts'
import { createWatchHints } from '../../../src-main/platform/watch/watch-worker.ts'

function hintsOn(
  at: typeof posix,
  root: string,
  rules: string,
  patterns: readonly string[] = [],
  own: readonly string[] = [],
) {
  const read: string[] = []
  const texts = new Map([['', rules]])
  const pruner = createPruner({
    root,
    patterns,
    own,
    identityOf: () => null,
    below: (dir, path) => {
      const rel = at.relative(dir, path)
      return rel.startsWith('..') || at.isAbsolute(rel) ? null : rel.replaceAll(at.sep, '/')
    },
    read: (dir) => {
      read.push(dir)
      return texts.get(dir) ?? null
    },
  })
  return { hints: createWatchHints({ root, pruner, path: at }), read, texts }
}

const DIR = { ino: 1, dev: 1 }

describe('on Windows', () => {
  const ROOT = 'C:\\Users\\ada\\Share'
  const details = { watchedPath: 'C:/Users/ada/Share' }

  it('ignores a directory that the rules leave out, though it comes with slashes', () => {
    const { hints } = hintsOn(win32, ROOT, 'skip/\r\n', ['build/'])
    expect(hints.ignores('C:/Users/ada/Share/skip', DIR)).toBe(true)
    expect(hints.ignores('C:/Users/ada/Share/sub/build', DIR)).toBe(true)
    expect(hints.ignores('C:/Users/ada/Share/sub', DIR)).toBe(false)
    expect(hints.ignores('C:/Users/ada/Share', DIR)).toBe(false)
  })

  it('names a file one way only', () => {
    const { hints } = hintsOn(win32, ROOT, '')
    const path = 'C:\\Users\\ada\\Share\\sub\\a.txt'
    expect(hints.ofRaw('sub\\a.txt', details)).toEqual({ kind: 'path', path })
    expect(hints.ofRaw('a.txt', { watchedPath: 'C:/Users/ada/Share/sub' })).toEqual({ kind: 'path', path })
    expect(hints.ofDir('tree', 'C:/Users/ada/Share/new')).toEqual({
      kind: 'tree',
      path: 'C:\\Users\\ada\\Share\\new',
    })
    expect(hints.ofRaw(null, details)).toEqual({ kind: 'tree', path: ROOT })
  })

  it('passes on nothing from inside an ignored directory', () => {
    const { hints } = hintsOn(win32, ROOT, 'skip/\r\n', ['build/'])
    expect(hints.ofRaw('skip\\1.txt', details)).toBeNull()
    expect(hints.ofRaw('skip\\deep\\er\\2.txt', details)).toBeNull()
    expect(hints.ofRaw('sub\\build\\3.txt', details)).toBeNull()
    expect(hints.ofRaw('skip.txt', details)).toEqual({ kind: 'path', path: `${ROOT}\\skip.txt` })
  })

  it("passes on nothing from Slipway's own folder", () => {
    const { hints } = hintsOn(win32, ROOT, '', [], [`${ROOT}\\data`])
    expect(hints.ofRaw('data\\journal.db', details)).toBeNull()
  })

  it('watches the root of a drive', () => {
    const { hints } = hintsOn(win32, 'E:\\', 'skip/\n')
    expect(hints.ignores('E:/', DIR)).toBe(false)
    expect(hints.ignores('E:/skip', DIR)).toBe(true)
    expect(hints.ofRaw('a.txt', { watchedPath: 'E:/' })).toEqual({ kind: 'path', path: 'E:\\a.txt' })
  })
})

describe('on macOS, one watch for the whole tree', () => {
  const details = { watchedPath: '/Users/ada/Share' }

  it('passes on nothing from inside an ignored directory, and reads nothing in it', () => {
    const { hints, read } = hintsOn(posix, '/Users/ada/Share', 'node_modules/\n')
    expect(hints.ofRaw('node_modules/x/y/z.js', details)).toBeNull()
    expect(hints.ofRaw('src/a.ts', details)).toEqual({ kind: 'path', path: '/Users/ada/Share/src/a.ts' })
    expect(read).toEqual([''])
  })

  it('follows rules that change', () => {
    const { hints, texts } = hintsOn(posix, '/Users/ada/Share', 'skip/\n')
    expect(hints.ofRaw('skip/a', details)).toBeNull()
    texts.set('', '')
    expect(hints.ofRaw('.slipwayignore', details)).toEqual({
      kind: 'path',
      path: '/Users/ada/Share/.slipwayignore',
    })
    expect(hints.ofRaw('skip/a', details)).toEqual({ kind: 'path', path: '/Users/ada/Share/skip/a' })
  })
})

describe('on Linux', () => {
  it('leaves a backslash in a name alone', () => {
    const { hints } = hintsOn(posix, '/home/ada/Share', '')
    expect(hints.ofRaw('back\\slash', { watchedPath: '/home/ada/Share/odd\\dir' })).toEqual({
      kind: 'path',
      path: '/home/ada/Share/odd\\dir/back\\slash',
    })
  })

  it('says so where an event lacks its place or its name', () => {
    const { hints } = hintsOn(posix, '/home/ada/Share', '')
    expect(hints.ofRaw('a', null)).toMatchObject({ kind: 'lost' })
    expect(hints.ofRaw('', { watchedPath: '/home/ada/Share/sub' })).toEqual({
      kind: 'tree',
      path: '/home/ada/Share/sub',
    })
    expect(hints.ofRaw('odd-\uFFFD', { watchedPath: '/home/ada/Share/sub' })).toEqual({
      kind: 'tree',
      path: '/home/ada/Share/sub',
    })
  })
})

it('a drive without a backslash is its root on Windows, not the directory that happens to be the current one', () => {
  expect([toNative('E:', 'win32'), toNative('e:', 'win32'), toNative('E:\\a', 'win32')]).toEqual([
    'E:\\',
    'e:\\',
    'E:\\a',
  ])
  expect(toNative('E:', 'linux')).toBe('E:')
})

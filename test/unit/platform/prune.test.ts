// Which directories aren't watched: by the default rules, by the user's patterns, by ignore files above them.
// The ignore files are in memory. Other tests cover the meaning of the rules.
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPruner } from '../../../src-main/platform/watch/prune.ts'

function pruner(files: Record<string, string>, patterns: readonly string[] = []) {
  const read: string[] = []
  const made = createPruner({
    own: [],
    identityOf: () => null,
    root: '/home/share',
    // These are POSIX paths on every system.
    below: (dir, path) => {
      const rel = posix.relative(dir, path)
      return rel.startsWith('..') ? null : rel
    },
    patterns,
    read: (dir) => {
      read.push(dir)
      return files[dir] ?? null
    },
  })
  return { ...made, read, files }
}

describe('a directory', () => {
  it('is watched unless a rule leaves it out', () => {
    const { isPruned } = pruner({}, ['build/', '!build/keep/'])
    expect(['photos', 'photos/2026', 'a.git'].map((dir) => isPruned(`/home/share/${dir}`))).toEqual([
      false,
      false,
      false,
    ])
    expect(['.git', 'x/.git', 'build', 'x/build'].map((dir) => isPruned(`/home/share/${dir}`))).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('is left out by a rules file above it, the nearer one wins', () => {
    const { isPruned } = pruner({ '': 'cache/\n', work: '!cache/\nnode_modules/\n' })
    expect(isPruned('/home/share/cache')).toBe(true)
    expect(isPruned('/home/share/work/cache')).toBe(false)
    expect(isPruned('/home/share/work/node_modules')).toBe(true)
    expect(isPruned('/home/share/node_modules')).toBe(false)
  })

  it('that is the root, or outside, is never left out', () => {
    const { isPruned } = pruner({ '': '*\n' })
    expect(isPruned('/home/share')).toBe(false)
    expect(isPruned('/home/other')).toBe(false)
    expect(isPruned('/home/share/any')).toBe(true)
  })
})

it('reads each rules file once, and again after it changed', () => {
  const { isPruned, forget, read, files } = pruner({ '': '' })
  expect(isPruned('/home/share/a/b/c')).toBe(false)
  expect(isPruned('/home/share/a/b/d')).toBe(false)
  expect(read).toEqual(['', 'a', 'a/b'])
  files['a'] = 'b/\n'
  expect(isPruned('/home/share/a/b')).toBe(false)
  forget('/home/share/a')
  expect(isPruned('/home/share/a/b')).toBe(true)
  expect(read).toEqual(['', 'a', 'a/b', 'a'])
})

// The expectation of a gesture run, one gesture at a time: what may be published, what must be uploaded, and
// how many remote files are correct. It is intentionally independent of the engine's own rules.
import { describe, expect, it } from 'vitest'
import type { Content, FileAtEnd } from '../../chaos/evidence.ts'
import { createExpected, type Expected, type FolderRules, matches } from '../../chaos/expected.ts'

const F = '/home/ada/Share'
const RULES: FolderRules = { existing: 'upload', onChange: 'new-link', ignore: ['*.skip'] }

function watched(rules: Partial<FolderRules> = {}): Expected {
  const expected = createExpected(() => 1)
  expected.open(F, { ...RULES, ...rules })
  expected.engine(true)
  return expected
}
const contentOf = (expected: Expected, sha256: string): Content | undefined => expected.contents().get(sha256)
const fileAt = (expected: Expected, path: string): FileAtEnd | undefined =>
  expected.files().find((file) => file.path === path)

describe('matches', () => {
  it.each([
    ['*.skip', 'a/b.skip', true],
    ['*.skip', 'a.skip/b', false],
    ['private/', 'private/a', true],
    ['private/', 'a/private/b/c', true],
    ['private/', 'private', false],
    ['.env', 'a/.env', true],
  ])('%s with %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path.split('/'))).toBe(expected)
  })
})

describe('what may be published', () => {
  it.each([
    ['a.txt', true, 'up'],
    ['b.skip', false, 'ignored'],
    ['c.tmp', false, 'ignored'],
    ['.git/d', false, 'ignored'],
    ['.env', false, 'held'],
    ['.docker/config.json', false, 'held'],
  ])('%s: %s, and it is %s', (name, isAllowed, fate) => {
    const expected = watched()
    expected.put(`${F}/${name}`, 'x', 1)
    expect(contentOf(expected, 'x')).toMatchObject({ isAllowed })
    expect(fileAt(expected, `${F}/${name}`)).toMatchObject({ fate })
  })
  it('nothing while paused, nothing without an engine, nothing outside', () => {
    const paused = watched()
    paused.pause(1)
    paused.put(`${F}/a`, 'x', 1)
    expect(contentOf(paused, 'x')?.isAllowed).toBe(false)
    paused.move(`${F}/a`, `${F}/.env`)
    paused.resume(2)
    expect(contentOf(paused, 'x')?.isAllowed).toBe(false)
    const off = watched()
    off.engine(false)
    off.put(`${F}/a`, 'x', 1)
    off.put('/home/ada/elsewhere', 'y', 1)
    expect(contentOf(off, 'x')?.isAllowed).toBe(false)
    off.engine(true)
    expect(contentOf(off, 'x')?.isAllowed).toBe(true)
    expect(contentOf(off, 'y')?.isAllowed).toBe(false)
  })
  it('a rules file counts from its directory down', () => {
    const expected = watched()
    expected.rulesFile(`${F}/sub`, ['*.draft'])
    expected.put(`${F}/sub/a.draft`, 'x', 1)
    expected.put(`${F}/b.draft`, 'y', 1)
    expect([contentOf(expected, 'x')?.isAllowed, contentOf(expected, 'y')?.isAllowed]).toEqual([false, true])
  })
  it('a second watch keeps the rules, unless a person changes them', () => {
    const expected = watched()
    expected.open(F, { ...RULES, ignore: [] })
    expected.put(`${F}/a.skip`, 'x', 1)
    expect(contentOf(expected, 'x')?.isAllowed).toBe(false)
    expected.open(F, { ...RULES, ignore: [] }, true)
    expect(contentOf(expected, 'x')?.isAllowed).toBe(true)
  })
  it('old files are skipped under every name, new ones and new contents are not', () => {
    const expected = createExpected(() => 1)
    for (const name of ['a', 'b', 'c']) expected.put(`${F}/${name}`, name, 1)
    expected.open(F, { ...RULES, existing: 'skip' })
    expected.engine(true)
    expected.move(`${F}/a`, `${F}/sub/a`)
    expected.copy(`${F}/b`, `${F}/linked`, 'link')
    expected.put(`${F}/c`, 'newer', 1)
    expected.put(`${F}/d`, 'd', 1)
    expect(['a', 'b', 'c', 'newer', 'd'].map((sha256) => contentOf(expected, sha256)?.isAllowed)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
    expected.close(F)
    expected.put(`${F}/in between`, 'between', 1)
    expected.open(F, { ...RULES, existing: 'skip' })
    expect(contentOf(expected, 'between')?.isAllowed).toBe(false)
    expect(fileAt(expected, `${F}/in between`)?.fate).toBe('ignored')
  })
  it('a skipped file that is touched may be either', () => {
    const expected = createExpected(() => 1)
    expected.put(`${F}/a`, 'a', 1)
    expected.open(F, { ...RULES, existing: 'skip' })
    expected.engine(true)
    expect(fileAt(expected, `${F}/a`)?.fate).toBe('ignored')
    expected.touch(`${F}/a`)
    expect(fileAt(expected, `${F}/a`)?.fate).toBe('any')
    expect(contentOf(expected, 'a')?.isAllowed).toBe(true)
  })
  it('a touched file that was named stays what it is', () => {
    const expected = watched({ existing: 'skip' })
    expected.put(`${F}/a`, 'a', 1)
    expected.told(`${F}/a`)
    expected.touch(`${F}/a`)
    expect(fileAt(expected, `${F}/a`)?.fate).toBe('up')
    expected.removed(`${F}/a`, 'all')
    expected.touch(`${F}/a`)
    expect(fileAt(expected, `${F}/a`)).toMatchObject({ fate: 'deleted', isRemoved: true })
  })
  it('the deepest folder governs', () => {
    const expected = watched()
    expected.open(`${F}/inner`, { ...RULES, ignore: ['*.inner'] })
    expected.put(`${F}/inner/a.inner`, 'x', 1)
    expected.put(`${F}/inner/a.skip`, 'y', 1)
    expect([contentOf(expected, 'x')?.isAllowed, contentOf(expected, 'y')?.isAllowed]).toEqual([false, true])
  })
  it('what a person names may go, but for secrets', () => {
    const expected = createExpected(() => 1)
    expected.put('/home/ada/a', 'x', 1)
    expected.put('/home/ada/.aws/credentials', 'y', 1)
    expected.named('/home/ada/a', false)
    expected.named('/home/ada/.aws/credentials', false)
    expect([contentOf(expected, 'x')?.isAllowed, contentOf(expected, 'y')?.isAllowed]).toEqual([true, false])
  })
})

describe('how many remote files are right', () => {
  it('one, for a file that is renamed, deleted and restored, or goes to and fro', () => {
    const expected = watched()
    expected.put(`${F}/a`, 'x', 1)
    expected.move(`${F}/a`, `${F}/b`)
    expected.remove(`${F}/b`)
    expected.put(`${F}/b`, 'x', 1)
    expected.put(`${F}/b`, 'y', 1)
    expected.put(`${F}/b`, 'x', 1)
    expect(contentOf(expected, 'x')?.copies).toBe(1)
  })
  it('one for each copy, and one for each time it is asked for again', () => {
    const expected = watched()
    expected.put(`${F}/a`, 'x', 1)
    expected.copy(`${F}/a`, `${F}/b`, 'copy')
    expected.copy(`${F}/a`, `${F}/c`, 'link')
    expected.named(`${F}/a`, true)
    expect(contentOf(expected, 'x')?.copies).toBe(4)
  })
})

describe('what may end', () => {
  it('what a folder replaces, from then on', () => {
    const expected = watched({ onChange: 'replace' })
    expected.put(`${F}/a`, 'x', 1)
    expected.put(`${F}/a`, 'y', 1)
    expect([contentOf(expected, 'x')?.mayDie, contentOf(expected, 'y')?.mayDie]).toEqual([true, false])
  })
  it('what a person deletes; nothing of it lives on unless another file has it', () => {
    const expected = watched()
    expected.put(`${F}/a`, 'x', 1)
    expected.put(`${F}/a`, 'y', 1)
    expected.copy(`${F}/a`, `${F}/twin`, 'copy')
    expected.removed(`${F}/a`, 'all')
    expect(contentOf(expected, 'x')).toMatchObject({ mayDie: true, isDoomed: true })
    expect(contentOf(expected, 'y')).toMatchObject({ mayDie: true, isDoomed: false })
    expect(fileAt(expected, `${F}/a`)?.fate).toBe('deleted')
    expected.put(`${F}/a`, 'z', 1)
    expect(fileAt(expected, `${F}/a`)?.fate).toBe('up')
  })
  it('says when a file was placed, also where it was deleted before', () => {
    let now = 1
    const expected = createExpected(() => now++)
    expected.open(F, RULES)
    expected.put(`${F}/a`, 'x', 1)
    const [first] = expected.placedAt(`${F}/a`)
    expected.remove(`${F}/a`)
    expected.put(`${F}/a`, 'x', 1)
    expect(expected.placedAt(`${F}/a`).filter((at) => at > (first ?? 0))).toHaveLength(1)
    expect(expected.placedAt(`${F}/b`)).toEqual([])
  })
  it('a lost journal knows of no deletion and of no release', () => {
    const expected = watched()
    expected.put(`${F}/a`, 'x', 1)
    expected.removed(`${F}/a`, 'all')
    expected.put(`${F}/.env`, 'y', 1)
    expected.released(`${F}/.env`)
    expected.journalLost()
    expect(contentOf(expected, 'x')?.isDoomed).toBe(false)
    expect([fileAt(expected, `${F}/a`)?.fate, fileAt(expected, `${F}/.env`)?.fate]).toEqual(['any', 'any'])
  })
  it('a link that was told goes with its file where changes are ignored, and only there', () => {
    for (const onChange of ['ignore', 'new-link'] as const) {
      const expected = watched({ onChange })
      expected.put(`${F}/a`, 'x', 1)
      expected.put(`${F}/a`, 'y', 1)
      expected.move(`${F}/a`, `${F}/b`)
      expect(expected.pathsOf('x').includes(`${F}/b`)).toBe(onChange === 'ignore')
      expect(expected.pathsOf('y')).toContain(`${F}/b`)
    }
  })
  it('by version: the latest or the older ones', () => {
    for (const which of ['latest', 'older'] as const) {
      const expected = watched()
      expected.put(`${F}/a`, 'x', 1)
      expected.put(`${F}/a`, 'y', 1)
      expected.removed(`${F}/a`, which)
      expect(contentOf(expected, 'x')?.isDoomed).toBe(which === 'older')
      expect(contentOf(expected, 'y')?.isDoomed).toBe(which === 'latest')
      expect(fileAt(expected, `${F}/a`)?.fate).toBe(which === 'older' ? 'up' : 'deleted')
    }
  })
})

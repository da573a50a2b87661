// How services change names, and what that says about a file with another name. A name ranks the candidates,
// and only at a service that keeps names can it identify or exclude a file. Otherwise the content decides.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  doubtKey,
  keepsNames,
  learnName,
  mayBecome,
  type NameHabits,
  NO_NAME_HABITS,
  nameRank,
  namesIdentify,
  renamingOf,
} from '../../../../src-main/engine/presence/naming.ts'

describe('renamingOf', () => {
  it.each([
    ['a.txt', 'a.txt', 'kept'],
    ['e\u0301.txt', '\u00e9.txt', 'kept'],
    ['A B.TXT', 'a-b.txt', 'shaped'],
    ['a b.txt', 'a%20b.txt', 'shaped'],
    ['a.txt', 'a (3).txt', 'shaped'],
    ['a b.txt', '8f3a21bc_a b.txt', 'wrapped'],
    ['a b.txt', 'a b-8f3a21.txt', 'wrapped'],
    ['.env', '8f3a21bc_.env', 'wrapped'],
    ['a long name of a file.txt', 'a long name ', 'cut'],
    ['a long name of a file.txt', 'a long na.txt', 'cut'],
    ['a.txt', '0c5d7b1e-1f6c-4a5b-8d1e-0123456789ab.txt', 'replaced'],
    ['f1.bin', 'f2.bin', 'replaced'],
    ['ОТЧЁТ 1.txt', 'отчёт_1.txt', 'shaped'],
    ['отчёт.txt', 'договор.txt', 'replaced'],
  ] as const)('%s shown as %s: %s', (sent, shown, renaming) => {
    expect(renamingOf(sent, shown)).toBe(renaming)
  })

  it('never throws, and a name is always itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(renamingOf(a, a)).toBe('kept')
        renamingOf(a, b)
      }),
    )
  })
})

describe('what receipts teach', () => {
  const after = (...shown: readonly (readonly [string, string])[]): NameHabits =>
    shown.reduce((habits, [sent, name]) => learnName(habits, sent, name), NO_NAME_HABITS)

  it('counts, up to what is enough', () => {
    let habits = NO_NAME_HABITS
    for (let n = 0; n < 20; n++) habits = learnName(habits, 'a', 'a')
    expect(habits.kept).toBe(8)
    expect(learnName(habits, 'a', 'a')).toBe(habits)
    expect(learnName(habits, 'a', null)).toBe(habits)
  })

  it.each<readonly [string, NameHabits, string | null, number]>([
    ['its own name', NO_NAME_HABITS, 'ab.txt', 0],
    ['a form that was seen', after(['x.txt', '12345678_x.txt']), '9abcdef0_ab.txt', 1],
    ['a form that was not', NO_NAME_HABITS, '9abcdef0_ab.txt', 2],
    ['no name', NO_NAME_HABITS, null, 3],
    ['another, where names are replaced', after(['x.txt', 'c0ffee.txt']), 'decade.txt', 3],
    ['another, where they are not', NO_NAME_HABITS, 'decade.txt', 4],
  ])('ranks %s', (_name, habits, shown, rank) => {
    expect(nameRank('ab.txt', shown, habits)).toBe(rank)
  })

  it('says whether a name is enough', () => {
    const kept = after(['a', 'a'], ['b', 'b'], ['c', 'c'])
    expect([namesIdentify(NO_NAME_HABITS), keepsNames(NO_NAME_HABITS, 'd')]).toEqual([true, false])
    expect([namesIdentify(kept), keepsNames(kept, 'd')]).toEqual([true, true])
    const replaced = learnName(kept, 'notes.txt', 'c0ffee.txt')
    expect([namesIdentify(replaced), keepsNames(replaced, 'd')]).toEqual([false, false])
  })

  it('says nothing about letters of other scripts before such names were kept', () => {
    const latin = after(['a', 'a'], ['b', 'b'], ['é', 'é'], ['ß', 'ß'])
    expect(['d', 'Maß', 'отчёт.txt'].map((name) => keepsNames(latin, name))).toEqual([true, false, false])
    expect(nameRank('отчёт.txt', 'договор.txt', latin)).toBeLessThan(4)
    const all = after(['план', 'план'], ['報告.txt', '報告.txt'], ['보고서', '보고서'])
    expect(['d', 'Maß', 'отчёт.txt'].map((name) => keepsNames(all, name))).toEqual([true, true, true])
    expect(nameRank('отчёт.txt', 'договор.txt', all)).toBe(4)
    // Names that were kept before don't keep these from being counted.
    const later = after(
      ...Array.from({ length: 12 }, () => ['a', 'a'] as const),
      ['план', 'план'],
      ['план', 'план'],
      ['план', 'план'],
    )
    expect(keepsNames(later, 'отчёт.txt')).toBe(true)
  })

  it.each([
    ['отчёт.pdf', 'file.pdf'],
    ['отчёт 2024.pdf', '2024.pdf'],
    ['отчёт.pdf', '_____.pdf'],
    ['報告.pdf', 'bao-gao.pdf'],
  ])('%s shown as %s: names no longer identify files', (sent, shown) => {
    expect(namesIdentify(after([sent, shown]))).toBe(false)
  })
})

describe('mayBecome', () => {
  it.each([
    ['a.txt', 'a (1).txt', true],
    ['a.txt', 'a-2.txt', true],
    ['per cent.txt', 'per%20cent.txt', true],
    ['отчёт 2024.txt', '2024.txt', true],
    ['a.txt', 'b.txt', false],
    ['f1.bin', 'f2.bin', false],
    [`${'long'.repeat(40)}.txt`, 'long'.repeat(25), true],
  ])('%s shown as %s: %s', (sent, shown, expected) => {
    expect(mayBecome(sent, shown)).toBe(expected)
  })
})

describe('doubtKey', () => {
  it('keeps numbered files apart and joins what a service may make alike', () => {
    expect(doubtKey('f1.bin', 10)).not.toBe(doubtKey('f2.bin', 10))
    expect(doubtKey('a.txt', 10)).not.toBe(doubtKey('a.txt', 11))
    expect(doubtKey('ä?.txt', 5)).toBe(doubtKey('a!.txt', 5))
    expect(doubtKey('a.txt', 5)).toBe(doubtKey('a (1).txt', 5))
    expect(doubtKey('отчёт 2024.txt', 5)).toBe(doubtKey('2024.txt', 5))
  })
})

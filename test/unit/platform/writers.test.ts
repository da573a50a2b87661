// Detecting that another program has a file open, as on Windows, by opening it without sharing: what each error code means. The errors are
// stubbed here; local.test.ts uses the real system.
import { constants } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { knowsWriters, openElsewhere } from '../../../src-main/platform/disk/writers.ts'

describe('openElsewhere', () => {
  it('takes a refusal to share for an open file, and nothing else', () => {
    const asked: number[] = []
    const closed: number[] = []
    const open = (path: string, flags: number): number => {
      asked.push(flags)
      if (path === 'free') return 7
      throw Object.assign(new Error(path), { code: path })
    }
    expect(openElsewhere(['free', 'EBUSY', 'ENOENT', 'EPERM', 'EACCES'], open, (fd) => closed.push(fd))).toEqual(['EBUSY'])
    expect(closed).toEqual([7])
    expect(new Set(asked)).toEqual(new Set([constants.O_RDONLY | 0x1000_0000]))
  })
})

describe('knowsWriters', () => {
  it.each([
    ['linux', true],
    ['win32', true],
    ['darwin', false],
    ['freebsd', false],
  ] as const)('%s: %s', (platform, expected) => {
    expect(knowsWriters(platform)).toBe(expected)
  })
})

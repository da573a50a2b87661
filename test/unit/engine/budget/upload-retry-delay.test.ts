// The pauses between attempts: first short with full jitter, then minutes,
// and never much more than an hour.
import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../../../src-main/engine/budget/upload-retry-delay.ts'

describe('backoffMs', () => {
  it('is quick at first with full jitter, then minutes, never beyond an hour and a quarter', () => {
    const most = Array.from({ length: 20 }, (_, i) => backoffMs(i + 1, () => 0.999_999))
    const least = Array.from({ length: 20 }, (_, i) => backoffMs(i + 1, () => 0))
    expect(most[0]).toBeLessThanOrEqual(600)
    expect(least[0]).toBe(100)
    expect(least.slice(0, 6)).toEqual([100, 100, 100, 100, 100, 100])
    expect(least[6]).toBe(45_000)
    expect(Math.max(...most)).toBeLessThan(4_500_000)
    for (let i = 1; i < most.length; i++) expect(most[i] ?? 0).toBeGreaterThanOrEqual(most[i - 1] ?? 0)
  })
})

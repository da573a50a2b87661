// When a process counts as calm. The test provides CPU time and clock.
// The bench measures the effect on V8 (row S7).
import { describe, expect, it } from 'vitest'
import { watchCalm } from '../../../src-main/platform/calm.ts'
import { createFakeClock } from '../../world/fake-clock.ts'

function process(): { readonly told: readonly string[]; use(ms: number): void; pass(seconds: number): Promise<void>; stop(): void } {
  const clock = createFakeClock()
  const told: string[] = []
  let micros = 0
  const stop = watchCalm({
    time: clock,
    cpuMicros: () => micros,
    favourMemory: (yes) => told.push(yes ? 'memory' : 'speed'),
    onCalm: () => told.push('calm'),
  })
  return {
    told,
    use: (ms) => {
      micros += ms * 1000
    },
    pass: async (seconds) => {
      for (let i = 0; i < seconds * 2; i++) await clock.advance(500)
    },
    stop,
  }
}

describe('a process', () => {
  it('is calm after two looks without work, once', async () => {
    const p = process()
    await p.pass(4)
    expect(p.told).toEqual([])
    await p.pass(60)
    expect(p.told).toEqual(['memory', 'calm'])
  })

  it('that works is not, and a moment of work in between begins the wait anew', async () => {
    const p = process()
    for (let i = 0; i < 20; i++) {
      p.use(60)
      await p.pass(2.5)
    }
    expect(p.told).toEqual([])
    await p.pass(2.5)
    p.use(60)
    await p.pass(2.5)
    await p.pass(2.5)
    expect(p.told).toEqual([])
  })

  it('that begins to work is made fast again, and calm again afterwards', async () => {
    const p = process()
    await p.pass(10)
    p.use(500)
    await p.pass(2.5)
    expect(p.told).toEqual(['memory', 'calm', 'speed'])
    await p.pass(10)
    expect(p.told).toEqual(['memory', 'calm', 'speed', 'memory', 'calm'])
  })

  it('that ends while it is calm leaves V8 as it was', async () => {
    const p = process()
    await p.pass(10)
    p.stop()
    await p.pass(60)
    expect(p.told).toEqual(['memory', 'calm', 'speed'])
  })
})

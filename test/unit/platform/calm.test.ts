// When a process counts as calm, and when memory is favoured over speed. The test provides CPU time, memory and clock.
// The bench measures the effect on V8 (rows S5 and S7).
import { describe, expect, it } from 'vitest'
import { watchCalm } from '../../../src-main/platform/calm.ts'
import { createFakeClock } from '../../world/fake-clock.ts'

const MIB = 1024 * 1024

interface FakeProcess {
  readonly told: readonly string[]
  use(ms: number): void
  grow(mib: number): void
  pass(seconds: number): Promise<void>
  stop(): void
}

function process(): FakeProcess {
  const clock = createFakeClock()
  const told: string[] = []
  let micros = 0
  let bytes = 90 * MIB
  const stop = watchCalm({
    time: clock,
    cpuMicros: () => micros,
    memoryBytes: () => bytes,
    favourMemory: (yes) => told.push(yes ? 'memory' : 'speed'),
    onCalm: () => told.push('calm'),
  })
  return {
    told,
    use: (ms) => {
      micros += ms * 1000
    },
    grow: (mib) => {
      bytes += mib * MIB
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

  it('that grows while it works favours memory within half a second, until most of it is given back', async () => {
    const p = process()
    const work = async (seconds: number): Promise<void> => {
      for (let i = 0; i < seconds * 2; i++) {
        p.use(500)
        await p.pass(0.5)
      }
    }
    await work(10)
    p.grow(140)
    await work(10)
    expect(p.told).toEqual([])
    p.grow(10)
    await work(0.5)
    expect(p.told).toEqual(['memory'])
    p.grow(-40)
    await work(10)
    expect(p.told).toEqual(['memory'])
    p.grow(-20)
    await work(0.5)
    expect(p.told).toEqual(['memory', 'speed'])
  })

  it('that is large when it becomes calm favours memory until it works and is small', async () => {
    const p = process()
    p.use(500)
    p.grow(200)
    await p.pass(10)
    expect(p.told).toEqual(['memory', 'calm'])
    p.use(500)
    await p.pass(2.5)
    expect(p.told).toEqual(['memory', 'calm'])
    p.grow(-150)
    p.use(500)
    await p.pass(0.5)
    expect(p.told).toEqual(['memory', 'calm', 'speed'])
  })
})

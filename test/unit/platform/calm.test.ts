// When a process counts as calm, and when memory is favoured over speed. The test provides CPU time, memory
// and clock. The bench measures the effect on V8 (rows S5 and S7).
import { describe, expect, it } from 'vitest'
import { watchCalm } from '../../../src-main/platform/heap-policy.ts'
import { createFakeClock } from '../../world/fake-clock.ts'

const MIB = 1024 * 1024

interface FakeProcess {
  readonly told: readonly string[]
  use(ms: number): void
  grow(mib: number): void
  scan(is: boolean): void
  pass(seconds: number): Promise<void>
  /** Passes time during which one core is busy. */
  work(seconds: number): Promise<void>
  stop(): void
}

function process(): FakeProcess {
  const clock = createFakeClock()
  const told: string[] = []
  let micros = 0
  let bytes = 90 * MIB
  let scanning = true
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds * 2; i++) await clock.advance(500)
  }
  const stop = watchCalm({
    time: clock,
    cpuMicros: () => micros,
    memoryBytes: () => bytes,
    isScanning: () => scanning,
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
    scan: (is) => {
      scanning = is
    },
    pass,
    work: async (seconds) => {
      for (let i = 0; i < seconds * 2; i++) {
        micros += 500_000
        await pass(0.5)
      }
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

  it('that grows during a scan favours memory within half a second, until most of it is given back', async () => {
    const p = process()
    await p.work(10)
    p.grow(110)
    await p.work(10)
    expect(p.told).toEqual([])
    p.grow(5)
    await p.work(0.5)
    expect(p.told).toEqual(['memory'])
    p.grow(-40)
    await p.work(10)
    expect(p.told).toEqual(['memory'])
    p.grow(-5)
    await p.work(0.5)
    expect(p.told).toEqual(['memory', 'speed'])
  })

  it('that grows during uploads stays fast, and is made fast again when a scan ends', async () => {
    const p = process()
    p.scan(false)
    p.grow(300)
    await p.work(10)
    expect(p.told).toEqual([])
    p.scan(true)
    await p.work(0.5)
    expect(p.told).toEqual(['memory'])
    p.scan(false)
    await p.work(0.5)
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

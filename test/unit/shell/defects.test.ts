// Exceptions of the main thread: which end the app, which are only logged, and how often the user is
// notified. Doesn't need Electron, because the functions that show and log are passed in.
import { describe, expect, it, vi } from 'vitest'
import { Defects } from '../../../src-main/shell/app/defects.ts'

function make() {
  let now = 0
  const fail = vi.fn()
  const log = vi.fn()
  const closers: (() => void)[] = []
  const tell = vi.fn(() => new Promise<void>((resolve) => closers.push(resolve)))
  const defects = new Defects(fail, () => now)
  const close = async (): Promise<void> => {
    closers.shift()?.()
    await Promise.resolve()
    await Promise.resolve()
  }
  return { defects, fail, log, tell, close, pass: (ms: number) => (now += ms) }
}

describe('an exception', () => {
  it('before the app has started ends it, with the message', () => {
    const { defects, fail } = make()
    defects.thrown(new Error('no module'))
    defects.thrown('a text')
    defects.rejected(new Error('lost'))
    expect(fail.mock.calls).toEqual([['no module'], ['a text']])
  })

  it('afterwards is logged with its stack each time, and told once', async () => {
    const { defects, fail, log, tell, close, pass } = make()
    defects.started({ log, tell })
    defects.thrown(new Error('first'))
    defects.thrown(new Error('second'))
    await close()
    pass(599_999)
    defects.thrown(new Error('third'))
    expect(tell).toHaveBeenCalledTimes(1)
    pass(1)
    defects.thrown(new Error('fourth'))
    expect(tell).toHaveBeenCalledTimes(2)
    expect(fail).not.toHaveBeenCalled()
    expect(log.mock.calls.map(([event]) => event)).toEqual(Array(4).fill('main.defect'))
    expect(log.mock.calls[0]?.[1].message).toMatch(/^Error: first\n +at /)
  })

  it('is not told while the last one is still on the screen', async () => {
    const { defects, log, tell, close, pass } = make()
    defects.started({ log, tell })
    defects.thrown(new Error('first'))
    pass(3_600_000)
    defects.thrown(new Error('second'))
    expect(tell).toHaveBeenCalledTimes(1)
    await close()
    defects.thrown(new Error('third'))
    expect(tell).toHaveBeenCalledTimes(2)
  })

  it('that nobody waited for before the app has started is logged when it has', () => {
    const { defects, fail, log, tell } = make()
    defects.rejected('early')
    expect(log).not.toHaveBeenCalled()
    defects.started({ log, tell })
    expect(log.mock.calls).toEqual([['main.rejection', { message: 'early' }]])
    expect([fail.mock.calls, tell.mock.calls]).toEqual([[], []])
  })

  it('that nobody waited for is logged only', () => {
    const { defects, log, tell } = make()
    defects.started({ log, tell })
    defects.rejected('lost')
    expect(log.mock.calls).toEqual([['main.rejection', { message: 'lost' }]])
    expect(tell).not.toHaveBeenCalled()
  })
})

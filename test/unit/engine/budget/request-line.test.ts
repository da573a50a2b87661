// Which caller is next when several wait for the request limit: the most urgent, then the earliest. Waiting
// raises the urgency, except that of spare and patient work. No clock is running; times are plain numbers.
import { describe, expect, it } from 'vitest'
import type { Priority } from '../../../../src-main/engine/budget/pacer-types.ts'
import { RequestLine } from '../../../../src-main/engine/budget/request-line.ts'

function line() {
  let mono = 0
  const one = new RequestLine({ mono: () => mono })
  return { one, pass: (ms: number) => void (mono += ms) }
}
const quiet = (): void => undefined

describe('who goes first', () => {
  const cases: readonly (readonly [waits: Priority, asks: Priority, isPreceded: boolean])[] = [
    ['person', 'person', true],
    ['person', 'watched', true],
    ['watched', 'person', false],
    ['watched', 'watched', true],
    ['watched', 'list', true],
    ['list', 'watched', false],
    ['list', 'spare', true],
    ['spare', 'list', false],
  ]
  it.each(cases)('%s is in line: %s is preceded: %s', (waits, asks, isPreceded) => {
    const { one } = line()
    one.enter(waits, quiet)
    expect(one.isPreceded(asks, null)).toBe(isPreceded)
  })

  it('the most urgent in line, and of those the first', () => {
    const { one } = line()
    const list = one.enter('list', quiet)
    const early = one.enter('watched', quiet)
    const late = one.enter('watched', quiet)
    expect([list, early, late].map((place) => one.isPreceded(place.priority(), place))).toEqual([
      true,
      false,
      true,
    ])
    early.leave()
    expect(one.isPreceded('watched', late)).toBe(false)
  })

  it('whoever leaves wakes the next', () => {
    const { one } = line()
    const woken: string[] = []
    const first = one.enter('person', () => woken.push('first'))
    one.enter('list', () => woken.push('list'))
    one.enter('watched', () => woken.push('watched'))
    first.leave()
    first.leave()
    expect(woken).toEqual(['watched'])
  })

  it('waiting makes more urgent, spare work never', () => {
    const { one, pass } = line()
    const [watched, list, spare, patient] = [
      one.enter('watched', quiet),
      one.enter('list', quiet),
      one.enter('spare', quiet),
      one.enter('watched', quiet, true),
    ]
    const now = (): readonly Priority[] => [watched, list, spare, patient].map((place) => place.priority())
    pass(2000)
    expect(now()).toEqual(['person', 'list', 'spare', 'watched'])
    pass(8000)
    expect(now()).toEqual(['person', 'watched', 'spare', 'watched'])
    pass(100_000)
    expect(now()).toEqual(['person', 'person', 'spare', 'watched'])
  })
})

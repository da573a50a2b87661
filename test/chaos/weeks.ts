// Goal F7: works through a week of backlog on each plan in simulated time, alone and with a second client on
// the same key that takes half. The pacer is the real one. The service counts with either kind of window.
import {
  createWorld,
  DAY,
  MINUTE,
  START,
  seeded,
  type WindowStyle,
} from '../unit/engine/budget/pacer-world.ts'

export interface WeekFigures {
  readonly plan: string
  readonly windows: WindowStyle
  readonly second: boolean
  readonly refused: number
  readonly refusedAnHour: number
  readonly passed: number
  /** The share of what the plan allows in a week. */
  readonly share: number
}

const PLANS = [
  ['pro', 50, 5_000],
  ['business', 100, 10_000],
  ['enterprise', 1_000, 100_000],
] as const

export function weeks(): readonly WeekFigures[] {
  return PLANS.flatMap(([plan, perMinute, perDay]) =>
    (['sliding', 'aligned'] as const).flatMap((windows) =>
      [false, true].map((second): WeekFigures => {
        const world = createWorld({
          seed: 31,
          service: { perMinute, perDay, minuteStyle: windows, dayStyle: windows },
          plan,
          concurrency: 16,
          latency: (random) => 50 + random() * 500,
        })
        const other = seeded(77)
        let today = 0
        let day = 0
        // Uses half of each minute's limit until half of the day's limit is used.
        function tick(): void {
          const index = Math.floor((world.clock.real() - START) / DAY)
          if (index !== day) {
            day = index
            today = 0
          }
          if (today < perDay / 2 && world.service.count(world.clock.real())) today++
          world.at((MINUTE / (perMinute / 2)) * (0.5 + other()), tick)
        }
        if (second) world.at(10, tick)
        world.run(7 * DAY)
        const { refused, passed } = world.figures
        return {
          plan,
          windows,
          second,
          refused,
          refusedAnHour: refused / (7 * 24),
          passed,
          share: passed / (7 * perDay * (second ? 0.5 : 1)),
        }
      }),
    ),
  )
}

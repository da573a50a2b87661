// Of which limits little is left, and that each level is told once per period, also across restarts.
import { expect, it } from 'vitest'
import {
  type LimitFigures,
  NearLimits,
  nearOf,
  usesOf,
} from '../../../../src-main/engine/budget/near-limits.ts'
import { UNKNOWN } from '../../../../src-main/engine/budget/plan-limits.ts'
import type { EngineEvent } from '../../../../src-shared/events.ts'

const window = (used: number, limit: number | null = 100) => ({ used, limit, nextAt: null })
const limited = (value: number, unit: 'bytes' | 'bare') => ({ kind: 'limited', value, unit }) as const

type Given = Partial<Omit<LimitFigures, 'quota'>> & { readonly quota?: Partial<LimitFigures['quota']> }

function figures(given: Given): LimitFigures {
  const { quota, ...rest } = given
  return {
    dailyUploads: window(0),
    day: window(0, 5000),
    stored: { files: 5, bytes: null },
    unit: null,
    ...rest,
    quota: { storage: UNKNOWN, maxFiles: UNKNOWN, totalSize: null, ...quota },
  }
}

const near = (given: Given) => nearOf(usesOf(figures(given)))

it.each<[string, Given, readonly unknown[]]>([
  ['79 of 100 uploads', { dailyUploads: window(79) }, []],
  ['80 of 100 uploads', { dailyUploads: window(80) }, [{ limit: 'uploads', percent: 80 }]],
  // Never told as more than is used.
  ['899 of 1,000 uploads', { dailyUploads: window(899, 1000) }, [{ limit: 'uploads', percent: 89 }]],
  // Everything says then that uploads wait for the limit.
  ['more uploads than allowed', { dailyUploads: window(120) }, []],
  ['all requests', { day: window(5000, 5000) }, []],
  ['uploads without a known limit', { dailyUploads: window(900, null) }, []],
  ['a limit of 0', { dailyUploads: window(0, 0) }, []],
  ['4,500 of 5,000 requests', { day: window(4500, 5000) }, [{ limit: 'requests', percent: 90 }]],
  [
    'storage in bytes',
    { stored: { files: 1, bytes: 85 }, quota: { storage: limited(100, 'bytes') }, unit: 'bytes' },
    [{ limit: 'storage', percent: 85 }],
  ],
  [
    'storage in a learned unit',
    { stored: { files: 1, bytes: 85_000 }, quota: { storage: limited(100, 'bare') }, unit: 'kB' },
    [{ limit: 'storage', percent: 85 }],
  ],
  [
    'storage and use in the same unknown unit',
    { quota: { storage: limited(10, 'bare'), totalSize: 9 } },
    [{ limit: 'storage', percent: 90 }],
  ],
  [
    'storage in bytes, use in an unknown unit',
    { quota: { storage: limited(10, 'bytes'), totalSize: 9 } },
    [],
  ],
  [
    'the number of files',
    { stored: { files: 95, bytes: null }, quota: { maxFiles: { kind: 'limited', value: 100 } } },
    [{ limit: 'files', percent: 95 }],
  ],
  [
    'more than the number of files',
    { stored: { files: 105, bytes: null }, quota: { maxFiles: { kind: 'limited', value: 100 } } },
    [{ limit: 'files', percent: 100 }],
  ],
])('%s', (_what, given, expected) => {
  expect(near(given)).toEqual(expected)
})

function room() {
  const stored = new Map<string, unknown>([['account', 'one']])
  const told: string[] = []
  let used = 0
  const open = () =>
    new NearLimits({
      db: { tx: (act: () => unknown) => act() } as never,
      facts: {
        get: (key: string) => stored.get(key) ?? null,
        set: (key: string, value: unknown) => void stored.set(key, JSON.parse(JSON.stringify(value))),
      } as never,
      bus: {
        emit: (event: EngineEvent) => {
          if (event.kind === 'notice') told.push(`${event.about?.name} ${event.about?.count}`)
        },
      },
      figures: () => figures({ dailyUploads: window(used) }),
    })
  let limits = open()
  return {
    stored,
    restart: () => {
      limits = open()
    },
    /** What is told while this much is used. */
    at: (percent: number): readonly string[] => {
      used = percent
      const before = told.length
      limits.tick()
      return told.slice(before)
    },
  }
}

it('each level is told once, also after a restart', () => {
  const r = room()
  expect([50, 79, 80, 81, 89].map((used) => r.at(used))).toEqual([[], [], ['uploads 80'], [], []])
  r.restart()
  expect([89, 91, 95].map((used) => r.at(used))).toEqual([[], ['uploads 91'], []])
  r.restart()
  expect(r.at(100)).toEqual([])
})

it('a use that leaps over both levels is told once', () => {
  const r = room()
  expect([r.at(95), r.at(96)]).toEqual([['uploads 95'], []])
})

it('a full limit of the day isn’t told, and neither is what is left of it when one upload has aged', () => {
  const r = room()
  expect([50, 100, 99, 91, 100].map((used) => r.at(used))).toEqual([[], [], [], [], []])
})

it('a use that swings around a level isn’t told again, and one of a new period is', () => {
  const r = room()
  expect([82, 78, 81, 75, 80].map((used) => r.at(used))).toEqual([['uploads 82'], [], [], [], []])
  r.restart()
  expect([3, 80, 90].map((used) => r.at(used))).toEqual([[], ['uploads 80'], ['uploads 90']])
})

it('another account’s use is told by itself', () => {
  const r = room()
  r.at(85)
  r.stored.set('account', 'two')
  expect([r.at(85), r.at(85)]).toEqual([['uploads 85'], []])
})

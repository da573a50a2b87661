// When a replaced version may be deleted, as a table of what the service tells about its downloads.
import { expect, it } from 'vitest'
import { RemovalRunner } from '../../../../src-main/engine/remote/deletion-runner.ts'
import { ABOUT_OTHER, type CallFailure } from '../../../../src-main/engine/remote/requests.ts'

const NOW = 1_000_000_000
const HOUR = 3_600_000
const FILE = 7
const GONE = {
  kind: 'api',
  failure: { kind: 'status', status: 404, phase: 'answered' },
} as unknown as CallFailure
const BROKEN = {
  kind: 'api',
  failure: { kind: 'status', status: 503, phase: 'answered' },
} as unknown as CallFailure

type Answer =
  | { readonly count: number | null; readonly isReused?: boolean }
  | { readonly failure: CallFailure }

const KNOWN = { fileId: FILE, firstSeen: 1 }
const OTHER = { fileId: FILE, firstSeen: 2 }

async function run(reason: string, answer: Answer, downloadedBy: number | null) {
  const deleted: number[] = []
  const asked: number[] = []
  let until: number | null = null
  const row = { fileId: FILE, reason, attempts: 0, sent: false }
  const runner = new RemovalRunner({
    clock: { now: () => NOW },
    log: { info: () => undefined },
    journal: {
      db: { durable: async () => true, tx: (act: () => unknown) => act() },
      owners: { isFree: () => true },
      claims: { lose: () => [] },
      remote: {
        isRemoval: () => true,
        removal: () => row,
        removalSent: () => undefined,
        dropRemoval: () => undefined,
        markGone: () => undefined,
        get: () => (asked.length > 0 && 'isReused' in answer && answer.isReused ? OTHER : KNOWN),
        downloadedBy: () => downloadedBy,
        delayRemoval: (_fileId: number, how: { until: number }) => {
          until = how.until
        },
        facts: { get: () => ({ counts: false }) },
      },
    },
    calls: {
      tenure: () => new AbortController().signal,
      run: async (_options: unknown, call: (api: unknown, signal: AbortSignal) => Promise<unknown>) =>
        call(
          {
            remove: async (fileId: number) => {
              deleted.push(fileId)
              return { ok: true, value: null }
            },
          },
          new AbortController().signal,
        ),
    },
    single: {
      isThere: async () => 'no',
      file: async (fileId: number) => {
        asked.push(fileId)
        return 'failure' in answer
          ? { ok: false, failure: answer.failure }
          : { ok: true, value: { downloadCount: answer.count } }
      },
    },
    stored: { removed: () => undefined },
    bus: { touched: () => undefined },
  } as never)
  const got = await runner.carry(row, 'watched', new AbortController().signal)
  return { got, isDeleted: deleted.length > 0, isAsked: asked.length > 0, until }
}

it.each<[string, Answer, number | null, number | null]>([
  ['was never downloaded', { count: 0 }, null, null],
  ['was last downloaded more than an hour ago', { count: 3 }, NOW - HOUR, null],
  ['was downloaded within the last hour', { count: 3 }, NOW - HOUR + 1, NOW + 1],
  ['was downloaded this moment', { count: 1 }, NOW, NOW + HOUR],
  ['has no download count', { count: null }, null, NOW + HOUR],
  ['has no download count any more', { count: null }, NOW - 5 * HOUR, NOW + HOUR],
  ['can’t be asked for', { failure: BROKEN }, null, NOW + 2000],
  ['isn’t proved to be gone', { failure: { kind: 'unproved' } }, null, NOW + 2000],
  ['is gone', { failure: GONE }, null, null],
])('a replaced version that %s', async (_what, answer, downloadedBy, until) => {
  const ended = await run('replaced', answer, downloadedBy)
  expect([ended.isDeleted, ended.until]).toEqual([until === null, until])
})

it('a file that the user deletes goes at once, whatever its downloads', async () => {
  expect(await run('asked', { count: 3 }, NOW)).toMatchObject({
    isDeleted: true,
    until: null,
  })
})

it.each([true, false])(
  'is deleted whatever the reason, unless its ID was given to another file: %s',
  async (isReused) => {
    for (const reason of ['asked', 'twin', 'cancelled', 'torn'])
      expect(await run(reason, { count: 0, isReused }, null)).toMatchObject({
        isDeleted: !isReused,
        got: { ok: true, value: isReused ? 'was-gone' : 'deleted' },
      })
  },
)

it('a file is kept if the service shows another one, or nothing usable, under its ID', async () => {
  for (const failure of [ABOUT_OTHER.failure, BROKEN])
    expect(await run('asked', { failure }, null)).toMatchObject({ isDeleted: false, until: NOW + 2000 })
})

// The scans of one folder: which of them count as complete. `watch --once` must not end before a complete
// scan has followed the last change.

import { expect, it } from 'vitest'
import { ScanQueue, type ScanQueueOptions } from '../../../../src-main/engine/find/scan-queue.ts'
import type { ScanReport } from '../../../../src-main/engine/find/scan-run.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { quietBus } from '../quiet-bus.ts'

const COMPLETE: ScanReport = { kind: 'complete', unreadable: [], files: 1, covers: () => true }
const FAILED: ScanReport = {
  kind: 'incomplete',
  reason: 'failed',
  failure: { code: 'io', message: 'read error' },
}

/** `show`: see `FolderState.show`. */
function scans(
  clock: FakeClock,
  options: Partial<ScanQueueOptions>,
  show: () => void = () => undefined,
  watching: 'events' | 'rescans' = 'events',
): ScanQueue {
  const state = {
    id: 1,
    path: '/watched',
    state: 'watching',
    watching,
    show,
    showSilent: show,
    reload: () => undefined,
  }
  return new ScanQueue({
    clock,
    random: () => 0.5,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    state: state as unknown as ScanQueueOptions['state'],
    root: { whyAway: async () => null },
    rules: { locked: () => [], isElsewhere: () => false },
    disk: {},
    journal: { failed: () => undefined },
    bus: quietBus(),
    prepare: async () => undefined,
    scanAll: async () => COMPLETE,
    onScannedAll: () => undefined,
    ...options,
  })
}

it('counts a folder as scanned after a moment only if that scan was complete', async () => {
  const clock = createFakeClock()
  const reports = [COMPLETE, FAILED, COMPLETE]
  const queue = scans(clock, { scanAll: async () => reports.shift() ?? COMPLETE })
  const before = clock.mono() - 1
  await queue.rescan()
  expect(queue.hasScannedAfter(before)).toBe(true)
  await clock.advance(1000)
  const change = clock.mono()
  await clock.advance(1000)
  await queue.rescan()
  expect(queue.hasScannedAfter(change)).toBe(false)
  await queue.rescan()
  expect(queue.hasScannedAfter(change)).toBe(true)
  queue.stop()
})

it.each(['at its end', 'when it is shown'])(
  'scans again after an error of the journal: %s',
  async (where) => {
    const clock = createFakeClock()
    let count = 0
    let isBroken = true
    const fail = (): void => {
      if (isBroken) throw new Error('disk I/O error')
    }
    const scanAll = async (): Promise<ScanReport> => {
      count++
      return COMPLETE
    }
    const queue =
      where === 'at its end'
        ? scans(clock, { scanAll, bus: quietBus({ wake: fail }) })
        : scans(clock, { scanAll }, fail)
    await queue.rescan()
    isBroken = false
    count = 0
    await queue.rescan()
    expect(count).toBe(1)
    await clock.advance(5000)
    expect(queue.isEmpty).toBe(true)
    queue.stop()
  },
)

it('adds no rescan behind a scan that takes longer than the time between two', async () => {
  const clock = createFakeClock()
  let begun = 0
  const long = Promise.withResolvers<ScanReport>()
  const queue = scans(
    clock,
    { scanAll: () => (begun++ === 0 ? long.promise : Promise.resolve(COMPLETE)) },
    undefined,
    'rescans',
  )
  const first = queue.rescan()
  await clock.advance(10 * 60_000)
  long.resolve(COMPLETE)
  await first
  await queue.ended()
  expect(begun).toBe(1)
  await clock.advance(30_000)
  expect(begun).toBe(2)
  expect(queue.isEmpty).toBe(true)
  queue.stop()
})

it('scans again soon after a scan during which the drive did not answer, and only then', async () => {
  const clock = createFakeClock()
  let count = 0
  let isSilent = true
  let answer = Promise.withResolvers<void>()
  const scanAll = async (): Promise<ScanReport> => {
    count++
    await answer.promise
    return COMPLETE
  }
  const queue = scans(clock, { scanAll, disk: { unanswered: () => (isSilent ? ['/watched'] : []) } })
  const first = queue.rescan()
  await clock.advance(40_000)
  answer.resolve()
  await first
  await clock.advance(4000)
  expect(count).toBe(2)
  isSilent = false
  answer = Promise.withResolvers()
  const slow = queue.rescan()
  await clock.advance(40_000)
  answer.resolve()
  await slow
  await clock.advance(4000)
  expect(count).toBe(3)
  queue.stop()
})

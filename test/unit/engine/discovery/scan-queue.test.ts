// The scans of one folder: which of them count as a complete look at it, for `watch --once`, which must not end before one has followed
// the last change.
import { expect, it } from 'vitest'
import { ScanQueue } from '../../../../src-main/engine/discovery/scan/scan-queue.ts'
import type { ScanReport } from '../../../../src-main/engine/discovery/scan/scan-run.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'

const COMPLETE: ScanReport = { kind: 'complete', unreadable: [], files: 1 }
const FAILED: ScanReport = { kind: 'incomplete', reason: 'failed', failure: { code: 'io', message: 'read error' } }

it('counts a folder as scanned after a moment only if that scan was complete', async () => {
  const clock = createFakeClock()
  const reports = [COMPLETE, FAILED, COMPLETE]
  const state = { id: 1, state: 'watching', watching: 'events', show: () => undefined, reload: () => undefined }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const queue = new ScanQueue({
    clock,
    random: () => 0.5,
    log,
    state: state as unknown as ConstructorParameters<typeof ScanQueue>[0]['state'],
    whyAway: async () => null,
    prepare: async () => undefined,
    lockedRules: () => [],
    scanAll: async () => reports.shift() ?? COMPLETE,
    onScannedAll: () => undefined,
    onFailed: () => undefined,
    onEnd: () => undefined,
  })
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

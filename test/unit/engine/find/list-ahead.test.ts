// How much of a scan is listed before it is compared: at most the allowed amount, however large the folder,
// and more directories at a time if they are small. No disk, no journal.
import { setImmediate as yieldNow } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ScanRun } from '../../../../src-main/engine/find/scan-run.ts'
import { ListAhead } from '../../../../src-main/engine/find/scanner.ts'
import type { Disk } from '../../../../src-main/engine/ports.ts'

/**
 * Every directory contains `entries` files. `requests` lists the number of directories of each request so
 * far.
 */
function scanOf(
  directories: number,
  entries: number,
): { readonly ahead: ListAhead; readonly requests: readonly number[] } {
  const requests: number[] = []
  const columns = {
    names: 'f/'.repeat(entries),
    kinds: 'f'.repeat(entries),
    stats: new Float64Array(entries * 5),
  }
  const list: Disk['list'] = async (dirs) => {
    requests.push(dirs.length)
    return dirs.map((dir) => ({ dir, failure: null, ...columns }))
  }
  const run = new ScanRun(new AbortController().signal, true)
  for (let i = 0; i < directories; i++) run.queue.push({ dir: `d${i}`, recursive: true, ignoredBy: null })
  return {
    ahead: new ListAhead({ disk: { list } as Disk, clock: { now: () => 0 }, root: '/', run }),
    requests,
  }
}

it('waits where as much is held as may be, and goes on once it is compared', async () => {
  // One request contains 24 directories: 77 MB.
  const { ahead, requests } = scanOf(240, 75_000)
  await ahead.next()
  await yieldNow()
  expect(requests).toEqual([24, 24])
  await ahead.next()
  await ahead.next()
  expect(requests).toEqual([24, 24, 24, 24])
})

it('holds a million files of small folders, of which it requests more at a time', async () => {
  const { ahead, requests } = scanOf(3000, 100)
  await ahead.next()
  for (let turn = 0; turn < 200; turn++) await yieldNow()
  expect(requests.reduce((sum, one) => sum + one, 0)).toBe(3000)
  expect(requests[4]).toBe(40)
})

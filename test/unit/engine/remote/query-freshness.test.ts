// When the list is read for a request: a command that shows what is known after a failure doesn't wait for
// the list again.
import { expect, it, vi } from 'vitest'
import {
  CatalogFreshness,
  type CatalogFreshnessOptions,
} from '../../../../src-main/engine/remote/query-freshness.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'

it('does not read a list again that has just failed to be read, until a while later or for another account', async () => {
  const clock = createFakeClock()
  const refresh = vi.fn(async () => ({ ok: false as const, failure: { kind: 'aborted' as const } }))
  let tenure = new AbortController().signal
  const freshness = new CatalogFreshness({
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    catalog: { refresh, asOf: () => null, progress: () => null },
    identity: {
      explain: () => ({ code: 'waits', title: 'The service asked to wait.', hint: null }),
      tenure: () => tenure,
    },
    stop: new AbortController().signal,
  } as unknown as CatalogFreshnessOptions)
  expect(await freshness.ensure('need', false)).toMatchObject({ code: 'waits' })
  expect(await freshness.ensure('cache', false)).toBeNull()
  expect(refresh).toHaveBeenCalledTimes(1)
  tenure = new AbortController().signal
  await freshness.ensure('cache', false)
  expect(refresh).toHaveBeenCalledTimes(2)
  await clock.advance(3_600_000)
  await freshness.ensure('cache', false)
  expect(refresh).toHaveBeenCalledTimes(3)
  // A request for a fresh list always reads it.
  await freshness.ensure('need', false)
  expect(refresh).toHaveBeenCalledTimes(4)
})

// A service in a private network whose links lead to another server there. Slipway asks that server only once
// an upload has got a link to it (attack/service.test.ts), so until then, nothing can be compared. What is
// held for that reason is compared as soon as it is possible.

import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createService, type ServiceOptions } from '../service/service.ts'
import { live } from '../world/live.ts'
import { createPlace, type Ended, type Place } from './cli-process.ts'
import { createFront } from './front.ts'

type Service = Awaited<ReturnType<typeof createService>>

/** Runs `work` with a service whose API has another address than its links. */
async function elsewhere(
  options: ServiceOptions,
  work: (world: {
    place: Place
    service: Service
    run: (...args: readonly string[]) => Promise<Ended>
  }) => Promise<void>,
): Promise<void> {
  const place = createPlace()
  const service = await createService({ plan: 'enterprise', key: place.key, ...options })
  const front = await createFront()
  front.admit(place.key, service)
  try {
    await work({ place, service, run: (...args) => place.start(args, { url: front.url }).ended })
  } finally {
    await front.close()
    await service.close()
    place.remove()
  }
}

it.concurrent('files that a new data folder could not compare get their links after the first upload', async () => {
  await elsewhere({}, async ({ place, service, run }) => {
    const files = [place.write('a.txt', 'content a'), place.write('b.txt', 'content b')]
    const before = await run('upload', ...files)
    rmSync(place.data, { recursive: true })
    const held = await run('upload', ...files)
    expect([held.code, held.out]).toEqual([4, ''])
    expect((await run('upload', place.write('c.txt', 'something else'))).code).toBe(0)
    const after = await run('upload', ...files)
    expect([after.code, after.out]).toEqual([0, before.out])
    expect(live({ service })).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })
})

it.concurrent('first uploads whose responses were lost get their links after another upload, and the one that never arrived is sent', async () => {
  const rules = [
    { on: 'upload', nth: 1, kinds: 'cut-after-store' },
    { on: 'upload', nth: 2, kinds: 'cut-after-body' },
  ] as const
  await elsewhere({ faults: { rules } }, async ({ place, service, run }) => {
    const files = [place.write('a.txt', 'content a'), place.write('b.txt', 'content b')]
    expect((await run('upload', ...files)).code).toBe(4)
    expect((await run('upload', place.write('c.txt', 'something else'))).code).toBe(0)
    const after = await run('upload', ...files)
    expect([after.code, after.out.trim().split('\n').length]).toEqual([0, 2])
    expect(live({ service })).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })
})

it.concurrent('`retry` compares again what is held because it may already be uploaded', async () => {
  await elsewhere({}, async ({ place, service, run }) => {
    const file = place.write('a.txt', 'content a')
    await run('upload', file)
    rmSync(place.data, { recursive: true })
    expect((await run('upload', file)).code).toBe(4)
    const retried = await run('retry', '--json')
    expect(JSON.parse(retried.out)).toMatchObject({ count: 1 })
    expect(live({ service })).toEqual(['a.txt'])
  })
})

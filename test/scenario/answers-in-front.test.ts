// Something in front of the service answers an upload in its place after the service has stored the file: a
// page, an empty answer, a redirect, or a status that the service doesn't give before storing. The file is
// looked up before it is sent again.
import { expect, it } from 'vitest'
import type { Dialect } from '../service/dialect.ts'
import type { Fault } from '../service/faults.ts'
import { FOLDER } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const AFTER = 'error-after-store'

it.each<readonly [number, Dialect['errorBody']]>([
  [403, 'html'],
  [404, 'text'],
  [413, 'html-as-json'],
  [401, 'empty'],
  [429, 'html'],
  [409, 'text'],
  [409, 'message'],
  [451, 'message'],
  [421, 'message'],
  [499, 'success-error'],
])('a stored file that is answered with %i (%s) is stored once', async (status, errorBody) => {
  const rules = [{ on: 'upload' as const, nth: [2, 3], kinds: { kind: AFTER, status } as const }]
  const w = await openWorld({ dialect: { errorBody }, faults: { rules } })
  await w.watch()
  for (const n of [1, 2, 3]) await w.upload(`${n}.txt`, `number ${n}`)
  expect(w.service.ledger.live().map((file) => file.filename)).toEqual(['1.txt', '2.txt', '3.txt'])
})

it.each<readonly [number, Dialect['errorBody']]>([
  [422, 'html'],
  [400, 'text'],
  [415, 'empty'],
])(
  'a file that is refused with %i (%s) and isn’t stored is sent twice at most',
  async (status, errorBody) => {
    const rules = [
      { on: 'upload' as const, nth: [2, 3, 4, 5], kinds: { kind: 'error-before-store', status } as const },
    ]
    const w = await openWorld({ dialect: { errorBody }, faults: { rules } })
    await w.watch()
    await w.upload('1.txt', 'number 1')
    w.disk.write(`${FOLDER}/2.txt`, 'number 2')
    await w.until(async () => ['held', 'failed'].includes((await w.byName('2.txt'))?.state ?? ''))
    expect(w.service.requests.list().filter(({ endpoint }) => endpoint === 'upload')).toHaveLength(3)
  },
)

it.each<readonly [string, Fault]>([
  ['a redirect to itself', { kind: 'redirect', status: 302, to: 'itself' }],
  ['a page', { kind: 'garbage-before-store', form: 'html' }],
  ['500', { kind: 'error-before-store', status: 500 }],
  ['nothing', { kind: 'cut-before-body' }],
])('it is known since when every request has got %s, until one is answered', async (_name, kinds) => {
  const w = await openWorld()
  await w.watch()
  await w.upload('1.txt', 'number 1')
  const unanswered = async () => {
    const snapshot = await w.handlers.snapshot({})
    return snapshot.ok ? snapshot.value.unanswered : undefined
  }
  expect(await unanswered()).toBeUndefined()
  const began = w.clock.now()
  w.service.setFaults({ rules: [{ kinds }] })
  w.disk.write(`${FOLDER}/2.txt`, 'number 2')
  // Longer than the waits between the first attempts.
  await w.until(async () => ((await unanswered())?.until ?? 0) > began + 60_000)
  expect((await unanswered())?.since).toBeLessThan(began + 30_000)
  w.service.setFaults(null)
  await w.until(async () => (await w.byName('2.txt'))?.state === 'done')
  expect(await unanswered()).toBeUndefined()
})

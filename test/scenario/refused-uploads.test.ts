// Refusals that hit many files: when the service, or something in front of it, refuses every upload, the
// account pauses and tries one small file at a time, however the refusal is worded. A refusal of one file
// stays with that file.
import { describe, expect, it, vi } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000
const FILES = 40

function uploads(w: World): number {
  return w.service.requests.list().filter((one) => one.endpoint === 'upload').length
}

async function gateOf(w: World): Promise<unknown> {
  const snapshot = await w.handlers.snapshot({})
  return snapshot.ok ? snapshot.value.gate : snapshot
}

/** A folder of small files and a large one, whose uploads are all answered with `status`. */
async function refusing(status: number, count = FILES): Promise<World> {
  const w = await openWorld({ plan: 'enterprise' })
  w.service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'error-before-store', status } }] })
  w.disk.write(`${FOLDER}/0 large.bin`, Buffer.alloc(3_000_000, 7))
  for (let n = 1; n < count; n++) w.disk.write(`${FOLDER}/${n}.txt`, `content ${n}`)
  await w.watch()
  return w
}

describe('a service that refuses every upload', () => {
  it.each([404, 405, 421, 425, 401, 403, 400, 402, 410, 422, 451, 304])(
    'with %i gets few of them, says why, and gets all once it accepts them',
    async (status) => {
      const w = await refusing(status)
      await w.pass(10 * MINUTE)
      expect(uploads(w)).toBeLessThan(20)
      expect(w.service.requests.list().length).toBeLessThan(120)
      expect(await gateOf(w)).toMatchObject({
        reason: 'uploads-refused',
        message: expect.stringContaining(String(status)),
      })
      for (const { state, attempts } of await w.transfers()) {
        expect(state).toBe('waiting')
        expect(attempts).toBeLessThanOrEqual(2)
      }
      await w.pass(3 * 60 * MINUTE)
      expect(uploads(w)).toBeLessThan(70)
      w.service.setFaults(null)
      await w.until(() => w.allSettled(), 2)
      expect(w.service.ledger.live()).toHaveLength(FILES)
    },
  )

  it('with 413 holds none of the tiny files as too big', async () => {
    const w = await openWorld({ plan: 'enterprise' })
    w.service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'error-before-store', status: 413 } }] })
    for (let n = 0; n < FILES; n++) w.disk.write(`${FOLDER}/${n}.txt`, `content ${n}`)
    await w.watch()
    await w.pass(10 * MINUTE)
    expect(uploads(w)).toBeLessThan(20)
    expect(await gateOf(w)).toMatchObject({
      reason: 'uploads-refused',
      message: expect.stringContaining('413'),
    })
    for (const { state } of await w.transfers()) expect(state).toBe('waiting')
    w.service.setFaults(null)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.live()).toHaveLength(FILES)
  })

  it('is tried with small files that were sent least often, and the pause survives a restart', async () => {
    const w = await refusing(404)
    await w.pass(10 * MINUTE)
    const before = uploads(w)
    const gate = await gateOf(w)
    await w.crash()
    await w.pass(1000)
    expect(await gateOf(w)).toEqual(gate)
    expect(uploads(w)).toBe(before)
    await w.pass(30 * MINUTE)
    expect((await w.byName('0 large.bin'))?.attempts).toBe(1)
  })

  it('is tried at once when the user retries or names a file, and not more often than every ten seconds', async () => {
    const w = await refusing(404)
    await w.pass(10 * MINUTE)
    const before = uploads(w)
    await w.handlers.retry({ ids: null })
    await w.pass(1000)
    expect(uploads(w)).toBe(before + 1)
    for (let n = 0; n < 5; n++) {
      w.disk.write(`/home/named ${n}.txt`, `named ${n}`)
      await w.answered(
        w.handlers.upload({ paths: [`/home/named ${n}.txt`], again: false, token: `named ${n}` }),
      )
      await w.pass(1000)
    }
    expect(uploads(w)).toBe(before + 1)
    await w.pass(10_000)
    w.service.setFaults(null)
    w.disk.write('/home/last.txt', 'last')
    await w.answered(w.handlers.upload({ paths: ['/home/last.txt'], again: false, token: 'last' }))
    await w.pass(10_000)
    expect(await gateOf(w)).toBeNull()
    expect(w.service.ledger.live().map((file) => file.filename)).toContain('last.txt')
  })
})

describe('a file that the service refuses while it accepts others', () => {
  it('fails after a second attempt, and the others are uploaded', async () => {
    const w = await openWorld({ plan: 'enterprise' })
    w.service.setFaults({
      rules: [{ on: 'upload', nth: [1, 4], kinds: { kind: 'error-before-store', status: 415 } }],
    })
    w.disk.write(`${FOLDER}/1.txt`, 'refused')
    w.disk.write(`${FOLDER}/2.txt`, 'b')
    w.disk.write(`${FOLDER}/3.txt`, 'c')
    // All wait when the first is sent: a single file without company would fail at once.
    await w.handlers.pause({})
    await w.watch()
    await w.until(async () => (await w.transfers()).length === 3)
    await w.handlers.resume({})
    await w.pass(MINUTE)
    const states = (await w.transfers()).map(({ state }) => state).toSorted()
    expect(states).toEqual(['done', 'done', 'failed'])
    expect(uploads(w)).toBe(4)
  })

  it('is held if it is large and the answer is 413', async () => {
    const w = await openWorld({ plan: 'enterprise' })
    w.service.setFaults({
      rules: [{ on: 'upload', nth: 1, kinds: { kind: 'error-before-store', status: 413 } }],
    })
    w.disk.write(`${FOLDER}/large.bin`, Buffer.alloc(3_000_000, 7))
    await w.watch()
    await w.pass(MINUTE)
    w.disk.write(`${FOLDER}/small.txt`, 'small')
    await w.pass(MINUTE)
    expect(await w.byName('large.bin')).toMatchObject({
      state: 'held',
      reason: 'too-big',
      message: expect.stringMatching(/something in front of it/),
    })
    expect(await w.byName('small.txt')).toMatchObject({ state: 'done' })
  })
})

it('uploads that Slipway broke off itself say nothing about the service', async () => {
  let bodies = 0
  const w = await openWorld({
    plan: 'enterprise',
    onMoment: (moment, endpoint) => {
      if (moment === 'body' && endpoint === 'upload') bodies++
    },
  })
  w.service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'stall-before-store' } }] })
  for (let n = 0; n < 20; n++) w.disk.write(`${FOLDER}/${n}.txt`, `content ${n}`)
  await w.watch()
  // `until` would wait for the answers, which never come.
  await vi.waitFor(async () => {
    await w.clock.advance(50)
    expect(bodies).toBe(8)
  }, 20_000)
  await w.answered(w.handlers.pause({ now: true }))
  w.service.setFaults(null)
  await w.handlers.resume({})
  await w.pass(5000)
  expect(await gateOf(w)).toBeNull()
  await w.until(() => w.allSettled())
  expect(w.service.ledger.live()).toHaveLength(20)
})

// An engine thread without an engine: it says so and ends, so that the main thread starts another one, unless
// only the user can change anything. Engines and time are fakes.
import { describe, expect, it } from 'vitest'
import type { ElectedEngine } from '../../../src-main/platform/host/engine-election.ts'
import type { FromEngineThread } from '../../../src-main/shell/engine/protocol.ts'
import { openSession } from '../../../src-main/shell/engine/session-opening.ts'
import type { EngineClient, Failure, FailureCode, Result } from '../../../src-shared/engine-contract.ts'
import { createFakeTime, ok, snapshot } from '../cli/world.ts'

const MINUTE = 60_000
const failure = (code: FailureCode): Failure => ({ code, title: code, hint: null })

interface FakeEngine {
  readonly client: EngineClient
  readonly calls: readonly string[]
  /** Its process ends. */
  die(): void
}

function fakeEngine(): FakeEngine {
  const closes = new Set<() => void>()
  const calls: string[] = []
  const die = (): void => {
    for (const listener of closes) listener()
  }
  const client = {
    call: async (procedure: string) => {
      calls.push(procedure)
      return ok(snapshot())
    },
    onEvent: () => () => undefined,
    onClose: (listener: () => void) => {
      closes.add(listener)
      return () => closes.delete(listener)
    },
    close: async () => die(),
  } as unknown as EngineClient
  return { client, calls, die }
}

/** Opens a session over these engines, one after the other; a failure is that of an election. */
async function room(
  elected: readonly (FakeEngine | Failure)[],
  { pausedAccounts = null as readonly string[] | null } = {},
) {
  const time = createFakeTime()
  const said: FromEngineThread[] = []
  let ends = 0
  let at = 0
  const session = await openSession({
    openHost: async () =>
      ok({
        elect: async (): Promise<Result<ElectedEngine>> => {
          const next = elected[at++]
          if (next === undefined) throw new Error('There are no more engines.')
          return 'client' in next ? ok({ client: next.client, isOwner: false }) : { ok: false, failure: next }
        },
      }),
    time,
    say: (message) => said.push(message),
    pausedAccounts,
    account: () => ({ id: 'a', dir: '/a', log: '/a/log', pasted: '/a/pasted' }),
    onOpened: () => undefined,
    end: () => {
      ends++
    },
  })
  return { session, time, kinds: () => said.map(({ type }) => type), said, ends: () => ends }
}

describe('an engine that goes away', () => {
  it('is replaced by the next one', async () => {
    const [first, second] = [fakeEngine(), fakeEngine()]
    const { time, kinds, ends } = await room([first, second])
    first.die()
    await time.pass(MINUTE)
    expect(second.calls).toEqual(['work'])
    expect([kinds(), ends()]).toEqual([['up', 'up'], 0])
  })

  it.each(['usage', 'defect', 'disk', 'journal-unusable'] as const)(
    'without a next one (%s) ends the thread',
    async (code) => {
      const first = fakeEngine()
      const { time, kinds, ends } = await room([first, failure(code)])
      expect(ends()).toBe(0)
      first.die()
      await time.pass(100)
      // The next thread reports the failure if it has it, too.
      expect([kinds(), ends()]).toEqual([['up'], 1])
    },
  )

  it('because it was closed on purpose does not', async () => {
    const { session, time, ends } = await room([fakeEngine()])
    if (session.ok) await session.value.close()
    await time.pass(10 * MINUTE)
    expect(ends()).toBe(0)
  })
})

describe('an engine that can’t be started', () => {
  it.each(['disk', 'defect', 'usage', 'no-connection', 'closing'] as const)(
    'is reported (%s) and tried again by another thread',
    async (code) => {
      const { session, time, said, ends } = await room([failure(code)])
      expect([session, said]).toEqual([
        { ok: false, failure: failure(code) },
        [{ type: 'failed', failure: failure(code) }],
      ])
      await time.pass(MINUTE)
      expect(ends()).toBe(0)
      await time.pass(1000)
      expect(ends()).toBe(1)
    },
  )

  it.each(['journal-unusable', 'key-refused', 'no-key', 'no-api', 'not-found', 'waits', 'server'] as const)(
    'is reported (%s), and nothing more is tried',
    async (code) => {
      const { time, kinds, ends } = await room([failure(code)])
      await time.pass(60 * MINUTE)
      expect([kinds(), ends()]).toEqual([['failed'], 0])
    },
  )
})

it('an account that a pause of all accounts hasn’t reached is paused before it works', async () => {
  const engine = fakeEngine()
  await room([engine], { pausedAccounts: [] })
  expect(engine.calls).toEqual(['pause', 'work'])
})

// Which key is in use while keys are replaced, and when the account has changed. The journal is a real one in
// memory; the clients only remember their address and key.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ApiClient } from '../../../../src-main/api/types.ts'
import { type Identity, IdentityKeeper } from '../../../../src-main/engine/budget/current-key.ts'
import { type Database, openDatabase } from '../../../../src-main/engine/journal/database.ts'
import { createFileIds } from '../../../../src-main/engine/journal/file-ids.ts'
import { createFacts } from '../../../../src-main/engine/journal/single-values.ts'
import type { Result } from '../../../../src-shared/engine-contract.ts'

interface Client {
  readonly baseUrl: string
  readonly key: () => string | null
}

let db: Database
let clients: Client[] = []
let reads: PromiseWithResolvers<Result<Identity>>[] = []
let refused: unknown[] = []
let keeper: IdentityKeeper

beforeEach(() => {
  const files = { exists: () => false, rename: () => undefined, read: () => null }
  db = openDatabase({ file: ':memory:', files, seal: null, now: 0 }).db
  clients = []
  refused = []
  reads = []
  keeper = new IdentityKeeper({
    source: {
      createApi: (baseUrl, key) => {
        clients.push({ baseUrl, key })
        return { close: async () => undefined } as ApiClient<string>
      },
      identity: () => {
        const reading = Promise.withResolvers<Result<Identity>>()
        reads.push(reading)
        return reading.promise
      },
    },
    journal: {
      db,
      ids: createFileIds(db, () => 0),
      remote: { facts: createFacts(db) },
      transfers: { hasSent: () => false },
      failed: () => undefined,
    },
    account: {
      setIdentity: (one) => void refused.push(one?.refused),
      setStats: () => undefined,
      view: () => ({ state: 'ok', baseUrl: null, plan: null, provedAt: null, message: null }),
    },
    limits: { setStats: () => undefined },
    origins: { read: () => [], add: () => undefined },
  })
})
afterEach(() => db.close())

const identity = (account: string): Result<Identity> => ({
  ok: true,
  value: { baseUrl: `https://${account}.example.com`, key: `key of ${account}`, account },
})

describe('a refusal in the journal', () => {
  it('counts for its key only, of which it keeps no more than a short mark', async () => {
    for (const account of ['one', 'two', 'one']) {
      const loading = keeper.load()
      await expect.poll(() => reads.length).toBe(clients.length + 1)
      reads.at(-1)?.resolve(identity(account))
      expect(await loading).toBeNull()
      if (clients.length === 1) createFacts(db).set('refusal', { state: 'no-api', mark: keeper.mark() })
    }
    expect(refused).toEqual([null, null, 'no-api'])
    expect(keeper.mark()).toMatch(/^[0-9a-f]{4}$/)
  })
})

describe('a key that replaces another', () => {
  it('is never given to the client of the former address', async () => {
    for (const account of ['one', 'two']) {
      const loading = keeper.load()
      await expect.poll(() => reads.length).toBe(clients.length + 1)
      reads.at(-1)?.resolve(identity(account))
      expect(await loading).toBeNull()
    }
    expect(clients.map((client) => [client.baseUrl, client.key()])).toEqual([
      ['https://one.example.com', null],
      ['https://two.example.com', 'key of two'],
    ])
  })

  it('is the last one, even if an earlier one is read more slowly', async () => {
    const slow = keeper.load()
    const last = keeper.load()
    await expect.poll(() => reads.length).toBeGreaterThan(0)
    reads[1]?.resolve({ ok: false, failure: { code: 'no-key', title: 'removed', hint: null } })
    await new Promise((resolve) => setImmediate(resolve))
    reads[0]?.resolve(identity('one'))
    await slow
    await expect.poll(() => reads.length).toBe(2)
    reads[1]?.resolve({ ok: false, failure: { code: 'no-key', title: 'removed', hint: null } })
    await last
    expect(keeper.api()).toBeNull()
    expect(keeper.failure()?.code).toBe('no-key')
  })

  it('ends what was asked for with the old account, but not with another key of the same account', async () => {
    const load = async (account: string): Promise<AbortSignal> => {
      const before = reads.length
      const loading = keeper.load()
      await expect.poll(() => reads.length).toBe(before + 1)
      reads.at(-1)?.resolve(identity(account))
      await loading
      return keeper.tenure()
    }
    const first = await load('one')
    expect(await load('one')).toBe(first)
    expect(first.aborted).toBe(false)
    expect((await load('two')).aborted).toBe(false)
    expect(first.aborted).toBe(true)
  })
})

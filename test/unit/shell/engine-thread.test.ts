// The app's engine thread, for real. As a client of an engine that ends, while another version has taken
// over, the app learns of it, and works again once it can; the other process is this test, with the real lock
// and socket. At rest, the thread hardly ever wakes up.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { dataPaths } from '../../../src-main/platform/data/paths.ts'
import { makePrivateDir } from '../../../src-main/platform/data/private-dir.ts'
import { openEndpoint } from '../../../src-main/platform/host/control-key.ts'
import { type ControlServer, createControlServer } from '../../../src-main/platform/host/control-socket.ts'
import { acquireOwner } from '../../../src-main/platform/host/owner-lock.ts'
import { createEngineLink } from '../../../src-main/shell/engine/thread-connection.ts'
import { CONTRACT_VERSION } from '../../../src-shared/engine-contract.ts'
import { snapshot } from './world.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

function serve(paths: ReturnType<typeof dataPaths>, version: number): Promise<ControlServer> {
  return createControlServer({
    endpoint: openEndpoint(paths),
    version,
    handle: async () => ({ ok: true, value: snapshot() }),
    tooLong: null,
    onClients: () => undefined,
  })
}

function openLink(dataDir: string): ReturnType<typeof createEngineLink> {
  const link = createEngineLink({
    entry: new URL('../../../src-main/shell/engine/thread.ts', import.meta.url),
    startWith: () => ({
      slipwayRole: 'engine',
      account: null,
      dataDir,
      env: {},
      apiKey: null,
      baseUrl: null,
      proxy: 'none',
      pausedAccounts: null,
    }),
    mainOps: {
      keychain: async () => null,
      systemProxy: async () => null,
      findProxyLogin: async () => null,
      trash: async () => null,
      proxyLoginRefused: async () => null,
    },
    log: () => undefined,
  })
  cleanups.push(() => link.close(0))
  return link
}

it('an engine that ends without a successor isn’t said to run, and the thread looks for another one', async () => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-thread-'))
  cleanups.push(() => rmSync(home, { recursive: true, force: true }))
  const paths = dataPaths(join(home, 'data'))
  makePrivateDir(paths.dir)
  const owner = acquireOwner(paths.owner)
  if (!owner.ok) throw new Error('The lock is taken.')
  cleanups.push(() => owner.release())
  let server = await serve(paths, CONTRACT_VERSION)
  cleanups.push(() => server.close())

  const states: (string | boolean)[] = []
  const link = openLink(paths.dir)
  link.onState(({ up, failure }) => states.push(failure === null ? up : failure.code))
  link.start()
  await vi.waitFor(() => expect(states).toEqual([true]), { timeout: 20_000 })

  await server.close()
  server = await serve(paths, CONTRACT_VERSION + 1)
  // The thread has ended, and the next one says why it can't work either.
  await vi.waitFor(() => expect(states).toEqual([true, false, 'usage']), { timeout: 20_000 })
  expect(link.isUp()).toBe(false)
  expect(await link.call('snapshot', {})).toMatchObject({ failure: { code: 'usage' } })

  await server.close()
  server = await serve(paths, CONTRACT_VERSION)
  await link.reopen()
  expect([link.isUp(), await link.call('snapshot', {})]).toEqual([true, { ok: true, value: snapshot() }])
})

/** How often each thread of this process has gone to sleep and been woken again so far. */
function wakeUps(): ReadonlyMap<string, number> {
  const tasks = '/proc/self/task'
  return new Map(
    readdirSync(tasks).map((task) => {
      const status = readFileSync(join(tasks, task, 'status'), 'utf8')
      return [task, Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1])]
    }),
  )
}

it.runIf(process.platform === 'linux')(
  'with nothing to do, the thread sleeps instead of waking up many times a second',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'slipway-thread-'))
    cleanups.push(() => rmSync(home, { recursive: true, force: true }))
    const others = wakeUps()
    const link = openLink(join(home, 'data'))
    link.start()
    await vi.waitFor(() => expect(link.isUp()).toBe(true), { timeout: 20_000 })
    // What the start leaves to do is done within a few seconds.
    const busiest = async (): Promise<number> => {
      const before = wakeUps()
      await sleep(1000)
      const after = [...wakeUps()].filter(([task]) => !others.has(task))
      return Math.max(...after.map(([task, count]) => count - (before.get(task) ?? 0)))
    }
    await vi.waitFor(async () => expect(await busiest()).toBeLessThan(30), { timeout: 20_000 })
  },
  60_000,
)

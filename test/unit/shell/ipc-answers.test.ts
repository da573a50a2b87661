// What leaves the shell for the page: only answers and events that fit the contract, because the page has no
// schemas to check them with. Electron is mocked.
import { beforeEach, expect, it, vi } from 'vitest'
import { IpcServer } from '../../../src-main/shell/window/ipc-server.ts'
import { ORIGIN } from '../../../src-main/shell/window/page-protocol.ts'
import type { Result } from '../../../src-shared/engine-contract.ts'
import { type AppHandlers, CHANNEL } from '../../../src-shared/window-contract.ts'
import { fakeLink } from './fake-link.ts'

type Door = (event: unknown, ...args: unknown[]) => Promise<Result<unknown>>
const electron = vi.hoisted(() => ({ doors: new Map<string, Door>() }))
vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, door: Door) => electron.doors.set(channel, door) },
  protocol: {},
}))

const ODD = {
  ok: false,
  failure: { code: 'defect', title: 'An answer did not fit the contract.', hint: null },
}
const sent: unknown[] = []
const logged: string[] = []
const page = { isDestroyed: () => false, send: (_channel: string, message: unknown) => sent.push(message) }

/** A server whose handlers and engine give the answers of this table. */
function server(answers: Readonly<Record<string, unknown>>) {
  const handlers = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, async () => answer]),
  ) as unknown as AppHandlers
  const { link } = fakeLink(
    Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, () => answer])),
  )
  const ipc = new IpcServer({
    shown: () => ({ id: null, handlers, link }),
    everywhere: async () => answers['everywhere'] as Result<unknown>,
    page: () => page as never,
    input: { allows: () => true },
    onBoot: () => undefined,
    log: (event) => void logged.push(event),
  })
  ipc.listen()
  return ipc
}

async function call(name: string, input: unknown): Promise<Result<unknown>> {
  const door = electron.doors.get(CHANNEL.call)
  if (door === undefined) throw new Error('There is no door.')
  return door({ sender: page, senderFrame: { url: `${ORIGIN}/index.html`, parent: null } }, name, input, null)
}

beforeEach(() => {
  sent.length = 0
  logged.length = 0
})

it.each([
  ['the shell', 'useAccount', { account: 'ada' }, { ok: true, value: null }],
  ['the engine', 'retry', { ids: null }, { ok: true, value: { count: -1 } }],
  ['all engines', 'resume', {}, { ok: true, value: { paused: 'no' } }],
  ['a failure', 'retry', { ids: null }, { ok: false, failure: { code: 'tired', title: '', hint: null } }],
])('an answer of %s that does not fit is a failure', async (_whose, name, input, answer) => {
  server({ [name]: answer, everywhere: answer })
  expect(await call(name, input)).toEqual(ODD)
  expect(logged).toEqual(['ipc.odd-answer'])
})

it('an answer has nothing that the contract does not name', async () => {
  server({ retry: { ok: true, value: { count: 2, path: '/home/ada' } } })
  expect(await call('retry', { ids: null })).toEqual({ ok: true, value: { count: 2 } })
})

it('an event that does not fit is not sent, and leaves a gap in the numbers', async () => {
  const ipc = server({})
  ipc.tell({ kind: 'deletes', pending: 'none' as never })
  ipc.tell({ kind: 'deletes', pending: [] })
  expect(sent).toEqual([{ seq: 2, events: [{ kind: 'deletes', pending: [] }] }])
  expect(logged).toEqual(['ipc.odd-event'])
})

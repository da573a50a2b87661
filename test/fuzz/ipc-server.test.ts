// What pages may call, at the entry point: unknown senders and channels, names and inputs of any kind. Only
// our page's main frame, a name on the closed list and a valid input reach a handler; everything else is
// answered with a refusal. Electron is mocked.
import { constantFrom, integer, oneof, record, tuple } from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { IpcServer } from '../../src-main/shell/window/ipc-server.ts'
import { ORIGIN } from '../../src-main/shell/window/page-protocol.ts'
import { APP_WIDE } from '../../src-shared/choices.ts'
import { FailureCode, procedures, type Result } from '../../src-shared/engine-contract.ts'
import { type AppHandlers, appProcedures, CHANNEL } from '../../src-shared/window-contract.ts'
import { fakeLink, GONE } from '../unit/shell/fake-link.ts'
import { fuzz, hostileJson, hostileText } from './fuzz.ts'
import { ALLOWED, FORBIDDEN, fitting, ODD_NAMES } from './ipc.ts'

type Door = (event: unknown, ...args: unknown[]) => Promise<Result<unknown>>
const electron = vi.hoisted(() => ({ doors: new Map<string, Door>() }))
vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, door: Door) => electron.doors.set(channel, door) },
  protocol: {},
}))

const page = { isDestroyed: () => false, send: () => undefined }
const stranger = { isDestroyed: () => false, send: () => undefined }
const reached: { readonly name: string; readonly input: unknown }[] = []
const { link, calls } = fakeLink()
const handlers = Object.fromEntries(
  Object.keys(appProcedures).map((name) => [
    name,
    async (input: unknown) => {
      reached.push({ name, input })
      return GONE
    },
  ]),
) as unknown as AppHandlers
const everywhere = async (procedure: 'pause' | 'resume', now: boolean): Promise<Result<unknown>> =>
  procedure === 'pause' ? link.call('pause', { now }) : link.call('resume', {})
new IpcServer({
  shown: () => ({ id: 'shown', handlers, link }),
  everywhere,
  page: () => page as never,
  input: { allows: () => true },
  onBoot: () => undefined,
  log: () => undefined,
}).listen()

async function knock(event: unknown, ...args: unknown[]): Promise<Result<unknown>> {
  const door = electron.doors.get(CHANNEL.call)
  if (door === undefined) throw new Error('There is no door.')
  reached.length = 0
  calls.length = 0
  return door(event, ...args)
}

const ours = { sender: page, senderFrame: { url: `${ORIGIN}/index.html`, parent: null } }
const frames = [
  null,
  { url: `${ORIGIN}/index.html`, parent: { url: `${ORIGIN}/index.html`, parent: null } },
  ...[
    'https://evil.example/',
    'app://slipway.evil.example/',
    'app://slipway@evil/',
    'app://other/',
    'about:blank',
    'file:///etc/passwd',
    '',
  ].map((url) => ({ url, parent: null })),
  { url: 'data:text/html,app://slipway', parent: null },
]

describe('the door', () => {
  it('is one', () => {
    expect([...electron.doors.keys()]).toEqual([CHANNEL.call])
  })

  const strangers = oneof(
    record({ sender: constantFrom<unknown>(page, stranger, null), senderFrame: constantFrom(...frames) }),
    record({
      sender: constantFrom<unknown>(stranger, null, undefined),
      senderFrame: constantFrom(ours.senderFrame),
    }),
    record({
      sender: constantFrom<unknown>(page),
      senderFrame: hostileText.map((url) => ({ url, parent: null })),
    }),
  )
  const anything = constantFrom(...ALLOWED.flatMap((name) => fitting(name, 3, 1)))
  fuzz(
    'is shut for every frame but the main one of our page',
    tuple(strangers, anything),
    3000,
    async ([event, [name, input]]) => {
      expect(await knock(event, name, input)).toEqual({
        ok: false,
        failure: { code: 'usage', title: 'This page may not ask.', hint: null },
      })
      expect([reached, calls]).toEqual([[], []])
    },
  )

  const names = oneof(
    constantFrom<unknown>(...ALLOWED),
    constantFrom<unknown>(...FORBIDDEN, ...ODD_NAMES),
    hostileText.map((text): unknown => text),
    constantFrom<unknown>(null, undefined, 7, ['snapshot'], { toString: () => 'quit' }, Symbol.iterator),
  )
  const inputs = oneof(
    hostileJson.map((json): unknown => JSON.parse(json)),
    integer().map((n): unknown => n),
    constantFrom<unknown>(undefined, Number.NaN, 1n, new Map(), () => 1),
  )
  fuzz(
    'lets in a known name with an input that fits, and nothing else',
    tuple(names, inputs),
    6000,
    async ([name, input]) => {
      const result = await knock(ours, name, input)
      if (!result.ok) {
        expect(FailureCode.options).toContain(result.failure.code)
        expect(result.failure.code).not.toBe('defect')
        expect(result.failure.title.length + (result.failure.hint ?? '').length).toBeLessThan(500)
      }
      const all: Readonly<
        Record<string, { readonly input: { safeParse: (value: unknown) => { success: boolean } } }>
      > = {
        ...procedures,
        ...appProcedures,
      }
      for (const one of [...reached, ...calls]) {
        expect(one.name).toBe(name)
        expect(ALLOWED).toContain(one.name)
        expect(all[one.name]?.input.safeParse(one.input).success).toBe(true)
      }
    },
  )

  const fit = constantFrom(...ALLOWED.flatMap((name) => fitting(name, 20, 2)))
  fuzz('lets in all that fits', fit, 500, async ([name, input]) => {
    await knock(ours, name, input)
    expect([...reached, ...calls].map((one) => one.name)).toEqual([name])
  })

  fuzz(
    'is shut for what was meant for another account, but for what concerns all',
    fit,
    500,
    async ([name, input]) => {
      const result = await knock(ours, name, input, 'left')
      const isWide = (APP_WIDE as readonly string[]).includes(name)
      expect([...reached, ...calls].map((one) => one.name)).toEqual(isWide ? [name] : [])
      if (!isWide) expect(result).toMatchObject({ ok: false, failure: { code: 'closing' } })
      await knock(ours, name, input, 'shown')
      expect([...reached, ...calls].map((one) => one.name)).toEqual([name])
    },
  )
})

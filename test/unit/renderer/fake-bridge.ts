// A fake of the preload script's four functions: a test answers calls one by one or from a table, and emits
// events with any sequence number. Nothing is validated here; the shell does that before it answers.
import { vi } from 'vitest'
import type { Result } from '../../../src-shared/engine-contract.ts'
import { DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import type { Boot, Bridge, WindowEvent } from '../../../src-shared/window-contract.ts'

// As declared in src-renderer/env.d.ts for the page.
declare global {
  interface Window {
    readonly slipway: Bridge
  }
}

export interface FakeCall {
  readonly name: string
  readonly input: unknown
  answer(result: unknown): void
}

export interface FakeBridge {
  /** Calls that haven't been answered yet, oldest first. */
  readonly open: FakeCall[]
  readonly calls: { readonly name: string; readonly input: unknown; readonly account?: string }[]
  /** Answers the oldest pending call with this name and waits for all consequences. */
  answer(name: string, result: unknown): Promise<void>
  say(seq: number, ...events: readonly WindowEvent[]): void
}

export function ok(value: unknown): Result<unknown> {
  return { ok: true, value }
}

export const REFUSED: Result<unknown> = {
  ok: false,
  failure: { code: 'no-connection', title: 'The service does not answer.', hint: null },
}

export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function installBridge(): FakeBridge {
  const open: FakeCall[] = []
  const calls: { name: string; input: unknown; account?: string }[] = []
  const listeners = new Set<(numbered: unknown) => void>()
  const slipway: Bridge = {
    call: (name, input, account) =>
      new Promise((resolve) => {
        calls.push({ name, input, ...(account === null ? {} : { account }) })
        open.push({ name, input, answer: (result) => resolve(result as Result<unknown>) })
      }),
    onEvent: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    drop: async () => REFUSED,
    keep: async () => REFUSED,
  }
  vi.stubGlobal('window', { slipway })
  return {
    open,
    calls,
    answer: async (name, result) => {
      const at = open.findIndex((one) => one.name === name)
      const [found] = at < 0 ? [] : open.splice(at, 1)
      if (found === undefined) throw new Error(`Nobody asked for ${name}.`)
      found.answer(result)
      await settled()
    },
    say: (seq, ...events) => {
      for (const listener of listeners) listener({ seq, events })
    },
  }
}

export function bootOf(changes: Partial<Boot> = {}): Boot {
  return {
    platform: 'linux',
    version: '0.0.0',
    electron: '0',
    locale: 'en-GB',
    settings: DEFAULT_APP_SETTINGS,
    connection: { host: null, baseUrl: null, key: null },
    accounts: [],
    snapshot: null,
    stopped: null,
    keychain: { ok: true, message: null },
    support: { notifications: true, autostart: true, wayland: false },
    update: { step: { at: 'no-source' }, checkedAt: null, updatedFrom: null },
    proxyLogin: { proxy: null, name: null, kept: null, refused: false },
    dataDir: '/home/ada/.slipway',
    managed: { address: null, forbidden: [], fault: null },
    place: null,
    seq: 0,
    ...changes,
  }
}

// The bridge as the page gets it: four functions on the contract's channels. None of them rejects or throws,
// and a page can't pass a path. Electron is mocked.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MOST_PATHS } from '../../../src-shared/engine-contract.ts'
import { type Bridge, CHANNEL } from '../../../src-shared/window-contract.ts'

type Listener = (event: unknown, value: unknown) => void
const electron = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  invoked: [] as unknown[][],
  answer: (_name: unknown): unknown => ({ ok: true, value: {} }),
  listeners: new Map<string, Set<Listener>>(),
}))
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => electron.exposed.set(name, value) },
  ipcRenderer: {
    invoke: async (...args: unknown[]) => {
      electron.invoked.push(args)
      return electron.answer(args[1])
    },
    on: (channel: string, listener: Listener) => {
      electron.listeners.set(channel, (electron.listeners.get(channel) ?? new Set()).add(listener))
    },
    removeListener: (channel: string, listener: Listener) =>
      electron.listeners.get(channel)?.delete(listener),
  },
  webUtils: {
    getPathForFile: (file: { readonly path?: string }) => {
      if (file.path === undefined) throw new TypeError('This is no File.')
      return file.path
    },
  },
}))

await import('../../../src-main/shell/preload.ts')
const bridge = electron.exposed.get('slipway') as Bridge

beforeEach(() => {
  electron.invoked.length = 0
  electron.answer = () => ({ ok: true, value: {} })
})

describe('the bridge', () => {
  it('is four functions under one name', () => {
    expect([...electron.exposed.keys()]).toEqual(['slipway'])
    expect(Object.entries(bridge).map(([name, value]) => [name, typeof value])).toEqual([
      ['call', 'function'],
      ['onEvent', 'function'],
      ['drop', 'function'],
      ['keep', 'function'],
    ])
  })

  it('calls on the channel of the contract', async () => {
    expect(await bridge.call('snapshot', {}, 'w')).toEqual({ ok: true, value: {} })
    expect(electron.invoked).toEqual([[CHANNEL.call, 'snapshot', {}, 'w']])
  })

  it.each(['drop', 'dropPart', 'keepDrop'])('lets no page ask for a drop by paths: %s', async (name) => {
    expect(await bridge.call(name, { paths: ['/etc/passwd'] }, null)).toMatchObject({
      failure: { code: 'usage' },
    })
    expect(electron.invoked).toEqual([])
  })

  it.each([
    ['drop', 'drop'],
    ['keep', 'keepDrop'],
  ] as const)(
    'reads the paths of dropped files itself, and the content of what is on no disk: %s',
    async (name, procedure) => {
      const bytes = Uint8Array.of(1, 2, 3)
      const web = Object.assign(new File([bytes], 'cat.png'), { path: '' })
      await bridge[name]([{ path: '/home/ada/a' }, web, { path: '/home/ada/b' }], 'a text')
      const contents = [
        { what: 'text', text: 'a text' },
        { what: 'picture', name: 'cat.png', bytes },
      ]
      expect(electron.invoked).toEqual([
        [CHANNEL.call, procedure, { paths: ['/home/ada/a', '/home/ada/b'], contents }, null],
      ])
    },
  )

  it('what is too large to be read counts as unreadable, and isn’t lost without a word', async () => {
    const arrayBuffer = vi.fn()
    await bridge.drop([{ path: '', name: 'huge.png', size: 2 ** 31, arrayBuffer }])
    expect(arrayBuffer).not.toHaveBeenCalled()
    expect(electron.invoked[0]?.[2]).toEqual({
      paths: [],
      contents: [{ what: 'picture', name: 'huge.png', bytes: new Uint8Array() }],
    })
  })

  it.each([
    ['drop', 'drop'],
    ['keep', 'keepDrop'],
  ] as const)('sends a drop that is too large for one message in parts: %s', async (name, procedure) => {
    const paths = Array.from({ length: 100_000 }, (_, i) => `/home/ada/${i}`)
    const files = paths.map((path) => ({ path }))
    electron.answer = (asked) => ({ ok: true, value: asked === 'dropPart' ? { token: 't' } : { count: 1 } })
    expect(await bridge[name](files)).toEqual({ ok: true, value: { count: 1 } })
    const inputs = electron.invoked.map(
      (args) => args[2] as { readonly paths: readonly string[]; readonly earlier?: string },
    )
    expect(inputs.flatMap((input) => input.paths)).toEqual(paths)
    expect(Math.max(...inputs.map((input) => input.paths.length))).toBeLessThanOrEqual(MOST_PATHS)
    expect(electron.invoked.map((args) => args[1])).toEqual(
      inputs.map((_, i) => (i < inputs.length - 1 ? 'dropPart' : procedure)),
    )
    expect(inputs.map(({ earlier }) => earlier)).toEqual(inputs.map((_, i) => (i === 0 ? undefined : 't')))

    electron.invoked.length = 0
    const failure = {
      ok: false,
      failure: { code: 'usage', title: 'This drop is not known any more.', hint: null },
    }
    electron.answer = () => failure
    expect(await bridge[name](files)).toEqual(failure)
    expect(electron.invoked).toHaveLength(1)
  })

  it('answers with a failure where something is no file, and asks nothing', async () => {
    expect(await bridge.drop(['/etc/passwd'])).toMatchObject({
      failure: { code: 'defect', title: 'This is no File.' },
    })
    expect(await bridge.drop(null as never)).toMatchObject({ ok: false })
    expect(electron.invoked).toEqual([])
  })

  it('never rejects', async () => {
    electron.answer = () => {
      throw new Error(`no handler ${'x'.repeat(2000)}`)
    }
    for (const answer of [await bridge.call('snapshot', {}, 'w'), await bridge.drop([{ path: '/a' }])]) {
      expect(answer).toMatchObject({ failure: { code: 'defect', hint: null } })
      expect(!answer.ok && answer.failure.title.length).toBe(500)
    }
  })

  it('hands events on without what Electron puts before them, until nobody listens', () => {
    const heard = vi.fn()
    const leave = bridge.onEvent(heard)
    const say = (value: unknown): void => {
      for (const listener of electron.listeners.get(CHANNEL.event) ?? [])
        listener({ sender: 'secret' }, value)
    }
    say({ seq: 1 })
    leave()
    say({ seq: 2 })
    expect(heard.mock.calls).toEqual([[{ seq: 1 }]])
    expect([...electron.listeners.keys()]).toEqual([CHANNEL.event])
  })
})

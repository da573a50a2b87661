// Quitting, and the question before it: it is asked once, only its answer quits, and it isn't asked when a
// signal or the system ends the app. Electron is replaced by emitters, whose `quit` goes by Electron's steps.
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { App } from '../../../src-main/shell/app/app.ts'
import { createDesk } from '../../../src-main/shell/app/electron-desk.ts'
import { handleQuit, killLater } from '../../../src-main/shell/app/quitting.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { settled } from './fake-link.ts'
import { FORMATS, snapshot } from './world.ts'

const system = await vi.hoisted(async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  return {
    app: new Emitter(),
    power: new Emitter(),
    windows: [] as EventEmitter[],
    /** Questions that haven't been answered. */
    open: [] as {
      readonly title: string
      readonly answer: PromiseWithResolvers<{ readonly response: number }>
    }[],
    hasLeft: false,
  }
})
/** What the app starts at its end would kill the tests. */
const killer = vi.hoisted(() => ({ spawn: vi.fn() }))
vi.mock('node:child_process', () => killer)
vi.mock('electron', () => {
  const quit = (): void => {
    let isPrevented = false
    const event = {
      preventDefault: () => {
        isPrevented = true
      },
    }
    for (const step of ['before-quit', 'will-quit']) {
      system.app.emit(step, event)
      if (isPrevented) return
    }
    system.hasLeft = true
  }
  return {
    app: Object.assign(system.app, { quit, releaseSingleInstanceLock: () => undefined }),
    BrowserWindow: { getAllWindows: () => system.windows },
    dialog: {
      showMessageBox: ({ message }: { readonly message: string }) => {
        const answer = Promise.withResolvers<{ readonly response: number }>()
        system.open.push({ title: message, answer })
        return answer.promise
      },
    },
    globalShortcut: { unregisterAll: () => undefined },
    powerMonitor: system.power,
  }
})

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

beforeEach(() => {
  system.app.removeAllListeners()
  system.power.removeAllListeners()
  system.windows.length = 0
  system.open.length = 0
  system.hasLeft = false
  killer.spawn.mockReset().mockReturnValue({ on: () => ({ unref: () => undefined }) })
})
const others = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]))
afterEach(() => {
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (others.get(signal)?.includes(listener) !== true) process.off(signal, listener)
})

/** An app with an upload in progress. */
function room({ uploading = 1, hasWindow = true, hasTray = true, fails = '' } = {}) {
  const closed: number[] = []
  const saved: boolean[] = []
  const show = vi.fn()
  const slipway = {
    isQuitting: false,
    hasTray: () => hasTray,
    window: { native: () => (hasWindow ? {} : null) },
    show,
    language: () => ({ texts: english, formats: FORMATS }),
    desk: createDesk({
      platform: 'linux',
      texts: () => english,
      window: () => null,
      now: () => 0,
      writeText: async () => true,
      pasteName: () => null,
      asksAboutText: () => true,
      stopAskingAboutText: () => undefined,
      clipboardReady: async () => undefined,
      agreed: () => undefined,
      quit: () => undefined,
    }),
    running: () => [{ name: null, snapshot: snapshot({ counts: { uploading } }) }],
    trial: { isOn: () => false, close: async () => undefined },
    accounts: {
      close: async (graceMs: number) => {
        closed.push(graceMs)
        if (fails === 'engines') throw new Error('It went wrong.')
        return true
      },
    },
    log: { warn: () => undefined, close: () => undefined },
    release: {
      saveTyped: async () => {
        saved.push(system.hasLeft)
        if (fails === 'page') throw new Error('It went wrong.')
      },
    },
  }
  handleQuit(slipway as unknown as App, () => {
    if (fails === 'parts') throw new Error('It went wrong.')
  })
  const answer = async (response: number): Promise<void> => {
    system.open.shift()?.answer.resolve({ response })
    await settled()
  }
  const quit = async (): Promise<void> => {
    ;(system.app as EventEmitter & { readonly quit: () => void }).quit()
    await settled()
  }
  return { slipway, closed, saved, show, answer, quit }
}

describe('quitting while files are being uploaded', () => {
  it('asks, and quits if the user agrees', async () => {
    const { closed, answer, quit } = room()
    await quit()
    expect([system.open.map(({ title }) => title), system.hasLeft]).toEqual([
      [english.quit.title(1, '1')],
      false,
    ])
    await answer(0)
    expect([closed.length, system.hasLeft]).toEqual([1, true])
  })

  it('stays if the user does not, and asks again the next time', async () => {
    const { slipway, answer, quit } = room()
    await quit()
    await answer(1)
    expect([slipway.isQuitting, system.hasLeft]).toEqual([false, false])
    await quit()
    expect(system.open).toHaveLength(1)
  })

  it.each([
    { hasWindow: false, hasTray: false, isShown: process.platform !== 'darwin' },
    { hasWindow: false, hasTray: true, isShown: false },
    // It may be minimized.
    { hasWindow: true, hasTray: false, isShown: false },
  ])(
    'opens a window again if the user stays and could not reach the app any more: %j',
    async ({ isShown, ...given }) => {
      const { show, answer, quit } = room(given)
      await quit()
      expect(show).not.toHaveBeenCalled()
      await answer(1)
      expect(show.mock.calls).toEqual(isShown ? [[null]] : [])
    },
  )

  it('lets no other question open meanwhile, and lets one afterwards', async () => {
    const { slipway, answer, quit } = room()
    const ask = (): Promise<boolean> =>
      slipway.desk.confirm({ title: 'Delete?', detail: '', confirm: 'Delete', cancel: 'Keep' })
    await quit()
    expect(slipway.desk.hasQuestion()).toBe(true)
    expect(await ask()).toBe(false)
    expect(system.open).toHaveLength(1)
    await answer(1)
    expect(slipway.desk.hasQuestion()).toBe(false)
    const asked = ask()
    await answer(0)
    expect(await asked).toBe(true)
  })

  it('opens no window if the user agrees', async () => {
    const { show, answer, quit } = room({ hasWindow: false, hasTray: false })
    await quit()
    await answer(0)
    expect([show.mock.calls, system.hasLeft]).toEqual([[], true])
  })

  it('does not take another attempt for the answer', async () => {
    const { slipway, closed, answer, quit } = room()
    for (let i = 0; i < 3; i++) await quit()
    expect(system.open).toHaveLength(1)
    expect([slipway.isQuitting, closed, system.hasLeft]).toEqual([false, [], false])
    await answer(1)
    expect(system.hasLeft).toBe(false)
    await quit()
    await answer(0)
    expect(system.hasLeft).toBe(true)
  })

  it('asks again if the dialog failed', async () => {
    const { quit } = room()
    const failed = vi.fn()
    process.on('unhandledRejection', failed)
    await quit()
    system.open.shift()?.answer.reject(new Error('no display'))
    await settled()
    process.off('unhandledRejection', failed)
    await quit()
    expect([system.open.length, system.hasLeft]).toEqual([1, false])
  })
})

it('quits without a question while nothing is being uploaded', async () => {
  const { quit } = room({ uploading: 0 })
  await quit()
  expect([system.open, system.hasLeft]).toEqual([[], true])
})

it.each(['', 'page'])('saves what is being typed before it quits, if it can %j', async (fails) => {
  const { saved, quit } = room({ uploading: 0, fails })
  await quit()
  expect([saved, system.hasLeft]).toEqual([[false], true])
})

describe('quitting while something fails', () => {
  it('lets the engines finish and exits if another part of the app fails', async () => {
    const { closed, quit } = room({ uploading: 0, fails: 'parts' })
    await quit()
    expect([closed.length, system.hasLeft]).toEqual([1, true])
  })

  it('kills the process if the engines fail to close, because they may still be running', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    const { quit } = room({ uploading: 0, fails: 'engines' })
    await quit()
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']])
    kill.mockRestore()
  })
})

describe.runIf(process.platform !== 'win32')('a signal', () => {
  it.each(SIGNALS)('%s quits without a question, and lets the engines finish', async (signal) => {
    const { closed } = room()
    process.emit(signal)
    await settled()
    expect([system.open, closed.length, system.hasLeft]).toEqual([[], 1, true])
  })

  it.each(SIGNALS)('%s ends the process soon, even if the engines never close', async (signal) => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    try {
      const { slipway, quit } = room({ uploading: 0 })
      slipway.accounts.close = () => new Promise<boolean>(() => undefined)
      await quit()
      vi.useFakeTimers()
      process.emit(signal)
      vi.advanceTimersByTime(1000)
      expect(kill).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1000)
      expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGKILL')
    } finally {
      vi.useRealTimers()
      kill.mockRestore()
    }
  })

  it('quits although the question is open', async () => {
    const { closed, quit } = room()
    await quit()
    process.emit('SIGTERM')
    await settled()
    expect([closed.length, system.hasLeft]).toEqual([1, true])
  })

  it('opens no window if the user then answers to stay', async () => {
    const { show, answer, quit } = room({ hasWindow: false, hasTray: false })
    await quit()
    process.emit('SIGTERM')
    await answer(1)
    expect([show.mock.calls, system.hasLeft]).toEqual([[], true])
  })
})

it('the system that shuts down waits, and no question is asked', async () => {
  room()
  const preventDefault = vi.fn()
  system.power.emit('shutdown', { preventDefault })
  await settled()
  expect([preventDefault.mock.calls.length, system.open, system.hasLeft]).toEqual([1, [], true])
})

describe('the end of a Windows session', () => {
  /** Emits the event on a window and returns whether the app asked Windows to wait. */
  const announce = async (
    window: EventEmitter,
    name: 'query-session-end' | 'session-end',
  ): Promise<boolean> => {
    const event = {
      reasons: ['logoff'],
      preventDefault: vi.fn(),
      defaultPrevented: false,
    } satisfies Electron.WindowSessionEndEvent
    window.emit(name, event)
    await settled()
    return event.preventDefault.mock.calls.length > 0
  }
  const firstWindow = (): EventEmitter => {
    const window = new EventEmitter()
    system.windows.push(window)
    return window
  }

  it('waits for the engines if it would cut off uploads, and asks no question', async () => {
    const window = firstWindow()
    const { closed } = room()
    expect(await announce(window, 'query-session-end')).toBe(true)
    expect([closed.length, system.open, system.hasLeft]).toEqual([1, [], true])
  })

  it('is not delayed without uploads, and quits only once it is certain', async () => {
    const window = firstWindow()
    room({ uploading: 0 })
    expect(await announce(window, 'query-session-end')).toBe(false)
    expect(system.hasLeft).toBe(false)
    await announce(window, 'session-end')
    expect(system.hasLeft).toBe(true)
  })

  it('quits once, however often it is announced', async () => {
    const windows = [firstWindow(), firstWindow()]
    const { closed } = room()
    for (const name of ['query-session-end', 'session-end'] as const)
      for (const window of windows) await announce(window, name)
    expect(closed).toHaveLength(1)
  })

  it('is also announced to windows that open later', async () => {
    const { closed } = room()
    const window = new EventEmitter()
    system.app.emit('browser-window-created', {}, window)
    await announce(window, 'session-end')
    expect([closed.length, system.hasLeft]).toEqual([1, true])
  })
})

it.runIf(process.platform === 'linux')(
  'a process whose end takes too long is killed, but no other program that has its number by then',
  async () => {
    const { spawn } = await vi.importActual<typeof import('node:child_process')>('node:child_process')
    const ended = async (program: string, number: (pid: number) => number): Promise<string> => {
      const late = spawn(program, ['60'])
      killer.spawn.mockImplementationOnce((command, [flag, script, name, , , exe], options) => {
        const pid = number(late.pid ?? 0)
        return spawn(command, [flag, script, name, '0.1', String(pid), exe], options)
      })
      killLater(late.pid ?? 0)
      const over = new Promise<string>((resolve) =>
        late.once('exit', (_code, signal) => resolve(String(signal))),
      )
      const [killing] = killer.spawn.mock.results
      await new Promise((resolve) => killing?.value.once('exit', resolve))
      killer.spawn.mockClear()
      late.kill('SIGTERM')
      return over
    }
    const other = spawn('cat')
    try {
      expect(await ended('sleep', (pid) => pid)).toBe('SIGKILL')
      expect(await ended('sleep', () => other.pid ?? 0)).toBe('SIGTERM')
      expect(other.signalCode).toBe(null)
    } finally {
      other.kill()
    }
  },
)

// The restart after an update: the new version is started when the app has quit, and also when the app has to
// be killed because an engine doesn't end. Electron's app is an event emitter here; nothing is killed.
import type { EventEmitter } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import type { App } from '../../../src-main/shell/app/app.ts'
import { handleQuit } from '../../../src-main/shell/app/quitting.ts'
import { startAtEnd } from '../../../src-main/shell/updates/restart.ts'

const electron = vi.hoisted(() => ({ app: {} as EventEmitter }))
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  const app = Object.assign(new Emitter(), {
    releaseSingleInstanceLock: () => undefined,
    quit: () => app.emit('quit'),
  })
  electron.app = app
  return {
    app,
    BrowserWindow: { getAllWindows: () => [] },
    dialog: {},
    globalShortcut: { unregisterAll: () => undefined },
    powerMonitor: new Emitter(),
  }
})

afterEach(() => {
  vi.restoreAllMocks()
  electron.app.removeAllListeners()
})

/**
 * Quits an app whose engines end or don't, with a program to start. Resolves with what happened, in order.
 */
async function quit(hasEnded: boolean, start: () => void = () => undefined): Promise<readonly string[]> {
  const happened: string[] = []
  vi.spyOn(process, 'kill').mockImplementation(() => {
    happened.push('killed')
    return true
  })
  const slipway = {
    accounts: { close: () => Promise.resolve(hasEnded) },
    trial: { close: () => Promise.resolve() },
    log: { warn: () => undefined, close: () => undefined },
  } as unknown as App
  handleQuit(slipway, () => undefined)
  startAtEnd(() => {
    happened.push('started')
    start()
  })
  electron.app.emit('will-quit', { preventDefault: () => undefined })
  await new Promise((resolve) => setImmediate(resolve))
  electron.app.emit('quit')
  return happened
}

it('starts the new version once the app has quit', async () => {
  expect(await quit(true)).toEqual(['started'])
})

it('starts the new version before the app is killed', async () => {
  expect(await quit(false)).toEqual(['started', 'killed'])
})

it('kills the app even if the new version cannot be started', async () => {
  const fail = (): never => {
    throw new Error('no such file')
  }
  expect(await quit(false, fail)).toEqual(['started', 'killed'])
})

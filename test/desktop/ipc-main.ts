// `ipcMain`: the app's handlers and listeners by channel. web-contents.ts calls them.
// sendSync and message ports aren't supported.
import { EventEmitter } from 'node:events'
import { strictClass } from './strict.ts'

type Handler = (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown

const handlers = new Map<string, Handler>()

class IpcMain extends EventEmitter {
  handle(channel: string, listener: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    if (typeof listener !== 'function')
      throw new Error(`Expected handler to be a function, but found type '${typeof listener}'`)
    handlers.set(channel, listener)
  }

  handleOnce(channel: string, listener: Handler): void {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel)
      return listener(event, ...args)
    })
  }

  removeHandler(channel: string): void {
    handlers.delete(channel)
  }
}
strictClass('ipcMain', IpcMain)

export const ipcMain = new IpcMain()

/** Calls the handler of a channel. If there is none, throws Electron's error. */
export async function invokeHandler(
  channel: string,
  event: Electron.IpcMainInvokeEvent,
  args: readonly unknown[],
): Promise<unknown> {
  const handler = handlers.get(channel)
  if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
  return await handler(event, ...args)
}

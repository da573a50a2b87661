// State that the parts of the stand-in share during a run: the browser, the app, and what the app requested
// from the desktop. Tests read parts of it through `electron.standIn`, which isn't a name of Electron's.
import type { EventEmitter } from 'node:events'
import type { BrowserWindow } from './browser-window.ts'
import type { Cdp } from './cdp.ts'
import type { Menu } from './menu.ts'
import type { WebContents } from './web-contents.ts'

export interface Call {
  /** Named as in Electron, for example `shell.openExternal`. */
  readonly api: string
  readonly args: readonly unknown[]
}

interface Package {
  readonly name?: string
  readonly productName?: string
  readonly version?: string
  readonly main?: string
}

interface Desk {
  cdp: Cdp | undefined
  /** Where Chromium keeps what belongs to this run. */
  profile: string
  ready: boolean
  package: Package
  appPath: string
  /** Switches from the command line and from `app.commandLine`. */
  readonly switches: Map<string, string>
  readonly calls: Call[]
  readonly windows: Map<number, BrowserWindow>
  readonly contents: Map<number, WebContents>
  focused: BrowserWindow | undefined
  menu: Menu | null
  theme: 'system' | 'light' | 'dark'
  lastId: number
  stop: (code: number) => void
}

export const desk: Desk = {
  cdp: undefined,
  profile: '',
  ready: false,
  package: {},
  appPath: process.cwd(),
  switches: new Map(),
  calls: [],
  windows: new Map(),
  contents: new Map(),
  focused: undefined,
  menu: null,
  theme: 'system',
  lastId: 0,
  stop: () => undefined,
}

/** Returns a stub for a function of Electron's: each call is recorded under `api` and returns `result`. */
export function note<T = void>(api: string, result?: T): (...args: readonly unknown[]) => T {
  return (...args) => {
    desk.calls.push({ api, args })
    return result as T
  }
}

export function browser(): Cdp {
  if (desk.cdp === undefined) throw new Error('stand-in: used before app is ready')
  return desk.cdp
}

/** Emits an event that a listener may prevent. Returns false if it was prevented. */
export function allowed(target: EventEmitter, event: string, ...args: readonly unknown[]): boolean {
  let prevented = false
  const carrier = {
    preventDefault: () => {
      prevented = true
    },
    get defaultPrevented() {
      return prevented
    },
  }
  target.emit(event, carrier, ...args)
  return !prevented
}

// The two scripts that run in every new document before the page's own: one in the page's world, one in the
// preload's isolated world. The preload gets exactly what a sandboxed preload gets in Electron. These
// functions are sent to the browser as source code, so they must not refer to anything except browser
// globals.
import { type Bridge, createBridge } from './bridge.ts'
import { type Codec, createCodec } from './codec.ts'

export const WORLD = 'slipway-preload'
/** The browser function that sends text from the preload to the stand-in. */
export const BINDING = '__standInPost'
/** The function that the stand-in calls to send text to the preload. */
export const DELIVER = '__standInDeliver'
/**
 * The function that stops at a `debugger` statement, so that the stand-in can answer a question before the
 * script continues.
 */
export const ASK = '__standInAsk'

/** Synchronous questions from the preload. web-contents.ts answers them through the debugger. */
export type Question =
  | { readonly kind: 'path' }
  | {
      readonly kind: 'open'
      readonly url: string
      readonly frameName: string
      readonly features: string
      readonly disposition: string
    }

interface Preload {
  /** Empty if the window has no preload. */
  readonly path: string
  readonly source: string
  readonly process: Readonly<Record<string, unknown>>
}

function pageWorld(bridge: Bridge, guard: string): void {
  const freeze = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value
    for (const one of Object.values(value)) freeze(one)
    return Object.freeze(value)
  }
  bridge.onExpose = (key, value) => {
    if (key === guard) {
      const ask = value as (url: string, name: string, features: string) => boolean | undefined
      const real = globalThis.open.bind(globalThis)
      globalThis.open = (url, target, features) => {
        const address = url === undefined ? 'about:blank' : new URL(url, document.baseURI).href
        // These names refer to this window, so no question is needed.
        if (target !== undefined && ['_self', '_parent', '_top'].includes(target))
          return real(url, target, features)
        return ask(address, target ?? '', features ?? '') === false ? null : real(url, target, features)
      }
      return
    }
    if (key in globalThis)
      throw new Error('Cannot bind an API on top of an existing property on the window object')
    Object.defineProperty(globalThis, key, {
      value: freeze(value),
      enumerable: true,
      writable: false,
      configurable: false,
    })
  }
}

interface Names {
  readonly binding: string
  readonly deliver: string
  readonly guard: string
}

type RunPreload = (
  require: (name: string) => unknown,
  process: unknown,
  exports: unknown,
  module: unknown,
) => void

function preloadWorld(
  bridge: Bridge,
  codec: Codec,
  names: Names,
  preload: Omit<Preload, 'source'>,
  run: RunPreload | null,
): void {
  type Listener = (...args: unknown[]) => void
  interface Delivery {
    readonly kind: 'event' | 'result'
    readonly id: number
    readonly ok: boolean
    readonly channel: string
    readonly args: readonly unknown[]
    readonly value: unknown
  }
  const bindings = globalThis as unknown as Record<string, (text: string) => void>
  const binding = bindings[names.binding]
  if (binding === undefined) throw new Error('stand-in: the preload world has no way out')
  const post = (message: Readonly<Record<string, unknown>>): void => binding(codec.encode(message))

  /** Stops here until the stand-in has answered. Without the debugger the answer stays undefined. */
  function __standInAsk(box: {
    readonly question: Question
    readonly file: unknown
    answer: unknown
  }): unknown {
    // oxlint-disable-next-line no-debugger -- the launcher waits for this stop
    debugger
    return box.answer
  }
  const ask = (question: Question, file?: unknown): unknown =>
    __standInAsk({ question, file, answer: undefined })

  class Emitter {
    readonly #listeners = new Map<string, { readonly run: Listener; readonly listener: Listener }[]>()
    on(name: string, listener: Listener): this {
      return this.#add(name, listener, listener)
    }
    once(name: string, listener: Listener): this {
      return this.#add(name, listener, (...args) => {
        this.off(name, listener)
        listener(...args)
      })
    }
    off(name: string, listener: Listener): this {
      const list = this.#listeners.get(name) ?? []
      const at = list.findLastIndex((one) => one.listener === listener)
      this.#listeners.set(name, at === -1 ? list : list.toSpliced(at, 1))
      return this
    }
    addListener(name: string, listener: Listener): this {
      return this.on(name, listener)
    }
    removeListener(name: string, listener: Listener): this {
      return this.off(name, listener)
    }
    removeAllListeners(name?: string): this {
      if (name === undefined) this.#listeners.clear()
      else this.#listeners.delete(name)
      return this
    }
    listenerCount(name: string): number {
      return this.#listeners.get(name)?.length ?? 0
    }
    emit(name: string, ...args: unknown[]): boolean {
      const list = this.#listeners.get(name) ?? []
      for (const one of list) one.run(...args)
      return list.length > 0
    }
    #add(name: string, listener: Listener, wrapped: Listener): this {
      this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), { run: wrapped, listener }])
      return this
    }
  }

  const strict = <T extends object>(name: string, members: T): T =>
    new Proxy(members, {
      get(target, key, receiver): unknown {
        if (typeof key === 'symbol' || key in target || key === 'then' || key === 'toJSON')
          return Reflect.get(target, key, receiver)
        throw new Error(`stand-in: electron.${name}.${key} is not implemented`)
      },
    })

  const waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >()
  let lastId = 0
  const emitter = new Emitter()
  const ipcRenderer = strict('ipcRenderer', {
    on: (channel: string, listener: Listener) => chain(emitter.on(channel, listener)),
    once: (channel: string, listener: Listener) => chain(emitter.once(channel, listener)),
    off: (channel: string, listener: Listener) => chain(emitter.off(channel, listener)),
    addListener: (channel: string, listener: Listener) => chain(emitter.on(channel, listener)),
    removeListener: (channel: string, listener: Listener) => chain(emitter.off(channel, listener)),
    removeAllListeners: (channel?: string) => chain(emitter.removeAllListeners(channel)),
    listenerCount: (channel: string) => emitter.listenerCount(channel),
    send: (channel: string, ...args: unknown[]) => post({ kind: 'send', channel, args }),
    invoke: async (channel: string, ...args: unknown[]) => {
      const id = ++lastId
      post({ kind: 'invoke', id, channel, args })
      return await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
      })
    },
  })
  const chain = (_done: Emitter): object => ipcRenderer

  // Chromium's own process reports input before the page gets it. Here, the first listener does.
  const inputs = {
    mousedown: 'mouseDown',
    mouseup: 'mouseUp',
    keydown: 'keyDown',
    keyup: 'keyUp',
    touchstart: 'touchStart',
  } as const
  for (const [name, type] of Object.entries(inputs))
    addEventListener(
      name,
      (event) => {
        const isRepeated = event instanceof KeyboardEvent && event.repeat
        if (event.isTrusted)
          post({ kind: 'input', input: { type, modifiers: isRepeated ? ['isautorepeat'] : [] } })
      },
      true,
    )

  Object.defineProperty(globalThis, names.deliver, {
    value: (text: string) => {
      const message = codec.decode(text) as Delivery
      if (message.kind === 'event') {
        emitter.emit(message.channel, { sender: ipcRenderer, ports: [] }, ...message.args)
        return
      }
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.ok) asked?.resolve(message.value)
      else asked?.reject(new Error(String(message.value)))
    },
  })

  // window.open and links to new windows ask the app's handler before anything opens.
  const mayOpen = (url: string, frameName: string, features: string, disposition: string): unknown =>
    ask({ kind: 'open', url, frameName, features, disposition })
  bridge.expose(names.guard, (url: string, name: string, features: string) =>
    mayOpen(url, name, features, features === '' ? 'foreground-tab' : 'new-window'),
  )
  const onClick = (event: MouseEvent): void => {
    const link = event
      .composedPath()
      .find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement && one.href !== '')
    if (link === undefined) return
    const forced = event.ctrlKey || event.metaKey || event.shiftKey || event.button === 1
    const target = link.target.toLowerCase()
    if (!forced && ['', '_self', '_parent', '_top'].includes(target)) return
    // Added in the capture phase, so it runs after all of the page's listeners in the bubble phase.
    const last = (late: MouseEvent): void => {
      if (late !== event || late.defaultPrevented) return
      const disposition = event.shiftKey ? 'new-window' : forced ? 'background-tab' : 'foreground-tab'
      if (mayOpen(link.href, link.target, '', disposition) === false) late.preventDefault()
    }
    addEventListener(event.type as 'click' | 'auxclick', last, { once: true })
  }
  addEventListener('click', onClick, true)
  addEventListener('auxclick', onClick, true)

  // Chromium doesn't announce every title to the launcher.
  const tellTitle = (): void => post({ kind: 'title', title: document.title })
  addEventListener('DOMContentLoaded', () => {
    tellTitle()
    const changes = { subtree: true, childList: true, characterData: true }
    new MutationObserver(tellTitle).observe(document.head, changes)
  })

  const onContextMenu = (event: MouseEvent): void => {
    const last = (late: MouseEvent): void => {
      if (late !== event || late.defaultPrevented) return
      const [at] = event.composedPath()
      const field = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement ? at : null
      const selected =
        field === null
          ? String(getSelection() ?? '')
          : field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
      const isEditable =
        field === null
          ? at instanceof HTMLElement && at.isContentEditable
          : !field.readOnly && !field.disabled
      const link = event
        .composedPath()
        .find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement)
      const chosen = selected !== ''
      const editFlags = {
        canUndo: isEditable,
        canRedo: isEditable,
        canCut: isEditable && chosen,
        canCopy: chosen,
        canPaste: isEditable,
        canDelete: isEditable && chosen,
        canSelectAll: true,
      }
      const params = {
        x: event.clientX,
        y: event.clientY,
        linkURL: link?.href ?? '',
        selectionText: selected,
        isEditable,
        editFlags,
      }
      post({ kind: 'context-menu', params })
    }
    addEventListener('contextmenu', last, { once: true })
  }
  addEventListener('contextmenu', onContextMenu, true)

  const electron = strict('renderer', {
    ipcRenderer,
    contextBridge: strict('contextBridge', {
      exposeInMainWorld: (key: string, api: unknown) => bridge.expose(key, api),
    }),
    webUtils: strict('webUtils', {
      getPathForFile: (file: unknown) => {
        if (!(file instanceof File))
          throw new TypeError(
            "Failed to execute 'getPathForFile' on 'WebUtils': The argument must be a File.",
          )
        const path = ask({ kind: 'path' }, file)
        return typeof path === 'string' ? path : ''
      },
    }),
  })
  const setImmediate = (task: () => void): unknown => setTimeout(task, 0)
  const modules: Readonly<Record<string, unknown>> = {
    electron,
    'electron/renderer': electron,
    events: Object.assign(Emitter, { EventEmitter: Emitter }),
    timers: {
      setTimeout,
      clearTimeout,
      setInterval,
      clearInterval,
      setImmediate,
      clearImmediate: clearTimeout,
    },
    url: { URL, URLSearchParams },
  }
  const require = (name: string): unknown => {
    const found = Object.hasOwn(modules, name.replace(/^node:/, ''))
      ? modules[name.replace(/^node:/, '')]
      : undefined
    if (found === undefined) throw new Error(`module not found: ${name}`)
    return found
  }
  post({ kind: 'hello' })
  if (run === null) return
  try {
    const module = { exports: {} }
    run(require, preload.process, module.exports, module)
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    console.error(`Unable to load preload script: ${preload.path}`)
    console.error(error)
    post({ kind: 'preload-error', path: preload.path, error })
  }
}

/**
 * The scripts for a window. A page's policy may forbid `eval`, so the preload's source is part of the text.
 */
export function worldScripts(
  secret: string,
  preload: Preload,
): { readonly page: string; readonly preload: string } {
  const [down, up, guard] = ['down', 'up', 'guard'].map((name) => JSON.stringify(`${secret}-${name}`))
  const half = `(${createBridge.toString()})`
  const key = JSON.stringify(secret)
  const names = `{ binding: ${JSON.stringify(BINDING)}, deliver: ${JSON.stringify(DELIVER)}, guard: ${guard} }`
  const info = JSON.stringify({ path: preload.path, process: preload.process })
  const run =
    preload.source === '' ? 'null' : `function (require, process, exports, module) {${preload.source}\n}`
  // Frames inside the page get neither a bridge nor a preload, as in Electron without
  // nodeIntegrationInSubFrames.
  const top = (body: string): string => `if (window === window.top) { ${body} }`
  return {
    page: top(`(${pageWorld.toString()})(${half}(${key}, ${up}, ${down}), ${guard})`),
    preload: top(
      `(${preloadWorld.toString()})(${half}(${key}, ${down}, ${up}), (${createCodec.toString()})(), ${names}, ${info}, ${run})`,
    ),
  }
}

// The preload script, a single CommonJS file that runs in the sandbox. It exposes four functions to the page,
// and no part of Electron. It also reads the paths of dropped files, which only a preload script can do.
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { Failure } from '../../src-shared/engine-contract.ts'
import type { Bridge, DroppedContent } from '../../src-shared/window-contract.ts'

// These names are repeated here, because importing the contract would bundle all its schemas. A test checks
// that they match.
const CALL = 'slipway:call'
const EVENT = 'slipway:event'
const DROP = 'drop'
const DROP_PART = 'dropPart'
const KEEP_DROP = 'keepDrop'

/** Maximum number of paths in one message, well below the contract's limit. */
const PART = 5000

function failed(error: unknown): { readonly ok: false; readonly failure: Failure } {
  const title = error instanceof Error ? error.message : String(error)
  return { ok: false, failure: { code: 'defect', title: title.slice(0, 500), hint: null } }
}

/** Maximum number of bytes of a picture that is read here. The main process has its own limit. */
const PICTURE_MOST = 256 * 1024 * 1024
/** The contract's limit (choices.ts). */
const CONTENTS_MOST = 20

/**
 * Sends the paths of dropped files to the main process. Items that don't come from the disk, such as a
 * picture dragged from a web page, have no path, so their content is sent. Paths that don't fit into one
 * message are sent in parts, and the last message refers to the earlier ones.
 */
async function sendDrop(
  name: typeof DROP | typeof KEEP_DROP,
  files: readonly File[],
  text: string | undefined,
): ReturnType<Bridge['drop']> {
  try {
    const paths: string[] = []
    const contents: DroppedContent[] = text === undefined ? [] : [{ what: 'text', text }]
    for (const file of files) {
      const path = webUtils.getPathForFile(file)
      if (path !== '') paths.push(path)
      else if (contents.length < CONTENTS_MOST) {
        const bytes = file.size > PICTURE_MOST ? new Uint8Array() : new Uint8Array(await file.arrayBuffer())
        contents.push({ what: 'picture', name: file.name, bytes })
      }
    }
    let rest: { readonly earlier?: string } = {}
    let at = 0
    for (; paths.length - at > PART; at += PART) {
      const part = await ipcRenderer.invoke(
        CALL,
        DROP_PART,
        { paths: paths.slice(at, at + PART), ...rest },
        null,
      )
      if (!part.ok) return part
      rest = { earlier: part.value.token }
    }
    const all = { paths: paths.slice(at), ...(contents.length === 0 ? {} : { contents }), ...rest }
    return await ipcRenderer.invoke(CALL, name, all, null)
  } catch (error) {
    return failed(error)
  }
}

const bridge: Bridge = {
  call: async (name, input, account) => {
    // Only `drop` and `keep` below may send paths, and only those of files that the user dropped. Otherwise
    // any script in the page could upload any file.
    if (name === DROP || name === DROP_PART || name === KEEP_DROP)
      return { ok: false, failure: { code: 'usage', title: 'Unknown request.', hint: null } }
    try {
      return await ipcRenderer.invoke(CALL, name, input, account)
    } catch (error) {
      return failed(error)
    }
  },
  onEvent: (listener) => {
    const take = (_event: unknown, numbered: unknown): void => listener(numbered)
    ipcRenderer.on(EVENT, take)
    return () => {
      ipcRenderer.removeListener(EVENT, take)
    }
  },
  drop: (files, text) => sendDrop(DROP, files as readonly File[], text),
  keep: (files, text) => sendDrop(KEEP_DROP, files as readonly File[], text),
}

contextBridge.exposeInMainWorld('slipway', bridge)

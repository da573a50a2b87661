// The bridge, one CommonJS file in the sandbox: three functions for the page and nothing else of Electron. It reads the paths off dropped
// files, since only it can; it decides nothing and keeps nothing.
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { Bridge } from '../../src-shared/app.ts'

// Written out: importing the contract would bring all its schemas into this file. A test compares them.
const CALL = 'slipway:call'
const EVENT = 'slipway:event'
const DROP = 'drop'

function failed(error: unknown): { readonly ok: false; readonly failure: object } {
  const title = error instanceof Error ? error.message : String(error)
  return { ok: false, failure: { code: 'defect', title: title.slice(0, 500), hint: null } }
}

const bridge: Bridge = {
  call: async (name, input) => {
    // Only `drop` below may name paths, those of files that a person dropped; else any script of the page could have any file uploaded.
    if (name === DROP) return { ok: false, failure: { code: 'usage', title: 'There is no such request.', hint: null } }
    try {
      return await ipcRenderer.invoke(CALL, name, input)
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
  drop: async (files) => {
    try {
      // What was not dropped from the disk (a picture dragged out of a page) has no path.
      const paths = files.map((file) => webUtils.getPathForFile(file as File)).filter((path) => path !== '')
      return await ipcRenderer.invoke(CALL, DROP, { paths })
    } catch (error) {
      return failed(error)
    }
  },
}

contextBridge.exposeInMainWorld('slipway', bridge)

// A preload that is an ES module. The sandbox doesn't load it, neither here nor in Electron.
// The page must load nevertheless, without a bridge.
// oxlint-disable-next-line no-restricted-imports -- a preload
import { contextBridge } from 'electron'

contextBridge.exposeInMainWorld('bridge', {})

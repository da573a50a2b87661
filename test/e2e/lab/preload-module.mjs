// A preload that is an ES module: a sandbox does not load it, in Electron either.
// The page must come all the same, without a bridge.
// oxlint-disable-next-line no-restricted-imports -- a preload
import { contextBridge } from 'electron'

contextBridge.exposeInMainWorld('lab', {})

// A preload that tries to access the disk. The sandbox has no such module, neither here nor in Electron.
// The page must load nevertheless, without a bridge.
const { contextBridge } = require('electron')
const { readFileSync } = require('node:fs')

contextBridge.exposeInMainWorld('bridge', { read: readFileSync })

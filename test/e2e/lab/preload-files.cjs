// A preload that reaches for the disk: a sandbox has no such module, in Electron either.
// The page must come all the same, without a bridge.
const { contextBridge } = require('electron')
const { readFileSync } = require('node:fs')

contextBridge.exposeInMainWorld('lab', { read: readFileSync })

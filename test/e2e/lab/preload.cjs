// The lab's bridge: exposes everything that a preload can do under one name.
// It uses only what a sandboxed preload has.
const { contextBridge, ipcRenderer, webUtils } = require('electron')

globalThis.secretOfThePreload = 'hidden'

let heard = []
ipcRenderer.on('told', (_event, ...args) => heard.push(args))
ipcRenderer.on('answered', (_event, count) => heard.push(['answered', count]))

contextBridge.exposeInMainWorld('lab', {
  greet: (name) => ipcRenderer.invoke('greet', name),
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  invokeFunction: () => ipcRenderer.invoke('echo', () => 1),
  sendFunction: () => ipcRenderer.send('said', () => 1),
  say: (...args) => ipcRenderer.send('said', ...args),
  heard: () => heard,
  forget: () => {
    heard = []
  },
  pathOf: (file) => webUtils.getPathForFile(file),
  nested: { deep: { add: (a, b) => a + b } },
  date: new Date(0),
  throws: () => {
    throw new TypeError('no such thing')
  },
  rejects: () => Promise.reject(new Error('later, no')),
  resolves: () => Promise.resolve({ at: new Date(5), list: [1, 2] }),
  callBack: (callback) => callback('from the preload', 2),
  same: (callback) => callback,
  symbol: Symbol('s'),
  weak: () => new WeakMap(),
  exposeAgain: () => contextBridge.exposeInMainWorld('lab', {}),
  exposeOver: () => contextBridge.exposeInMainWorld('location', {}),
  facts: {
    type: process.type,
    sandboxed: process.sandboxed,
    platform: process.platform,
    electron: process.versions.electron,
    require: typeof require,
  },
})

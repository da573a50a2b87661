// The lab's bridge: everything a preload may do, under one name.
// It uses nothing that a sandboxed preload does not have.
const { contextBridge, ipcRenderer, webUtils } = require('electron')

globalThis.secretOfThePreload = 'hidden'

contextBridge.exposeInMainWorld('lab', {
  greet: (name) => ipcRenderer.invoke('greet', name),
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  pathOf: (file) => webUtils.getPathForFile(file),
})

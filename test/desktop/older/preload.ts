// Gives a preload script the `webUtils` of Electron 29: before, a file of the page had its path as a property.
const electron: object = require('electron') as object
if (!('webUtils' in electron))
  Object.defineProperty(electron, 'webUtils', {
    value: { getPathForFile: (file: File & { readonly path?: string }) => file.path ?? '' },
  })

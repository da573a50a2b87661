// Makes Electron, in the thread that imports this module, treat `*.asar` files as ordinary files instead of
// folders. Every thread that works on user files imports this module first, except Electron's main thread
// (asar.ts). These threads can't load anything from the app's own archive.
process.noAsar = true

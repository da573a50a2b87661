// Electron's file system treats `*.asar` files as folders, in every thread. To treat a user's archive like any other file, each thread that
// works on user files, except Electron's main thread (asar.ts), imports this module before anything else. Such a thread can't load anything
// from the app's own archive.
process.noAsar = true

// Inside Electron the file system treats `*.asar` as folders, in every thread. A user's archive is a file like any other, so each thread
// that works on user files imports this module before anything else. Such a thread loads nothing from the app's own archive.
process.noAsar = true

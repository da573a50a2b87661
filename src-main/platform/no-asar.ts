// Inside Electron the file system of every thread takes `*.asar` for folders. A person's archive is a file like any other, so each thread that
// works on files of a person imports this before anything else; what such a thread loads itself lies outside the app's own archive.
process.noAsar = true

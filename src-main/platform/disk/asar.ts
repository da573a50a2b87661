// Electron patches the file system so that `*.asar` files look like folders. Its main thread needs that to load the app's own archive, so
// it disables the patch only for individual calls. Other threads that work on user files disable it permanently (no-asar.ts).

/**
 * Starts `call` with `*.asar` treated as ordinary files. Electron checks the flag when a call starts, so the promise may be awaited later.
 */
export function withoutAsar<T>(call: () => Promise<T>): Promise<T> {
  const before = process.noAsar
  process.noAsar = true
  try {
    return call()
  } finally {
    process.noAsar = before
  }
}

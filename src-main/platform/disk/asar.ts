// Disables Electron's handling of `*.asar` files, which makes them look like folders, for individual file calls. Electron's main thread
// can't disable it permanently, because it loads the app's own archive. Other threads that work on user files can (no-asar.ts).

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

// Electron makes `*.asar` files look like folders. This module turns that off for individual file calls.
// Electron's main thread can't turn it off permanently, because that thread loads the app's own archive.
// Other threads that work on user files can (no-asar.ts).

/**
 * Starts `call` with `*.asar` treated as ordinary files. Electron checks the flag when a call starts, so the
 * promise may be awaited later.
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

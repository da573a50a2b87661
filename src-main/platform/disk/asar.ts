// Electron patches the file system so that `*.asar` files look like folders. Its main thread needs that to load the app's own archive, so
// it turns the patch off only for single calls on the user's files. All other threads turn it off for good (no-asar.ts).

/** Starts `call` with `*.asar` treated as plain files. Electron checks the flag when a call starts, so the promise may be awaited later. */
export function withoutAsar<T>(call: () => Promise<T>): Promise<T> {
  const before = process.noAsar
  process.noAsar = true
  try {
    return call()
  } finally {
    process.noAsar = before
  }
}

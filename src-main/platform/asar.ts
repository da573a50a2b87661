// For Electron's main thread, which reads its own files from the app's archive and can't do without Electron's hooks: single calls on a
// person's files, for which `*.asar` is no folder. Other threads switch the hooks off for good (no-asar.ts).

/** Starts `call` with archives as plain files. Electron decides when a call starts, so the promise may be awaited outside. */
export function withoutAsar<T>(call: () => Promise<T>): Promise<T> {
  const before = process.noAsar
  process.noAsar = true
  try {
    return call()
  } finally {
    process.noAsar = before
  }
}

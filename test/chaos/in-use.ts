// Windows can refuse to move, replace or delete a file that another program has open, and Slipway opens each
// file for a moment. A user would try again, and so does the harness.
const AGAIN_MS = 20
const MOST_MS = 1000

/** The file remained open. The gesture isn't possible now, which is no finding. */
export class InUse extends Error {}

/**
 * Does something to files, on Windows again for as long as another program has one of them open. Waits
 * without giving up control, because gestures change several files with nothing in between. If a file stays
 * open, for example because it is being sent, calls `undo` and throws InUse.
 */
export function whenFree(work: () => void, undo: () => void = () => undefined): void {
  for (const began = Date.now(); ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS))
    try {
      work()
      return
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (process.platform !== 'win32' || (code !== 'EPERM' && code !== 'EBUSY' && code !== 'EACCES'))
        throw error
      if (Date.now() - began <= MOST_MS) continue
      undo()
      throw new InUse(message, { cause: error })
    }
}

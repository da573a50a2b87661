// How many uploads are on the wire at once, apart from how many are being prepared: while one file's intent is on its way to the disk, the
// next ones are read and written down, so that waiting for the disk costs no time on the wire. Counts only; it sends nothing.

export interface Wire {
  /**
   * Waits for `durable` (null: it is) and then for a free place. true: the place is the caller's until `leave`; false: given up, there is
   * no place to leave. An aborted signal ends both waits with false.
   */
  enter(durable: Promise<boolean> | null, signal: AbortSignal): Promise<boolean>
  leave(): void
  /** Uploads that are prepared and wait, for the disk or for a place. */
  waiting(): number
}

/** `places`: at least 1, asked each time, since a person may change it. */
export function createWire(options: { readonly places: () => number; readonly onWaiting: () => void }): Wire {
  let taken = 0
  let parked = 0
  let queue: (() => void)[] = []

  const next = (): void => {
    while (taken < options.places() && queue.length > 0) {
      taken++
      queue.shift()?.()
    }
  }

  const place = (signal: AbortSignal): Promise<boolean> | true => {
    if (taken < options.places() && queue.length === 0) {
      taken++
      return true
    }
    return new Promise((resolve) => {
      const got = (): void => {
        signal.removeEventListener('abort', left)
        resolve(true)
      }
      const left = (): void => {
        queue = queue.filter((item) => item !== got)
        resolve(false)
      }
      queue.push(got)
      signal.addEventListener('abort', left, { once: true })
    })
  }

  return {
    enter: async (durable, signal) => {
      parked++
      if (durable !== null) options.onWaiting()
      try {
        if (durable !== null && !(await unlessAborted(durable, signal))) return false
        if (signal.aborted) return false
        return await place(signal)
      } finally {
        parked--
      }
    },
    leave: () => {
      taken--
      next()
    },
    waiting: () => parked,
  }
}

/** What `wait` gives, or false as soon as the signal is aborted: a disk that does not answer must not hold up whoever calls it off. */
function unlessAborted(wait: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve, reject) => {
    const left = (): void => resolve(false)
    signal.addEventListener('abort', left, { once: true })
    void wait.then(resolve, reject).finally(() => signal.removeEventListener('abort', left))
  })
}

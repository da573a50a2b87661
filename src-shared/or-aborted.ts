// Waits until a promise settles or a signal aborts. The listener is always removed, because a signal may
// exist for weeks and be used with many promises.

/**
 * Settles like `work` or, if `signal` aborts first, with what `aborted` returns or throws. In that case,
 * `work` continues, and its outcome is ignored.
 */
export async function orAborted<T, A>(
  work: Promise<T>,
  signal: AbortSignal,
  aborted: () => A,
): Promise<T | A> {
  const gone = Promise.withResolvers<void>()
  const onAbort = (): void => gone.resolve()
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([gone.promise.then(aborted), work])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

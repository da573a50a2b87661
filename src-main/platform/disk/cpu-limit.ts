// Limits the CPU time of the calling thread. Time on the clock would make any work look slow on a busy machine.

/**
 * Returns a function that returns true until this thread has used `ms` milliseconds of CPU time from now. It may
 * be called often: it asks the system only once the time could be over.
 */
export function cpuLimit(ms: number): () => boolean {
  const usedMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const end = usedMs() + ms
  let lookAt = performance.now() + ms
  return () => {
    if (performance.now() < lookAt) return true
    const left = end - usedMs()
    lookAt = performance.now() + left
    return left > 0
  }
}

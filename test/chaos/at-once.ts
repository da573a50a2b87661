// Runs work in parallel, but at most a given number at a time, because each chaos run has its own service and
// processes. Takes the items in their order.

/**
 * Resolves when the work on all items has ended. Rejects with the first error, while other jobs continue.
 * `jobs` below 1 counts as 1.
 */
export async function atOnce<T>(
  jobs: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker))
}

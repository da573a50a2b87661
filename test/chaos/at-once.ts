// Runs work in parallel, but never more than a given number at once: each chaos run has a service and processes of its own.
// Takes the items in their order.

/** Resolves when the work on all items has ended. Rejects with the first error; work that has begun goes on. `jobs` below 1 counts as 1. */
export async function atOnce<T>(jobs: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker))
}

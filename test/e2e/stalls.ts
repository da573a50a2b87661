// Measures how long the app's main thread is kept from its work.
import type { ElectronApplication } from '@playwright/test'

/** Measures the main thread's stalls from now on. The returned function gives the longest in milliseconds. */
export async function watchStalls(app: ElectronApplication): Promise<() => Promise<number>> {
  await app.evaluate(() => {
    let last = performance.now()
    let longest = 0
    const timer = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }, 5)
    Reflect.set(globalThis, 'longestStall', () => {
      clearInterval(timer)
      return longest
    })
  })
  return () => app.evaluate(() => (Reflect.get(globalThis, 'longestStall') as () => number)())
}

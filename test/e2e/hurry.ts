// Skips the app's time until something has happened, where a spec would otherwise wait for one of the app's
// time limits. For apps that were started with HURRIED. Electron itself can't skip time, so there these specs
// wait.
import type { Slipway } from './slipway.ts'

/** The environment of an app whose time can be skipped. */
export const HURRIED = { SLIPWAY_STAND_IN_TIME: '1' }
/** Small, so that what follows a time limit still has time in which to happen. */
const STEP_MS = 1000
const PAUSE_MS = 50

/** Waits for `what`, while a second passes for the app about every 50 ms. */
export async function hurry({ app }: Pick<Slipway, 'app'>, what: Promise<void>): Promise<void> {
  let isOver = false
  const over = what.finally(() => {
    isOver = true
  })
  over.catch(() => undefined)
  while (!isOver) {
    await app.evaluate((_electron, ms) => {
      const channel = new BroadcastChannel('slipway-stand-in-time')
      channel.postMessage(ms)
      channel.close()
    }, STEP_MS)
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, PAUSE_MS))])
  }
  await over
}

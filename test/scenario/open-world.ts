// The simulated world of one scenario test.
import { onTestFinished } from 'vitest'
import { createWorld, type World } from '../world/world.ts'

/** A world that ends with the test. */
export async function openWorld(...options: Parameters<typeof createWorld>): Promise<World> {
  const world = await createWorld(...options)
  onTestFinished(() => world.end())
  return world
}

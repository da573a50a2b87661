// What a world's service stores at the moment.
import type { World } from './world.ts'

/** The names of the files that the service stores, sorted. */
export function live(w: Pick<World, 'service'>): readonly string[] {
  return w.service.ledger
    .live()
    .map((file) => file.filename)
    .toSorted()
}

// Converts drops to and from the format in which they are stored across restarts. Only transfer IDs, two flags, and the time at which each
// file was queued are stored, not names or links. The time is needed because a rebuilt journal starts numbering its transfers from 1 again.
import { z } from 'zod'

/** Maximum number of IDs stored per drop. Further files are still uploaded, and their links appear in the list of files. */
const IDS_MOST = 100_000
const DROPS_MOST = 50

const SavedDrop = z.object({ ids: z.array(z.tuple([z.number(), z.number()])), open: z.boolean(), copyLink: z.boolean().optional() })
export type SavedDrop = z.infer<typeof SavedDrop>
const Saved = z.object({ drops: z.array(SavedDrop) })

/** Returns the stored drops, oldest first; none if the data is invalid. */
export function readDrops(read: unknown): readonly SavedDrop[] {
  const saved = Saved.safeParse(read)
  return saved.success ? saved.data.drops : []
}

export function dropsToSave(drops: readonly SavedDrop[]): z.infer<typeof Saved> {
  return { drops: drops.slice(-DROPS_MOST).map(({ ids, ...rest }) => ({ ids: ids.slice(0, IDS_MOST), ...rest })) }
}

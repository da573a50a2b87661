// Remembers across restarts which drops are open and which was the newest. Stores only IDs, with the time at which each was queued, because
// a rebuilt journal starts numbering from 1 again.
import { z } from 'zod'

/** Of larger drops only a part is stored; their links can be found in the list of files. */
const IDS_MOST = 20_000
const DROPS_MOST = 50

const SavedDrop = z.object({ ids: z.array(z.tuple([z.number(), z.number()])), open: z.boolean() })
export type SavedDrop = z.infer<typeof SavedDrop>
const Saved = z.object({ drops: z.array(SavedDrop) })

/** Oldest first. What can't be read counts as no drops. */
export function readDrops(read: unknown): readonly SavedDrop[] {
  const saved = Saved.safeParse(read)
  return saved.success ? saved.data.drops : []
}

export function dropsToSave(drops: readonly SavedDrop[]): z.infer<typeof Saved> {
  return { drops: drops.slice(-DROPS_MOST).map(({ ids, open }) => ({ ids: ids.slice(0, IDS_MOST), open })) }
}

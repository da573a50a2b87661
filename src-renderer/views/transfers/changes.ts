// What changed between two looks, for who listens instead of watching: "3 done, 1 needs you". Pure.
// It looks at figures only and knows no row.
import type { Counts } from '../../../src-shared/model.ts'

export interface Changes {
  readonly done: number
  readonly needs: number
  readonly waiting: number
}

/** Null: nothing worth a word. Only growth is told; a row that leaves is told where it arrives. */
export function changesOf(before: Counts, after: Counts): Changes | null {
  const grew = (of: (counts: Counts) => number): number => Math.max(0, of(after) - of(before))
  const changes = {
    done: grew((counts) => counts.done),
    needs: grew((counts) => counts.held + counts.failed),
    waiting: grew((counts) => counts.queued + counts.waiting + counts.unknown + counts.uploading),
  }
  return changes.done === 0 && changes.needs === 0 && changes.waiting === 0 ? null : changes
}

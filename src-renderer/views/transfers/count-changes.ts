// Compares two sets of counts for announcements to screen readers: "3 done, 1 needs attention".
// Pure.
import type { Counts } from '../../../src-shared/model.ts'

export interface Changes {
  readonly done: number
  readonly needs: number
  readonly waiting: number
}

/**
 * Returns by how much each count has grown; null if none has. Decreases aren't announced, because a row that
 * leaves one state usually enters another.
 */
export function changesOf(before: Counts, after: Counts): Changes | null {
  const grew = (of: (counts: Counts) => number): number => Math.max(0, of(after) - of(before))
  const changes = {
    done: grew((counts) => counts.done),
    needs: grew((counts) => counts.held + counts.failed),
    waiting: grew((counts) => counts.queued + counts.waiting + counts.unknown + counts.uploading),
  }
  return changes.done === 0 && changes.needs === 0 && changes.waiting === 0 ? null : changes
}

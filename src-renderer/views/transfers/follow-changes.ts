// Reports the changes in the number of files by state. A timer runs only after a change, not while nothing
// happens.
import type { Counts } from '../../../src-shared/model.ts'
import { appStore } from '../../state/store.ts'

/** Changes within this time are reported together. */
const TOGETHER_MS = 5000

/**
 * Calls `changed` with the changes since the previous report, at most every five seconds. Returns a function
 * that unsubscribes.
 */
export function followChanges(changed: (changes: Changes) => void): () => void {
  const read = (): Counts | null => appStore.getState().snapshot?.counts ?? null
  let before = read()
  let timer: ReturnType<typeof setTimeout> | undefined
  const report = (): void => {
    timer = undefined
    const after = read()
    const changes = before === null || after === null ? null : changesOf(before, after)
    before = after
    if (changes !== null) changed(changes)
  }
  const stop = appStore.subscribe(() => {
    if (read() !== before) timer ??= setTimeout(report, TOGETHER_MS)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

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

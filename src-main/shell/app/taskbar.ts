// What the taskbar or the dock shows of the uploads: how far they are, in which mood, and how many files need a person.
// It decides alone; the numbers are those of `BrowserWindow.setProgressBar` and `app.setBadgeCount`.
import type { Snapshot } from '../../../src-shared/model.ts'

interface Taskbar {
  /** 0 to 1; -1: no bar. Above 1: a bar without an end. */
  readonly progress: number
  readonly mode: 'none' | 'normal' | 'indeterminate' | 'error' | 'paused'
  /** 0: no badge. */
  readonly badge: number
}

export function taskbar(snapshot: Snapshot | null): Taskbar {
  if (snapshot === null) return { progress: -1, mode: 'none', badge: 0 }
  const { account, counts, gate, paused, progress } = snapshot
  const badge = counts.held + counts.failed
  const open = counts.settling + counts.queued + counts.uploading + counts.waiting + counts.unknown
  if (open === 0) return { progress: -1, mode: 'none', badge }
  const part = progress.totalBytes > 0 ? Math.min(1, Math.max(0, progress.sentBytes / progress.totalBytes)) : null
  const blocked = account.state === 'key-refused' || account.state === 'no-api'
  // A red or yellow bar without length is not seen, so one that stands still is at least a sliver long.
  if (blocked) return { progress: Math.max(0.05, part ?? 0), mode: 'error', badge }
  if (counts.uploading > 0) return part === null ? { progress: 2, mode: 'indeterminate', badge } : { progress: part, mode: 'normal', badge }
  if (paused || gate !== null) return { progress: Math.max(0.05, part ?? 0), mode: 'paused', badge }
  // Between two files, or each waits for something of its own: nothing moves that a bar could show.
  return { progress: -1, mode: 'none', badge }
}

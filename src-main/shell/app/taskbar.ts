// Decides which progress bar and badge the taskbar or dock shows. The badge counts the files that need
// attention. The values are those of `BrowserWindow.setProgressBar` and `app.setBadgeCount`.
import type { Snapshot } from '../../../src-shared/model.ts'
import { openCount } from '../../../src-shared/overview.ts'

interface Taskbar {
  /** From 0 to 1; -1 for no bar; above 1 for an indeterminate bar. */
  readonly progress: number
  readonly mode: 'none' | 'normal' | 'indeterminate' | 'error' | 'paused'
  /** The number on the badge; 0 for no badge. */
  readonly badge: number
}

/**
 * `snapshots` come from every account whose engine runs in the app. All accounts share one bar and one badge.
 */
export function taskbar(snapshots: readonly Snapshot[]): Taskbar {
  const badge = sum(snapshots, ({ counts }) => counts.held + counts.failed)
  const open = snapshots.filter(({ counts }) => openCount(counts) > 0)
  if (open.length === 0) return { progress: -1, mode: 'none', badge }
  const total = sum(open, ({ progress }) => progress.totalBytes)
  const sent = sum(open, ({ progress }) => progress.sentBytes)
  const part = total > 0 ? Math.min(1, Math.max(0, sent / total)) : null
  // A red or yellow bar of length 0 is invisible, so it is at least 5 % long.
  const least = Math.max(0.05, part ?? 0)
  if (open.some(({ account }) => account.state === 'key-refused' || account.state === 'no-api'))
    return { progress: least, mode: 'error', badge }
  if (open.some(({ counts }) => counts.uploading > 0))
    return part === null
      ? { progress: 2, mode: 'indeterminate', badge }
      : { progress: part, mode: 'normal', badge }
  if (open.every(({ paused, gate }) => paused || gate !== null))
    return { progress: least, mode: 'paused', badge }
  // Between two uploads, or while files are waiting for file-specific reasons, there is no progress to show.
  return { progress: -1, mode: 'none', badge }
}

function sum(snapshots: readonly Snapshot[], of: (snapshot: Snapshot) => number): number {
  return snapshots.reduce((total, one) => total + of(one), 0)
}

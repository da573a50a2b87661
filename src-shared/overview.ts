// Derives from a snapshot the figures that the window, the tray and the command line show, so that all three
// agree. Pure; the words are in i18n and in the command line.
import type { Formats } from './i18n/formats.ts'
import type { Counts, Snapshot, Window } from './model.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export interface Overview {
  /** Files that Slipway can still finish without the user. */
  readonly open: number
  /** Files that are held or have failed, and so need the user's attention. */
  readonly needs: number
  readonly uploading: number
  /** Queued, or waiting for something. */
  readonly waiting: number
  /** Paused by the user, so that they wait until they are resumed. They aren't open. */
  readonly paused: number
  /**
   * Milliseconds until all open files are uploaded. Null if unknown, or if that depends on more than the
   * speed, such as a limit.
   */
  readonly leftMs: number | null
}

/**
 * Returns the number of files that Slipway can still finish without the user: all but those done, paused,
 * held, failed, cancelled or gone.
 */
export function openCount(counts: Counts): number {
  return counts.settling + counts.queued + counts.uploading + counts.waiting + counts.unknown
}

export function overviewOf(
  snapshot: Pick<Snapshot, 'counts' | 'gate' | 'paused' | 'progress'> & { readonly dailyUploads: Window },
): Overview {
  const { counts, gate, paused, progress, dailyUploads } = snapshot
  const open = openCount(counts)
  const waiting = counts.queued + counts.waiting
  const fits = dailyUploads.limit === null || open <= dailyUploads.limit - dailyUploads.used
  // The estimate covers only what can be uploaded now, so it isn't returned if other files have to wait.
  const isAll = waiting === 0 || (gate === null && !paused && counts.waiting === 0 && fits)
  return {
    open,
    needs: counts.held + counts.failed,
    uploading: counts.uploading,
    waiting,
    paused: counts.paused,
    leftMs: counts.uploading > 0 && isAll ? progress.etaMs : null,
  }
}

/**
 * Formats the time at which uploads that take another `leftMs` will be done: `14:03` today, otherwise with
 * the day. `now` is in epoch ms. The time is rounded up to a full minute, because ending before the announced
 * time is better than ending after it.
 */
export function doneTime(leftMs: number, now: number, formats: Pick<Formats, 'clock' | 'time'>): string {
  const end = Math.ceil((now + leftMs) / MINUTE_MS) * MINUTE_MS
  const isToday = leftMs < DAY_MS && new Date(end).getDate() === new Date(now).getDate()
  return isToday ? formats.time(end) : formats.clock(end, now)
}

/**
 * Returns how much of a limit is used, capped at the limit. `used` may exceed the limit after the limit has
 * been lowered.
 */
export function usedOf({ used, limit }: Pick<Window, 'used' | 'limit'>): number {
  return limit === null ? used : Math.min(used, limit)
}

// The figures of a snapshot that every surface shows: the window, the tray and the command line. Each of them is decided here once.
// Pure; the words are in i18n and in the command line.
import type { Counts, Snapshot, Window } from './model.ts'

export interface Overview {
  /** Files that Slipway can still finish without the user. */
  readonly open: number
  /** Held or failed: files that need the user. */
  readonly needs: number
  readonly uploading: number
  /** Queued, or waiting for something. */
  readonly waiting: number
  /** Until everything that is open is uploaded. Null: not known, or a limit decides it and not the connection. */
  readonly leftMs: number | null
}

/** Files that are neither done nor in need of the user. */
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
  // The estimate covers what can be uploaded now: it is the end only where nothing else is held back.
  const isAll = waiting === 0 || (gate === null && !paused && counts.waiting === 0 && fits)
  return {
    open,
    needs: counts.held + counts.failed,
    uploading: counts.uploading,
    waiting,
    leftMs: counts.uploading > 0 && isAll ? progress.etaMs : null,
  }
}

/** What is used of a limit. More than the limit can be counted after the limit was lowered; it is shown as full. */
export function usedOf({ used, limit }: Pick<Window, 'used' | 'limit'>): number {
  return limit === null ? used : Math.min(used, limit)
}

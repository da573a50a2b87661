// The table `usage_days`: what was uploaded, requested and downloaded on each local day, and the stored files
// and size that the service last reported that day. remote/stats-refresh.ts derives the displayed history
// from these figures. Also converts times to local calendar days.

import { number, numberOrNull, text } from './column-values.ts'
import type { Database } from './database.ts'

export interface UsageDay {
  readonly day: string
  readonly uploads: number
  readonly bytes: number
  readonly requests: number
  readonly downloads: number
  readonly storedFiles: number | null
  readonly storedSize: number | null
}

export interface Usage {
  /** Adds to the counts of a day (`YYYY-MM-DD`). */
  addUsage(
    day: string,
    fields: {
      readonly uploads?: number
      readonly bytes?: number
      readonly requests?: number
      readonly downloads?: number
    },
  ): void
  /**
   * Replaces a day's figures for stored files and their size. Null leaves a figure unchanged. The size is in
   * the service's unit.
   */
  setStored(day: string, files: number | null, size: number | null): void
  /**
   * Resets the figures that belong to the account's files (uploads, bytes, downloads, stored files). Keeps
   * the requests.
   */
  forgetFigures(): void
  /** The recorded days from `from` (`YYYY-MM-DD`) on, oldest first. */
  usage(from: string): readonly UsageDay[]
}

export function createUsage(db: Database): Usage {
  return {
    addUsage: (day, f) =>
      void db.run(
        `INSERT INTO usage_days (day, uploads, bytes, requests, downloads) VALUES (?, ?, ?, ?, ?) ON CONFLICT (day) DO UPDATE SET
         uploads = uploads + excluded.uploads, bytes = bytes + excluded.bytes, requests = requests + excluded.requests,
         downloads = downloads + excluded.downloads`,
        day,
        f.uploads ?? 0,
        f.bytes ?? 0,
        f.requests ?? 0,
        f.downloads ?? 0,
      ),
    setStored: (day, files, size) =>
      void db.run(
        `INSERT INTO usage_days (day, stored_files, stored_size) VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE SET
         stored_files = coalesce(excluded.stored_files, stored_files), stored_size = coalesce(excluded.stored_size, stored_size)`,
        day,
        files,
        size,
      ),
    forgetFigures: () =>
      void db.run(
        'UPDATE usage_days SET uploads = 0, bytes = 0, downloads = 0, stored_files = NULL, stored_size = NULL',
      ),
    usage: (from) =>
      db.all('SELECT * FROM usage_days WHERE day >= ? ORDER BY day', from).map((row) => ({
        day: text(row, 'day'),
        uploads: number(row, 'uploads'),
        bytes: number(row, 'bytes'),
        requests: number(row, 'requests'),
        downloads: number(row, 'downloads'),
        storedFiles: numberOrNull(row, 'stored_files'),
        storedSize: numberOrNull(row, 'stored_size'),
      })),
  }
}

// Converts times to local calendar days in the form `YYYY-MM-DD`. Pure, apart from this machine's time zone.

export function localDay(at: number): string {
  const date = new Date(at)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * Returns `count` days ending with the day of `at`, oldest first. Counts calendar days, whether they have 23,
 * 24 or 25 hours.
 */
export function lastDays(at: number, count: number): readonly string[] {
  const date = new Date(at)
  return Array.from({ length: count }, (_, i) =>
    // Noon exists on every day; midnight may be skipped by daylight saving time.
    localDay(new Date(date.getFullYear(), date.getMonth(), date.getDate() - (count - 1 - i), 12).getTime()),
  )
}

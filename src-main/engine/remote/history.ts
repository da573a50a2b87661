// Reads usage history from the journal for display: daily figures for the last 90 days, requests per minute for the last hour, and the most
// downloaded files of the last week.
import type { History } from '../../../src-shared/model.ts'
import { lastDays } from '../journal/days.ts'
import type { FileIds } from '../journal/file-ids.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import { number } from '../journal/rows.ts'

const DAYS = 90
const MINUTES = 60
const MINUTE_MS = 60_000
const TOP = 5
const TOP_MS = 7 * 86_400_000

export interface HistoryOptions {
  readonly db: Database
  readonly ids: Pick<FileIds, 'shown'>
  readonly remote: Remote
  readonly now: number
  /** The pacer's time minus the wall-clock time, in milliseconds. The rows of the table `requests` use the pacer's time. */
  readonly paceOffset: number
  /** Number of bytes in the unit of the service's sizes; null if unknown. */
  readonly unitBytes: number | null
}

export function readHistory(o: HistoryOptions): History {
  const names = lastDays(o.now, DAYS)
  const known = new Map(o.remote.usage(names[0] ?? '').map((day) => [day.day, day]))
  const days = names.map((day) => {
    const row = known.get(day)
    return {
      day,
      uploads: row?.uploads ?? 0,
      bytes: row?.bytes ?? 0,
      requests: row?.requests ?? 0,
      downloads: row?.downloads ?? 0,
      storedFiles: row?.storedFiles ?? null,
      storedBytes: row?.storedSize == null || o.unitBytes === null ? null : row.storedSize * o.unitBytes,
    }
  })
  const top = o.remote.mostDownloaded(o.now - TOP_MS, TOP).map(({ fileId, gained }) => {
    const row = o.remote.row(fileId)
    return {
      fileId: o.ids.shown(fileId),
      filename: row?.filename ?? null,
      gained,
      total: row?.downloadCount ?? null,
      pulse: [...(row?.pulse ?? [])],
    }
  })
  return { days, minutes: minutes(o), top }
}

function minutes(o: HistoryOptions): History['minutes'] {
  const first = (Math.floor(o.now / MINUTE_MS) - (MINUTES - 1)) * MINUTE_MS
  const list = Array.from({ length: MINUTES }, (_, i) => ({ at: first + i * MINUTE_MS, requests: 0 }))
  const from = first + o.paceOffset
  const rows = o.db.all(
    'SELECT CAST((at - ?) / 60000 AS INTEGER) AS minute, count(*) AS n FROM requests WHERE at >= ? GROUP BY minute',
    from,
    from,
  )
  for (const row of rows) {
    // After a correction of the pacer's time, rows may lie slightly in the future. Those count towards the last minute.
    const item = list[Math.min(MINUTES - 1, number(row, 'minute'))]
    if (item !== undefined) item.requests += number(row, 'n')
  }
  return list
}

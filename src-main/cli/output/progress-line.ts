// Renders the progress line of `upload` and `watch`: a bar, files, speed, time left, and the reason for
// waiting. Pure. On a narrow terminal, the least important parts are omitted first.

import { formatCount, formatDuration, formatSpeed } from '../../../src-shared/format.ts'
import type { Gate } from '../../../src-shared/model.ts'
import { reasonText } from './reason-text.ts'
import { fit, textWidth } from './table.ts'

export interface ProgressView {
  readonly filesDone: number
  readonly filesTotal: number
  readonly bytesDone: number
  readonly bytesTotal: number
  /** Bytes per second. */
  readonly speed: number
  /** The estimated time left; null if unknown. */
  readonly etaMs: number | null
  /** Why uploads aren't progressing right now; null if they are. */
  readonly wait: Gate | null
  readonly now: number
}

const BAR = 20
const SHORT_BAR = 10

/** The completed fraction from 0 to 1, by bytes, or by files if all of them are empty. */
export function share(view: ProgressView): number {
  const [done, total] =
    view.bytesTotal > 0 ? [view.bytesDone, view.bytesTotal] : [view.filesDone, view.filesTotal]
  if (!(total > 0) || !Number.isFinite(done)) return 0
  // Stay below 100 % while responses are pending, even if all bytes have been sent.
  return Math.min(view.filesDone < view.filesTotal ? 0.99 : 1, Math.max(0, done / total))
}

function bar(view: ProgressView, width: number, unicode: boolean): string {
  const full = Math.floor(share(view) * width)
  return unicode
    ? '█'.repeat(full) + '░'.repeat(width - full)
    : `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`
}

export function renderProgress(view: ProgressView, width: number, unicode: boolean): string {
  // Leave the last column free, because some terminals wrap a line that fills it.
  const room = Math.max(1, width - 1)
  if (view.filesTotal === 0)
    return fit(
      view.wait === null ? 'Looking for files' : reasonText(view.wait.reason, view.wait.until, view.now),
      room,
    )
  const files = `${formatCount(view.filesDone)}/${formatCount(view.filesTotal)} files`
  const percent = `${Math.floor(share(view) * 100)} %`
  const speed = view.speed > 0 ? formatSpeed(view.speed) : null
  const isOpen = view.filesDone < view.filesTotal
  const left =
    isOpen && view.speed > 0 && view.etaMs !== null && view.etaMs > 0
      ? `${formatDuration(view.etaMs)} left`
      : null
  const wait = view.wait === null ? null : reasonText(view.wait.reason, view.wait.until, view.now)
  const forms: (readonly (string | null)[])[] = [
    [bar(view, BAR, unicode), percent, files, speed, left, wait],
    [bar(view, SHORT_BAR, unicode), files, speed, left, wait],
    [files, speed, left, wait],
    [files, wait ?? left],
    [wait ?? files],
  ]
  for (const form of forms) {
    const line = form.filter((part) => part !== null).join('  ')
    if (textWidth(line) <= room) return line
  }
  return fit(wait ?? files, room)
}

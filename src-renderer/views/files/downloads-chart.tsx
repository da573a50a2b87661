// A bar chart of a file's downloads per day over the last week. Without downloads in that week, no bars are shown. The number next to the
// heading counts that week's downloads or, with fewer than two samples, all downloads.
import type { ReactNode } from 'react'
import { useLanguage } from '../../hooks/use-language.tsx'
import { gainedByDay, type Sample } from './download-days.ts'

const WEEK_DAYS = 7

export function DownloadsChart(props: {
  readonly samples: readonly Sample[]
  readonly total: number | null
  readonly now: number
}): ReactNode {
  const { t, f } = useLanguage()
  const own = t.filesView
  const days = gainedByDay(props.samples, WEEK_DAYS, props.now)
  const gained = days.reduce((sum, day) => sum + day.gained, 0)
  const most = Math.max(...days.map((day) => day.gained))
  return (
    <section className="files-section" aria-label={own.downloads}>
      <div className="files-section-head">
        <h3 className="strong second">{own.downloads}</h3>
        <span className="second figures">
          {props.total === null
            ? own.downloadsUnknown
            : props.samples.length > 1
              ? own.downloadsIn(gained, f.count(gained))
              : own.downloadsTotal(props.total, f.count(props.total))}
        </span>
      </div>
      {gained > 0 ? (
        <div
          className="files-bars"
          role="img"
          aria-label={own.downloadsPlot(days.map((day) => `${f.day(day.day)} ${day.gained}`).join(', '))}
        >
          {days.map((day) => (
            <span key={day.day} className="files-bar" title={`${f.day(day.day)}: ${day.gained}`}>
              <span style={{ blockSize: `${(day.gained / most) * 100}%` }} />
            </span>
          ))}
        </div>
      ) : null}
    </section>
  )
}

// A row of the list. It shows a file, where it came from, its number of downloads, and a button that copies
// its link. It is memoized, so that a new render of the list skips rows whose props are the same.
import { Check, Link } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { KindTile } from '../../components/kind-tile.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { dayAsWritten } from './download-days.ts'

export interface FileRowProps {
  readonly row: RemoteRow | undefined
  readonly index: number
  readonly top: number
  readonly id: string
  readonly origin: string
  readonly selected: boolean
  readonly active: boolean
  readonly copied: boolean
  readonly fresh: boolean
  readonly deleting: boolean
  /** The time in epoch ms, updated every 30 s, for texts like "2 min ago". */
  readonly minute: number
  readonly onCopy: (row: RemoteRow) => void
}

export const FileRow = memo(function FileRow(props: FileRowProps): ReactNode {
  const { t, f } = useLanguage()
  const { row } = props
  const classes = [
    'files-row',
    props.selected ? 'files-row-selected' : '',
    props.active ? 'files-row-active' : '',
    props.fresh ? 'files-row-fresh' : '',
    props.deleting ? 'files-row-deleting' : '',
  ].join(' ')
  const frame = {
    id: props.id,
    role: 'row',
    'aria-rowindex': props.index + 2,
    'aria-selected': props.selected,
    className: classes,
    'data-index': props.index,
    style: { transform: `translateY(${props.top}px)` },
  } as const
  if (row === undefined)
    return (
      <div {...frame} aria-busy="true">
        <span className="files-cell-name" role="gridcell" aria-label={t.filesView.loadingRow}>
          <span className="kind-tile files-ghost" />
          <span className="files-ghost files-ghost-name" />
        </span>
      </div>
    )
  const at = row.uploadedAt
  return (
    <div {...frame} data-file={row.fileId} draggable>
      <span className="files-cell-name" role="gridcell">
        <KindTile kind={row.kind} transferId={row.original === 'gone' ? null : row.transferId} />
        <span className="files-names">
          <MiddleName name={row.filename ?? `#${row.fileId}`} className="strong" />
          <span className="small second cut">
            <bdi>{props.origin}</bdi>
          </span>
        </span>
      </span>
      <span
        className="files-cell-size second figures"
        role="gridcell"
        title={row.bytes === null && row.size !== null ? t.assumedBytesHint : undefined}
      >
        <bdi>{row.bytes === null && row.size === null ? '' : f.bytes(row.bytes ?? row.size ?? 0)}</bdi>
      </span>
      <span className="files-cell-date second" role="gridcell" title={at === null ? undefined : f.moment(at)}>
        <bdi>{at === null ? dayAsWritten(row.uploadDate, f) : f.ago(at, Math.max(at, props.minute))}</bdi>
      </span>
      <span className="files-cell-downloads second figures" role="gridcell">
        <Sparkline points={row.pulse} />
        <span>{row.downloadCount === null ? '' : f.count(row.downloadCount)}</span>
      </span>
      <span className="files-cell-link" role="gridcell">
        {props.deleting ? (
          <span className="files-deleting problem small">{t.filesView.deletingRow}</span>
        ) : props.copied ? (
          <span className="files-copied good">
            <Check className="icon" aria-hidden="true" />
            {t.copied}
          </span>
        ) : row.publicLink === null ? null : (
          // This button is only for the pointer: with the keyboard, Ctrl+C or Cmd+C copies the links of the
          // selected rows. The key removes a pressed button if a new file moves the rows, so that releasing
          // it doesn't copy another file's link.
          <button
            key={row.fileId}
            type="button"
            tabIndex={-1}
            className="button button-plain button-small files-copy"
            data-copy={row.fileId}
            // Keep the focus on the list. "Copied" replaces the button, so the button would lose the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => props.onCopy(row)}
          >
            <Link className="icon" aria-hidden="true" />
            {t.copy}
          </button>
        )}
      </span>
    </div>
  )
})

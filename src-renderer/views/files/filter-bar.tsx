// The filters above the list, by kind and by date. Those by kind are chips if all of them fit,
// otherwise a select. The style sheet chooses between the two by the width of the list and the details
// together. The chips are a single tab stop; arrow keys move between them. The bar is memoized, because moving
// through rows changes no filter, and the selects are slow to render.
import { FolderSync, X } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, useState } from 'react'
import { DATE_FILTERS } from '../../../src-shared/choices.ts'
import type { Folder } from '../../../src-shared/model.ts'
import { Select } from '../../components/select.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { folderName } from '../../lib/path-names.ts'
import { showFolder } from '../../state/folder-filter.ts'
import { startOfDay } from './download-days.ts'
import { type DateFilter, dayOf, FILTERS, type Filter } from './filters.ts'
import type { FilesQuery } from './use-files-query.ts'

type BarProps = Pick<FilesQuery, 'filter' | 'setFilter' | 'date' | 'setDate' | 'folder'>

export function FilterBar({ asked }: { readonly asked: BarProps }): ReactNode {
  const { filter, setFilter, date, setDate, folder } = asked
  return <Bar filter={filter} setFilter={setFilter} date={date} setDate={setDate} folder={folder} />
}

const Bar = memo(function Bar({ filter, setFilter, date, setDate, folder }: BarProps): ReactNode {
  const own = useLanguage().t.filesView
  return (
    <>
      <div className="files-filters">
        {folder === null ? null : <FolderChip folder={folder} />}
        <Chips filter={filter} onFilter={setFilter} />
        <span className="files-filter-folded">
          <Select
            label={own.filters}
            value={filter}
            options={FILTERS.map((one) => ({ value: one, label: own.filter[one] }))}
            onChange={setFilter}
          />
        </span>
        <Dates date={date} onDate={setDate} />
      </div>
      {date.name === 'range' ? <Days date={date} onDate={setDate} /> : null}
    </>
  )
})

interface DatesProps {
  readonly date: DateFilter
  readonly onDate: (date: DateFilter) => void
}

/** The filter by date. A range starts with the last 30 days. */
function Dates({ onDate, date }: DatesProps): ReactNode {
  const own = useLanguage().t.filesView
  return (
    <span className="files-filter-date">
      <Select
        label={own.date}
        value={date.name}
        options={DATE_FILTERS.map((one) => ({ value: one, label: own.dates[one] }))}
        onChange={(name) => {
          const now = Date.now()
          onDate({ name, range: { from: dayOf(startOfDay(now, 29)), to: dayOf(now) } })
        }}
      />
    </span>
  )
}

/** The first and last day of a range. */
function Days({ onDate, date }: DatesProps): ReactNode {
  const own = useLanguage().t.filesView
  return (
    <div className="files-range" role="group" aria-label={own.dates.range}>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="files-date">
          <span className="small second">{own.dateEnds[end]}</span>
          <input
            type="date"
            className="input"
            value={date.range[end]}
            onChange={({ target }) => onDate({ ...date, range: { ...date.range, [end]: target.value } })}
          />
        </label>
      ))}
    </div>
  )
}

/** Names the folder whose files are shown. A click shows all files again. */
function FolderChip({ folder }: { readonly folder: Folder }): ReactNode {
  const own = useLanguage().t.filesView
  const name = folderName(folder.path)
  return (
    <button
      type="button"
      className="files-chip files-chip-folder"
      aria-label={own.clearFolder(name)}
      title={own.clearFolder(name)}
      onClick={() => showFolder(null)}
    >
      <FolderSync className="icon" aria-hidden="true" />
      <span className="cut">{name}</span>
      <X className="icon" aria-hidden="true" />
    </button>
  )
}

/** Returns the index of the chip to which this key moves the focus, or null if it doesn't move the focus. */
function chipAfterKey(key: string, at: number, isRtl: boolean): number | null {
  const last = FILTERS.length - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null
  return Math.min(last, Math.max(0, at + ((key === 'ArrowRight') === isRtl ? -1 : 1)))
}

function Chips(props: { readonly filter: Filter; readonly onFilter: (filter: Filter) => void }): ReactNode {
  const own = useLanguage().t.filesView
  /**
   * Index of the chip that has keyboard focus; null if none does. In that case, Tab moves focus to the chip
   * of the current filter.
   */
  const [focused, setFocused] = useState<number | null>(null)
  const stop = focused ?? FILTERS.indexOf(props.filter)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const to = chipAfterKey(event.key, stop, getComputedStyle(event.currentTarget).direction === 'rtl')
    if (to === null || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.currentTarget.querySelectorAll('button')[to]?.focus()
  }
  return (
    <span
      className="files-chips"
      role="toolbar"
      tabIndex={-1}
      aria-label={own.filters}
      onKeyDown={onKeyDown}
      onBlur={() => setFocused(null)}
    >
      {FILTERS.map((one, at) => (
        <button
          key={one}
          type="button"
          className="files-chip"
          tabIndex={at === stop ? 0 : -1}
          aria-pressed={props.filter === one}
          onFocus={() => setFocused(at)}
          onClick={() => props.onFilter(one)}
        >
          {own.filter[one]}
        </button>
      ))}
    </span>
  )
}

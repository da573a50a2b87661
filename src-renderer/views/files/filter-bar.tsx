// The filters above the list and the button for the details. The filters are chips if all of them fit,
// otherwise a select. The style sheet chooses between the two by the width of the list and the details
// together. The chips are a single tab stop; arrow keys move between them.
import { FolderSync, PanelRight, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { Folder } from '../../../src-shared/model.ts'
import { IconButton } from '../../components/button.tsx'
import { Select } from '../../components/select.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { folderName } from '../../lib/path-names.ts'
import { showFolder } from '../../state/folder-filter.ts'
import { FILTERS, type Filter } from './filters.ts'

export function FilterBar(props: {
  readonly filter: Filter
  readonly folder: Folder | null
  readonly onFilter: (filter: Filter) => void
  readonly hasSelection: boolean
  readonly isDetailsOpen: boolean
  readonly onDetails: () => void
}): ReactNode {
  const { t } = useLanguage()
  const own = t.filesView
  return (
    <div className="files-filters">
      {props.folder === null ? null : <FolderChip folder={props.folder} />}
      <Chips filter={props.filter} onFilter={props.onFilter} />
      <span className="files-filter-folded">
        <Select
          label={own.filters}
          value={props.filter}
          options={FILTERS.map((one) => ({ value: one, label: own.filter[one] }))}
          onChange={props.onFilter}
        />
      </span>
      <span className="files-filters-end">
        <IconButton
          label={t.details}
          icon={<PanelRight className="icon" />}
          onPress={props.onDetails}
          aria-pressed={props.isDetailsOpen}
          isDisabled={!props.hasSelection}
        />
      </span>
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

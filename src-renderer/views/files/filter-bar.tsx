// The filters above the list, as chips where all of them fit and as one select where they don't, and the button for the details.
// Which of the two is shown, the style sheet decides by the width of the list.
import { PanelRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../components/button.tsx'
import { Select } from '../../components/select.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { FILTERS, type Filter } from './filters.ts'

export function FilterBar(props: {
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
  readonly hasSelection: boolean
  readonly isDetailsOpen: boolean
  readonly onDetails: () => void
}): ReactNode {
  const { t } = useLanguage()
  const own = t.filesView
  return (
    <div className="files-filters" role="group" aria-label={own.filters}>
      <span className="files-chips">
        {FILTERS.map((one) => (
          <button key={one} type="button" className="files-chip" aria-pressed={props.filter === one} onClick={() => props.onFilter(one)}>
            {own.filter[one]}
          </button>
        ))}
      </span>
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

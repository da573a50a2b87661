// Renders a setting with its name, a line of explanation and its control, and connects these for screen
// readers. During a search, only matching rows are rendered.
import { createContext, type ReactNode, useContext, useId } from 'react'
import type { LabelIds } from '../../components/labelling.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import type { RowId } from './settings-index.ts'

/** The rows that the search found; null if no search is active. */
export const FoundContext = createContext<ReadonlySet<RowId> | null>(null)

export function SettingRow(props: {
  readonly id: RowId
  /** Whether the control is below the text instead of next to it. */
  readonly wide?: boolean
  readonly note?: ReactNode
  readonly children: (ids: LabelIds) => ReactNode
}): ReactNode {
  const { t } = useLanguage()
  const found = useContext(FoundContext)
  const id = useId()
  if (found !== null && !found.has(props.id)) return null
  const { label, hint } = t.settingsView.rows[props.id]
  const ids = { labelledBy: `${id}-label`, describedBy: `${id}-hint` }
  return (
    <div className={props.wide === true ? 'settings-row settings-row-wide' : 'settings-row'}>
      <div className="settings-row-words">
        <p className="settings-row-label" id={ids.labelledBy}>
          {label}
        </p>
        <p className="settings-row-hint" id={ids.describedBy}>
          {hint}
        </p>
        {props.wide === true ? null : props.note}
      </div>
      <div className="settings-row-control">{props.children(ids)}</div>
      {props.wide === true ? props.note : null}
    </div>
  )
}

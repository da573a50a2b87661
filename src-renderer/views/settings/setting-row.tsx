// Renders a setting with its name, a line of explanation and its control, and connects these for screen
// readers. Once its typed value is saved, the row says so and offers to take it back. During a search, only
// matching rows are rendered.
import { Check } from 'lucide-react'
import { createContext, type ReactNode, useContext, useId } from 'react'
import { Button } from '../../components/button.tsx'
import type { LabelIds } from '../../components/labelling.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { isApplied } from './apply-setting.ts'
import { markSaved, useSavedBefore } from './section-store.ts'
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
        <div className="settings-row-title">
          <p className="settings-row-label" id={ids.labelledBy}>
            {label}
          </p>
          <Saved id={props.id} />
        </div>
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

function Saved({ id }: { readonly id: RowId }): ReactNode {
  const { t } = useLanguage()
  const before = useSavedBefore(id)
  const takeBack = async (): Promise<void> => {
    if (before !== null && (await isApplied(before))) markSaved(null)
  }
  return (
    <div role="status" className="settings-saved">
      {before === null ? null : (
        <>
          <span className="good strong settings-saved-word">
            <Check className="icon" aria-hidden="true" />
            {t.settingsView.saved}
          </span>
          <Button size="small" variant="quiet" onPress={() => void takeBack()}>
            {t.undo}
          </Button>
        </>
      )}
    </div>
  )
}

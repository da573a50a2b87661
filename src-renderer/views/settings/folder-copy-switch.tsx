// The switch for copying the link of each file saved in a watched folder, or in one that was just chosen. It
// isn't shown if the setting for all folders is "always" or "never".
import { type ReactNode, useId } from 'react'
import { Switch } from '../../components/switch.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import './folder-card.css'

export function FolderCopySwitch(props: {
  readonly value: boolean
  readonly onChange: (value: boolean) => void
}): ReactNode {
  const words = useLanguage().t.settingsView
  const copyWatched = useApp((state) => state.settings?.copyWatched)
  const id = useId()
  if (copyWatched !== 'chosen') return null
  const ids = { labelledBy: `${id}-label`, describedBy: `${id}-hint` }
  return (
    <div className="settings-folder-field">
      <div>
        <p className="settings-row-label" id={ids.labelledBy}>
          {words.folderCopy}
        </p>
        <p className="settings-row-hint" id={ids.describedBy}>
          {words.folderCopyHint}
        </p>
      </div>
      <Switch ids={ids} value={props.value} onChange={props.onChange} />
    </div>
  )
}

// The choices for what happens when an uploaded file changes, in the language of the window.
// Used for new folders, for each watched folder, and for uploads without a folder.
import type { OnChange } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { optionsOf } from './section-props.ts'

export function useOnChangeOptions(): readonly { readonly value: OnChange; readonly label: string }[] {
  return optionsOf(['new-link', 'replace', 'ignore'], useLanguage().t.settingsView.onChanges)
}

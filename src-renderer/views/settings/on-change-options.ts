// The options for what happens when an uploaded file changes, in the window's language. They apply to a
// folder that was just chosen, to each watched folder, and to the default in the settings.
import type { OnChange } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { optionsOf } from './section-props.ts'

export function useOnChangeOptions(): readonly { readonly value: OnChange; readonly label: string }[] {
  return optionsOf(['new-link', 'replace', 'ignore'], useLanguage().t.settingsView.onChanges)
}

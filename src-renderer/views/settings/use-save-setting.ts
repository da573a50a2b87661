// Saves a value from a settings control at once, and shows a notice if the shell refuses it.
// Controls show the saved value, so a refused value disappears.
import type { SettingsPatch } from '../../../src-shared/settings.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { notifyIn } from '../../state/notices.ts'
import { isApplied } from './apply-setting.ts'
import type { RowId } from './settings-index.ts'

export function useSaveSetting(): (id: RowId, patch: SettingsPatch) => void {
  const words = useLanguage()
  return (id, patch) => {
    void isApplied(patch).then((applied) => {
      if (applied) return
      notifyIn(words, { level: 'problem' }, ({ t: { settingsView } }) => ({
        title: settingsView.refusedTitle(settingsView.rows[id].label),
        hint: settingsView.refusedHint,
      }))
    })
  }
}

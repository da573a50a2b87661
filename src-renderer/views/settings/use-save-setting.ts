// Saves a value from a settings control at once, and shows a notice if the shell refuses it. Controls show the
// saved value, so a refused value disappears. Of a typed value, the row then says that it is saved, and offers
// to take it back (setting-row.tsx).
import type { AppSettings, SettingsPatch } from '../../../src-shared/settings.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { notifyIn } from '../../state/notices.ts'
import { appStore } from '../../state/store.ts'
import { isApplied } from './apply-setting.ts'
import { markSaved } from './section-store.ts'
import type { RowId } from './settings-index.ts'

/** `isTyped`: the value was typed, so that the control alone doesn't show whether it is saved. */
export function useSaveSetting(): (id: RowId, patch: SettingsPatch, isTyped?: boolean) => void {
  const words = useLanguage()
  return (id, patch, isTyped = false) => {
    const { settings } = appStore.getState()
    const before = settings === null ? null : valuesBefore(settings, patch)
    void isApplied(patch).then((applied) => {
      if (applied) return markSaved(isTyped && before !== null ? { id, before } : null)
      notifyIn(words, { level: 'problem' }, ({ t: { settingsView } }) => ({
        title: settingsView.refusedTitle(settingsView.rows[id].label),
        hint: settingsView.refusedHint,
      }))
    })
  }
}

function valuesBefore(settings: AppSettings, patch: SettingsPatch): SettingsPatch {
  return Object.fromEntries(Object.keys(patch).map((name) => [name, Reflect.get(settings, name)]))
}

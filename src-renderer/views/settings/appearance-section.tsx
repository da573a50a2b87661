// The Appearance section: the app's theme and language (tray, menus and notifications included), and the window's density.
// Every change applies immediately.
import type { ReactNode } from 'react'
import { Segmented } from '../../components/segmented.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { optionsOf, type SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useSaveSetting } from './use-save-setting.ts'

export function AppearanceSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useSaveSetting()
  return (
    <>
      <SettingRow id="theme">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.theme}
            options={optionsOf(['system', 'light', 'dark'], words.themes)}
            onChange={(theme) => save('theme', { theme })}
          />
        )}
      </SettingRow>
      <SettingRow id="density">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.density}
            options={optionsOf(['comfortable', 'compact'], words.densities)}
            onChange={(density) => save('density', { density })}
          />
        )}
      </SettingRow>
      <SettingRow id="language">
        {(ids) => (
          <Segmented
            labelledBy={ids.labelledBy}
            describedBy={ids.describedBy}
            value={settings.language}
            options={optionsOf(['system', 'en', 'de'], words.languages)}
            onChange={(language) => save('language', { language })}
          />
        )}
      </SettingRow>
    </>
  )
}

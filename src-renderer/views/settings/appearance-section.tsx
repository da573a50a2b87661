// The Appearance section: the app's theme and language (tray, menus and notifications included), and the
// window's density. Every change applies immediately.
import type { ReactNode } from 'react'
import { Segmented } from '../../components/segmented.tsx'
import { Switch } from '../../components/switch.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { optionsOf, type SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { ShortcutRow } from './shortcut-field.tsx'
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

// The Startup section sets whether Slipway opens at login, what closing the window does, and the global
// shortcut. On Linux and unknown systems, while closing to the tray is on, its row warns that closing the
// window quits Slipway if the desktop shows no tray. Where Slipway can't open at login, the reason replaces
// the switch.
export function StartupSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const save = useSaveSetting()
  const platform = useApp((state) => state.boot?.platform ?? 'other')
  const canAutostart = useApp((state) => state.boot?.support.autostart ?? true)
  const warn = settings.closeToTray && (platform === 'linux' || platform === 'other')
  return (
    <>
      <SettingRow
        id="openAtLogin"
        note={canAutostart ? null : <p className="settings-row-hint waiting">{words.autostartAway}</p>}
      >
        {(ids) =>
          canAutostart ? (
            <Switch
              ids={ids}
              value={settings.openAtLogin}
              onChange={(openAtLogin) => save('openAtLogin', { openAtLogin })}
            />
          ) : null
        }
      </SettingRow>
      <SettingRow
        id="closeToTray"
        note={warn ? <p className="settings-row-hint waiting">{words.trayWarning}</p> : null}
      >
        {(ids) => (
          <Switch
            ids={ids}
            value={settings.closeToTray}
            onChange={(closeToTray) => save('closeToTray', { closeToTray })}
          />
        )}
      </SettingRow>
      <ShortcutRow />
    </>
  )
}

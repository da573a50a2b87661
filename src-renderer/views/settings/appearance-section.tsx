// The Appearance section: the app's theme and language (tray, menus and notifications included), and the
// window's density. Every change applies immediately.
import type { ReactNode } from 'react'
import { SHORTCUTS } from '../../../src-shared/choices.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { ShortcutRow } from './shortcut-field.tsx'
import { ChoiceRow, SwitchRow } from './value-rows.tsx'

export function AppearanceSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  return (
    <>
      <ChoiceRow id="theme" settings={settings} values={['system', 'light', 'dark']} words={words.themes} />
      <ChoiceRow
        id="density"
        settings={settings}
        values={['comfortable', 'compact']}
        words={words.densities}
      />
      <ChoiceRow id="language" settings={settings} values={['system', 'en', 'de']} words={words.languages} />
    </>
  )
}

// The Startup section sets whether Slipway opens at login, what closing the window does, and the global
// shortcut. On Linux and unknown systems, while closing to the tray is on, its row warns that closing the
// window quits Slipway if the desktop shows no tray. Where Slipway can't open at login, the reason replaces
// the switch.
export function StartupSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  const platform = useApp((state) => state.boot?.platform ?? 'other')
  const canAutostart = useApp((state) => state.boot?.support.autostart ?? true)
  const warn = settings.closeToTray && (platform === 'linux' || platform === 'other')
  return (
    <>
      {canAutostart ? (
        <SwitchRow id="openAtLogin" settings={settings} />
      ) : (
        <SettingRow
          id="openAtLogin"
          note={<p className="settings-row-hint waiting">{words.autostartAway}</p>}
        >
          {() => null}
        </SettingRow>
      )}
      <SwitchRow
        id="closeToTray"
        settings={settings}
        note={warn ? <p className="settings-row-hint waiting">{words.trayWarning}</p> : null}
      />
      {SHORTCUTS.map((name) => (
        <ShortcutRow key={name} name={name} />
      ))}
    </>
  )
}

// The section about held files: patterns of files that are always held, and of files that are never held as
// secrets. Any change after which fewer files might be held must be confirmed in a system dialog of the shell.
import type { ReactNode } from 'react'
import { useLanguage } from '../../hooks/use-language.tsx'
import { RulesField } from './rules-field.tsx'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'

export function GuardSection({ settings }: SectionProps): ReactNode {
  const words = useLanguage().t.settingsView
  return (
    <>
      <SettingRow id="guardHold" wide note={<p className="settings-row-hint">{words.guardDefaults}</p>}>
        {(ids) => <RulesField id="guardHold" ids={ids} rules={settings.guardHold} />}
      </SettingRow>
      <SettingRow id="guardAllow" wide>
        {(ids) => <RulesField id="guardAllow" ids={ids} rules={settings.guardAllow} />}
      </SettingRow>
    </>
  )
}

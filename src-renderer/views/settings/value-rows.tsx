// Rows whose control shows the value of one setting, which is named like the row: a choice, or a switch. A
// change applies immediately.
import type { ReactNode } from 'react'
import type { AppSettings } from '../../../src-shared/settings.ts'
import { Segmented } from '../../components/segmented.tsx'
import { Switch } from '../../components/switch.tsx'
import { optionsOf } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import type { RowId } from './settings-index.ts'
import { useSaveSetting } from './use-save-setting.ts'

type IdOf<Value> = { [Id in RowId & keyof AppSettings]: AppSettings[Id] extends Value ? Id : never }[RowId &
  keyof AppSettings]

interface RowProps<Id> {
  readonly id: Id
  readonly settings: AppSettings
  readonly note?: ReactNode
}

export function ChoiceRow<Id extends IdOf<string>>({
  id,
  settings,
  values,
  words,
  note,
}: RowProps<Id> & {
  readonly values: readonly AppSettings[Id][]
  readonly words: Readonly<Record<AppSettings[Id], string>>
}): ReactNode {
  const save = useSaveSetting()
  return (
    <SettingRow id={id} note={note}>
      {(ids) => (
        <Segmented<AppSettings[Id]>
          labelledBy={ids.labelledBy}
          describedBy={ids.describedBy}
          value={settings[id]}
          options={optionsOf(values, words)}
          onChange={(value) => save(id, { [id]: value })}
        />
      )}
    </SettingRow>
  )
}

export function SwitchRow({ id, settings, note }: RowProps<IdOf<boolean>>): ReactNode {
  const save = useSaveSetting()
  return (
    <SettingRow id={id} note={note}>
      {(ids) => <Switch ids={ids} value={settings[id]} onChange={(value) => save(id, { [id]: value })} />}
    </SettingRow>
  )
}

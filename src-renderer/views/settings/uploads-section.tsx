// The Uploads section sets the defaults for folders that are watched from now on (what happens when a file changes, which files are
// ignored) and how long a deletion can be undone. Duplicates of files outside watched folders can be deleted here.
import type { ReactNode } from 'react'
import { UNDO_LEAST_SECONDS } from '../../../src-shared/choices.ts'
import { NumberInput } from '../../components/number-input.tsx'
import { SecondCopies } from '../../components/second-copies.tsx'
import { Select } from '../../components/select.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useSecondCopies } from '../../hooks/use-second-copies.ts'
import { useOnChangeOptions } from './on-change-options.ts'
import { RulesField } from './rules-field.tsx'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useSaveSetting } from './use-save-setting.ts'

export function UploadsSection({ settings }: SectionProps): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const save = useSaveSetting()
  const options = useOnChangeOptions()
  const copies = useSecondCopies()
  return (
    <>
      <SecondCopies copies={copies.filter((one) => one.folderId === null)} />
      <SettingRow id="onChange">
        {(ids) => <Select ids={ids} value={settings.onChange} options={options} onChange={(onChange) => save('onChange', { onChange })} />}
      </SettingRow>
      <SettingRow id="ignore" wide note={<p className="settings-row-hint">{words.rulesDefaults}</p>}>
        {(ids) => (
          <RulesField
            label={words.rulesLabel}
            describedBy={ids.describedBy}
            rules={settings.ignore}
            onChange={(rules) => save('ignore', { ignore: [...rules] })}
          />
        )}
      </SettingRow>
      <SettingRow id="undo">
        {(ids) => (
          <NumberInput
            ids={ids}
            value={settings.undoSeconds}
            min={UNDO_LEAST_SECONDS}
            max={60}
            step={1}
            unit={words.seconds}
            onChange={(undoSeconds) => save('undo', { undoSeconds })}
          />
        )}
      </SettingRow>
    </>
  )
}

// The Uploads section sets the defaults for folders that are watched from now on (what happens when a file
// changes, which files are ignored) and how long a deletion can be undone. Duplicates of files outside
// watched folders can be deleted here.
import type { ReactNode } from 'react'
import { UNDO_LEAST_SECONDS } from '../../../src-shared/choices.ts'
import { pasteName } from '../../../src-shared/paste-name.ts'
import { DefaultRules, useOnChangeOptions } from '../../components/folder-form.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { SecondCopies } from '../../components/second-copies.tsx'
import { Select } from '../../components/select.tsx'
import { TextInput } from '../../components/text-input.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { useSecondCopies } from '../../hooks/use-second-copies.ts'
import { RulesField } from './rules-field.tsx'
import type { SectionProps } from './section-props.ts'
import { SettingRow } from './setting-row.tsx'
import { useDraft } from './use-draft.ts'
import { useSaveSetting } from './use-save-setting.ts'
import { SwitchRow } from './value-rows.tsx'

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
        {(ids) => (
          <Select
            ids={ids}
            value={settings.onChange}
            options={options}
            onChange={(onChange) => save('onChange', { onChange })}
          />
        )}
      </SettingRow>
      <SettingRow id="ignore" wide note={<DefaultRules />}>
        {(ids) => <RulesField id="ignore" ids={ids} rules={settings.ignore} />}
      </SettingRow>
      <PasteNameRow settings={settings} />
      <SwitchRow id="askBeforeText" settings={settings} />
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

/** The pattern for the names of pasted content, with the name that it gives a screenshot now. */
function PasteNameRow({ settings }: SectionProps): ReactNode {
  const { t } = useLanguage()
  const now = useNow(30_000)
  const save = useSaveSetting()
  const { pattern } = t.pasteNames
  const draft = useDraft(settings.pasteName ?? pattern, (text) => {
    const chosen = text.trim() === '' || text === pattern ? null : text
    if (chosen !== settings.pasteName) save('pasteName', { pasteName: chosen }, true)
  })
  return (
    <SettingRow
      id="pasteName"
      wide
      note={
        <div className="settings-preview">
          <span className="settings-row-hint">{t.settingsView.templatePreview}</span>
          <output className="mono selectable" dir="auto">
            {pasteName(draft.text, 'screenshot', now, t.pasteNames)}.png
          </output>
        </div>
      }
    >
      {(ids) => (
        <TextInput
          ids={ids}
          value={draft.text}
          error={null}
          errorId={ids.describedBy}
          onChange={draft.edit}
          onBlur={() => draft.leave(false)}
          onEnter={() => draft.leave(true)}
          onEscape={draft.cancel}
        />
      )}
    </SettingRow>
  )
}

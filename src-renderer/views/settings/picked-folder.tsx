// The form that confirms a folder that was just chosen: its content, the forecast under the plan's limits,
// and its options. Nothing is uploaded before the user confirms.
import { type ReactNode, useId, useState } from 'react'
import type { Picked } from '../../../src-shared/app.ts'
import type { Failure } from '../../../src-shared/contract.ts'
import type { Existing, OnChange } from '../../../src-shared/model.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { FieldError } from '../../components/field-error.tsx'
import { RulesEditor } from '../../components/rules-editor.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Select } from '../../components/select.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { usePickedForecast } from '../../hooks/use-picked-forecast.ts'
import { forecastWords } from '../../lib/folder-forecast.ts'
import { readRules } from '../../lib/ignore-rules.ts'
import { call } from '../../state/client.ts'
import { failureNow } from '../../state/failures.ts'
import { useApp } from '../../state/store.ts'
import { FolderCopySwitch } from './folder-copy-switch.tsx'
import { useOnChangeOptions } from './on-change-options.ts'
import './folder-card.css'

export function PickedFolder({
  picked: given,
  onDone,
}: {
  readonly picked: Picked
  readonly onDone: () => void
}): ReactNode {
  const language = useLanguage()
  const { t } = language
  const words = t.settingsView
  const now = useNow(30_000)
  const settings = useApp((state) => state.settings)
  const options = useOnChangeOptions()
  const [existing, setExisting] = useState<Existing>(given.screenshots === undefined ? 'upload' : 'skip')
  const [onChange, setOnChange] = useState<OnChange>(settings?.onChange ?? 'new-link')
  // The rules are kept as typed, so that everything in the field applies when the user confirms the folder.
  const [rules, setRules] = useState(
    [...(settings?.ignore ?? []), ...(given.screenshots?.ignore ?? [])].join('\n'),
  )
  const read = readRules(rules)
  const picked = usePickedForecast(given, read)
  const faultId = useId()
  const [copy, setCopy] = useState(picked.screenshots !== undefined)
  const [starting, setStarting] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const said = picked.forecast === null ? null : forecastWords(language, picked.forecast, now)
  const failed = failure === null ? null : failureNow(language, failure, 'watchPicked')
  const watch = async (): Promise<void> => {
    setStarting(true)
    const got = await call('watchPicked', {
      token: picked.token,
      existing,
      onChange,
      ignore: [...read.rules],
      copy,
    })
    setStarting(false)
    if (!got.ok) setFailure(got.failure)
    else if (got.value !== null) onDone()
  }
  return (
    <>
      <div className="settings-forecast" role="status">
        {said === null || picked.forecast === null ? (
          <p>{words.pickNoForecast}</p>
        ) : (
          <>
            <p className="strong figures">{said.holds}</p>
            {existing === 'skip' ? (
              <p className="second">{words.pickSkip}</p>
            ) : (
              [...(said.when === null ? [] : [said.when]), ...said.notes].map((line) => (
                <p key={line} className="second figures">
                  {line}
                </p>
              ))
            )}
          </>
        )}
      </div>
      <div className="settings-folder-field">
        <p className="settings-row-label">{words.pickExisting}</p>
        <Segmented
          label={words.pickExisting}
          value={existing}
          onChange={setExisting}
          options={[
            { value: 'upload', label: words.pickExistings.upload },
            { value: 'skip', label: words.pickExistings.skip },
          ]}
        />
      </div>
      <div className="settings-folder-field">
        <p className="settings-row-label">{words.folderOnChange}</p>
        <Select label={words.folderOnChange} value={onChange} options={options} onChange={setOnChange} />
      </div>
      <FolderCopySwitch value={copy} onChange={setCopy} />
      <p className="settings-row-label">{words.folderRules}</p>
      <RulesEditor label={words.rulesLabel} text={rules} onChange={setRules} />
      {failed === null ? null : <Banner tone="problem" title={failed.title} hint={failed.hint} />}
      <FieldError id={faultId} text={read.usable ? null : words.pickFixRules} />
      <div className="dialog-buttons">
        <Button onPress={onDone}>{t.dropWait}</Button>
        <Button
          variant="primary"
          isPending={starting}
          isDisabled={!read.usable}
          aria-describedby={faultId}
          onPress={() => void watch()}
        >
          {words.pickDo}
        </Button>
      </div>
    </>
  )
}

// The step in which the user chooses a folder in the system's dialog. It then shows the folder's content, the
// forecast under the plan's limits, and three options. Nothing is uploaded before the user confirms. The path
// stays in the shell; the page gets a token for it.
import { ChevronRight, Folder as FolderIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import {
  Button as AriaButton,
  Disclosure,
  DisclosurePanel,
  Label,
  Radio,
  RadioGroup,
} from 'react-aria-components'
import type { Picked } from '../../../src-shared/app.ts'
import { ON_CHANGE } from '../../../src-shared/choices.ts'
import type { Failure } from '../../../src-shared/contract.ts'
import { printable } from '../../../src-shared/format.ts'
import type { Existing, OnChange } from '../../../src-shared/model.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { FieldError } from '../../components/field-error.tsx'
import { RulesEditor } from '../../components/rules-editor.tsx'
import { SelectField } from '../../components/select.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { usePickedForecast } from '../../hooks/use-picked-forecast.ts'
import { forecastWords } from '../../lib/folder-forecast.ts'
import { readRules } from '../../lib/ignore-rules.ts'
import type { Words } from '../../lib/words.ts'
import { call } from '../../state/client.ts'
import { failureNow } from '../../state/failures.ts'
import { useApp } from '../../state/store.ts'
import '../../components/field.css'
import '../../components/form.css'

export function FolderStep({ onDone }: { readonly onDone: () => void }): ReactNode {
  const words = useLanguage()
  const { t } = words
  const own = t.welcomeView
  const settings = useApp((state) => state.settings)
  const [chosen, setChosen] = useState<Picked | null>(null)
  const [busy, setBusy] = useState<'choosing' | 'starting' | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [existing, setExisting] = useState<Existing>('upload')
  const [onChange, setOnChange] = useState<OnChange>(settings?.onChange ?? 'new-link')
  const [rules, setRules] = useState((settings?.ignore ?? []).join('\n'))
  const read = readRules(rules)
  const picked = usePickedForecast(chosen, read)
  const faultId = useId()

  const choose = async (): Promise<void> => {
    setBusy('choosing')
    setFailure(null)
    const got = await call('chooseFolder', {})
    setBusy(null)
    if (!got.ok) setFailure(got.failure)
    else if (got.value !== null) setChosen(got.value)
  }
  const watch = async (): Promise<void> => {
    if (picked === null) return
    setBusy('starting')
    setFailure(null)
    const got = await call('watchPicked', {
      token: picked.token,
      existing,
      onChange,
      ignore: [...read.rules],
      copy: true,
    })
    setBusy(null)
    if (got.ok && got.value === null) return
    if (got.ok) return onDone()
    setFailure(got.failure)
    // If the token has expired, or the folder is gone or can't be watched, the user must choose a folder
    // again.
    if (got.failure.code === 'not-found' || got.failure.refusal !== undefined) setChosen(null)
  }

  const said = failure === null ? null : failureNow(words, failure, 'watchPicked')
  return (
    <div className="form">
      <p className="second">{own.folderText}</p>
      {picked === null ? null : (
        <>
          <FolderCard picked={picked} existing={existing} />
          <RadioGroup
            className="form-field"
            value={existing}
            onChange={(value) => setExisting(value === 'skip' ? 'skip' : 'upload')}
          >
            <Label className="strong">{own.existing}</Label>
            <div className="welcome-radios">
              <Choice value="upload" name={own.existingUpload} hint={existingHint(words, picked)} />
              <Choice value="skip" name={own.existingSkip} hint={own.existingSkipHint} />
            </div>
          </RadioGroup>
          <SelectField
            className="form-field"
            label={own.onChange}
            value={onChange}
            options={ON_CHANGE.map((value) => {
              const { name, hint } = own.onChangeOptions[value]
              return { value, label: name, hint }
            })}
            onChange={setOnChange}
          />
          <Rules value={rules} isUsable={read.usable} onChange={setRules} />
        </>
      )}
      {picked === null ? null : <p className="third small">{own.folderCopies}</p>}
      {said === null ? null : <Banner tone="problem" title={said.title} hint={said.hint} />}
      {picked === null ? null : (
        <FieldError id={faultId} text={read.usable ? null : t.settingsView.pickFixRules} />
      )}
      <div className="form-buttons">
        {picked === null ? (
          <Button variant="primary" isPending={busy !== null} onPress={() => void choose()}>
            {busy === 'choosing' ? own.counting : own.choose}
          </Button>
        ) : (
          <>
            <Button
              autoFocus
              variant="primary"
              isPending={busy === 'starting'}
              isDisabled={busy === 'choosing' || !read.usable}
              aria-describedby={faultId}
              onPress={() => void watch()}
            >
              {busy === 'starting' ? own.watching : own.watch}
            </Button>
            <Button
              isPending={busy === 'choosing'}
              isDisabled={busy === 'starting'}
              onPress={() => void choose()}
            >
              {busy === 'choosing' ? own.counting : own.chooseOther}
            </Button>
          </>
        )}
        <Button variant="quiet" isDisabled={busy === 'starting'} onPress={() => onDone()}>
          {own.skip}
        </Button>
      </div>
      {picked === null ? <p className="third small">{own.skipHint}</p> : null}
      <p className="hidden-text" role="status">
        {busy === 'choosing' ? own.counting : busy === 'starting' ? own.watching : ''}
      </p>
    </div>
  )
}

function existingHint({ t, f }: Words, picked: Picked): string {
  const own = t.welcomeView
  if (picked.forecast === null) return own.forecastNone
  const { files, now, later, compared = 0 } = picked.forecast
  const n = now + later + compared
  return n === 0 && files > 0 ? own.existingUploadNone : own.existingUploadHint(n, f.count(n))
}

function FolderCard({
  picked,
  existing,
}: {
  readonly picked: Picked
  readonly existing: Existing
}): ReactNode {
  const words = useLanguage()
  const own = words.t.welcomeView
  const now = useNow(30_000)
  const said = picked.forecast === null ? null : forecastWords(words, picked.forecast, now)
  return (
    <div className="form-note welcome-folder" role="status">
      <FolderIcon className="icon" aria-hidden="true" />
      <div>
        <p className="strong welcome-folder-name">
          <bdi>{printable(picked.name)}</bdi>
        </p>
        {said === null ? (
          <p className="second">{own.forecastNone}</p>
        ) : (
          <>
            <p className="second figures">
              {existing === 'upload' && said.when !== null ? `${said.holds}: ${said.when}` : said.holds}
            </p>
            {existing === 'upload' && said.notes.length > 0 ? (
              <ul className="welcome-notes second small figures">
                {said.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            ) : null}
          </>
        )}
      </div>
    </div>
  )
}

function Choice(props: {
  readonly value: Existing
  readonly name: string
  readonly hint: string
}): ReactNode {
  return (
    <Radio value={props.value} className="welcome-radio">
      <span className="welcome-dot" aria-hidden="true" />
      <span>
        <span className="strong">{props.name}</span>
        <span className="second field-hint welcome-radio-hint">{props.hint}</span>
      </span>
    </Radio>
  )
}

/** An expandable panel with the ignore rules. It can't be collapsed while a rule has an error. */
function Rules(props: {
  readonly value: string
  readonly isUsable: boolean
  readonly onChange: (value: string) => void
}): ReactNode {
  const own = useLanguage().t.welcomeView
  // Open the panel initially if a rule has an error, so that the user sees the error.
  const [isOpen, setOpen] = useState(!props.isUsable)
  const hintId = useId()
  return (
    <Disclosure
      className="welcome-rules"
      isExpanded={isOpen}
      onExpandedChange={(next) => setOpen(next || !props.isUsable)}
    >
      <AriaButton slot="trigger" className="welcome-disclose strong">
        <ChevronRight className="icon" aria-hidden="true" />
        {own.rules}
      </AriaButton>
      <DisclosurePanel>
        <div className="form-field">
          <RulesEditor
            label={own.rulesLabel}
            describedBy={hintId}
            text={props.value}
            onChange={props.onChange}
          />
          <p id={hintId} className="field-hint second">
            {own.rulesHint}
          </p>
        </div>
      </DisclosurePanel>
    </Disclosure>
  )
}

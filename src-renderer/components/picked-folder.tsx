// What a folder that was just chosen contains, its forecast under the plan's limits, and the form for it. Nothing
// is uploaded before the user confirms.
import { type ReactNode, useId, useState } from 'react'
import type { Failure } from '../../src-shared/engine-contract.ts'
import type { Picked } from '../../src-shared/window-contract.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNow } from '../hooks/use-now.ts'
import { usePickedForecast } from '../hooks/use-picked-forecast.ts'
import { forecastWords } from '../lib/folder-forecast.ts'
import { call } from '../state/client.ts'
import { failureNow } from '../state/failures.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { FieldError } from './field-error.tsx'
import { FolderForm, useFolderForm } from './folder-form.tsx'

/**
 * `onWatch` is called when the folder is watched, `onLost` when it must be chosen again. `buttonsBefore` and
 * `buttonsAfter`: further buttons, in a dialog or in a form.
 */
export function PickedFolder({
  picked: given,
  onWatch,
  onLost,
  buttonsBefore,
  buttonsAfter,
}: {
  readonly picked: Picked
  readonly onWatch: () => void
  readonly onLost?: (failure: Failure) => void
  readonly buttonsBefore?: ReactNode
  readonly buttonsAfter?: ReactNode
}): ReactNode {
  const language = useLanguage()
  const words = language.t.settingsView
  const now = useNow(30_000)
  const form = useFolderForm(given)
  const picked = usePickedForecast(given, form)
  const faultId = useId()
  const [starting, setStarting] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const said = picked.forecast === null ? null : forecastWords(language, picked.forecast, now)
  const failed = failure === null ? null : failureNow(language, failure, 'watchPicked')
  const { existing, copy } = form.typed
  const watch = async (): Promise<void> => {
    setStarting(true)
    const got = await call('watchPicked', { token: picked.token, existing, copy, ...form.rules })
    setStarting(false)
    if (got.ok) {
      if (got.value !== null) onWatch()
      return
    }
    // If the token has expired, or the folder is gone or can't be watched, the user must choose a folder again.
    const { code, refusal } = got.failure
    const isOfTarget = refusal === 'target-missing' || refusal === 'target-refused'
    const isLost = code === 'not-found' || (refusal !== undefined && !isOfTarget)
    if (isLost && onLost !== undefined) onLost(got.failure)
    else setFailure(got.failure)
  }
  return (
    <>
      <div className="settings-forecast" role="status">
        {said === null ? (
          <p>{words.pickNoForecast}</p>
        ) : (
          <>
            <p className="strong figures">{said.holds}</p>
            {existing === 'skip'
              ? null
              : [...(said.when === null ? [] : [said.when]), ...said.notes].map((line) => (
                  <p key={line} className="second figures">
                    {line}
                  </p>
                ))}
          </>
        )}
      </div>
      <FolderForm form={form} isNew />
      {failed === null ? null : <Banner tone="problem" title={failed.title} hint={failed.hint} />}
      <FieldError id={faultId} text={form.usable ? null : words.pickFixRules} />
      <div className={buttonsBefore === undefined ? 'form-buttons' : 'dialog-buttons'}>
        {buttonsBefore}
        <Button
          autoFocus
          variant="primary"
          isPending={starting}
          isDisabled={!form.usable}
          aria-describedby={faultId}
          onPress={() => void watch()}
        >
          {words.pickDo}
        </Button>
        {buttonsAfter}
      </div>
    </>
  )
}

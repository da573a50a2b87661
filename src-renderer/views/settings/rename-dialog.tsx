// A dialog with one field for the new name of an account.
// If the account couldn't be renamed, the field shows why and keeps the input.
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Input, Label, TextField } from 'react-aria-components'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { AccountInfo } from '../../../src-shared/window-contract.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FieldError } from '../../components/field-error.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { call } from '../../state/client.ts'
import '../../components/form.css'
import type { Words } from '../../lib/words.ts'
import { failureNow } from '../../state/failures.ts'

/** Maximum length of a name, in characters, that the shell accepts. */
const NAME_MAX_LENGTH = 64

/** The dialog is open while `account` isn't null. */
export function RenameDialog({
  account,
  onClose,
}: {
  readonly account: AccountInfo | null
  readonly onClose: () => void
}): ReactNode {
  const words = useLanguage().t.settingsView
  return (
    <Dialog title={words.renameTitle} isOpen={account !== null} size="small" onClose={onClose}>
      {account === null ? null : <RenameForm account={account} onClose={onClose} />}
    </Dialog>
  )
}

function RenameForm({
  account,
  onClose,
}: {
  readonly account: AccountInfo
  readonly onClose: () => void
}): ReactNode {
  const language = useLanguage()
  const { t } = language
  const words = t.settingsView
  const [name, setName] = useState(account.name)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fault = failure === null ? null : renameWords(language, failure)
  const errorId = useId()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === account.name) return onClose()
    const renamed = await call('renameAccount', { account: account.id, name })
    if (renamed.ok) onClose()
    else setFailure(renamed.failure)
    return undefined
  }
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      <TextField
        className="form-field"
        value={name}
        onChange={(value) => {
          setName(value)
          setFailure(null)
        }}
        isInvalid={fault?.isName === true}
        maxLength={NAME_MAX_LENGTH}
        autoFocus
      >
        <Label className="strong">{words.renameLabel}</Label>
        <Input className="input" spellCheck={false} autoComplete="off" aria-describedby={errorId} />
        <FieldError id={errorId} text={fault?.text ?? null} more={fault?.hint ?? ''} />
      </TextField>
      <div className="form-buttons">
        <Button type="submit" variant="primary">
          {words.renameDo}
        </Button>
        <Button onPress={onClose}>{t.cancel}</Button>
      </div>
    </form>
  )
}

// The error below the name field when an account couldn't be renamed.
// Only failures with the code `usage` are about the name itself.

/** `isName`: the failure is about the name, so the shell may accept another one. */
export function renameWords(
  words: Words,
  failure: Failure,
): { readonly isName: boolean; readonly text: string; readonly hint: string } {
  if (failure.code === 'usage') return { isName: true, text: words.t.settingsView.renameRefused, hint: '' }
  const { title, hint } = failureNow(words, failure, 'renameAccount')
  return { isName: false, text: title, hint }
}

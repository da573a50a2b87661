// The field for the API key, hidden unless the user reveals it. The key is only in the element, never in
// component state. The form explains why a key was refused. The field has no maximum length, because the
// browser would truncate a longer text, and the truncated key would be sent.
import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, type RefObject, useId, useState } from 'react'
import { Button, Input } from 'react-aria-components'
import { useLanguage } from '../../hooks/use-language.tsx'

export function KeyField(props: {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly autoFocus: boolean
  readonly isInvalid: boolean
  /** ID of the element that explains a failure; null if there is none. */
  readonly describedBy: string | null
  readonly onEdit: () => void
}): ReactNode {
  const own = useLanguage().t.welcomeView
  const [isShown, setShown] = useState(false)
  const id = useId()
  const hintId = useId()
  return (
    <div className="form-field">
      <label htmlFor={id} className="strong">
        {own.key}
      </label>
      <div className="connect-key">
        <Input
          id={id}
          ref={props.inputRef}
          className="input input-large"
          autoFocus={props.autoFocus}
          type={isShown ? 'text' : 'password'}
          defaultValue=""
          onInput={props.onEdit}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          dir="ltr"
          aria-invalid={props.isInvalid || undefined}
          aria-describedby={props.describedBy === null ? hintId : `${props.describedBy} ${hintId}`}
        />
        <Button
          className="connect-eye"
          aria-label={isShown ? own.hideKey : own.showKey}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff className="icon" /> : <Eye className="icon" />}
        </Button>
      </div>
      <p id={hintId} className="field-hint second">
        {own.keyHint}
      </p>
    </div>
  )
}

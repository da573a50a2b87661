// The row for the proxy login, below the row for the proxy itself. It asks for a user name and password, or
// shows the stored name. A typed password exists only in its input element, never in component state. A
// stored password is never read back.
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Input } from 'react-aria-components'
import type { ProxyLoginView } from '../../../src-shared/computer.ts'
import { Button } from '../../components/button.tsx'
import { FieldError } from '../../components/field-error.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { call } from '../../state/client.ts'
import { notifyFailure } from '../../state/notices.ts'
import { useApp } from '../../state/store.ts'
import { SettingRow } from './setting-row.tsx'

/** Maximum length of the name and of the password, in characters (see `proxyLogin` in window-contract.ts). */
const MAX_LENGTH = 255
const UNUSED: ProxyLoginView = { proxy: null, name: null, kept: null, refused: false }

/**
 * `proxy` is the address in the field, or `system`; null if the field contains no valid address. For
 * `system`, renders nothing until a proxy has been used.
 */
export function ProxyLoginRow({ proxy: chosen }: { readonly proxy: string | null }): ReactNode {
  const language = useLanguage()
  const words = language.t.settingsView
  const lastUsed = useApp((state) => state.boot?.proxyLogin ?? UNUSED)
  const errorId = useId()
  const view = chosen === 'system' || chosen === lastUsed.proxy ? lastUsed : { ...UNUSED, proxy: chosen }
  const { proxy } = view
  if (chosen === 'system' && proxy === null) return null
  const enter = async (name: string, password: string): Promise<void> => {
    if (proxy === null) return
    const entered = await call('proxyLogin', { proxy, name, password })
    // If the call succeeds, an event updates the row.
    if (!entered.ok) notifyFailure(language, entered.failure, 'proxyLogin')
  }
  const fault = !view.refused
    ? null
    : view.name === null
      ? words.proxyLogin.required
      : words.proxyLogin.refused
  const isStored = view.kept !== null && !view.refused
  return (
    <SettingRow id="proxyLogin" note={<FieldError id={errorId} text={fault} more={proxy ?? ''} />}>
      {() =>
        isStored ? (
          <span className="settings-buttons">
            <span className="second">
              {words.proxyLogin.stored(view.name ?? '', words.keyIn[view.kept ?? 'session'])}
            </span>
            <Button size="small" onPress={() => void enter('', '')}>
              {words.proxyLogin.remove}
            </Button>
          </span>
        ) : (
          <LoginForm
            key={view.name ?? ''}
            isUsable={proxy !== null}
            name={view.name ?? ''}
            errorId={errorId}
            isInvalid={fault !== null}
            onEnter={enter}
          />
        )
      }
    </SettingRow>
  )
}

function LoginForm(props: {
  /** The user name that was rejected; empty if there is none. */
  readonly name: string
  readonly errorId: string
  readonly isUsable: boolean
  readonly isInvalid: boolean
  readonly onEnter: (name: string, password: string) => Promise<void>
}): ReactNode {
  const words = useLanguage().t.settingsView.proxyLogin
  const name = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const [typedName, typedPassword] = [name.current?.value ?? '', password.current?.value ?? '']
    if (isBusy || (typedName === '' && typedPassword === '')) return
    setBusy(true)
    await props.onEnter(typedName, typedPassword)
    setBusy(false)
    if (password.current !== null) password.current.value = ''
  }
  const common = {
    className: 'input',
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    maxLength: MAX_LENGTH,
    'aria-invalid': props.isInvalid || undefined,
    'aria-describedby': props.errorId,
  } as const
  return (
    <form className="field-stack" onSubmit={(event) => void submit(event)} autoComplete="off" noValidate>
      <span className="text-input">
        <Input
          {...common}
          ref={name}
          aria-label={words.name}
          placeholder={words.name}
          defaultValue={props.name}
        />
      </span>
      <span className="text-input">
        <Input
          {...common}
          ref={password}
          type="password"
          aria-label={words.password}
          placeholder={words.password}
        />
      </span>
      <Button size="small" type="submit" isDisabled={isBusy || !props.isUsable}>
        {words.save}
      </Button>
    </form>
  )
}

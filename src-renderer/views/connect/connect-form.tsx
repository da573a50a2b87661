// The connection form on the welcome screen and in the settings: address and API key, which are checked
// before anything is saved. If the check fails, the input stays. use-connection.ts checks and adopts the
// connection.
import { CircleAlert, CircleCheck, Eye, EyeOff } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { Checkbox, Input, Label, Button as PlainButton, Text, TextField } from 'react-aria-components'
import type { Texts } from '../../../src-shared/i18n/texts.ts'
import type { StatsView } from '../../../src-shared/model.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { planName } from '../../lib/words.ts'
import { openProxyDialog, useApp } from '../../state/store.ts'
import { limitWords } from './connection-check.ts'
import { type Connection, useConnection } from './use-connection.ts'
import '../../components/field.css'
import '../../components/form.css'
import './connect-form.css'

/** Maximum length of the address (app.ts, `connect`). */
const ADDRESS_LENGTH_MAX = 4096

/** `onConnected` is called once Slipway has started using the new connection. */
export function ConnectForm({
  onConnected,
  autoFocus = null,
}: {
  readonly onConnected: () => void
  /** The field that gets the focus initially. */
  readonly autoFocus?: 'address' | 'key' | null
}): ReactNode {
  const isTrial = useApp((state) => state.connection?.trial === true)
  return isTrial ? <TrialFirst /> : <Form autoFocus={autoFocus} onConnected={onConnected} />
}

/** Replaces the form during a trial, because an account added then would be deleted when the trial ends. */
function TrialFirst(): ReactNode {
  const { t } = useLanguage()
  return <p className="second">{t.welcomeView.trialFirst(t.trialConnect)}</p>
}

function Form({
  onConnected,
  autoFocus,
}: {
  readonly onConnected: () => void
  readonly autoFocus: 'address' | 'key' | null
}): ReactNode {
  const { t } = useLanguage()
  const own = t.welcomeView
  const knownAddress = useApp((state) => state.connection?.baseUrl ?? '')
  const keychain = useApp((state) => state.boot?.keychain ?? null)
  const managedAddress = useApp((state) => state.boot?.managed.address ?? null)
  const managedFault = useApp((state) => state.boot?.managed.fault ?? null)
  /**
   * Null until the user types. Until then, the field shows the managed or known address, which may arrive
   * after the first render.
   */
  const [typed, setAddress] = useState<string | null>(null)
  const address = typed ?? managedAddress ?? knownAddress
  const [isPlainAllowed, setPlainAllowed] = useState(false)
  const [isPlainAsked, setPlainAsked] = useState(false)
  const fields = { address: useRef<HTMLInputElement>(null), key: useRef<HTMLInputElement>(null) }
  const failureId = useId()
  const connection = useConnection(fields, { onConnected, onPlainHttp: () => setPlainAsked(true) })
  const { failed, proof } = connection
  const hasKeychain = keychain?.ok !== false
  const isBusy = connection.phase === 'asking' || connection.phase === 'adopting'
  const isProxyClosed = useApp((state) => state.boot?.proxyLogin.refused === true)
  const failure =
    failed === null ? null : (
      <FailureText id={failureId} {...failureWords(own, failed, isProxyClosed)}>
        {/* Offer the proxy settings here: the first connection may need a proxy, but the welcome screen can't
            open the settings view. */}
        {failed.code === 'no-connection' ? (
          <Button variant="quiet" size="small" onPress={() => openProxyDialog(true)}>
            {own.proxySettings}
          </Button>
        ) : null}
      </FailureText>
    )

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isBusy) return
    if (proof === null) void connection.prove(address, isPlainAllowed)
    else void connection.adopt(hasKeychain)
  }
  return (
    <form className="form" onSubmit={submit} autoComplete="off" noValidate>
      {managedFault === null ? null : (
        <Banner tone="problem" title={t.managedFaultTitle} hint={t.managedFaultHint(managedFault)} />
      )}
      <TextField
        className="form-field"
        value={address}
        onChange={(value) => {
          setAddress(value)
          setPlainAsked(false)
          setPlainAllowed(false)
          connection.edited()
        }}
        autoFocus={autoFocus === 'address' && managedAddress === null}
        isDisabled={managedAddress !== null}
        isInvalid={failed?.field === 'address'}
      >
        <Label className="strong">{own.address}</Label>
        <Input
          ref={fields.address}
          className="input input-large"
          type="text"
          inputMode="url"
          placeholder="https://files.example.com"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={ADDRESS_LENGTH_MAX}
          dir="ltr"
          aria-describedby={failed?.field === 'address' ? failureId : undefined}
        />
        {failed?.field === 'address' ? failure : null}
        {managedAddress === null ? null : (
          <Text slot="description" className="second">
            {t.settingsView.managed}
          </Text>
        )}
      </TextField>
      {isPlainAsked ? <PlainHttpQuestion isAllowed={isPlainAllowed} onChange={setPlainAllowed} /> : null}
      <KeyField
        inputRef={fields.key}
        autoFocus={autoFocus === 'key' || (autoFocus === 'address' && managedAddress !== null)}
        failure={failed?.field === 'key' ? failure : null}
        failureId={failureId}
        onEdit={connection.edited}
      />
      {hasKeychain ? null : <Banner tone="warning" title={own.keychainTitle} hint={own.keychainHint} />}
      <Buttons connection={connection} isBusy={isBusy} hasKeychain={hasKeychain} />
      {/* What isn't about a field is below the buttons, so that they don't move when it appears. */}
      <div className="connect-answer">
        <div aria-live="polite">
          {proof === null ? null : <ProofCard host={proof.host} stats={proof.stats} />}
        </div>
        {failed?.field === null ? failure : null}
      </div>
    </form>
  )
}

function FailureText(props: {
  readonly id: string
  readonly title: string
  readonly hint: string | null
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="connect-failure" role="alert" id={props.id}>
      <CircleAlert className="icon" aria-hidden="true" />
      <div>
        <p>
          <span className="strong">{props.title}</span> {props.hint}
        </p>
        {props.children}
      </div>
    </div>
  )
}

function failureWords(
  own: Texts['welcomeView'],
  failed: NonNullable<Connection['failed']>,
  isProxyClosed: boolean,
): { readonly title: string; readonly hint: string | null } {
  if (failed.why === 'expired') return { title: own.proofOver, hint: null }
  if (failed.why === 'trouble') return own.serviceTrouble
  if (failed.why !== null) return own.keyFaults[failed.why]
  return failed.code === 'no-connection' && isProxyClosed ? own.proxyLogin : own.connectFailures[failed.code]
}

function PlainHttpQuestion(props: {
  readonly isAllowed: boolean
  readonly onChange: (isAllowed: boolean) => void
}): ReactNode {
  const own = useLanguage().t.welcomeView
  return (
    <div className="form-note connect-plain" role="alert">
      <p>
        <span className="strong">{own.plainHttpTitle}</span> {own.plainHttpHint}
      </p>
      <Checkbox isSelected={props.isAllowed} onChange={props.onChange} className="connect-check">
        <span className="connect-box" aria-hidden="true" />
        {own.plainHttp}
      </Checkbox>
    </div>
  )
}

function Buttons(props: {
  readonly connection: Connection
  readonly isBusy: boolean
  readonly hasKeychain: boolean
}): ReactNode {
  const own = useLanguage().t.welcomeView
  const { connection, isBusy } = props
  return (
    <div className="form-buttons">
      {connection.proof === null ? (
        <Button key="prove" type="submit" variant="primary" isDisabled={isBusy}>
          {connection.phase === 'asking' ? own.connecting : own.connect}
        </Button>
      ) : props.hasKeychain ? (
        <>
          <Button type="submit" autoFocus variant="primary" isDisabled={isBusy}>
            {connection.phase === 'adopting' ? own.saving : own.goOn}
          </Button>
          <Button variant="quiet" isDisabled={isBusy} onPress={() => void connection.adopt(false)}>
            {own.withoutSaving}
          </Button>
        </>
      ) : (
        <Button key="use" type="submit" autoFocus variant="primary" isDisabled={isBusy}>
          {own.untilQuit}
        </Button>
      )}
    </div>
  )
}

/**
 * The result of a connection check: the plan, the host, and the plan's limits. Unknown limits are learned
 * while uploading.
 */
function ProofCard({ host, stats }: { readonly host: string; readonly stats: StatsView }): ReactNode {
  const words = useLanguage()
  const own = words.t.welcomeView
  const { parts, someUnknown } = limitWords(words, stats)
  return (
    <div className="form-note connect-proof">
      <CircleCheck className="icon good" aria-hidden="true" />
      <div>
        <p className="strong">{own.connected(host, planName(stats.plan))}</p>
        <p className="second figures">{parts.join(' · ')}</p>
        {someUnknown ? <p className="third small">{own.learns}</p> : null}
      </div>
    </div>
  )
}

// The field for the API key, hidden unless the user reveals it. The key is only in the element, never in
// component state. The form explains why a key was refused. The field has no maximum length, because the
// browser would truncate a longer text, and the truncated key would be sent.

function KeyField(props: {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly autoFocus: boolean
  /** Replaces the hint. Null if the key hasn't been refused. */
  readonly failure: ReactNode
  readonly failureId: string
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
          aria-invalid={props.failure === null ? undefined : true}
          aria-describedby={props.failure === null ? hintId : props.failureId}
        />
        <PlainButton
          className="connect-eye"
          aria-label={isShown ? own.hideKey : own.showKey}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff className="icon" /> : <Eye className="icon" />}
        </PlainButton>
      </div>
      {props.failure ?? (
        <p id={hintId} className="field-hint second">
          {own.keyHint}
        </p>
      )}
    </div>
  )
}

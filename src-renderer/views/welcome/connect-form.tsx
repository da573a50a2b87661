// Address and key, proved before anything is kept. The key stands in its field alone: never in the state of a component, never in a store;
// the field is emptied as soon as Slipway has it. What was typed stays where it is when the proof fails.
import { CircleAlert, CircleCheck, Eye, EyeOff } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button as AriaButton, Checkbox, Input, Label, TextField } from 'react-aria-components'
import type { FailureCode } from '../../../src-shared/contract.ts'
import type { StatsView } from '../../../src-shared/model.ts'
import { call } from '../../app/client.ts'
import { useLanguage } from '../../app/language.tsx'
import { appStore, useApp } from '../../app/store.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { isPlainHttp, limitWords, planName } from './proof.ts'
import './welcome.css'

interface Proof {
  readonly token: string
  readonly host: string
  readonly stats: StatsView
}

type Phase =
  | { readonly name: 'typing' }
  | { readonly name: 'asking' }
  /** `over`: the proof was there and is too old to be used. */
  | { readonly name: 'failed'; readonly code: FailureCode; readonly over: boolean }
  | { readonly name: 'proved'; readonly proof: Proof; readonly failed: FailureCode | null }
  | { readonly name: 'keeping'; readonly proof: Proof }

/** As long as the contract takes. */
const LONGEST = 4096

/** Proves and adopts a connection. `onConnected` is called once Slipway uses it. */
export function ConnectForm({
  onConnected,
  autoFocus = false,
}: {
  readonly onConnected: () => void
  readonly autoFocus?: boolean
}): ReactNode {
  const { t } = useLanguage()
  const own = t.welcomeView
  const known = useApp((state) => state.connection?.baseUrl ?? '')
  const keychain = useApp((state) => state.boot?.keychain ?? null)
  const [address, setAddress] = useState(known)
  const [phase, setPhase] = useState<Phase>({ name: 'typing' })
  const [shown, setShown] = useState(false)
  const [plain, setPlain] = useState(false)
  const [askPlain, setAskPlain] = useState(false)
  const key = useRef<HTMLInputElement>(null)
  const addressField = useRef<HTMLInputElement>(null)
  const keyId = useId()
  const keyHintId = useId()
  const failureId = useId()
  /** Counts the edits, so that an answer to what stood there before is not taken for one to what stands there now. */
  const edits = useRef(0)

  const proof = phase.name === 'proved' || phase.name === 'keeping' ? phase.proof : null
  const busy = phase.name === 'asking' || phase.name === 'keeping'
  const failed = phase.name === 'failed' ? phase.code : phase.name === 'proved' ? phase.failed : null

  const edited = (): void => {
    edits.current++
    if (phase.name !== 'typing') setPhase({ name: 'typing' })
  }

  const fail = (code: FailureCode): void => {
    if (code === 'usage' && isPlainHttp(address)) {
      setAskPlain(true)
      setPhase({ name: 'typing' })
      return
    }
    setPhase({ name: 'failed', code, over: false })
    if (code === 'key-refused' || code === 'no-key') {
      key.current?.focus()
      key.current?.select()
    } else if (code === 'usage' || code === 'no-connection' || code === 'not-found' || code === 'server') addressField.current?.focus()
  }

  const connect = async (): Promise<void> => {
    const typed = key.current?.value.trim() ?? ''
    if (address.trim() === '') return fail('usage')
    if (typed === '') return fail('no-key')
    const edit = edits.current
    setPhase({ name: 'asking' })
    const got = await call('connect', { address: address.trim(), key: typed, plainHttp: plain && isPlainHttp(address) })
    if (edit !== edits.current) return
    if (!got.ok) return fail(got.failure.code)
    setPhase({ name: 'proved', proof: { token: got.value.token, host: got.value.host, stats: got.value.stats }, failed: null })
  }

  const adopt = async (save: boolean): Promise<void> => {
    if (proof === null) return
    setPhase({ name: 'keeping', proof })
    const got = await call('adopt', { token: proof.token, save })
    if (got.ok) {
      if (key.current !== null) key.current.value = ''
      setShown(false)
      setPhase({ name: 'typing' })
      appStore.setState({ connection: got.value.connection, snapshot: got.value.snapshot })
      onConnected()
      return
    }
    const { code } = got.failure
    // The proof is kept for a while only; without it there is nothing to use.
    if (code === 'not-found' || code === 'usage') setPhase({ name: 'failed', code: 'waits', over: true })
    else setPhase({ name: 'proved', proof, failed: code })
  }

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (busy) return
    if (proof === null) void connect()
    else void adopt(keychain?.ok !== false)
  }

  const over = phase.name === 'failed' && phase.over
  const failure = failed === null ? null : over ? { title: own.proofOver, hint: null } : own.connectFailures[failed]
  const noKeychain = keychain !== null && !keychain.ok
  return (
    <form className="welcome-form" onSubmit={submit} autoComplete="off" noValidate>
      <TextField
        className="welcome-field"
        value={address}
        onChange={(value) => {
          setAddress(value)
          setAskPlain(false)
          setPlain(false)
          edited()
        }}
        autoFocus={autoFocus}
        isInvalid={failed === 'usage' || failed === 'no-connection'}
      >
        <Label className="strong">{own.address}</Label>
        <Input
          ref={addressField}
          className="welcome-input"
          type="text"
          inputMode="url"
          placeholder="https://files.example.com"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={LONGEST}
          dir="ltr"
          aria-describedby={failure === null ? undefined : failureId}
        />
      </TextField>
      {askPlain ? (
        <div className="welcome-plain" role="alert">
          <p>
            <span className="strong">{own.plainHttpTitle}</span> {own.plainHttpHint}
          </p>
          <Checkbox isSelected={plain} onChange={setPlain} className="welcome-check">
            <span className="welcome-box" aria-hidden="true" />
            {own.plainHttp}
          </Checkbox>
        </div>
      ) : null}
      <div className="welcome-field">
        <label htmlFor={keyId} className="strong">
          {own.key}
        </label>
        <div className="welcome-key">
          <Input
            id={keyId}
            ref={key}
            className="welcome-input"
            type={shown ? 'text' : 'password'}
            defaultValue=""
            onInput={edited}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            maxLength={LONGEST}
            dir="ltr"
            aria-invalid={failed === 'key-refused' || failed === 'no-key' || undefined}
            aria-describedby={failure === null ? keyHintId : `${failureId} ${keyHintId}`}
          />
          <AriaButton className="welcome-eye" aria-label={shown ? own.hideKey : own.showKey} onPress={() => setShown(!shown)}>
            {shown ? <EyeOff className="icon" /> : <Eye className="icon" />}
          </AriaButton>
        </div>
        <p id={keyHintId} className="welcome-hint second">
          {own.keyHint}
        </p>
      </div>
      {noKeychain ? <Banner tone="waiting" title={own.keychainTitle} hint={own.keychainHint(keychain.message ?? own.keychainWhy)} /> : null}
      <div aria-live="polite" className="welcome-outcome">
        {proof === null ? null : <ProofCard proof={proof} />}
      </div>
      {failure === null ? null : (
        <div className="welcome-failure" role="alert" id={failureId}>
          <CircleAlert className="icon" aria-hidden="true" />
          <p>
            <span className="strong">{failure.title}</span> <span className="second">{failure.hint}</span>
          </p>
        </div>
      )}
      <div className="welcome-buttons">
        {proof === null ? (
          <Button key="prove" type="submit" variant="primary" isDisabled={busy}>
            {phase.name === 'asking' ? own.connecting : own.connect}
          </Button>
        ) : noKeychain ? (
          <Button key="use" type="submit" autoFocus variant="primary" isDisabled={busy}>
            {own.untilQuit}
          </Button>
        ) : (
          <>
            <Button type="submit" autoFocus variant="primary" isDisabled={busy}>
              {phase.name === 'keeping' ? own.saving : own.goOn}
            </Button>
            <Button variant="quiet" isDisabled={busy} onPress={() => void adopt(false)}>
              {own.withoutSaving}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}

function ProofCard({ proof }: { readonly proof: Proof }): ReactNode {
  const words = useLanguage()
  const own = words.t.welcomeView
  const { parts, someUnknown } = limitWords(words, proof.stats)
  return (
    <div className="welcome-proof">
      <CircleCheck className="icon good" aria-hidden="true" />
      <div>
        <p className="strong">
          {own.connected(planName(proof.stats.plan))} <span className="second welcome-host">{own.connectedTo(proof.host)}</span>
        </p>
        <p className="second figures">{parts.join(' · ')}</p>
        {someUnknown ? <p className="third small">{own.learns}</p> : null}
      </div>
    </div>
  )
}

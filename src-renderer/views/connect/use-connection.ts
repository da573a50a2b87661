// Checks and adopts a connection in phases: typing, checking, checked or failed, adopting. The key exists
// only in its input element, never in component state or a store. The field is cleared once the connection
// has been adopted.
import { type RefObject, useRef, useState } from 'react'
import { type KeyFault, keyFault } from '../../../src-shared/api-key.ts'
import type { FailureCode } from '../../../src-shared/engine-contract.ts'
import type { StatsView } from '../../../src-shared/model.ts'
import { call } from '../../state/client.ts'
import { askedNow } from '../../state/failures.ts'
import { appStore } from '../../state/store.ts'
import { isPlainHttp } from './connection-check.ts'

/** A checked connection; `token` refers to it in `adopt`. */
export interface Proof {
  readonly token: string
  readonly host: string
  readonly stats: StatsView
}

/**
 * Why there is no connection. `field`: the one to correct, or null if another value wouldn't help. `expired`: the check succeeded, but the engine no longer has its result. A
 * `KeyFault`: the text can't be an API key, so it wasn't sent. `trouble`: the service answered with an error of
 * its own (5xx), so the address may be right.
 */
export interface ConnectFailure {
  readonly code: FailureCode
  readonly why: 'expired' | 'trouble' | KeyFault | null
  readonly field: keyof ConnectionFields | null
}

type Phase =
  | { readonly name: 'typing' }
  | { readonly name: 'asking' }
  | ({ readonly name: 'failed' } & ConnectFailure)
  | { readonly name: 'proved'; readonly proof: Proof; readonly failed: FailureCode | null }
  | { readonly name: 'adopting'; readonly proof: Proof }

export interface ConnectionFields {
  readonly address: RefObject<HTMLInputElement | null>
  readonly key: RefObject<HTMLInputElement | null>
}

export interface Connection {
  readonly phase: Phase['name']
  readonly proof: Proof | null
  /** The last failure; null once the input has changed. */
  readonly failed: ConnectFailure | null
  /** Discards the result of the last check. Call when the input has changed. */
  readonly edited: () => void
  readonly prove: (address: string, isPlainAllowed: boolean) => Promise<void>
  /**
   * Adopts the checked connection. If `save` is false, the key is only kept in memory until Slipway quits.
   */
  readonly adopt: (save: boolean) => Promise<void>
}

const KEY_FAILURES: ReadonlySet<FailureCode> = new Set(['key-refused', 'no-key', 'no-api'])
const ADDRESS_FAILURES: ReadonlySet<FailureCode> = new Set(['usage', 'no-connection', 'not-found', 'server'])

/** `onPlainHttp` is called if the key would be sent unencrypted, so that the user must allow it first. */
export function useConnection(
  fields: ConnectionFields,
  { onConnected, onPlainHttp }: { readonly onConnected: () => void; readonly onPlainHttp: () => void },
): Connection {
  const [phase, setPhase] = useState<Phase>({ name: 'typing' })
  /** Incremented with each edit, so that the result of a check of older input is discarded. */
  const edits = useRef(0)
  const proof = phase.name === 'proved' || phase.name === 'adopting' ? phase.proof : null

  const fail = (code: FailureCode, address: string, why: ConnectFailure['why'] = null): void => {
    if (code === 'usage' && isPlainHttp(address)) {
      onPlainHttp()
      setPhase({ name: 'typing' })
      return
    }
    const field = KEY_FAILURES.has(code)
      ? 'key'
      : why === null && ADDRESS_FAILURES.has(code)
        ? 'address'
        : null
    setPhase({ name: 'failed', code, why, field })
    if (field === null) return
    fields[field].current?.focus()
    if (field === 'key') fields.key.current?.select()
  }

  const prove = async (typedAddress: string, isPlainAllowed: boolean): Promise<void> => {
    const address = typedAddress.trim()
    const key = fields.key.current?.value.trim() ?? ''
    if (address === '') return fail('usage', address)
    if (key === '') return fail('no-key', address)
    const fault = keyFault(key)
    if (fault !== null) return fail('key-refused', address, fault)
    const edit = edits.current
    setPhase({ name: 'asking' })
    const got = await call('connect', { address, key, plainHttp: isPlainAllowed && isPlainHttp(address) })
    if (edit !== edits.current) return undefined
    if (!got.ok) return fail(got.failure.code, address, (got.failure.status ?? 0) >= 500 ? 'trouble' : null)
    // The user declined in the system dialog.
    if (got.value === null) return setPhase({ name: 'typing' })
    return setPhase({
      name: 'proved',
      proof: { token: got.value.token, host: got.value.host, stats: got.value.stats },
      failed: null,
    })
  }

  const adopt = async (save: boolean): Promise<void> => {
    if (proof === null) return
    setPhase({ name: 'adopting', proof })
    const { turn } = appStore.getState()
    const edit = edits.current
    const got = await call('adopt', { token: proof.token, save })
    // The user has edited the input in the meantime, so ignore a failed or declined attempt to adopt the old
    // input.
    if (edit !== edits.current && (!got.ok || got.value === null)) return
    if (got.ok && got.value === null)
      // The user declined the change of the service or account in the system dialog.
      setPhase({ name: 'proved', proof, failed: null })
    else if (got.ok && got.value !== null) {
      if (fields.key.current !== null) fields.key.current.value = ''
      setPhase({ name: 'typing' })
      // If the turn (a counter of account switches) has changed, the window already shows the new account, or
      // another one that the user has switched to since. The switch has closed this form, and the user may
      // have opened another one.
      if (appStore.getState().turn !== turn) return
      appStore.setState({ connection: got.value.connection, snapshot: got.value.snapshot })
      onConnected()
    } else if (!got.ok) {
      const { code } = got.failure
      // `usage` means that the engine thread doesn't have this key: the thread keeps only the most recently
      // checked keys, and loses them when it restarts. The failure may have the same code if the engine
      // couldn't be started; askedNow distinguishes the two.
      const isExpired = code === 'usage' && askedNow(got.failure, 'adopt') === 'adopt'
      setPhase(
        isExpired
          ? { name: 'failed', code: 'waits', why: 'expired', field: null }
          : { name: 'proved', proof, failed: code },
      )
    }
  }

  const failed =
    phase.name === 'failed'
      ? phase
      : phase.name === 'proved' && phase.failed !== null
        ? { code: phase.failed, why: null, field: null }
        : null
  return {
    phase: phase.name,
    proof,
    failed,
    edited: () => {
      edits.current++
      if (phase.name !== 'typing') setPhase({ name: 'typing' })
    },
    prove,
    adopt,
  }
}

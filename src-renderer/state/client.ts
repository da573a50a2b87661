// The page's only connection to Slipway: typed calls and events through the four functions of the preload
// script. The shell has validated results and events against the contract
// (src-main/shell/window/ipc-server.ts), so the page doesn't need the schemas.

import { APP_WIDE } from '../../src-shared/choices.ts'
import type { Result } from '../../src-shared/engine-contract.ts'
import type {
  CallInput,
  CallName,
  CallOutput,
  Kept,
  Numbered,
  Picked,
} from '../../src-shared/window-contract.ts'

const WIDE: ReadonlySet<CallName> = new Set(APP_WIDE)
/**
 * The ID of the account in the window. It is sent with each call, because the same row ID identifies a
 * different file in another account.
 */
let account: string | null = null
/** Incremented with each account switch. */
let turn = 0
let open = 0

/** Returns the number of calls in flight. */
export function openCalls(): number {
  return open
}

async function awaited<T>(answer: Promise<T>): Promise<T> {
  open++
  try {
    return await answer
  } finally {
    open--
  }
}

export function setAccount(id: string | null): void {
  account = id
}

/**
 * Discards the results of calls in flight, which are about the previous account. Call when another account is
 * shown.
 */
export function leaveAccount(): void {
  turn++
}

/**
 * Calls the shell or the engine. Never rejects: an error becomes a failure in the result. If another account
 * is shown before the result arrives, the promise never settles, because the views that made the call are
 * gone and the result is about the wrong account. Calls in `APP_WIDE` always settle.
 */
export async function call<K extends CallName>(name: K, input: CallInput<K>): Promise<Result<CallOutput<K>>> {
  const asked = turn
  const answer = await awaited(window.slipway.call(name, input, account))
  if (asked !== turn && !WIDE.has(name)) return new Promise(() => undefined)
  return answer as Result<CallOutput<K>>
}

/** Something dropped: files, or else a text. */
export interface Dropped {
  readonly files: readonly File[]
  readonly text?: string
}

/**
 * Passes a drop to the preload script, the only code that can read the paths of files. Settles like `call`.
 */
export async function dropFiles({ files, text }: Dropped): Promise<Result<Picked | null>> {
  const asked = turn
  const answer = await awaited(window.slipway.drop(files, text))
  if (asked !== turn) return new Promise(() => undefined)
  return answer as Result<Picked | null>
}

/** Like `dropFiles`, but keeps the files until there is an API key, and always settles. */
export async function keepFiles({ files, text }: Dropped): Promise<Result<Kept>> {
  return (await awaited(window.slipway.keep(files, text))) as Result<Kept>
}

/** Calls `listener` with each message from the main process. Returns a function that unsubscribes. */
export function onEvent(listener: (numbered: Numbered) => void): () => void {
  return window.slipway.onEvent((raw) => listener(raw as Numbered))
}

// The page's only connection to Slipway: typed calls and events through the three functions of the preload script. Answers are validated
// against the contract; an invalid one becomes a failure and never a crash.
import {
  APP_WIDE,
  type AppProcedureName,
  appProcedures,
  type CallInput,
  type CallName,
  type CallOutput,
  Numbered,
  Picked,
} from '../../src-shared/app.ts'
import { Failure, procedures, type Result } from '../../src-shared/contract.ts'

const ODD: { readonly ok: false; readonly failure: Failure } = {
  ok: false,
  failure: { code: 'defect', title: 'An answer did not fit the contract.', hint: null },
}

function isApp(name: CallName): name is AppProcedureName {
  return Object.hasOwn(appProcedures, name)
}

function outputOf(name: CallName) {
  return isApp(name) ? appProcedures[name].output : procedures[name].output
}

function read(answer: unknown, value: (raw: unknown) => { readonly success: boolean; readonly data?: unknown }): Result<unknown> {
  if (typeof answer !== 'object' || answer === null) return ODD
  if (Reflect.get(answer, 'ok') !== true) {
    const failure = Failure.safeParse(Reflect.get(answer, 'failure'))
    return failure.success ? { ok: false, failure: failure.data } : ODD
  }
  const parsed = value(Reflect.get(answer, 'value'))
  return parsed.success ? { ok: true, value: parsed.data } : ODD
}

const WIDE: ReadonlySet<CallName> = new Set(APP_WIDE)
/** The ID of the account in the window. It is sent with each call, because the same row ID means another file in another account. */
let account: string | null = null
/** Incremented with each switch between accounts. */
let turn = 0
let open = 0

/** Number of calls that are still waiting for an answer. */
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

/** Drops all pending answers about the previous account. Call when another account is shown. */
export function leaveAccount(): void {
  turn++
}

/**
 * Calls the shell or the engine. Never rejects: an error becomes a failure in the result. If another account is shown before the answer
 * arrives, the promise never settles, because its caller is gone and the answer is about the wrong account. Calls in `APP_WIDE` always
 * settle.
 */
export async function call<K extends CallName>(name: K, input: CallInput<K>): Promise<Result<CallOutput<K>>> {
  const schema = outputOf(name)
  const asked = turn
  const answer = await awaited(window.slipway.call(name, input, account))
  if (asked !== turn && !WIDE.has(name)) return new Promise(() => undefined)
  return read(answer, (raw) => schema.safeParse(raw)) as Result<CallOutput<K>>
}

/** Passes dropped files to the preload script, the only code that can read their paths. Settles like `call`. */
export async function dropFiles(files: readonly File[]): Promise<Result<Picked>> {
  const asked = turn
  const answer = await awaited(window.slipway.drop(files))
  if (asked !== turn) return new Promise(() => undefined)
  return read(answer, (raw) => Picked.safeParse(raw)) as Result<Picked>
}

/**
 * Calls `listener` with each message of the main process. Returns a function that unsubscribes. A message that can't be parsed is skipped;
 * the next one reveals the gap in the sequence numbers, and the window boots again.
 */
export function onEvent(listener: (numbered: Numbered) => void): () => void {
  return window.slipway.onEvent((raw) => {
    const numbered = Numbered.safeParse(raw)
    if (numbered.success) listener(numbered.data)
  })
}

// The page's only connection to Slipway: typed calls and events over the three functions of the preload script. Answers are checked against the
// contract; one that doesn't fit becomes a failure, never a crash.
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
/** The account in the window. Calls name it, so that a row of one account is never taken for a row of another with the same ID. */
let account: string | null = null
/** Counts switches between accounts. */
let turn = 0

export function setAccount(id: string | null): void {
  account = id
}

/** Another account is shown: answers that are still on their way are about the one before. */
export function leaveAccount(): void {
  turn++
}

/**
 * Asks the shell or the engine. Never rejects: what goes wrong is a failure in the result. Never resolves if another account is shown
 * meanwhile, since its asker is gone and the answer is none of the new one's.
 */
export async function call<K extends CallName>(name: K, input: CallInput<K>): Promise<Result<CallOutput<K>>> {
  const schema = outputOf(name)
  const asked = turn
  const answer = await window.slipway.call(name, input, account)
  if (asked !== turn && !WIDE.has(name)) return new Promise(() => undefined)
  return read(answer, (raw) => schema.safeParse(raw)) as Result<CallOutput<K>>
}

/** Hands dropped files to the preload script; only that can read their paths. */
export async function dropFiles(files: readonly File[]): Promise<Result<Picked>> {
  const asked = turn
  const answer = await window.slipway.drop(files)
  if (asked !== turn) return new Promise(() => undefined)
  return read(answer, (raw) => Picked.safeParse(raw)) as Result<Picked>
}

/** An event that can't be read is skipped. The gap in the numbers then makes the window boot again. */
export function onEvent(listener: (numbered: Numbered) => void): () => void {
  return window.slipway.onEvent((raw) => {
    const numbered = Numbered.safeParse(raw)
    if (numbered.success) listener(numbered.data)
  })
}

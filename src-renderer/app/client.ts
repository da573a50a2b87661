// The page's one door to Slipway: typed calls and events over the three functions of the preload script. What comes back is checked against the
// contract; an answer that does not fit is a failure, never a crash. It keeps no state.
import {
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

export async function call<K extends CallName>(name: K, input: CallInput<K>): Promise<Result<CallOutput<K>>> {
  const schema = outputOf(name)
  const answer = await window.slipway.call(name, input)
  return read(answer, (raw) => schema.safeParse(raw)) as Result<CallOutput<K>>
}

/** Hands dropped files to the preload script, which alone can read their paths. */
export async function dropFiles(files: readonly File[]): Promise<Result<Picked>> {
  return read(await window.slipway.drop(files), (raw) => Picked.safeParse(raw)) as Result<Picked>
}

/** An event that can't be read leaves a gap in the numbers, and who sees the gap boots again. */
export function onEvent(listener: (numbered: Numbered) => void): () => void {
  return window.slipway.onEvent((raw) => {
    const numbered = Numbered.safeParse(raw)
    if (numbered.success) listener(numbered.data)
  })
}

// Constructors for the two forms of a result. Handlers always return one of them; they never throw for an error that the user can cause.
// The window and the command line receive results unchanged.
import type { Failure, Result } from '../../../src-shared/contract.ts'

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function failed(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

export function refuse(
  code: Failure['code'],
  title: string,
  hint: string | null = null,
): { readonly ok: false; readonly failure: Failure } {
  return failed({ code, title, hint })
}

// Constructors for the two kinds of result, success and failure. Handlers return failures that the user can cause as values instead of
// throwing them.
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

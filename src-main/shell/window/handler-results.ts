// Constructors for the results of handlers: a value, nothing, or a failure with its message. An error that a
// handler throws counts as an internal error (ipc-server.ts).
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

/** `title` says what happened, `hint` what the user can do. */
export function fail(
  code: Failure['code'],
  title: string,
  hint: string | null = null,
): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code, title, hint } }
}

export const NOTHING = { ok: true, value: {} } as const

// The value of a call to the engine that must succeed.
import type { Result } from '../../src-shared/engine-contract.ts'

/** Rejects with the failure's title. */
export async function valueOf<T>(asking: Promise<Result<T>> | Result<T>): Promise<T> {
  const got = await asking
  if (!got.ok) throw new Error(got.failure.title)
  return got.value
}

// A client that sends nothing: every call fails with the given message, as if there were no connection.
// Used for addresses that a policy forbids, so that files wait in the queue and none is lost.
import type { ApiClient, ApiResult } from './types.ts'

export function createRefusingClient(message: string): ApiClient {
  const refuse = async (): Promise<Extract<ApiResult<never>, { ok: false }>> => ({
    ok: false,
    failure: { kind: 'connect', cause: 'other', phase: 'unsent', message },
  })
  return { upload: refuse, list: refuse, file: refuse, remove: refuse, stats: refuse, download: refuse, close: async () => undefined }
}

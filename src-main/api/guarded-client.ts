// A client that asks before every request whether a policy allows sending. If it doesn't, the request fails
// before it is sent, so that files stay in the queue.
import type { ApiClient, ApiResult } from './types.ts'

/**
 * `why` is called before every request. It returns a message that says why nothing may be sent at the moment,
 * or null to allow it.
 */
export function createGuardedClient(client: ApiClient<string>, why: () => string | null): ApiClient<string> {
  const guarded =
    <A extends readonly unknown[], T>(call: (...args: A) => Promise<ApiResult<T>>) =>
    async (...args: A): Promise<ApiResult<T>> => {
      const message = why()
      if (message === null) return call(...args)
      return { ok: false, failure: { kind: 'connect', cause: 'policy', phase: 'unsent', message } }
    }
  return {
    upload: guarded(client.upload),
    list: guarded(client.list),
    file: guarded(client.file),
    remove: guarded(client.remove),
    stats: guarded(client.stats),
    download: guarded(client.download),
    close: () => client.close(),
  }
}

// Downloads the feed and packages through the given proxy. Follows redirects within the same origin only. The
// requests contain no key and no ID.
import { Requester } from '../../api/requester.ts'
import type { ApiClientOptions, ApiFailure } from '../../api/types.ts'
import { UpdateError } from './update-error.ts'

const CONNECT_MS = 15_000
const IDLE_MS = 30_000
const ANSWER_MS = 30_000

export interface UpdateFetch {
  /**
   * Downloads a file. Rejects with an UpdateError if it is longer than `most` bytes or can't be downloaded.
   */
  whole(url: URL, most: number, signal: AbortSignal): Promise<Buffer>
  /**
   * Downloads the file from byte `offset` and passes it to `take` in pieces. Rejects with the error of `take`
   * or an UpdateError. Resolves to false if the connection was lost before the end. A server without range
   * support sends the file from the beginning.
   */
  from(
    url: URL,
    offset: number,
    take: (chunk: Uint8Array) => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean>
  close(): Promise<void>
}

export function createUpdateFetch(options: {
  readonly userAgent: string
  readonly proxy: NonNullable<ApiClientOptions['proxy']> | null
  /** Only for tests. */
  readonly idleMs?: number
}): UpdateFetch {
  const idleMs = options.idleMs ?? IDLE_MS
  const requester = new Requester({
    proxies: options.proxy,
    connections: 1,
    connectMs: CONNECT_MS,
    idleMs,
    now: Date.now,
    key: () => null,
  })
  const get = (
    url: URL,
    headers: readonly string[],
    more: Pick<Parameters<Requester['send']>[1], 'cap' | 'signal' | 'sink'>,
  ) =>
    requester.send(url, {
      method: 'GET',
      // Request an uncompressed response, because a small compressed one could expand to a huge one.
      headers: ['user-agent', options.userAgent, 'accept-encoding', 'identity', ...headers],
      upload: null,
      answerMs: Math.min(ANSWER_MS, idleMs),
      reach: null,
      ...more,
    })
  return {
    whole: async (url, most, signal) => {
      const got = await get(url, ['cache-control', 'no-cache'], { cap: most, signal, sink: null })
      if (!got.ok) throw ofFailure(got.failure)
      const { status, end, body } = got.value.answer
      if (status < 200 || status > 299)
        throw new UpdateError('no-feed', `${url.pathname} was answered with ${status}.`)
      if (end === 'over') throw new UpdateError('not-a-feed', `${url.pathname} is longer than ${most} bytes.`)
      if (end !== 'whole') throw new UpdateError('offline', `${url.pathname} was cut off.`)
      return body
    },
    from: async (url, offset, take, signal) => {
      const range = offset === 0 ? [] : ['range', `bytes=${offset}-`]
      const got = await get(url, range, { cap: 0, signal, sink: take })
      if (!got.ok) {
        if (got.failure.kind === 'cut' || got.failure.kind === 'timeout') return false
        throw got.failure.kind === 'source' ? got.failure.cause : ofFailure(got.failure)
      }
      const { status, end } = got.value.answer
      if (status < 200 || status > 299)
        throw new UpdateError('no-feed', `The package was answered with ${status}.`)
      return end === 'whole'
    },
    close: () => requester.close(),
  }
}

function ofFailure(failure: ApiFailure): UpdateError {
  switch (failure.kind) {
    case 'redirect':
      return new UpdateError('redirect', failure.message)
    case 'garbage':
      return new UpdateError('not-a-feed', failure.message)
    default:
      return new UpdateError('offline', failure.message)
  }
}

// What the REST client takes and gives: requests, receipts, one closed union of failures, and what an answer says of time and rate.
// Types only. No policy: what a failure means for a transfer is decided in engine/outcome.ts.

/** A remote file as far as the service told. Any field may be missing: the document leaves list items open. */
export interface RemoteFile {
  /** Integer identifier; null where the service sent none that can be used. */
  readonly fileId: number | null
  readonly filename: string | null
  /** As sent; the unit is learned elsewhere. */
  readonly size: number | null
  /** As sent, `YYYY-MM-DD HH:MM:SS` by the document. */
  readonly uploadDate: string | null
  readonly downloadCount: number | null
  readonly publicLink: string | null
}

export interface Pagination {
  readonly page: number | null
  readonly limit: number | null
  readonly total: number | null
  readonly pages: number | null
}

export interface ListPage {
  readonly files: readonly RemoteFile[]
  readonly pagination: Pagination
}

/** `/stats` as sent: known fields are read by engine/quota.ts, all others are kept for people to see. */
export interface Stats {
  readonly plan: string | null
  readonly stats: Readonly<Record<string, unknown>>
  readonly limits: Readonly<Record<string, unknown>>
}

/** What headers said of the rate, in neutral form. Null: not said. */
export interface RateHints {
  /** Milliseconds to wait from the moment of the answer. */
  readonly retryAfterMs: number | null
  readonly limit: number | null
  readonly remaining: number | null
  /** Milliseconds until the window resets, from the moment of the answer. */
  readonly resetMs: number | null
}

export interface AnswerMeta {
  readonly status: number
  /** The `Date` header in milliseconds, null if missing or unreadable. */
  readonly serverDate: number | null
  readonly rate: RateHints
}

/** How far a request had come when it failed: decides whether the service can have stored anything. */
export type Phase =
  /** No connection, or not one byte of the request was handed to it. */
  | 'unsent'
  /** Headers or a part of the body were sent. */
  | 'partly'
  /** The last byte of the body was handed over; the answer is missing or unreadable. */
  | 'sent'

/** Every way in which a call can fail. `message` is in English, for log and details; it never holds the key. */
export type ApiFailure =
  | {
      readonly kind: 'connect'
      readonly cause: 'dns' | 'refused' | 'tls' | 'timeout' | 'proxy' | 'other'
      readonly phase: 'unsent'
      readonly message: string
    }
  | { readonly kind: 'cut'; readonly phase: Phase; readonly message: string }
  | { readonly kind: 'timeout'; readonly what: 'idle' | 'answer'; readonly phase: Phase; readonly message: string }
  /** An HTTP status that is not 2xx (and no redirect). `detail` is a readable message of the body, if one was found. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly detail: string | null
      readonly phase: Phase
      readonly meta: AnswerMeta
      readonly message: string
    }
  /** 2xx with `success: false`. */
  | { readonly kind: 'refused'; readonly detail: string | null; readonly phase: Phase; readonly meta: AnswerMeta; readonly message: string }
  /** 2xx whose body is not the API's: HTML, cut JSON, a JSON of another form. */
  | { readonly kind: 'garbage'; readonly phase: Phase; readonly meta: AnswerMeta | null; readonly message: string }
  /** A redirect to another origin, or too many of them. The key was not sent there. */
  | { readonly kind: 'redirect'; readonly phase: Phase; readonly meta: AnswerMeta; readonly message: string }
  | { readonly kind: 'aborted'; readonly phase: Phase; readonly message: string }
  /** The body's source failed or gave another number of bytes than was declared. `cause` is what the source threw. */
  | { readonly kind: 'source'; readonly phase: Phase; readonly cause: unknown; readonly message: string }

export type ApiResult<T> =
  | { readonly ok: true; readonly value: T; readonly meta: AnswerMeta }
  | { readonly ok: false; readonly failure: ApiFailure }

export interface UploadRequest {
  /** Name to be shown by the service; no path. */
  readonly filename: string
  /** Exact number of bytes that `body` will give. */
  readonly size: number
  /** Gives the bytes once, in order. A new one is made for every attempt. Chunks may be reused buffers only after the consumer asked for the next one. */
  readonly body: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly signal?: AbortSignal
  /** Bytes of the file handed to the connection so far; called per chunk. */
  readonly onProgress?: (sent: number) => void
}

export interface ApiClient {
  upload(request: UploadRequest): Promise<ApiResult<RemoteFile>>
  list(request: { readonly page: number; readonly limit: number; readonly signal?: AbortSignal }): Promise<ApiResult<ListPage>>
  file(fileId: number, signal?: AbortSignal): Promise<ApiResult<RemoteFile>>
  remove(fileId: number, signal?: AbortSignal): Promise<ApiResult<{ readonly message: string | null }>>
  stats(signal?: AbortSignal): Promise<ApiResult<Stats>>
  /** Gets a public link without the key; gives bytes to `onChunk` and resolves with their number. Refuses to follow to a non-http(s) address. */
  download(publicLink: string, onChunk: (chunk: Uint8Array) => void | Promise<void>, signal?: AbortSignal): Promise<ApiResult<number>>
  close(): Promise<void>
}

/** Where and how a client speaks. The key is given as a function, so that a new key needs no new client and no object holds it. */
export interface ApiClientOptions {
  /** Normalised base URL, with `/api/v1`, without a slash at the end (see base-url.ts). */
  readonly baseUrl: string
  readonly key: () => string | null
  readonly userAgent: string
  readonly timeouts?: { readonly connectMs?: number; readonly idleMs?: number; readonly answerMs?: number }
  /** Proxy settings of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`), or an explicit one; null: none. */
  readonly proxy?: { readonly http: string | null; readonly https: string | null; readonly noProxy: string | null } | null
  /** Connections kept at most. */
  readonly connections?: number
  /** Milliseconds since the epoch; only for reading `Retry-After` dates. */
  readonly now?: () => number
}

// The REST client's types: requests, receipts, a closed union of failures, and what headers say about time and rate limits. What a failure
// means for a transfer is decided in engine/transfer/outcome.ts.

/** A remote file. Any field may be missing, because the API document leaves list items open. */
export interface RemoteFile {
  /** null if it is missing or not an integer. */
  readonly fileId: number | null
  readonly filename: string | null
  /** As sent; the unit is learned in engine/limits/size-unit.ts. */
  readonly size: number | null
  /** As sent; `YYYY-MM-DD HH:MM:SS` according to the API document. */
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

/** `/stats` as sent: known fields are read by engine/limits/stats-reader.ts, the others are kept for display. */
export interface Stats {
  readonly plan: string | null
  readonly stats: Readonly<Record<string, unknown>>
  readonly limits: Readonly<Record<string, unknown>>
}

/** What the headers say about the rate limit, in a uniform form. Fields are null if not stated. */
export interface RateHints {
  /** Milliseconds to wait, counted from the response. */
  readonly retryAfterMs: number | null
  readonly limit: number | null
  readonly remaining: number | null
  /** Milliseconds until the window resets, counted from the response. */
  readonly resetMs: number | null
}

export interface AnswerMeta {
  readonly status: number
  /** The `Date` header in milliseconds since the epoch; null if missing or unreadable. */
  readonly serverDate: number | null
  readonly rate: RateHints
}

/** How far a request got before it failed; decides whether the service can have stored anything. */
export type Phase =
  /** There was no connection, or not a byte of the request was handed to it. */
  | 'unsent'
  /** Headers or part of the body were sent. */
  | 'partly'
  /** The last byte of the body was handed over; the response is missing or unreadable. */
  | 'sent'

/** Every way in which a call can fail. `message` is English, for logs and details, and never contains the key. */
export type ApiFailure =
  | {
      readonly kind: 'connect'
      readonly cause: 'dns' | 'refused' | 'tls' | 'timeout' | 'proxy' | 'other'
      readonly phase: 'unsent'
      readonly message: string
    }
  | { readonly kind: 'cut'; readonly phase: Phase; readonly message: string }
  | { readonly kind: 'timeout'; readonly what: 'idle' | 'answer'; readonly phase: Phase; readonly message: string }
  /** An HTTP status other than 2xx or a redirect. `detail` is the readable message in the body, if there is one. */
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
  /** 2xx, but the body isn't the API's: HTML, truncated JSON, JSON of another form. */
  | { readonly kind: 'garbage'; readonly phase: Phase; readonly meta: AnswerMeta | null; readonly message: string }
  /** A redirect that wasn't followed: to another origin, unreadable, or one too many. The key was not sent there. */
  | { readonly kind: 'redirect'; readonly phase: Phase; readonly meta: AnswerMeta; readonly message: string }
  | { readonly kind: 'aborted'; readonly phase: Phase; readonly message: string }
  /** The body's source failed, or gave a different number of bytes than declared. `cause` is what the source threw. */
  | { readonly kind: 'source'; readonly phase: Phase; readonly cause: unknown; readonly message: string }

export type ApiResult<T> =
  | { readonly ok: true; readonly value: T; readonly meta: AnswerMeta }
  | { readonly ok: false; readonly failure: ApiFailure }

export interface UploadRequest {
  /** The name that the service shows; not a path. */
  readonly filename: string
  /** Exact number of bytes that `body` will give. */
  readonly size: number
  /**
   * Gives the bytes once, in order; called again for each attempt. A chunk's buffer may be reused only when the next chunk is asked for.
   */
  readonly body: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly signal?: AbortSignal
  /** Called per chunk with the bytes of the file handed to the connection so far. */
  readonly onProgress?: (sent: number) => void
}

export interface ApiClient {
  upload(request: UploadRequest): Promise<ApiResult<RemoteFile>>
  list(request: { readonly page: number; readonly limit: number; readonly signal?: AbortSignal }): Promise<ApiResult<ListPage>>
  file(fileId: number, signal?: AbortSignal): Promise<ApiResult<RemoteFile>>
  remove(fileId: number, signal?: AbortSignal): Promise<ApiResult<{ readonly message: string | null }>>
  stats(signal?: AbortSignal): Promise<ApiResult<Stats>>
  /**
   * Downloads a public link without sending the key. Passes the bytes to `onChunk` and resolves with their number. Redirects are followed
   * only to http(s) addresses.
   */
  download(publicLink: string, onChunk: (chunk: Uint8Array) => void | Promise<void>, signal?: AbortSignal): Promise<ApiResult<number>>
  close(): Promise<void>
}

/** The key is passed as a function, so that a new key needs no new client and no object stores it. */
export interface ApiClientOptions {
  /** Normalised base URL with `/api/v1`, without a trailing slash (see base-url.ts). */
  readonly baseUrl: string
  readonly key: () => string | null
  readonly userAgent: string
  readonly timeouts?: { readonly connectMs?: number; readonly idleMs?: number; readonly answerMs?: number }
  /** Values of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, or null to connect directly. */
  readonly proxy?: {
    readonly http: string | null
    readonly https: string | null
    readonly noProxy: string | null
    /** Asked where the values above name no proxy: the system's proxies for an address, as a PAC script returns them. */
    readonly system?: (url: string) => Promise<string>
  } | null
  /** Maximum number of connections. */
  readonly connections?: number
  /** Milliseconds since the epoch; used only to interpret `Retry-After` dates. */
  readonly now?: () => number
}

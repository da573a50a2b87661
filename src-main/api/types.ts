// The types of the REST client: requests, receipts, a closed union of failures, and what headers say about
// time and rate limits. engine/send/upload-answers.ts decides what a failure means for a transfer.

/**
 * A remote file. Any field may be missing, because the API document doesn't specify list items. `Id`: this
 * client has IDs as the service's text (see file-id.ts). The engine has a number for each
 * (engine/remote/requests.ts), hence the default.
 */
export interface RemoteFile<Id extends string | number = number> {
  /** Null if it is missing or can't be used (see file-id.ts). */
  readonly fileId: Id | null
  readonly filename: string | null
  /** The number that the service sent. engine/budget/size-unit.ts learns its unit. */
  readonly size: number | null
  /**
   * The text that the service sent. The API document specifies the format `YYYY-MM-DD HH:MM:SS`, but no time
   * zone.
   */
  readonly uploadDate: string | null
  /** Null if it is missing or not an integer. */
  readonly downloadCount: number | null
  readonly publicLink: string | null
}

export interface Pagination {
  readonly page: number | null
  readonly limit: number | null
  readonly total: number | null
  readonly pages: number | null
}

export interface ListPage<Id extends string | number = number> {
  readonly files: readonly RemoteFile<Id>[]
  readonly pagination: Pagination
}

/**
 * The content of `/stats`. `plan` is in lower case, or null if the service didn't return it. The rest is as
 * the service sent it. engine/budget/stats-reader.ts reads the known fields; the others are kept for display.
 */
export interface Stats {
  readonly plan: string | null
  readonly stats: Readonly<Record<string, unknown>>
  readonly limits: Readonly<Record<string, unknown>>
}

/**
 * What the headers say about the rate limit, in a uniform format. A field is null if no header contains a
 * usable value.
 */
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
  /** The `Date` header in epoch milliseconds; null if missing or unreadable. */
  readonly serverDate: number | null
  readonly rate: RateHints
}

/** How far a request got before it failed. Determines whether the service may have stored anything. */
export type Phase =
  /** There was no connection, or no byte of the request was passed to it. */
  | 'unsent'
  /** Headers or part of the body were sent, or may have been. */
  | 'partly'
  /** All of the request was passed to the connection, or may have been, whether or not a response arrived. */
  | 'sent'

/**
 * Every way in which a call can fail. `message` is in English, for logs and details. It may quote the
 * service, but with the key redacted.
 */
export type ApiFailure =
  | {
      readonly kind: 'connect'
      /**
       * `proxy-login`: the proxy requires a user name and password, or rejected the ones it was given.
       * `policy`: nothing was tried, because a policy doesn't allow it.
       */
      readonly cause: 'dns' | 'refused' | 'tls' | 'timeout' | 'proxy' | 'proxy-login' | 'policy' | 'other'
      readonly phase: 'unsent'
      readonly message: string
    }
  | { readonly kind: 'cut'; readonly phase: Phase; readonly message: string }
  | {
      readonly kind: 'timeout'
      readonly what: 'idle' | 'answer'
      readonly phase: Phase
      readonly message: string
    }
  /**
   * An HTTP status that is neither 2xx nor a redirect. `detail` is the readable message in the body, if there
   * is one. `isPage`: the answer is meant for a browser (a web page, or a request for a user name and
   * password), so it is probably not the API's. `isJson`: the body is a JSON object, as all of the API's
   * responses are.
   */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly detail: string | null
      readonly isPage?: true
      readonly isJson?: true
      readonly phase: Phase
      readonly meta: AnswerMeta
      readonly message: string
    }
  /** 2xx with `success: false`. */
  | {
      readonly kind: 'refused'
      readonly detail: string | null
      readonly phase: Phase
      readonly meta: AnswerMeta
      readonly message: string
    }
  /**
   * 2xx, but the response can't be used: it isn't in the API's format, is incomplete or too long, is about
   * another file, came before the whole upload was sent, or is a compressed download. Also a response that
   * isn't even HTTP; `meta` is then null. `isOther` marks a response about another file.
   */
  | {
      readonly kind: 'garbage'
      readonly phase: Phase
      readonly meta: AnswerMeta | null
      readonly message: string
      readonly isOther?: true
    }
  /**
   * A redirect that wasn't followed: its address was invalid or of another origin, it would have changed the
   * method, or there were too many redirects. The key wasn't sent to the new address. Also a link that wasn't
   * followed (link-reach.ts); `meta` is then null.
   */
  | {
      readonly kind: 'redirect'
      readonly phase: Phase
      readonly meta: AnswerMeta | null
      readonly message: string
    }
  | { readonly kind: 'aborted'; readonly phase: Phase; readonly message: string }
  /**
   * An upload's source failed, or delivered a different number of bytes than declared, or the receiver of a
   * download failed. `cause` is the value that was thrown.
   */
  | { readonly kind: 'source'; readonly phase: Phase; readonly cause: unknown; readonly message: string }

export type ApiResult<T> =
  | { readonly ok: true; readonly value: T; readonly meta: AnswerMeta }
  | { readonly ok: false; readonly failure: ApiFailure }

export interface UploadRequest {
  /** The name to send, without a folder. */
  readonly filename: string
  /** The exact number of bytes that `body` delivers. */
  readonly size: number
  /**
   * Delivers the bytes once, in order. Called again if the request is repeated, for example after a redirect.
   * A chunk's buffer may be reused only when the next chunk is requested.
   */
  readonly body: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly signal?: AbortSignal
  /**
   * Called with the number of the file's bytes passed to the connection so far: after each chunk, or once at
   * the end for a small file.
   */
  readonly onProgress?: (sent: number) => void
}

export interface ApiClient<Id extends string | number = number> {
  upload(request: UploadRequest): Promise<ApiResult<RemoteFile<Id>>>
  list(request: {
    readonly page: number
    readonly limit: number
    readonly signal?: AbortSignal
  }): Promise<ApiResult<ListPage<Id>>>
  /** Fails with `garbage` if the response is about a file with another ID. */
  file(fileId: Id, signal?: AbortSignal): Promise<ApiResult<RemoteFile<Id>>>
  remove(fileId: Id, signal?: AbortSignal): Promise<ApiResult<{ readonly message: string | null }>>
  stats(signal?: AbortSignal): Promise<ApiResult<Stats>>
  /**
   * Downloads a public link without sending the key. Passes the bytes to `onChunk` and resolves to their
   * number. link-reach.ts decides where the link and its redirects may lead.
   */
  download(
    publicLink: string,
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
    signal?: AbortSignal,
  ): Promise<ApiResult<number>>
  close(): Promise<void>
}

/**
 * The origins, besides the service's own, on which the service has put links of own uploads. They survive a
 * restart.
 */
export interface LearnedOrigins {
  read(): readonly string[]
  add(origin: string): void
}

export interface ProxyLogin {
  readonly name: string
  readonly password: string
}

/**
 * Provides the user name and password for a proxy whose address contains none. `proxy` is an origin, such as
 * `http://a:3128`.
 */
export interface ProxyLoginSource {
  /** Resolves to the login for a proxy, or to null if none is known. Must not reject. */
  readonly find: (proxy: string) => Promise<ProxyLogin | null>
  /**
   * Called when the proxy requires a login, or rejected `login`. The request may have been sent before a
   * newer login became known. `login` is null if none was sent.
   */
  readonly refused: (proxy: string, login: ProxyLogin | null) => void
}

/** The key is passed as a function, so that a new key doesn't require a new client. */
export interface ApiClientOptions {
  /** Normalized base URL with `/api/v1`, without a trailing slash (see base-url.ts). */
  readonly baseUrl: string
  readonly key: () => string | null
  readonly userAgent: string
  readonly timeouts?: { readonly connectMs?: number; readonly idleMs?: number; readonly answerMs?: number }
  /**
   * Values of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, and the system's settings and logins; null to
   * connect directly.
   */
  readonly proxy?: {
    readonly http: string | null
    readonly https: string | null
    readonly noProxy: string | null
    /**
     * Resolves to the system's proxies for a URL, in a PAC script's format. Called only if the values above
     * don't apply to the URL.
     */
    readonly system?: (url: string) => Promise<string>
    readonly logins?: ProxyLoginSource
  } | null
  readonly links?: {
    /** Returns the only origins that links may lead to; null if any may be used. */
    readonly allowed?: () => readonly string[] | null
    /** If absent, links may lead to every host in the service's own network. */
    readonly learned?: LearnedOrigins | undefined
  }
  /** Maximum number of connections. */
  readonly connections?: number
  /**
   * The current time in epoch milliseconds; used only to interpret absolute times in rate headers if the
   * response has no `Date`.
   */
  readonly now?: () => number
}

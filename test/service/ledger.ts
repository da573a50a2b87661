// The ledger of what the service has stored, by which tests judge a client, and a log of all requests.
// Read-only. Planted files (of another client, or the service's own) have request number 0 and never count as
// duplicates.
import type { Endpoint, FaultKind } from './faults.ts'
import type { Store, StoredFile } from './store.ts'

export type LedgerFile = Readonly<Omit<StoredFile, 'token' | 'blob'>>

export interface LedgerJson {
  readonly files: readonly LedgerFile[]
  readonly duplicates: Duplicates
}

export interface Duplicates {
  /** Groups of two or more existing files with the same name, as sent, and the same content. */
  readonly byNameAndSha: readonly (readonly LedgerFile[])[]
  /** Groups with the same content under any name. */
  readonly bySha: readonly (readonly LedgerFile[])[]
}

export interface Ledger {
  /** Every file ever stored, including deleted ones, in the order of storing. */
  files(): readonly LedgerFile[]
  live(): readonly LedgerFile[]
  duplicates(): Duplicates
  toJSON(): LedgerJson
}

/** A stored file without its token, which is the secret part of its link. */
export function ledgerFile({ token: _token, blob: _blob, ...file }: StoredFile): LedgerFile {
  return file
}

function groups(
  files: readonly StoredFile[],
  key: (file: StoredFile) => string,
): readonly (readonly LedgerFile[])[] {
  const found = Map.groupBy(files, key)
  return [...found.values()].filter((group) => group.length > 1).map((group) => group.map(ledgerFile))
}

export function createLedger(store: Store): Ledger {
  const ledger: Ledger = {
    files: () => store.all.map(ledgerFile),
    live: () => store.live.map(ledgerFile),
    duplicates: () => {
      const uploaded = store.live.filter((file) => file.requestNo > 0 && file.sha256 !== '')
      return {
        byNameAndSha: groups(uploaded, (file) => `${file.sha256} ${file.filename}`),
        bySha: groups(uploaded, (file) => file.sha256),
      }
    },
    toJSON: () => ({ files: ledger.files(), duplicates: ledger.duplicates() }),
  }
  return ledger
}

export interface RequestRecord {
  readonly no: number
  /** When the headers arrived, on the service's clock. */
  readonly at: number
  readonly method: string
  /** Path and query as sent. */
  readonly path: string
  readonly endpoint: Endpoint | 'unknown'
  /** Whether the request counted against the rate limit. */
  readonly counted: boolean
  /** The status of the response that was sent, completely or in part; null if there was none. */
  readonly status: number | null
  readonly fault: FaultKind | null
  /** The file that the request stored, read or deleted. */
  readonly fileId: number | null
}

export interface RequestLog {
  list(): readonly RequestRecord[]
  /** Number of responses by status; `none` counts requests without a response. */
  counts(): Readonly<Record<string, number>>
  clear(): void
}

export type OpenRecord = { -readonly [K in keyof RequestRecord]: RequestRecord[K] }

export function createRequestLog(
  firstNo: number,
): RequestLog & { open(record: Omit<OpenRecord, 'no'>): OpenRecord } {
  let records: OpenRecord[] = []
  let no = firstNo
  return {
    open: (fields) => {
      const record = { no: no++, ...fields }
      records.push(record)
      return record
    },
    list: () => records.map((record) => ({ ...record })),
    counts: () => {
      const counts: Record<string, number> = {}
      for (const { status } of records) counts[status ?? 'none'] = (counts[status ?? 'none'] ?? 0) + 1
      return counts
    },
    clear: () => {
      records = []
    },
  }
}

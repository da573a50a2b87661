// Delays between the attempts to answer a question about a file. Each delay is twice the one before.

/** The first and the longest delay, in milliseconds. */
const WAITS_MS = {
  /** While the file may belong to another upload that is in flight, or to another file that has its exact name. */
  sibling: [1000, 60_000],
  rival: [200, 10_000],
  /** While the local file can't be read. The first delays are short, in case a drive was disconnected only briefly. */
  local: [5000, 600_000],
  /** While the bytes on the service can't be read, which may have become unreachable after the list was read. */
  bytes: [1000, 600_000],
  /** After a read of the list that failed. Every attempt counts towards the day's request limit, which uploads need. */
  list: [2000, 300_000],
  /** After a pass through the list that failed or may have missed files, while files wait to be compared with it. */
  whole: [2000, 60_000],
} as const
export type Wait = keyof typeof WAITS_MS

/** Number of times that bytes are read again before the user is asked. The delays add up to about 37 minutes. */
const BYTES_TRIES = 12
/** The same if none of the files has a public link. */
const SILENT_TRIES = 2

export class Retries {
  /** Number of delays so far, by kind and row. */
  readonly #counts = new Map<string, number>()

  /** How often the row has waited. `rowId`: 0 for a read of the list. */
  count(kind: Wait, rowId = 0): number {
    return this.#counts.get(`${kind} ${rowId}`) ?? 0
  }

  /** The delay before the next attempt, in milliseconds. */
  next(kind: Wait, rowId = 0): number {
    const [first, most] = WAITS_MS[kind]
    const count = this.count(kind, rowId)
    this.#counts.set(`${kind} ${rowId}`, count + 1)
    return Math.min(most, first * 2 ** count)
  }

  /** The delay before candidates whose bytes couldn't be read are compared again; null if the user has to decide. */
  unread(rowId: number, { isLater, isSilent }: { readonly isLater: boolean; readonly isSilent: boolean }): number | null {
    const count = this.count('bytes', rowId)
    return (isLater && count < BYTES_TRIES) || (isSilent && count < SILENT_TRIES) ? this.next('bytes', rowId) : null
  }

  /** Call when the row is decided or, with 0, when the list has been read. */
  forget(rowId: number): void {
    for (const kind of Object.keys(WAITS_MS)) this.#counts.delete(`${kind} ${rowId}`)
  }

  reset(): void {
    this.#counts.clear()
  }
}

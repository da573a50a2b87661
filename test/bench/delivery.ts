// What became of the files that were to be delivered: when each was there, and how many are torn, lost or sent twice.
// Pure; it judges by the service's ledger alone.
export interface Wanted {
  readonly name: string
  readonly sha256: string
  /** Milliseconds, by the clock of the service. */
  readonly closedAt: number
}

export interface Arrived {
  readonly filename: string
  readonly sha256: string
  readonly storedAt: number
  /** Null: it is still there. */
  readonly deletedAt: number | null
}

export interface Delivery {
  /** Of every file whose right bytes are there, in milliseconds. */
  readonly latencies: readonly number[]
  /** Living files with other bytes than were wanted. */
  readonly torn: number
  /** Wanted files whose right bytes are not there. */
  readonly lost: number
  /** Wanted files whose right bytes were sent more than once, taken back or not. */
  readonly twice: number
}

export function verdictOf(wanted: readonly Wanted[], files: readonly Arrived[]): Delivery {
  const byName = Map.groupBy(files, (file) => file.filename)
  const latencies: number[] = []
  let torn = 0
  let lost = 0
  let twice = 0
  for (const one of wanted) {
    const all = byName.get(one.name) ?? []
    const right = all.filter((file) => file.sha256 === one.sha256)
    const living = right.find((file) => file.deletedAt === null)
    torn += all.filter((file) => file.sha256 !== one.sha256 && file.deletedAt === null).length
    if (living === undefined) lost++
    else latencies.push(living.storedAt - one.closedAt)
    if (right.length > 1) twice++
  }
  return { latencies, torn, lost, twice }
}

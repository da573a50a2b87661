// Evaluates the delivery of files: when each one arrived, and how many are torn, lost or were sent twice.
// Pure; compares the expected files with the service's ledger.
export interface Wanted {
  readonly name: string
  readonly sha256: string
  /** Milliseconds on the service's clock. */
  readonly closedAt: number
}

export interface Arrived {
  readonly filename: string
  readonly sha256: string
  readonly storedAt: number
  /** Null if the file still exists. */
  readonly deletedAt: number | null
}

export interface Delivery {
  /** Latencies in milliseconds of all files that arrived with the right bytes. */
  readonly latencies: readonly number[]
  /** Number of live files that have an expected name but other bytes. */
  readonly torn: number
  /** Number of expected files whose right bytes aren't on the service. */
  readonly lost: number
  /**
   * Number of expected files whose right bytes were sent more than once, even if a copy was deleted later.
   */
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

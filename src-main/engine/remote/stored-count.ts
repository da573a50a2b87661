// Counts the files and bytes that the service holds, from `/stats` or the last complete list, whichever is newer, adjusted by what this
// process has sent or deleted since then. Unknown figures stay null.
import type { Snapshot } from '../../../src-shared/model.ts'
import { unitBytes } from '../budget/size-unit.ts'
import type { AccountState } from '../budget/state.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { Catalog } from './catalog.ts'

/** Number of files and bytes sent, less those deleted. */
interface Drift {
  readonly files: number
  readonly bytes: number
}

const NO_DRIFT: Drift = { files: 0, bytes: 0 }

export class StoredCount {
  readonly #limits: Pick<UploadLimits, 'unit' | 'quota'>
  readonly #account: Pick<AccountState, 'stats'>
  readonly #catalog: () => Pick<Catalog, 'held'>
  #sinceStats = NO_DRIFT
  #sinceList = NO_DRIFT

  constructor(limits: Pick<UploadLimits, 'unit' | 'quota'>, account: Pick<AccountState, 'stats'>, catalog: () => Pick<Catalog, 'held'>) {
    this.#limits = limits
    this.#account = account
    this.#catalog = catalog
  }

  uploaded(bytes: number): void {
    this.#add(1, bytes)
  }

  /** Counts a deleted file. `size`: in the service's unit, null if unknown. */
  removed(size: number | null): void {
    this.#add(-1, -(this.#bytes(size) ?? 0))
  }

  /** Resets what was sent and deleted since `/stats` was read. Call after each read. */
  statsRead(): void {
    this.#sinceStats = NO_DRIFT
  }

  /** Resets what was sent and deleted since the whole list was read. Call after each complete read. */
  listed(): void {
    this.#sinceList = NO_DRIFT
  }

  view(): Snapshot['stored'] {
    const read = this.#account.stats()
    const listed = this.#catalog().held()
    const { totalFiles, totalSize } = this.#limits.quota()
    const byList = listed !== null && (read === null || totalFiles === null || listed.at > read.at)
    return byList
      ? withDrift(listed.files, this.#bytes(listed.size), this.#sinceList)
      : withDrift(totalFiles, this.#bytes(totalSize), this.#sinceStats)
  }

  #add(files: number, bytes: number): void {
    const add = (drift: Drift): Drift => ({ files: drift.files + files, bytes: drift.bytes + bytes })
    this.#sinceStats = add(this.#sinceStats)
    this.#sinceList = add(this.#sinceList)
  }

  #bytes(size: number | null): number | null {
    const unit = this.#limits.unit()
    return size === null || unit === null ? null : size * unitBytes[unit]
  }
}

function withDrift(files: number | null, bytes: number | null, drift: Drift): Snapshot['stored'] {
  return {
    files: files === null ? null : Math.max(0, files + drift.files),
    bytes: bytes === null ? null : Math.max(0, bytes + drift.bytes),
  }
}

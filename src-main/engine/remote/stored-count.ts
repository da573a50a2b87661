// Counts the files and bytes that the service holds, from `/stats` or the last complete list, whichever is newer, plus what this engine has
// sent or deleted since. Unknown figures stay null.
import type { Snapshot } from '../../../src-shared/model.ts'
import type { AccountState } from '../account/state.ts'
import { unitBytes } from '../limits/plan/size-unit.ts'
import type { UploadLimits } from '../limits/plan/upload-limits.ts'
import type { Catalog } from './catalog.ts'

export class StoredCount {
  readonly #limits: Pick<UploadLimits, 'unit' | 'quota'>
  readonly #account: Pick<AccountState, 'stats'>
  readonly #catalog: () => Pick<Catalog, 'held'>
  #driftFiles = 0
  #driftBytes = 0

  constructor(limits: Pick<UploadLimits, 'unit' | 'quota'>, account: Pick<AccountState, 'stats'>, catalog: () => Pick<Catalog, 'held'>) {
    this.#limits = limits
    this.#account = account
    this.#catalog = catalog
  }

  uploaded(bytes: number): void {
    this.#driftFiles++
    this.#driftBytes += bytes
  }

  /** `size`: in the service's unit, null if unknown. */
  removed(size: number | null): void {
    this.#driftFiles--
    this.#driftBytes -= this.#bytes(size) ?? 0
  }

  /** The service's own count is up to date again. */
  recounted(): void {
    this.#driftFiles = 0
    this.#driftBytes = 0
  }

  view(): Snapshot['stored'] {
    const read = this.#account.stats()
    const listed = this.#catalog().held()
    const { totalFiles, totalSize } = this.#limits.quota()
    const byList = listed !== null && (read === null || totalFiles === null || listed.at > read.at)
    return byList ? this.#withDrift(listed.files, this.#bytes(listed.size)) : this.#withDrift(totalFiles, this.#bytes(totalSize))
  }

  #bytes(size: number | null): number | null {
    const unit = this.#limits.unit()
    return size === null || unit === null ? null : size * unitBytes[unit]
  }

  #withDrift(files: number | null, bytes: number | null): Snapshot['stored'] {
    return {
      files: files === null ? null : Math.max(0, files + this.#driftFiles),
      bytes: bytes === null ? null : Math.max(0, bytes + this.#driftBytes),
    }
  }
}

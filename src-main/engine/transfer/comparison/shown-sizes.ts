// Keeps track of the units in which the service may show sizes, until receipts establish which one it uses. A file whose shown and actual
// sizes are both known can rule out some of them.
import type { SizeUnit } from '../../limits/plan/size-unit.ts'
import type { UploadLimits } from '../../limits/plan/upload-limits.ts'
import { possibleShown, sizeCouldBe } from '../../presence/match.ts'

const ALL_UNITS: readonly SizeUnit[] = ['bytes', 'kB', 'KiB', 'MB', 'MiB']

export class ShownSizes {
  readonly #limits: Pick<UploadLimits, 'unit'>
  #units = ALL_UNITS

  constructor(limits: Pick<UploadLimits, 'unit'>) {
    this.#limits = limits
  }

  /** The figures that the service may show for a file of this many bytes. */
  rangesFor(bytes: number): ReturnType<typeof possibleShown> {
    return possibleShown(bytes, this.#possible())
  }

  couldBe(bytes: number, shown: number): boolean {
    return this.#possible().some((unit) => sizeCouldBe(bytes, shown, unit))
  }

  /**
   * Rules out the units in which a file of this many bytes wouldn't be shown as `shown`. If that would rule out all of them, nothing
   * changes.
   */
  learn(bytes: number, shown: number): void {
    const agreeing = this.#units.filter((unit) => sizeCouldBe(bytes, shown, unit))
    if (agreeing.length > 0) this.#units = agreeing
  }

  reset(): void {
    this.#units = ALL_UNITS
  }

  #possible(): readonly SizeUnit[] {
    const unit = this.#limits.unit()
    return unit === null ? this.#units : [unit]
  }
}

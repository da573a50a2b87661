// The units in which the service may show sizes, until receipts settle which one it is. Each file whose shown size and real length are both
// known can rule some out.
import type { SizeUnit } from '../../limits/plan/size-unit.ts'
import type { UploadLimits } from '../../limits/plan/upload-limits.ts'
import { possibleShown, sizeCouldBe } from '../../unconfirmed/match.ts'

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

  /** Learns that a file of this many bytes is shown with this figure. */
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

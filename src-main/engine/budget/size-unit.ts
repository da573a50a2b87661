// Learns from the receipts of our own uploads in which unit the service reports sizes, and whether a file can
// be shown with a size. Pure; the unit is unknown until the receipts agree on one and rule out all others.

export const unitBytes = { bytes: 1, kB: 1_000, KiB: 1_024, MB: 1_000_000, MiB: 1_048_576 } as const
export type SizeUnit = keyof typeof unitBytes
const UNITS: readonly SizeUnit[] = ['bytes', 'kB', 'KiB', 'MB', 'MiB']

export interface ReceiptSample {
  readonly sentBytes: number
  /** `size` in the receipt, as sent. */
  readonly receiptSize: number
}

/** Whether a receipt fits a unit. Rounding in any direction stays below one unit; bytes aren't rounded. */
function agrees(sample: ReceiptSample, unit: SizeUnit): boolean {
  if (unit === 'bytes') return sample.receiptSize === sample.sentBytes
  return Math.abs(sample.receiptSize - sample.sentBytes / unitBytes[unit]) < 1
}

/** An exact match of a size this large is no coincidence. */
const EXACT_BYTES = 1_024
/**
 * Maximum share of receipts that may disagree with a unit, for example because a file changed while it was
 * being read.
 */
const ODD_SHARE = 0.05

/**
 * Returns the unit in which the service reports sizes, or null if it is unknown. A unit is trusted only if it
 * is the only one that fits the receipts, and if two different sizes fit it or a size of at least EXACT_BYTES
 * matches exactly in bytes.
 */
export function learnUnit(samples: readonly ReceiptSample[]): SizeUnit | null {
  const usable = samples.filter(
    ({ sentBytes, receiptSize }) => sentBytes > 0 && Number.isFinite(receiptSize) && receiptSize >= 0,
  )
  const odd = Math.floor(usable.length * ODD_SHARE)
  const fitting = UNITS.filter((unit) => usable.filter((sample) => !agrees(sample, unit)).length <= odd)
  const [only] = fitting
  if (only === undefined || fitting.length > 1) return null
  if (only === 'bytes' && usable.some((sample) => sample.sentBytes >= EXACT_BYTES && agrees(sample, 'bytes')))
    return 'bytes'
  const sizes = new Set(usable.filter((sample) => agrees(sample, only)).map((sample) => sample.sentBytes))
  return sizes.size >= 2 ? only : null
}

/**
 * Whether the receipts' sizes are those of the bytes in some unit. They aren't if the service compresses
 * files, for example.
 */
export function doSizesTell(samples: readonly ReceiptSample[]): boolean {
  const odd = samples.filter(
    (sample) => sample.sentBytes > 0 && !UNITS.some((unit) => agrees(sample, unit)),
  ).length
  return odd <= Math.floor(samples.length * ODD_SHARE)
}

/** The range of figures that a service could show for a file of `bytes` in this unit. */
function figures(bytes: number, unit: SizeUnit): { readonly least: number; readonly most: number } {
  const exact = bytes / unitBytes[unit]
  const slack = unit === 'bytes' ? 0 : Math.max(1, 0.005 * exact)
  return { least: exact - slack, most: exact + slack }
}

/**
 * The ranges of figures that a service could show for a file of `bytes`. `unit`: the unit of the figures,
 * null if unknown.
 */
export function possibleShown(bytes: number, unit: SizeUnit | null): readonly ReturnType<typeof figures>[] {
  return (unit === null ? UNITS : [unit]).map((one) => figures(bytes, one))
}

/**
 * Whether a service could show a file of `bytes` as the rounded figure `shown`. `unit`: see `possibleShown`.
 */
export function sizeCouldBe(bytes: number, shown: number, unit: SizeUnit | null): boolean {
  if (unit === null) return UNITS.some((one) => sizeCouldBe(bytes, shown, one))
  const { least, most } = figures(bytes, unit)
  return shown >= least && shown <= most
}

// Learns from our uploads how the service behaves: the unit of its sizes, its time zone, whether IDs
// increase, and which sizes it accepts. The sources are receipts, refusals and the dates in the list; the
// results are kept in the journal.
import type { RemoteFile } from '../../api/types.ts'
import { isOrdered } from '../journal/file-ids.ts'
import type { Facts } from '../journal/single-values.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { readUploadDate, zoneFrom } from '../journal/upload-date.ts'
import { noEvidence, type SizeEvidence } from './plan-limits.ts'
import { doSizesTell, learnUnit, type ReceiptSample, type SizeUnit } from './size-unit.ts'

/**
 * A listed upload is used to learn the zone only if it is at least this much newer than the upload that last
 * showed the zone. For a receipt, there is no minimum.
 */
const ZONE_EVERY_MS = 86_400_000
const SAMPLES_KEPT = 60
/** IDs are assumed to increase with time once this many increases, and no decrease, have been seen. */
const GROWN_IDS = 3
/**
 * After this many increases, only one upload in `ID_SAMPLE` is checked, which is enough to notice if IDs no
 * longer increase.
 */
const GROWN_IDS_SURE = 8
const ID_SAMPLE = 64
/**
 * Every change to the counts is saved up to this many increases; after that, only a new ID that isn't higher
 * than the earlier ones.
 */
const GROWN_IDS_KEPT = 5
const NO_IDS = { grew: 0, fell: 0 } as const

export class ServiceTraits {
  readonly #facts: Facts
  readonly #transfers: Pick<Transfers, 'byFileId'>
  #samples: readonly ReceiptSample[]
  #unit: SizeUnit | null
  #sizesTell: boolean
  #zone: number | null
  /**
   * When the upload that showed the zone was stored, according to the service's clock. A newer upload takes
   * precedence, because daylight saving time changes the zone.
   */
  #zoneAt: number
  #evidence: SizeEvidence
  #ids: { readonly grew: number; readonly fell: number }

  constructor(facts: Facts, transfers: Pick<Transfers, 'byFileId'>) {
    this.#facts = facts
    this.#transfers = transfers
    this.#samples = facts.get('samples') ?? []
    this.#unit = learnUnit(this.#samples)
    this.#sizesTell = doSizesTell(this.#samples)
    this.#zone = facts.get('zone')
    this.#zoneAt = facts.get('zone-at') ?? 0
    this.#evidence = facts.get('sizes') ?? noEvidence
    this.#ids = facts.get('ids') ?? NO_IDS
  }

  unit(): SizeUnit | null {
    return this.#unit
  }

  sizesTell(): boolean {
    return this.#sizesTell
  }

  /** The service's UTC offset in milliseconds, positive east of UTC; null if unknown. */
  zone(): number | null {
    return this.#zone
  }

  evidence(): SizeEvidence {
    return this.#evidence
  }

  /** Whether newer files have higher IDs, as far as our uploads have shown (see `GROWN_IDS`). */
  idsGrow(): boolean {
    return this.#ids.grew >= GROWN_IDS && this.#ids.fell === 0
  }

  /**
   * Learns the unit of sizes, the largest accepted size, whether IDs increase, and the time zone from the
   * receipt of one of our uploads. `serverDate`: the `Date` header of the response in epoch milliseconds;
   * null if it had none.
   */
  learn(row: TransferRow, file: RemoteFile, serverDate: number | null): void {
    if (file.size !== null) this.learnSize(row.size, file.size)
    this.#acceptedSize(row.size)
    if (file.fileId !== null && isOrdered(file.fileId) && row.intentAbove !== null)
      this.#learnId(row.id, file.fileId > row.intentAbove)
    if (file.uploadDate !== null && serverDate !== null) this.#learnZone(file.uploadDate, serverDate)
  }

  /**
   * Learns the zone from the date that the list shows for a file, if the file is one of our uploads and the
   * service's time of that upload is known.
   */
  learnDate(fileId: number, shown: string): void {
    // A file that isn't clearly newer than the upload that showed the zone adds nothing. Nearly all files in
    // a long list are skipped here.
    const read = readUploadDate(shown)
    if (read === null || (this.#zone !== null && read.at - this.#zone < this.#zoneAt + ZONE_EVERY_MS)) return
    // Only the service's clock is used, because this machine's clock may have been wrong at the upload.
    const stored = this.#transfers.byFileId(fileId)?.doneServer ?? null
    if (stored !== null) this.#learnZone(shown, stored)
  }

  refusedSize(size: number): void {
    const { smallestRefused, largestAccepted } = this.#evidence
    if (smallestRefused !== null && smallestRefused <= size) return
    if (size <= (largestAccepted ?? -1)) return
    this.#setEvidence({ ...this.#evidence, smallestRefused: size })
  }

  /** Discards the smallest refused size, because another plan may allow it. */
  forgetRefusedSize(): void {
    if (this.#evidence.smallestRefused !== null)
      this.#setEvidence({ ...this.#evidence, smallestRefused: null })
  }

  /**
   * Discards everything learned, because it doesn't apply to another account. Call when the account changes.
   */
  reset(): void {
    this.#samples = []
    this.#unit = null
    this.#sizesTell = true
    this.#zone = null
    this.#zoneAt = 0
    this.#evidence = noEvidence
    this.#ids = NO_IDS
    for (const key of ['samples', 'zone', 'zone-at', 'sizes', 'ids'] as const) this.#facts.set(key, null)
  }

  learnSize(sentBytes: number, receiptSize: number): void {
    const sample: ReceiptSample = { sentBytes, receiptSize }
    if (this.#unit === 'bytes' && sample.sentBytes === sample.receiptSize) return
    this.#samples = [...this.#samples, sample].slice(-SAMPLES_KEPT)
    this.#unit = learnUnit(this.#samples)
    this.#sizesTell = doSizesTell(this.#samples)
    this.#facts.set('samples', this.#samples)
  }

  #acceptedSize(size: number): void {
    const { smallestRefused, largestAccepted } = this.#evidence
    if (size <= (largestAccepted ?? -1)) return
    this.#setEvidence({
      largestAccepted: size,
      smallestRefused: smallestRefused !== null && smallestRefused <= size ? null : smallestRefused,
    })
  }

  #setEvidence(evidence: SizeEvidence): void {
    this.#evidence = evidence
    this.#facts.set('sizes', evidence)
  }

  #learnId(transferId: number, isGrown: boolean): void {
    const ids = this.#ids
    if (ids.grew >= GROWN_IDS_SURE && transferId % ID_SAMPLE !== 0) return
    if (ids.fell > 0 && ids.grew >= GROWN_IDS) return
    const next = isGrown ? { ...ids, grew: Math.min(1000, ids.grew + 1) } : { ...ids, fell: ids.fell + 1 }
    if (next.fell !== ids.fell || next.grew <= GROWN_IDS_KEPT) this.#facts.set('ids', next)
    this.#ids = next
  }

  #learnZone(shown: string, storedAt: number): void {
    if (storedAt <= this.#zoneAt) return
    const found = zoneFrom(shown, storedAt)
    if (found === null) return
    this.#zoneAt = storedAt
    if (found === this.#zone) return
    this.#zone = found
    this.#facts.set('zone', found)
    this.#facts.set('zone-at', storedAt)
  }
}

// Decides whether a receipt is that of the file that was sent. A service may answer with the receipt of a
// failed insert, of another file, or of a file that it had already; only what fits counts as stored. If size
// and name leave a doubt, the bytes behind the link decide.
import type { RemoteFile } from '../../api/types.ts'
import { type SizeUnit, sizeCouldBe } from '../budget/size-unit.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { COMPARE_MOST_BYTES } from '../remote/link-bytes.ts'
import { isStored } from '../tell/views.ts'
import type { Shared } from './adoption.ts'
import { type NameHabits, renamingOf } from './naming.ts'

export interface ReceiptEvidence {
  readonly name: string
  readonly size: number
  readonly receipt: RemoteFile
  /**
   * What an earlier transfer with the receipt's ID has stored there: the same content, or other content, with
   * the same link or another.
   */
  readonly holder: 'none' | 'same' | 'other' | 'other-link'
  readonly unit: SizeUnit | null
  readonly sizesTell: boolean
  readonly names: NameHabits
}

/**
 * | the receipt                                            | verdict |
 * |--------------------------------------------------------|---------|
 * | has the ID and link of other content of ours           | unfit   |
 * | has a link, our size, and a name that ours may become  | fits    |
 * | has a link and our size, where names were replaced     | fits    |
 * | has no link, but our size and name                     | fits    |
 * | anything else                                          | doubted |
 */
export function judgeReceipt({
  name,
  size,
  receipt,
  holder,
  unit,
  sizesTell,
  names,
}: ReceiptEvidence): 'fits' | 'doubted' | 'unfit' {
  if (holder === 'other') return 'unfit'
  if (holder === 'other-link') return 'doubted'
  const isNamed = receipt.filename !== null && renamingOf(name, receipt.filename) !== 'replaced'
  const isSized = receipt.size !== null && sizeCouldBe(size, receipt.size, unit)
  if (receipt.publicLink === null) return isNamed && isSized ? 'fits' : 'doubted'
  if (receipt.size !== null && !isSized) return isNamed && !sizesTell ? 'fits' : 'doubted'
  return isNamed || receipt.filename === null || names.replaced > 0 ? 'fits' : 'doubted'
}

export class ReceiptCheck {
  readonly #options: Shared

  constructor(options: Shared) {
    this.#options = options
  }

  /** Whether the receipt fits the upload. `sha256`: the hash of what was sent; null if unknown. */
  async fits(
    row: TransferRow,
    receipt: RemoteFile,
    sha256: string | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { limits, habits, links } = this.#options
    const holder = this.#holder(row, receipt, sha256)
    const verdict = judgeReceipt({
      name: habits.sendName(row),
      size: row.size,
      receipt,
      holder,
      unit: limits.unit(),
      sizesTell: limits.sizesTell(),
      names: habits.names,
    })
    if (verdict !== 'doubted') return verdict === 'fits'
    const { fileId, publicLink, size } = receipt
    if (fileId === null || publicLink === null || sha256 === null) return false
    if (row.size <= COMPARE_MOST_BYTES) {
      const isPlausible = (bytes: number): boolean => links.isPlausible(bytes, size, row.size)
      const got = await links.hash({ fileId, publicLink }, isPlausible, signal)
      if (typeof got === 'object') return got.sha256 === sha256
    }
    // The link can't be read, so nothing speaks against a receipt of our size but its name.
    return holder === 'none' && size !== null && sizeCouldBe(row.size, size, limits.unit())
  }

  #holder(
    row: TransferRow,
    { fileId, publicLink }: RemoteFile,
    sha256: string | null,
  ): ReceiptEvidence['holder'] {
    const { transfers } = this.#options
    const ofId = fileId === null ? null : transfers.byFileId(fileId)
    const ofLink = publicLink === null ? null : transfers.byLink(publicLink)
    const holder = ofLink !== null && ofLink.id !== row.id && isStored(ofLink) ? ofLink : ofId
    if (holder === null || holder.id === row.id || !isStored(holder)) return 'none'
    const isSame =
      holder.size === row.size && (holder.sha256 === null || sha256 === null || holder.sha256 === sha256)
    if (isSame) return 'same'
    return publicLink !== null && holder.publicLink !== null && publicLink !== holder.publicLink
      ? 'other-link'
      : 'other'
  }
}

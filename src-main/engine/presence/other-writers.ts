// Decides whether a file that was found for an unconfirmed upload may be someone else's: another computer or a browser may have stored a
// file of the same name and size at the same time. Such a file is adopted only if its bytes are the same, and never deleted.
import { isOtherFile } from '../journal/catalog-rows.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { judge } from './candidates.ts'
import type { ListLook } from './list-look.ts'
import { type Listed, type LostUpload, lostUpload, type ReconcilerOptions } from './lost-upload.ts'
import { type Dated, dated, sizeCouldBe } from './match.ts'

const MOST_FOREIGN = 200
const MOST_LOST = 2000

/**
 * `ours`: nothing suggests that someone else stored the file, and its date fits. `likely`: like `ours`, but the date doesn't confirm it, so
 * the bytes are compared if they can be read. `open`: the file may be someone else's or another version.
 */
type Origin = 'ours' | 'likely' | 'open'

export class OtherWriters {
  readonly #options: ReconcilerOptions
  /** Caches the results of `#wereSeenBy`. */
  readonly #looks = new WeakMap<ListLook, boolean>()

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  /**
   * Whether another writer was ever seen in this account. A positive result is stored in the journal, because the files that led to it may
   * be deleted later.
   */
  wereSeen(): boolean {
    const { remote } = this.#options
    if (remote.facts.get('other-writer') !== null) return true
    // Files from before the first read of the list are no sign of another writer.
    const isForeign = this.#isAnyForeign(remote.facts.get('first-list') ?? -1)
    if (isForeign) remote.facts.set('other-writer', true)
    return isForeign
  }

  /**
   * Decides whose file this is. Its name, size and age must match the upload. `sha256`: the hash of what was sent; null if unknown.
   */
  originOf(row: TransferRow, lost: LostUpload, file: Listed, sha256: string | null, look: ListLook): Origin {
    const when = this.dated(row, lost, file)
    // A file that was stored before the request is someone else's, or an earlier version that is listed late.
    if (when === 'before' || this.#mayBeOtherVersion(row.size, sha256) || this.#wereSeenBy(look)) return 'open'
    return when === 'during' ? 'ours' : 'likely'
  }

  /** Compares the file's date with the time from the upload's first request to the loss of its last answer. */
  dated(row: TransferRow, lost: LostUpload, file: Listed): Dated {
    const { intentAt, intentServer, lostAt } = row
    const end = intentAt === null || intentServer === null || lostAt === null ? null : intentServer + Math.max(0, lostAt - intentAt)
    return dated(file.uploadDate, this.#options.limits.zone(), { start: lost.server, end })
  }

  /** Whether a lost upload of this size with other or unknown content may still turn up. */
  #mayBeOtherVersion(size: number, sha256: string | null): boolean {
    return this.#options.doubts.ofSize(size).some((doubt) => doubt.sha256 === null || doubt.sha256 !== sha256)
  }

  /** Whether the catalog has a file that was first seen after the intent numbered `mark` and can't be one of our uploads. */
  #isAnyForeign(mark: number): boolean {
    const { doubts, remote } = this.#options
    const lost = this.#lost()
    return doubts.foreign(mark, MOST_FOREIGN).some((fileId) => {
      const file = remote.get(fileId)
      return file !== null && this.#isForeign(file, lost)
    })
  }

  /**
   * Like `wereSeen`, but also checks the files that this lookup has found for the first time, and those from before the first read of the
   * list: their writer may still be active, so a file is adopted, or deleted, only once its bytes show whose it is. Determined once per
   * lookup.
   */
  #wereSeenBy(look: ListLook): boolean {
    const known = this.#looks.get(look)
    if (known !== undefined) return known
    const { doubts, remote, transfers } = this.#options
    const lost = this.#lost()
    const isNew = ({ fileId, publicLink }: Listed): boolean => {
      const entry = remote.get(fileId)
      return entry === null || isOtherFile(entry, publicLink)
    }
    const isSeen =
      this.wereSeen() ||
      this.#isAnyForeign(-1) ||
      look.files.some(
        (file) =>
          isNew(file) &&
          !transfers.isReceipt(file.fileId, -1) &&
          !remote.isRemoval(file.fileId) &&
          !doubts.isTwin(file.fileId) &&
          this.#isForeign(file, lost),
      )
    this.#looks.set(look, isSeen)
    return isSeen
  }

  /** The lost uploads whose files may still turn up: open doubts and unconfirmed uploads. */
  #lost(): readonly LostUpload[] {
    const { doubts, transfers, sentName } = this.#options
    return [
      ...doubts
        .all(MOST_LOST)
        .map(({ transferId, name, size, mark, above, server }) => ({ rowId: transferId, name, size, mark, above, server })),
      ...transfers.unknown(MOST_LOST).map((row) => lostUpload(row, [], sentName(row))),
    ]
  }

  /** Whether the file can't be one of our uploads that is unconfirmed or in flight. */
  #isForeign(file: Listed, lost: readonly LostUpload[]): boolean {
    const { doubts, limits } = this.#options
    const isOfSize = (bytes: number): boolean => file.size === null || !limits.sizesTell() || sizeCouldBe(bytes, file.size, limits.unit())
    if (doubts.uploadingSizes().some(isOfSize)) return false
    return !lost.some((one) => isOfSize(one.size) && judge(this.#options, one, file, -1) !== 'no')
  }
}

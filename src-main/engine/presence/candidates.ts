// Finds the listed files that may be an unconfirmed upload: those that appeared after its request, match its
// size and age, and don't belong to another transfer. Also decides whether such a file may be someone else's:
// another computer or a browser may have stored a file of the same name and size at the same time. Such a
// file is adopted only if its bytes are the same, and never deleted.

import { sizeCouldBe } from '../budget/size-unit.ts'
import type { OpenDoubt } from '../journal/doubts.ts'
import { isOtherFile } from '../journal/remote-list.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Shared } from './adoption.ts'
import { type ListLook, wasBefore } from './list-look.ts'
import {
  byLikelihood,
  type Candidacy,
  candidacy,
  type Dated,
  dated,
  type Listed,
  type LostUpload,
  shownAt,
} from './match.ts'
import { keepsNames, nameRank, namesIdentify } from './naming.ts'

/**
 * Maximum number of files to request per upload and lookup. Without this limit, an account with many files
 * whose list shows only IDs would use up its rate limit.
 */
const MOST_ASKED = 24
const MOST_FOREIGN = 200
const MOST_LOST = 2000

/**
 * `ours`: nothing suggests that someone else stored the file, and its date fits. `likely`: like `ours`, but
 * the date doesn't confirm it, so the bytes are compared if they can be read. `open`: the file may be someone
 * else's or another version.
 */
type Origin = 'ours' | 'likely' | 'open'

/** `sha256`: the hash of what was sent; null if unknown. */
type Lost = LostUpload & { readonly sha256: string | null }

export class Candidates {
  readonly #options: Shared
  /** Caches the results of `#wereOthersIn`. */
  readonly #looks = new WeakMap<ListLook, boolean>()

  constructor(options: Shared) {
    this.#options = options
  }

  /**
   * Describes an unconfirmed upload by the first request for the same content, as far as known, because any
   * file that has appeared since then may be the upload.
   */
  lost(row: TransferRow): LostUpload {
    const { doubts, habits } = this.#options
    const isSame = (doubt: OpenDoubt): boolean =>
      doubt.size === row.size && (doubt.sha256 === null || row.sha256 === null || doubt.sha256 === row.sha256)
    const first = doubts.of(row.id).find(isSame)
    return first === undefined ? this.#request(row) : { ...ofDoubt(first), name: habits.sentName(row) }
  }

  /**
   * Judges whether the file may be the lost upload. `except`: ID of a transfer that may already have the file
   * as its receipt; -1 for none.
   */
  judge(lost: LostUpload, file: Listed, except: number): Candidacy {
    const { remote, transfers, habits, limits } = this.#options
    return candidacy(lost, file, {
      unit: limits.unit(),
      zone: limits.zone(),
      idAbove: limits.idsGrow() ? lost.above : null,
      wasBefore: () => wasBefore(remote, file, lost.mark),
      taken: () =>
        !isOtherFile(remote.get(file.fileId), file.publicLink) &&
        (remote.isRemoval(file.fileId) || transfers.isReceipt(file.fileId, except)),
      namesIdentify: namesIdentify(habits.names),
      sizesTell: limits.sizesTell(),
    })
  }

  /**
   * Returns those of these files that may be the lost upload, with the fields that the list omits, the
   * likeliest first. `only`: the single file that matches by name, size and age; null if none or several do.
   */
  async find(
    lost: LostUpload,
    files: readonly Listed[],
    look: ListLook,
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly Listed[]; readonly only: Listed | null }> {
    const sure: Listed[] = []
    const maybe: Listed[] = []
    const { names } = this.#options.habits
    const possible = files.filter((file) => this.judge(lost, file, lost.rowId) !== 'no')
    let asked = 0
    for (const file of byLikelihood(possible, lost.name, names)) {
      const { file: full, isAsked } = await look.filled(file, asked < MOST_ASKED, signal)
      if (isAsked) asked++
      const kind = this.judge(lost, full, lost.rowId)
      if (kind !== 'no') (kind === 'sure' ? sure : maybe).push(full)
    }
    return {
      files: [...sure, ...byLikelihood(maybe, lost.name, names)],
      only: sure.length === 1 ? (sure[0] ?? null) : null,
    }
  }

  /**
   * Decides whose file this is. Its name, size and age must match the upload. `sha256`: the hash of what was
   * sent; null if unknown.
   */
  originOf(row: TransferRow, lost: LostUpload, file: Listed, sha256: string | null, look: ListLook): Origin {
    const when = this.dated(row, lost, file)
    // A file that was stored before the request is someone else's, or an earlier version that is listed late.
    // The writer of files from before the first read of the list may still be active.
    if (when === 'before' || this.#isAnyForeign(-1) || this.#wereOthersIn(look)) return 'open'
    // A lost upload of this size with other or unknown content may still turn up.
    if (
      this.#options.doubts.ofSize(row.size).some((doubt) => doubt.sha256 === null || doubt.sha256 !== sha256)
    )
      return 'open'
    return when === 'during' ? 'ours' : 'likely'
  }

  /**
   * Compares the file's date with the time from the upload's first request to the loss of its last answer.
   */
  dated({ intentAt, intentServer, lostAt }: TransferRow, lost: LostUpload, file: Listed): Dated {
    const end =
      intentAt === null || intentServer === null || lostAt === null
        ? null
        : intentServer + Math.max(0, lostAt - intentAt)
    return dated(file.uploadDate, this.#options.limits.zone(), { start: lost.server, end })
  }

  /**
   * Whether a file with the bytes of a lost upload may be deleted as that upload: no other writer was ever
   * seen, the service could have given it this name and, if the upload was cancelled and then proved not to
   * be there, it was stored before that.
   */
  isOwn(doubt: OpenDoubt, isCancelled: boolean, file: Listed, look: ListLook): boolean {
    const { habits, limits, budget, ports } = this.#options
    const { name, provedAt } = doubt
    // Bytes may have been read since others in this list were last judged.
    if (this.#areOthersIn(look)) return false
    if (keepsNames(habits.names, name) && nameRank(name, file.filename, habits.names) === 4) return false
    if (provedAt === null || !isCancelled) return true
    const date = shownAt(file.uploadDate, limits.zone())
    const server = budget.serverNow()
    return date !== null && server !== null && date.at <= provedAt + server - ports.clock.now()
  }

  /**
   * Whether another writer was ever seen in this account. A positive result is stored in the journal, because
   * the files that led to it may be deleted later.
   */
  #wereOthers(): boolean {
    const { facts } = this.#options.remote
    if (facts.get('other-writer') !== null) return true
    // Files from before the first read of the list are no sign of another writer.
    const isForeign = this.#isAnyForeign(facts.get('first-list') ?? -1)
    if (isForeign) facts.set('other-writer', true)
    return isForeign
  }

  /**
   * Like `#wereOthers`, but also checks the files that this lookup has found for the first time. Determined
   * once per lookup.
   */
  #wereOthersIn(look: ListLook): boolean {
    const isSeen = this.#looks.get(look) ?? this.#areOthersIn(look)
    this.#looks.set(look, isSeen)
    return isSeen
  }

  #areOthersIn(look: ListLook): boolean {
    const { doubts, remote, transfers } = this.#options
    const lost = this.#allLost()
    const isNew = ({ fileId, publicLink }: Listed): boolean => {
      const entry = remote.get(fileId)
      const isOurs = transfers.isReceipt(fileId, -1) || remote.isRemoval(fileId) || doubts.isTwin(fileId)
      return (entry === null || isOtherFile(entry, publicLink)) && !isOurs
    }
    return this.#wereOthers() || look.files.some((file) => isNew(file) && this.#isForeign(file, lost))
  }

  /**
   * Whether the catalog has a file that was first seen after the intent numbered `mark` and can't be one of
   * our uploads.
   */
  #isAnyForeign(mark: number): boolean {
    const { doubts, remote } = this.#options
    const lost = this.#allLost()
    return doubts.foreign(mark, MOST_FOREIGN).some((fileId) => {
      const file = remote.get(fileId)
      return file !== null && this.#isForeign(file, lost)
    })
  }

  /** The lost uploads whose files may still turn up: open doubts and unconfirmed uploads. */
  #allLost(): readonly Lost[] {
    const { doubts, transfers } = this.#options
    return [
      ...doubts.all(MOST_LOST).map((doubt) => ({ ...ofDoubt(doubt), sha256: doubt.sha256 })),
      ...transfers.unknown(MOST_LOST).map((row) => ({ ...this.#request(row), sha256: row.sha256 })),
    ]
  }

  /** Whether the file can't be one of our uploads that is unconfirmed or in flight. */
  #isForeign(file: Listed, lost: readonly Lost[]): boolean {
    const { doubts, likes, limits } = this.#options
    const isOfSize = (bytes: number): boolean =>
      file.size === null || !limits.sizesTell() || sizeCouldBe(bytes, file.size, limits.unit())
    if (doubts.uploadingSizes().some(isOfSize)) return false
    const bytes = likes.bytesOf(file.fileId)
    const isOfBytes = ({ size, sha256 }: Lost): boolean =>
      bytes === null || (bytes.bytes === size && (sha256 === null || sha256 === bytes.sha256))
    return !lost.some((one) => isOfSize(one.size) && isOfBytes(one) && this.judge(one, file, -1) !== 'no')
  }

  /** The last request of an unconfirmed upload. */
  #request(row: TransferRow): LostUpload {
    const { id, size, intentMark, intentAbove } = row
    return {
      rowId: id,
      name: this.#options.habits.sentName(row),
      size,
      mark: intentMark,
      above: intentAbove,
      server: row.intentServer ?? this.#serverAt(row),
    }
  }

  /**
   * When the request began by the service's clock, if that became known only afterwards. Measured by uptime
   * since the loss, because the wall clock may have been changed.
   */
  #serverAt({ intentAt, lostAt, lostUp }: TransferRow): number | null {
    const { budget, ports } = this.#options
    const [server, up] = [budget.serverNow(), ports.clock.uptime()]
    if (server === null || up === null || lostUp === null || up < lostUp) return null
    if (intentAt === null || lostAt === null) return null
    return server - (up - lostUp) - Math.max(0, lostAt - intentAt)
  }
}

export function ofDoubt({ transferId, name, size, mark, above, server }: OpenDoubt): LostUpload {
  return { rowId: transferId, name, size, mark, above, server }
}

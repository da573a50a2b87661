// Applies the scanner's findings to the transfers: a new or changed file is observed until it is finished and
// then enqueued, a moved file keeps its link, and a deleted or ignored file is no longer sent; what
// was uploaded of it stays. Call all methods inside a transaction.

import { sameVersion } from '../disk/content.ts'
import { absolute, child } from '../disk/rel-path.ts'
import type { FileRow, Files } from '../journal/files.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Clock, Entry } from '../ports.ts'
import { NESTED_RULE, releasedAfterMove } from '../rules/admission.ts'
import type { Guard } from '../rules/guard.ts'
import type { Bus } from '../tell/bus.ts'
import { isLeftPublic } from '../tell/views.ts'
import type { Aggregator } from './aggregator.ts'
import type { ContentCheck, MovedBytes } from './content-check.ts'
import { type Enqueuer, isInFlight, isUndecided, isUnsent, UNVERIFIED_CTIME } from './enqueue.ts'
import { fileRow } from './entries.ts'
import { type ExistingFiles, isExisting, LEFT_RULE } from './existing-files.ts'
import type { FolderRules } from './folder-rules.ts'
import type { FolderState } from './folder-state.ts'
import type { Found, ScanSink, Touched } from './scan-run.ts'
import { isOldEnough, type Settle } from './settle.ts'

export interface FindingsOptions {
  readonly files: Files
  readonly transfers: Transfers
  readonly guard: Guard
  readonly state: FolderState
  readonly rules: FolderRules
  readonly existing: ExistingFiles
  readonly moved: MovedBytes
  readonly settle: Settle
  readonly check: Pick<ContentCheck, 'add'>
  readonly enqueuer: Enqueuer
  readonly clock: Pick<Clock, 'after'>
  readonly aggregator: Pick<Aggregator, 'add'>
  readonly bus: Pick<Bus, 'changed'>
}

/**
 * Delay before a path is scanned again. Related rename events arrive within this time, even on a busy
 * machine.
 */
const LOOK_AGAIN_MS = 200

/** Maximum number of paths in `#doubted`. */
const DOUBTED_MAX = 5000

export class Findings implements ScanSink {
  readonly #options: FindingsOptions
  /**
   * The inodes of files seen in place of known ones, by path. A second scan decides whether the known file
   * was moved or replaced.
   */
  readonly #doubted = new Map<string, number>()

  constructor(options: FindingsOptions) {
    this.#options = options
  }

  found(found: Found): void {
    const {
      dir,
      name,
      entry,
      seenAt,
      readAt,
      known: row,
      late,
      isDownload,
      skippedAs,
      hasChanged,
      isWhole,
    } = found
    const { files, state, existing, moved, settle, check, enqueuer } = this.#options
    const path = absolute(state.path, dir, name)
    state.noteChange()
    const last = this.#transferOf(row)
    const isOther = row !== null && row.ino !== 0 && row.ino !== entry.ino
    // The uploaded file has moved away from this path, as in log rotation. So the entry is a new file, not a
    // new version of the old one.
    const hasMoved = isOther && last?.state === 'done' && (last.away || last.path !== path)
    const [known, prior] = hasMoved ? [null, null] : [row, last]
    const skipRule = existing.ruleFor(dir, entry, { late, skippedAs, hasChanged, readAt, prior: last })
    // What the nested folder has uploaded belongs to this folder now, under the same link.
    if (skipRule !== null && !(skipRule === LEFT_RULE && existing.isUploaded(dir, entry))) {
      this.#foundExisting(dir, name, entry, prior, skipRule)
      return
    }
    if (prior !== null && isInFlight(prior)) {
      enqueuer.recheckLater(prior.id)
      return
    }
    // The earlier file may have been renamed rather than replaced. A rename may be noticed only a moment
    // later, so a second scan decides.
    const isDoubted = isOther && prior?.state === 'done' && state.row.onChange !== 'new-link' && !isWhole
    if (isDoubted && this.#isFirstSight(path, entry)) {
      this.#lookAgain(child(dir, name))
      return
    }
    if (prior !== null && prior.state === 'done' && state.row.onChange === 'ignore') {
      const seen = fileRow(state.id, dir, name, entry, { transferId: prior.id })
      if (entry.size !== prior.size || prior.sha256 === null) files.put(seen)
      else {
        // If only the mtime differs, the bytes may be those that were sent, and then nothing has changed. If
        // the process ends before they are compared, the next scan compares them.
        files.put({ ...seen, ctime: UNVERIFIED_CTIME })
        // A file in use, such as a disk image, would be read over and over if every change were compared. So
        // only the first change is compared, and a later one only if it is more than two seconds old.
        const isFirst = row !== null && row.mtime === prior.mtime && row.ctime !== UNVERIFIED_CTIME
        if (isFirst || isOldEnough(entry, seenAt))
          check.add({ dir, name, path, entry, transferId: prior.id, sha256: prior.sha256 })
      }
      return
    }
    // A different file has taken this name, so the earlier one may have been renamed.
    if (isOther && prior?.state === 'done') moved.markAway(prior)
    if (!settle.isPending(path) && !isDownload && isOldEnough(entry, seenAt)) {
      enqueuer.enqueue({ dir, name, entry, row: known })
      return
    }
    files.put(fileRow(state.id, dir, name, entry, { class: 'settling', transferId: prior?.id ?? null }))
    settle.watch(path, entry)
  }

  touched({ dir, name, entry, row }: Touched): void {
    const { files, transfers, state, check, enqueuer, bus } = this.#options
    const t = this.#transferOf(row)
    if (t !== null && isInFlight(t)) {
      enqueuer.recheckLater(t.id)
      return
    }
    // A file that was unreadable may be readable now: changing its permissions changes the ctime.
    if (t !== null && t.state === 'failed' && t.reason === 'unreadable') {
      transfers.transition(t.id, { kind: 'requeued' })
      bus.changed(t.id)
    }
    const mayBeSent = t !== null && isUndecided(t)
    const sent = t !== null && (t.state === 'done' || t.state === 'cancelled' || mayBeSent) ? t.sha256 : null
    const isTouched = t !== null && t.state === 'done' && t.size === entry.size && t.mtime !== entry.mtime
    if (t !== null && sent !== null && (state.row.onChange !== 'ignore' || isTouched || mayBeSent)) {
      check.add({ dir, name, path: absolute(state.path, dir, name), entry, transferId: t.id, sha256: sent })
      return
    }
    // There is nothing to compare: the file hasn't been sent, the hash of what was sent isn't known, or the
    // folder ignores changes.
    files.put({ ...row, ino: entry.ino, dev: entry.dev, ctime: entry.ctime })
    // The user approved the content they saw, and this may be different content.
    if (t !== null && sent === null && t.released !== null) enqueuer.revokeRelease(t, row)
  }

  /**
   * Enqueues a known file whose bytes differ from those that were sent, although its size and mtime don't
   * show it. If the folder skips the file as existing, only records that. `readAt`: epoch milliseconds, no
   * earlier than the time at which `entry` was read.
   */
  otherBytes(row: FileRow, entry: Entry, readAt: number): void {
    const { files, state, existing, enqueuer } = this.#options
    const { dir, name } = row
    const prior = this.#transferOf(row)
    state.noteChange()
    // The user approved the content they saw, and this is different content.
    if (prior !== null && isUndecided(prior) && prior.released !== null) enqueuer.revokeRelease(prior, row)
    const rule = existing.ruleFor(dir, entry, {
      late: true,
      skippedAs: null,
      hasChanged: false,
      readAt,
      prior,
    })
    if (rule !== null) files.put(fileRow(state.id, dir, name, entry, { class: 'ignored', rule }))
    else enqueuer.enqueue({ dir, name, entry, row, hasOtherBytes: true })
  }

  /**
   * Handles the hash (`sha256`) of a file that is skipped as existing until its bytes have been compared. If
   * an upload has the same bytes and its file is no longer at its path, this file takes over the link of that
   * upload. Otherwise, the file stays skipped.
   */
  compared(dir: string, name: string, entry: Entry, sha256: string): void {
    const { files, transfers, state, enqueuer } = this.#options
    const row = files.file(state.id, dir, name)
    if (row === null || !isExisting(row) || row.ctime !== UNVERIFIED_CTIME || !sameVersion(row, entry)) return
    const isOneOf = (hash: string | null): boolean =>
      transfers.hasAwayContent(state.id, entry.size, entry.mtime, hash)
    if (isOneOf(sha256)) {
      state.noteChange()
      const newest = transfers.newestOfPath(absolute(state.path, dir, name))
      // Another file may take over that link first. In that case, this file isn't sent (`isExisting`).
      enqueuer.enqueue({
        dir,
        name,
        entry,
        row,
        hasOtherBytes: newest !== null && newest.sha256 !== sha256,
        isExisting: true,
      })
    }
    // While the hash of an upload in flight isn't known, the row keeps UNVERIFIED_CTIME, so that the next
    // scan compares the file again.
    else if (!isOneOf(null)) files.put({ ...row, ino: entry.ino, dev: entry.dev, ctime: entry.ctime })
  }

  vanished(row: FileRow): void {
    const { transfers, state, existing, moved, settle, bus } = this.#options
    const path = absolute(state.path, row.dir, row.name)
    state.noteChange()
    settle.forget(path)
    existing.remember(row)
    const t = this.#transferOf(row)
    // A done transfer with another path has already been assigned to the file's new name, so its file isn't
    // missing.
    if (t === null || (t.state === 'done' && t.path !== path)) return
    if (t.state === 'done' || isInFlight(t)) moved.markAway(t)
    // A cancelled transfer whose content was deleted keeps its state, so that the same bytes aren't published
    // again if the file comes back.
    else if (t.ended === null) transfers.transition(t.id, { kind: 'vanished' })
    bus.changed(t.id)
  }

  left(row: FileRow): void {
    const t = this.#transferOf(row)
    if (t !== null && (t.state === 'done' || isInFlight(t))) this.#options.moved.markAway(t)
  }

  moved(row: FileRow, from: string, entry: Entry): void {
    const { files, transfers, guard, state, rules, settle, bus } = this.#options
    state.noteChange()
    const path = absolute(state.path, row.dir, row.name)
    if (row.class === 'settling') {
      settle.forget(from)
      settle.watch(path, entry)
    }
    const t = this.#transferOf(row)
    if (t === null) return
    const released = releasedAfterMove(guard, t.released, from, path)
    transfers.setPath(t.id, path, row.name, {
      named: rules.typedPath(row.dir, row.name),
      folderId: state.id,
      released,
    })
    bus.changed(t.id)
    if (!isUnsent(t)) return
    // The rename changed the ctime. No comparison is needed, because an unsent file is read when it is sent.
    files.put({ ...row, ctime: entry.ctime })
    this.#judgeMoved(row, t, released)
  }

  ruledOut(row: FileRow, rule: string, moved: boolean): void {
    const { transfers, state, settle, enqueuer } = this.#options
    state.noteChange()
    settle.forget(absolute(state.path, row.dir, row.name))
    const t = this.#transferOf(row)
    // A nested folder governs the file now and sends it.
    if (t === null || rule === NESTED_RULE) return
    if (t.state === 'done' && moved) transfers.setAway(t.id, true)
    enqueuer.cancelByRule(t, rule)
  }

  /**
   * Skips a file by the rule of existing files or of those left in a nested folder. A file whose earlier
   * upload has the same size is compared by its bytes instead. If there is an upload of this size and mtime
   * whose file is no longer at its path, this may be the same file under a new name. In that case, the file
   * is skipped only until its bytes have been compared.
   */
  #foundExisting(dir: string, name: string, entry: Entry, last: TransferRow | null, rule: string): void {
    const { files, transfers, state, check, enqueuer } = this.#options
    const path = absolute(state.path, dir, name)
    const newest = rule === LEFT_RULE ? transfers.newestOfPath(path) : null
    const uploaded = newest?.state === 'done' ? newest : null
    // This folder takes over what the nested folder has uploaded, but none of its other transfers.
    if (uploaded !== null) enqueuer.adopt(uploaded)
    const prior = rule === LEFT_RULE ? uploaded : last
    if (prior?.sha256 != null && prior.size === entry.size) {
      files.put(fileRow(state.id, dir, name, entry, { transferId: prior.id, ctime: UNVERIFIED_CTIME }))
      check.add({ dir, name, path, entry, transferId: prior.id, sha256: prior.sha256 })
      return
    }
    if (prior === null) enqueuer.cancelOuter(path)
    const row = fileRow(state.id, dir, name, entry, { class: 'ignored', rule })
    const mayHaveMoved = transfers.hasAwayVersion(state.id, entry.size, entry.mtime)
    // An upload that the nested folder began may still complete, so the next scan checks the file again.
    const isUnderWay = newest !== null && isInFlight(newest)
    files.put(mayHaveMoved || isUnderWay ? { ...row, ctime: UNVERIFIED_CTIME } : row)
    if (mayHaveMoved) check.add({ dir, name, path, entry, transferId: null, sha256: null })
  }

  /** Applies the rules for the new name to a file that hasn't been sent. */
  #judgeMoved(row: FileRow, t: TransferRow, released: string | null): void {
    const { files, transfers, rules, enqueuer } = this.#options
    const verdict = rules.judge(row.dir, row.name, row.size, released)
    if (verdict.kind === 'ignored') {
      enqueuer.cancelByRule(t, verdict.rule)
      files.put({ ...row, class: 'ignored', rule: verdict.rule, transferId: null })
      return
    }
    // The transfer stays held. Only its message mentions a file that is still public, and sending it again
    // would overwrite the message.
    if (t.state === 'held' && isLeftPublic(t)) return
    if (verdict.kind === 'held')
      transfers.transition(t.id, { kind: 'held', reason: verdict.reason, message: verdict.rule })
    // The new name no longer looks like a secret. If the content was the reason, the check before sending
    // holds the file again.
    else if (t.state === 'held' && t.reason === 'secret') transfers.transition(t.id, { kind: 'requeued' })
  }

  /**
   * Whether a file other than the known one is seen at this path for the first time. The next call with the
   * same file returns false.
   */
  #isFirstSight(path: string, entry: Entry): boolean {
    if (this.#doubted.get(path) === entry.ino) return false
    if (this.#doubted.size > DOUBTED_MAX) this.#doubted.clear()
    this.#doubted.set(path, entry.ino)
    return true
  }

  #lookAgain(rel: string): void {
    const { clock, aggregator } = this.#options
    clock.after(LOOK_AGAIN_MS, () => aggregator.add({ kind: 'path', rel }))
  }

  #transferOf(row: FileRow | null): TransferRow | null {
    return row?.transferId == null ? null : this.#options.transfers.get(row.transferId)
  }
}

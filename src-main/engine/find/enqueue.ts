// Turns a finished version of a file into a transfer: adds a row, updates a pending row to this version, or
// keeps the row that already has it. Call methods that change rows inside a transaction.
import type { OnChange } from '../../../src-shared/model.ts'
import { absolute, below } from '../disk/rel-path.ts'
import type { Claims } from '../journal/claims.ts'
import type { FileRow, Files, FolderRow } from '../journal/files.ts'
import { PRIORITY } from '../journal/transfer-row.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { TransferEvent } from '../journal/transitions.ts'
import type { Clock, Entry } from '../ports.ts'
import { NESTED_RULE, ruledOutMessage, type Verdict, withoutSecret } from '../rules/admission.ts'
import type { Bus } from '../tell/bus.ts'
import { isLeftPublic } from '../tell/views.ts'
import { rhythmWait, VERSIONS_MAX } from './change-rhythm.ts'
import { type ContentCheck, type MovedBytes, type Relook } from './content-check.ts'
import { fileRow } from './entries.ts'
import { EXISTING_RULE } from './existing-files.ts'
import type { FolderRules } from './folder-rules.ts'
import type { FolderState } from './folder-state.ts'

/**
 * A file that changed more recently than this is checked again a few times, because some writes raise no
 * event.
 */
const RECENT_MS = 10 * 60_000
/** A ctime that no file has. It marks the row of a file whose bytes haven't been compared yet. */
export const UNVERIFIED_CTIME = -1

/**
 * Once this many newly saved files of a folder are queued, further ones are no more urgent than those found: a
 * program writes them, or they were moved in together.
 */
const SAVED_AT_ONCE = 10

/** With `ask`, the version is replaced only if the user says so. */
const REPLACING: ReadonlySet<OnChange> = new Set<OnChange>(['replace', 'ask'])

export interface EnqueueOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly files: Files
  readonly transfers: Transfers
  readonly claims: Pick<Claims, 'hasEnded'>
  readonly state: FolderState
  readonly rules: FolderRules
  readonly moved: MovedBytes
  readonly relook: Pick<Relook, 'watch'>
  readonly check: Pick<ContentCheck, 'add'>
  readonly bus: Pick<Bus, 'changed'>
}

/** A version of a file that no program seems to be writing to any more. */
export interface FinishedFile {
  /** Relative to the folder. */
  readonly dir: string
  readonly name: string
  readonly entry: Entry
  /** The journal's row under this name, or null. */
  readonly row: FileRow | null
  /**
   * The file has the size and mtime of the sent version, but a comparison has shown that its bytes differ.
   */
  readonly hasOtherBytes?: boolean
  /**
   * The folder skips the file as existing, that is, because it was there before the folder was watched. Its
   * transfer may take over the link of an upload with the same bytes, but sends nothing.
   */
  readonly isExisting?: boolean
}

type Held = Extract<Verdict, { readonly kind: 'held' }> | null

/** Whether a request is in flight or its response was lost. Either way, the row keeps its version. */
export function isInFlight(t: TransferRow): boolean {
  return t.state === 'uploading' || t.state === 'unknown'
}

/** Whether the transfer is pending and not in flight, and can therefore still be changed or cancelled. */
export function isUnsent(t: TransferRow): boolean {
  return t.state === 'queued' || t.state === 'waiting' || t.state === 'held' || t.state === 'failed'
}

/**
 * Whether the transfer is held because an earlier upload of its bytes may have arrived, so that the same
 * bytes must not be sent again.
 */
export function isUndecided(t: TransferRow): boolean {
  return t.state === 'held' && (t.reason === 'unconfirmed' || t.reason === 'ambiguous')
}

function isOver(t: TransferRow): boolean {
  return t.state === 'done' || t.state === 'gone' || t.state === 'cancelled'
}

/**
 * Whether there is nothing to do for this version: it was uploaded (even if it has been deleted since), its
 * transfer isn't over, or the transfer was cancelled because its content had been deleted.
 */
function isSettledFor(t: TransferRow): boolean {
  return t.state !== 'gone' && (t.state !== 'cancelled' || t.ended !== null)
}

export class Enqueuer {
  readonly #options: EnqueueOptions
  /** Transfers whose file changed while they were in flight. */
  readonly #recheck = new Set<number>()

  constructor(options: EnqueueOptions) {
    this.#options = options
  }

  /**
   * Notes that the file of a transfer in flight has changed and must be checked once the transfer has ended.
   */
  recheckLater(transferId: number): void {
    this.#recheck.add(transferId)
  }

  /**
   * Whether the file must be checked now that its transfer has ended. Returns true only once after
   * `recheckLater`.
   */
  takeRecheck(transferId: number): boolean {
    return this.#recheck.delete(transferId)
  }

  enqueue(file: FinishedFile): void {
    const { clock, state, rules, relook } = this.#options
    const { dir, name, entry, row } = file
    const path = absolute(state.path, dir, name)
    if (clock.now() - Math.max(entry.mtime, entry.ctime) < RECENT_MS) relook.watch(path, entry)
    const { prior, newest } = this.#earlierOf(path, row)
    if (prior !== null && isInFlight(prior)) {
      this.recheckLater(prior.id)
      // The file's row keeps the version in flight; the check after the transfer's end notices the
      // difference.
      this.#track(file, prior.id, { size: prior.size, mtime: prior.mtime, ctime: null })
      return
    }
    const isSame = prior !== null && prior.size === entry.size && prior.mtime === entry.mtime
    const verdict = rules.judge(dir, name, entry.size, isSame ? prior.released : null)
    if (verdict.kind === 'ignored') {
      this.#ignore(file, prior, verdict.rule)
      return
    }
    const held = verdict.kind === 'held' ? verdict : null
    if (prior !== null && !isOver(prior)) {
      this.#update(file, prior, isSame, held)
      return
    }
    const isKnown =
      newest !== null && newest.size === entry.size && newest.mtime === entry.mtime && isSettledFor(newest)
    if (isKnown && file.hasOtherBytes !== true) this.#keep(file, path, newest)
    else this.#add(file, path, prior ?? (newest?.state === 'cancelled' ? newest : null), newest, held)
  }

  /**
   * Cancels the transfer of a file that a rule now ignores. An upload in flight may finish, and an uploaded
   * file stays on the service.
   */
  cancelByRule(t: TransferRow, rule: string): void {
    if (!isUnsent(t)) return
    this.#options.transfers.transition(t.id, { kind: 'cancelled', message: ruledOutMessage(rule) })
    this.#options.bus.changed(t.id)
  }

  /**
   * Cancels an outer folder's unsent transfer of a file that this folder now skips as existing, unless the
   * user named the file.
   */
  cancelOuter(path: string): void {
    const { files, transfers, state } = this.#options
    const t = transfers.newestOfPath(path)
    if (t === null || t.folderId === null || t.folderId === state.id || t.token !== null || isOver(t)) return
    const outer = files.folder(t.folderId)
    if (outer === null || below(outer.path, state.path) === null) return
    this.cancelByRule(t, EXISTING_RULE)
    // Lets the outer folder find the file again if this folder is no longer watched.
    files.dropElsewhere(t.id, state.id)
  }

  /** Withdraws the user's approval of a secret, so that they are asked about the file's current content. */
  revokeRelease(t: TransferRow, row: FileRow): void {
    const { transfers, rules, bus } = this.#options
    transfers.setReleased(t.id, withoutSecret(t.released))
    const verdict = rules.judge(row.dir, row.name, row.size, null)
    if (verdict.kind === 'held' && (t.state === 'queued' || t.state === 'waiting' || t.state === 'failed'))
      transfers.transition(t.id, { kind: 'held', reason: verdict.reason, message: verdict.rule })
    bus.changed(t.id)
  }

  /**
   * The earlier transfers of a file. `newest`: the newest transfer of the path, in any state. `prior`: the
   * transfer recorded in the file's row. If the row has none, a `newest` that isn't over is assigned to this
   * folder and returned as `prior`.
   */
  #earlierOf(
    path: string,
    row: FileRow | null,
  ): { readonly prior: TransferRow | null; readonly newest: TransferRow | null } {
    const { transfers } = this.#options
    const newest = transfers.newestOfPath(path)
    if (row?.transferId != null) return { prior: transfers.get(row.transferId), newest }
    if (newest === null || isOver(newest)) return { prior: null, newest }
    this.adopt(newest)
    return { prior: newest, newest }
  }

  /** Assigns a transfer to this folder if it belongs to another folder, which no longer governs the file. */
  adopt(t: TransferRow): void {
    const { transfers, state } = this.#options
    if (t.folderId !== null && t.folderId !== state.id) transfers.setFolder(t.id, state.id)
  }

  #ignore({ dir, name, entry }: FinishedFile, prior: TransferRow | null, rule: string): void {
    const { files, state } = this.#options
    if (prior !== null) this.cancelByRule(prior, rule)
    if (rule === NESTED_RULE) files.drop(state.id, dir, name)
    else files.put(fileRow(state.id, dir, name, entry, { class: 'ignored', rule }))
  }

  /**
   * Updates a pending transfer to this version, unless the transfer is undecided and may already have the
   * same bytes.
   */
  #update(file: FinishedFile, prior: TransferRow, isSame: boolean, held: Held): void {
    const { transfers, bus } = this.#options
    const mayBeSame = prior.size === file.entry.size && prior.sha256 !== null && file.hasOtherBytes !== true
    if (isUndecided(prior) && !isSame && mayBeSame) {
      this.#keep(file, absolute(this.#options.state.path, file.dir, file.name), prior)
      return
    }
    transfers.setVersion(prior.id, file.entry.size, file.entry.mtime)
    // The transfer stays held, because the user has yet to decide whether this version is already on the
    // service.
    if (isSame && prior.reason === 'ambiguous') {
      this.#track(file, prior.id)
      return
    }
    // The transfer stays held, because only its message shows that an earlier version is public.
    if (prior.state === 'held' && isLeftPublic(prior)) {
      this.#track(file, prior.id)
      bus.changed(prior.id)
      return
    }
    if (held !== null)
      transfers.transition(prior.id, { kind: 'held', reason: held.reason, message: held.rule })
    else if (!this.#isPutOff(prior)) {
      transfers.transition(prior.id, { kind: 'requeued' })
      transfers.attempts(prior.id, 0)
    }
    this.#track(file, prior.id)
    bus.changed(prior.id)
  }

  /** A file that is saved while others are uploaded doesn't wait for them, unless it is one of many. */
  #priority({ isExisting }: FinishedFile): number {
    const { files, transfers, state } = this.#options
    const isNew = isExisting !== true && files.folder(state.id)?.lastScanAt != null
    return isNew && !transfers.hasSaved(state.id, SAVED_AT_ONCE) ? PRIORITY.saved : PRIORITY.found
  }

  /**
   * Lets the user cancel the upload of a new file for as long as the folder says. Files that were there before
   * the folder was watched have been asked about, so those of the first scan don't wait.
   */
  #wait(id: number): void {
    const { clock, files, transfers, state } = this.#options
    const wait = graceOf(state.row, transfers.get(id), clock.now())
    if (wait !== null && files.folder(state.id)?.lastScanAt != null) transfers.transition(id, wait)
  }

  /**
   * Whether the transfer is deferred because its file changed during or shortly after recent uploads, or
   * because the user can still cancel it. A short quiet time doesn't end either wait.
   */
  #isPutOff({ state, reason, until }: TransferRow): boolean {
    const isLong = reason === 'changing' || reason === 'grace'
    return state === 'waiting' && isLong && until !== null && until > this.#options.clock.now()
  }

  /**
   * Keeps the transfer and queues no upload, because the file is probably the transfer's version: its size
   * matches, and so does its mtime, unless the transfer is undecided. If the hash of that version is known,
   * the file is compared with it in the background. Until that is done, the file's row has
   * `UNVERIFIED_CTIME`, so that the next scan treats the file as touched.
   */
  #keep(file: FinishedFile, path: string, t: TransferRow): void {
    const { transfers, check } = this.#options
    const { dir, name, entry } = file
    if (t.away) transfers.setAway(t.id, false)
    this.adopt(t)
    this.#track(file, t.id, t.sha256 === null ? {} : { ctime: UNVERIFIED_CTIME })
    if (t.sha256 !== null) check.add({ dir, name, path, entry, transferId: t.id, sha256: t.sha256 })
  }

  /**
   * Queues a new transfer. `last`: the transfer of the previous version; in a folder that replaces files on
   * change, it determines which remote file is replaced.
   */
  #add(
    file: FinishedFile,
    path: string,
    last: TransferRow | null,
    newest: TransferRow | null,
    held: Held,
  ): void {
    const { clock, transfers, claims, state, rules, moved, bus } = this.#options
    const { dir, name, entry } = file
    const { size, mtime } = entry
    const id = transfers.add({
      source: 'watch',
      folderId: state.id,
      path,
      named: rules.typedPath(dir, name),
      name,
      size,
      mtime,
      state: held === null ? 'queued' : 'held',
      reason: held?.reason ?? null,
      message: held?.rule ?? null,
      priority: this.#priority(file),
      token: null,
      again: false,
      // Hash the file before sending it if its bytes may already be uploaded, for example because it was only
      // touched, changed back, or moved by copying.
      hashFirst:
        (newest !== null && (transfers.hasDonePath(path, size) || claims.hasEnded(path, size))) ||
        transfers.hasAwaySize(size),
      replaces: REPLACING.has(state.row.onChange) ? replacedBy(last) : null,
      createdAt: clock.now(),
    })
    if (file.isExisting === true) transfers.setReuseOnly(id, true)
    const rest =
      held === null && newest !== null
        ? rhythmWait(transfers.sentOfPath(path, VERSIONS_MAX), clock.now())
        : null
    if (rest !== null) {
      const message = `Changed shortly after each of its last ${rest.changes} uploads, so it is uploaded less often.`
      transfers.transition(id, { kind: 'deferred', reason: 'changing', message, until: rest.until })
    } else if (held === null && file.isExisting !== true) this.#wait(id)
    this.#track(file, id)
    moved.remember(size, id)
    bus.changed(id)
  }

  #track(
    { dir, name, entry }: FinishedFile,
    transferId: number,
    over: Partial<Pick<FileRow, 'size' | 'mtime' | 'ctime'>> = {},
  ): void {
    const { files, state } = this.#options
    files.put(fileRow(state.id, dir, name, entry, { transferId, ...over }))
  }
}

/**
 * The wait in which the user can cancel the upload; null if the folder has none, or if the user is asked about this
 * version first (`LastCheck` in send/propagator.ts), because a countdown would promise an upload.
 */
export function graceOf(
  { graceSeconds, onChange }: Pick<FolderRow, 'graceSeconds' | 'onChange'>,
  row: Pick<TransferRow, 'replaces' | 'size'> | null,
  now: number,
): Extract<TransferEvent, { kind: 'deferred' }> | null {
  const isAsked = row !== null && row.replaces !== null && (onChange === 'ask' || row.size === 0)
  if (graceSeconds === 0 || isAsked) return null
  return { kind: 'deferred', reason: 'grace', message: null, until: now + graceSeconds * 1000 }
}

/**
 * ID of the remote file that the next version replaces, or null. If the last version was never sent, returns
 * the file that it would have replaced.
 */
function replacedBy(last: TransferRow | null): number | null {
  if (last === null) return null
  return last.state === 'done' ? last.fileId : last.replaces
}

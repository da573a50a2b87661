// Deletes files on the service at the user's request: decides which versions are meant (`planDeletion`, pure)
// and records the deletion first, so that a lost connection only delays it. It can be undone until its
// request is sent or, if the response is lost, while the service still has the file. Notes the hash of
// deleted content, so that it isn't sent again automatically. deletion-runner.ts sends the deletions.
import { assertNever } from '../../../src-shared/assert.ts'
import type {
  Failure,
  Output,
  RemovedItem,
  Result,
  WhichVersions,
} from '../../../src-shared/engine-contract.ts'
import type { IdentityKeeper } from '../budget/current-key.ts'
import { ACCOUNT_CHANGED } from '../budget/failure-words.ts'
import { hashFile } from '../disk/content.ts'
import type { Claims } from '../journal/claims.ts'
import type { Database } from '../journal/database.ts'
import type { Doubts } from '../journal/doubts.ts'
import type { FileIds } from '../journal/file-ids.ts'
import type { Owners } from '../journal/owners.ts'
import type { Remote, RemoteEntry } from '../journal/remote-list.ts'
import type { RemovalRow } from '../journal/removals.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { type Disk, DiskError, type Ports } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import { isLeftPublic, isStored, leftMessage } from '../tell/views.ts'
import type { Catalog } from './remote-files.ts'
import {
  copiesLeft,
  HELD_UNCONFIRMED,
  itemOf,
  KEPT_OLDER,
  keptText,
  LATE_COPY,
  lost,
  mayBeDeleted,
  NONE,
  nameless,
  names,
  queuedText,
  type RemovedFile,
  STILL_THERE,
  UNCONFIRMED,
  whyQueued,
} from './removed-items.ts'
import { isNotFound } from './requests.ts'
import type { Asks, Finder, Found } from './selector.ts'

/** How long an undo may wait for the rate limit if it first has to check that the file still exists. */
const KEEP_WAIT_MS = 3000

/** Temporary failures: the deletion stays queued. */
const PASSING: ReadonlySet<Failure['code']> = new Set(['no-connection', 'waits', 'server', 'closing'])

/** Larger files aren't hashed. */
const HASH_MAX_BYTES = 512 * 1024 * 1024
const PENDING: ReadonlySet<TransferRow['state']> = new Set([
  'queued',
  'uploading',
  'waiting',
  'held',
  'unknown',
  'failed',
])

interface SelectedVersions extends DeletionPlan {
  /**
   * The remote file that an ID or a link refers to, even if other local files share it. Null for a path, for
   * a file that is already deleted, and for a link whose file ID is unknown.
   */
  readonly file: number | null
}

/** A recorded deletion that can be sent. */
interface Send {
  readonly send: number
  /** The local files that lose their link; empty if fewer than two do. */
  readonly shared: readonly string[]
}

/** A cancelled upload that may have arrived. `look` is its transfer ID. */
interface Look {
  readonly look: number
}

type SelectedLook = Look & { readonly selector: string }

export interface Canceller {
  /** Cancels a transfer; returns false if it has already ended, or doesn't exist. */
  cancel(id: number): boolean
  /**
   * Looks up cancelled uploads that may have arrived, and waits, for a limited time, until none of them is
   * left on the service. Resolves to those whose outcome or deletion is still open, and the reason, or to
   * null if there are none.
   */
  confirm(
    ids: readonly number[],
  ): Promise<{ readonly ids: ReadonlySet<number>; readonly failure: Failure } | null>
}

export interface DeleterOptions {
  readonly ports: Ports
  readonly opens: CancelledContentOptions['opens']
  readonly db: Database
  readonly ids: Pick<FileIds, 'shown'>
  readonly transfers: Transfers
  readonly remote: Remote
  readonly claims: Claims
  readonly doubts: Pick<Doubts, 'of' | 'twinsLeft'>
  readonly owners: Owners
  readonly identity: Pick<IdentityKeeper, 'explain' | 'tenure'>
  readonly catalog: Catalog
  readonly bus: Bus
  readonly stop: AbortSignal
}

/** Implements `rm`: finds the versions that a selector refers to, queues their deletions and sends them. */
export class Deleter {
  readonly #options: DeleterOptions
  readonly #find: Finder
  readonly #canceller: Canceller

  constructor(options: DeleterOptions, find: Finder, canceller: Canceller) {
    this.#options = options
    this.#find = find
    this.#canceller = canceller
  }

  async versions(
    selectors: readonly string[],
    which: WhichVersions,
    asks: Asks,
  ): Promise<Result<Output<'versions'>>> {
    const out: Output<'versions'> = []
    for (const selector of selectors) {
      const found = await this.#find(selector, asks)
      if ('failure' in found) {
        if (found.failure.code !== 'not-found') return { ok: false, failure: found.failure }
        out.push({ selector, found: 'none', versions: [] })
        continue
      }
      const plan = this.#planOf(found, which)
      const versions: Output<'versions'>[number]['versions'] = plan.versions.map(({ row, ...version }) => ({
        fileId: version.kind === 'uploaded' ? this.#options.ids.shown(version.fileId) : null,
        name: row.filename ?? row.name,
        publicLink: row.state === 'done' || isLeftPublic(row) ? row.publicLink : null,
        bytes: row.size,
        at: row.doneAt,
        ...(mayHaveArrived(row) ? { unconfirmed: true } : {}),
        shared: version.kind === 'uploaded' ? this.#otherPaths(version.fileId, found.path) : [],
      }))
      if (plan.file !== null) {
        const known = this.#options.remote.get(plan.file)
        const row = found.rows[0]
        versions.push({
          fileId: this.#options.ids.shown(plan.file),
          name: known?.filename ?? row?.filename ?? row?.name ?? '',
          publicLink: known?.publicLink ?? row?.publicLink ?? null,
          bytes: row?.size ?? null,
          at: row?.doneAt ?? null,
          shared: this.#otherPaths(plan.file, null),
        })
      }
      out.push({
        selector,
        found: versions.length > 0 ? 'versions' : plan.none === 'never' ? 'none' : 'deleted',
        versions,
      })
    }
    return { ok: true, value: out }
  }

  async remove(
    selectors: readonly string[],
    which: WhichVersions,
    later: boolean,
  ): Promise<Result<RemovedItem[]>> {
    try {
      return await this.#remove(selectors, which, later)
    } finally {
      // Runs after an error as well, because the deletions that were queued before it still have to be sent.
      this.#options.bus.wake('queue')
    }
  }

  async #remove(
    selectors: readonly string[],
    which: WhichVersions,
    later: boolean,
  ): Promise<Result<RemovedItem[]>> {
    const out: (RemovedFile | SelectedLook)[] = []
    const tenure = this.#options.identity.tenure()
    let away: Failure | null = null
    for (const selector of selectors) {
      const asking = await this.#find(selector, 'unknown')
      // If the account has changed since the lookup began, the same ID may belong to another file.
      const found = tenure.aborted ? { failure: ACCOUNT_CHANGED } : asking
      if ('failure' in found) {
        if (found.failure.code !== 'not-found') {
          if (out.length === 0) return { ok: false, failure: found.failure }
          out.push(lost(selector, found.failure))
          break
        }
        out.push({ selector, ok: false, outcome: 'not-found', message: 'not found' })
        continue
      }
      const plan = this.#planOf(found, which)
      const before = this.#askedBefore(found)
      out.push(...copiesLeft(selector, found.path, this.#options))
      if (plan.none !== null && before.length === 0) {
        out.push({
          selector,
          ...(plan.none === 'deleted' && this.#isDoubtful(found) ? HELD_UNCONFIRMED : NONE[plan.none]),
        })
        continue
      }
      const asked = [...before, ...this.#ask(selector, found, plan, this.#options.ports.clock.now())]
      for (const version of plan.versions)
        if (version.kind === 'pending') await noteContent(this.#options, version.row)
      for (const one of asked) {
        if ('look' in one && later)
          out.push({ selector, ok: false, fileId: null, outcome: 'unconfirmed', message: UNCONFIRMED })
        else if ('look' in one) out.push({ selector, look: one.look })
        else if (!('send' in one)) out.push(one)
        else if (later)
          out.push({
            selector,
            ok: true,
            fileId: one.send,
            shared: [...one.shared],
            outcome: 'queued',
            message: 'queued',
          })
        else if (away !== null)
          out.push(this.#queued({ selector, fileId: one.send, shared: [...one.shared] }, away))
        else {
          const item = await this.#carry(selector, one.send, one.shared, tenure)
          if (item.outcome === 'queued') away = item.failure ?? null
          out.push(item)
        }
      }
    }
    return {
      ok: true,
      value: (await this.#lookFor(out, tenure)).map((one) => itemOf(one, this.#options.ids)),
    }
  }

  /**
   * Replaces each cancelled upload in `out` with its outcome. Waits for all of them at once, so that many
   * uploads don't take minutes.
   */
  async #lookFor(out: readonly (RemovedFile | SelectedLook)[], tenure: AbortSignal): Promise<RemovedFile[]> {
    const looks = out.flatMap((one) => ('look' in one ? [one.look] : []))
    const open = looks.length === 0 || tenure.aborted ? null : await this.#canceller.confirm(looks)
    return out.map((one) => {
      if (!('look' in one)) return one
      if (tenure.aborted) return lost(one.selector, ACCOUNT_CHANGED)
      return this.#lookedFor(one.selector, one.look, open?.ids.has(one.look) === true ? open.failure : null)
    })
  }

  /**
   * Undoes these queued deletions (null: all of them), unless their requests are in flight. If a request was
   * sent and its answer was lost, that deletion is undone only if the service still has the file. `count`:
   * how many were undone; `late`: how many weren't.
   */
  async keep(fileIds: readonly number[] | null): Promise<Output<'keepFiles'>> {
    const { remote, identity } = this.#options
    const tenure = identity.tenure()
    const wanted = (fileIds ?? remote.asked(1_000_000).files.map((one) => one.fileId)).filter((fileId) =>
      this.#isAsked(fileId),
    )
    const sent = wanted.filter((fileId) => this.#undoable(fileId)?.sent === true)
    let count = wanted.filter((fileId) => this.#undo(fileId, false)).length
    for (const fileId of sent) {
      const answer = await this.#options.catalog.file(fileId, 'person', this.#options.stop, KEEP_WAIT_MS)
      if (tenure.aborted) break
      if (answer.ok && this.#undo(fileId, true)) count++
      // The remaining files couldn't be looked up either.
      if (!answer.ok && !isNotFound(answer.failure)) break
    }
    return { count, late: wanted.length - count }
  }

  /**
   * Returns this file's deletion if the user asked for it and its request isn't in flight, otherwise null.
   */
  #undoable(fileId: number): RemovalRow | null {
    const removal = this.#options.remote.removal(fileId)
    return removal?.reason === 'asked' && !this.#options.catalog.isSending(fileId) ? removal : null
  }

  /**
   * Undoes a queued deletion that the user asked for, unless its request is in flight. Returns whether it was
   * undone. `evenSent`: also undoes it if an earlier request was sent. Set this only if the file still
   * exists.
   */
  #undo(fileId: number, evenSent: boolean): boolean {
    const removal = this.#undoable(fileId)
    if (removal === null || (removal.sent && !evenSent)) return false
    this.#take(fileId, removal.createdAt)
    return true
  }

  #changed(ids: readonly number[]): void {
    for (const id of ids) this.#options.bus.changed(id)
    this.#options.bus.remoteChanged(1)
    this.#options.bus.touched()
  }

  /** Whether the service shows the file, and no deletion of it is queued. */
  #isShown(fileId: number): boolean {
    const { remote } = this.#options
    return remote.get(fileId)?.goneAt === null && !remote.isRemoval(fileId)
  }

  /**
   * Decides what to delete. An ID or a link refers to the remote file itself, even if other local files share
   * it.
   */
  #planOf(found: Found, which: WhichVersions): SelectedVersions {
    if (found.by === 'path')
      return {
        ...planDeletion(
          found.rows,
          which,
          (link) => this.#options.remote.byLink(link),
          (fileId) => this.#isShown(fileId),
        ),
        file: null,
      }
    const { fileId } = found
    const withoutId = fileId === null ? found.rows.filter((row) => isStored(row) || isLeftPublic(row)) : []
    if (withoutId.length > 0)
      return { versions: withoutId.map((row) => ({ kind: 'nameless', row })), none: null, file: null }
    const isThere =
      fileId !== null &&
      !this.#isAsked(fileId) &&
      (this.#options.claims.owners(fileId).length > 0 || this.#options.remote.get(fileId)?.goneAt === null)
    return { versions: [], none: isThere ? null : 'deleted', file: isThere ? fileId : null }
  }

  /**
   * Returns the deletions that an earlier `rm` has queued and that are still pending, so that their outcome
   * is reported again.
   */
  #askedBefore(found: Found): Send[] {
    const rows = found.by === 'path' ? found.rows : [{ fileId: found.fileId, state: 'done', ended: null }]
    const ids = rows.flatMap(({ fileId, state, ended }) => {
      if (fileId === null) return []
      // The file of a cancelled upload that had arrived, or of a replaced version, is deleted for a reason
      // other than `asked`.
      const isEnded = state === 'cancelled' || ended === 'replaced'
      return this.#isAsked(fileId) || (isEnded && this.#options.remote.isRemoval(fileId)) ? [fileId] : []
    })
    return [...new Set(ids)].map((send) => ({ send, shared: [] }))
  }

  /** Whether one of the cancelled uploads may still turn up, because its absence was never proved. */
  #isDoubtful(found: Found): boolean {
    return found.rows.some(
      (row) =>
        row.state === 'cancelled' &&
        row.ended === 'deleted' &&
        row.unproved > 0 &&
        this.#options.doubts.of(row.id).length > 0,
    )
  }

  #isAsked(fileId: number): boolean {
    return this.#options.remote.removal(fileId)?.reason === 'asked'
  }

  #otherPaths(fileId: number, path: string | null): string[] {
    return this.#options.claims.owners(fileId).filter((one) => one !== path)
  }

  #take(fileId: number, at: number): void {
    this.#options.db.tx(() => {
      this.#options.remote.dropRemoval(fileId)
      this.#changed(this.#options.claims.restore(fileId, at))
    })
  }

  async #carry(
    selector: string,
    fileId: number,
    shared: readonly string[],
    tenure: AbortSignal,
  ): Promise<RemovedFile> {
    if (tenure.aborted) return lost(selector, ACCOUNT_CHANGED)
    const removal = this.#options.remote.removal(fileId)
    const item = { selector, fileId, shared: [...shared] }
    if (removal === null) return { ...item, ok: true, outcome: 'deleted', message: 'deleted' }
    const got = await this.#options.catalog.carry(removal, 'person', this.#options.stop)
    if (tenure.aborted) return lost(selector, ACCOUNT_CHANGED)
    if (got.ok) {
      this.#changed([])
      if (got.value === 'undone')
        return { ...item, shared: [], ok: true, outcome: 'kept', message: 'kept: the deletion was undone' }
      if (got.value === 'kept') {
        const now = this.#otherPaths(fileId, null)
        return { ...item, shared: now, ok: true, outcome: 'kept', message: keptText(now) }
      }
      const more = `${shared.length === 0 ? '' : `; the link of ${names(shared)} has stopped working`}${this.#mayTurnUp(fileId) ? LATE_COPY : ''}`
      return {
        ...item,
        ok: true,
        outcome: got.value,
        message: `${got.value === 'deleted' ? 'deleted' : 'was already gone'}${more}`,
      }
    }
    const failure = this.#options.identity.explain(got.failure)
    if (PASSING.has(failure.code))
      return this.#queued(item, whyQueued(got.failure, failure), mayBeDeleted(got.failure))
    if (removal.reason === 'asked') this.#take(fileId, removal.createdAt)
    return { ...item, ok: false, outcome: 'failed', message: failure.title, failure }
  }

  /** Whether the first upload of this file's version got no answer, and may still turn up. */
  #mayTurnUp(fileId: number): boolean {
    const { transfers, doubts } = this.#options
    const row = transfers.byFileId(fileId)
    return row !== null && doubts.of(row.id).length > 0
  }

  #queued(
    item: Pick<RemovedFile, 'selector' | 'fileId' | 'shared'>,
    failure: Failure,
    mayBe = false,
  ): RemovedFile {
    return { ...item, ok: false, outcome: 'queued', message: queuedText(failure, mayBe), failure }
  }

  /**
   * Builds the result for a cancelled upload that may have arrived. `open`: why the search for its file, or
   * the file's deletion, hasn't finished; null if it has.
   */
  #lookedFor(selector: string, id: number, open: Failure | null): RemovedFile {
    const row = this.#options.transfers.get(id)
    const fileId = row?.fileId ?? null
    const item = { selector, fileId, shared: [] }
    if (open !== null && fileId !== null)
      return this.#queued(item, open.code === 'waits' ? STILL_THERE : open)
    if (open !== null)
      return { ...item, ok: false, outcome: 'unconfirmed', message: UNCONFIRMED, failure: open }
    if (row !== null && isLeftPublic(row)) return { selector, ...nameless(leftMessage(row)) }
    if (row !== null && endedUnproved(row)) return { selector, ...HELD_UNCONFIRMED }
    if (fileId === null)
      return {
        ...item,
        ok: true,
        outcome: 'cancelled',
        message: 'not on the service; its upload was cancelled',
      }
    const others = this.#otherPaths(fileId, null)
    if (others.length > 0)
      return { ...item, shared: others, ok: true, outcome: 'kept', message: keptText(others) }
    // The service may have answered the upload with an older file. `mayDelete` rules out deleting such a
    // file, because others may use it.
    if (this.#options.remote.get(fileId)?.goneAt == null)
      return { ...item, ok: true, outcome: 'kept', message: KEPT_OLDER }
    return { ...item, ok: true, outcome: 'deleted', message: 'deleted; its upload had arrived' }
  }

  /**
   * Records the deletions. For each version, returns the deletion to send, the upload to look for, or the
   * result.
   */
  #ask(
    selector: string,
    found: Found,
    plan: SelectedVersions,
    at: number,
  ): readonly (RemovedFile | Send | Look)[] {
    return this.#options.db.tx(() => {
      if (plan.file !== null) {
        const shared = this.#otherPaths(plan.file, null)
        this.#changed(this.#options.owners.release(plan.file, null, 'asked', at).ended)
        return [{ send: plan.file, shared: shared.length > 1 ? shared : [] }]
      }
      return plan.versions.map((version) => this.#askVersion(selector, found.path ?? '', version, at))
    })
  }

  /**
   * Records the ID of an upload whose receipt lacked it. A cancelled upload has no claim to end, so its row
   * is marked as deleted.
   */
  #identify({ row, fileId }: Extract<Version, { kind: 'uploaded' }>, at: number): void {
    if (row.fileId !== null) return
    this.#options.transfers.setLink(row.id, { ...row, fileId })
    if (row.state !== 'done') this.#options.claims.endCancelled(row.id, null, at)
    this.#changed([row.id])
  }

  #askVersion(selector: string, path: string, version: Version, at: number): RemovedFile | Send | Look {
    switch (version.kind) {
      case 'pending':
        this.#options.claims.endCancelled(version.row.id, null, at)
        this.#canceller.cancel(version.row.id)
        // If the file was sent again and may have arrived, that upload is looked for first.
        if (isLeftPublic(version.row) && !mayHaveArrived(version.row)) {
          const listed = this.#options.remote.byLink(version.row.publicLink ?? '')
          if (listed?.goneAt === null)
            return this.#askVersion(
              selector,
              path,
              { ...version, kind: 'uploaded', fileId: listed.fileId },
              at,
            )
          if (listed === null)
            return {
              selector,
              ...nameless(leftMessage(this.#options.transfers.get(version.row.id) ?? version.row)),
            }
        }
        // The row is held because its lookup was inconclusive.
        if (mayHaveArrived(version.row) && version.row.state === 'held')
          return { selector, ...HELD_UNCONFIRMED }
        if (mayHaveArrived(version.row)) return { look: version.row.id }
        return {
          selector,
          ok: true,
          fileId: null,
          outcome: 'cancelled',
          message: 'not uploaded; its upload was cancelled',
        }
      case 'nameless':
        return { selector, ...nameless(leftMessage(version.row)) }
      case 'uploaded': {
        this.#identify(version, at)
        const { ended, keptFor } = this.#options.owners.release(version.fileId, path, 'asked', at)
        this.#changed(ended)
        if (keptFor.length === 0) return { send: version.fileId, shared: [] }
        return {
          selector,
          ok: true,
          fileId: version.fileId,
          shared: [...keptFor],
          outcome: 'kept',
          message: keptText(keptFor),
        }
      }
      default:
        return assertNever(version, 'version')
    }
  }
}

// Records the hash of a local file whose pending upload the user has deleted in Slipway, so that touching the
// file later doesn't publish the same bytes.

interface CancelledContentOptions {
  readonly ports: Pick<Ports, 'hashing'>
  /** Opens files with a time limit, because a network drive may never answer. */
  readonly opens: { readonly diskOf: (row: TransferRow, signal: AbortSignal) => Pick<Disk, 'open'> }
  readonly db: Database
  readonly claims: Pick<Claims, 'noteContent'>
  readonly stop: AbortSignal
}

/**
 * Records the hash of a file whose upload was cancelled, unless it is too large, can't be read or has
 * changed.
 */
async function noteContent(
  { ports, opens, db, claims, stop }: CancelledContentOptions,
  row: TransferRow,
): Promise<void> {
  if (row.size > HASH_MAX_BYTES) return
  try {
    const got = await hashFile(opens.diskOf(row, stop), ports.hashing, row.path, stop)
    if (got === null || got.entry.size !== row.size || got.entry.mtime !== row.mtime) return
    db.tx(() => claims.noteContent(row.id, got.sha256))
  } catch (error) {
    if (!(error instanceof DiskError) && !stop.aborted) throw error
  }
}

// Decides which versions of a path the user means by deleting it. These are the versions with a working link,
// and those that are still to be uploaded, which would otherwise be published after the deletion. Pure.
type Version =
  | { readonly kind: 'uploaded'; readonly fileId: number; readonly row: TransferRow }
  /**
   * The service has neither sent the file's ID nor listed the file with its link, so the file can't be
   * deleted.
   */
  | { readonly kind: 'nameless'; readonly row: TransferRow }
  | { readonly kind: 'pending'; readonly row: TransferRow }

interface DeletionPlan {
  readonly versions: readonly Version[]
  /**
   * Why `versions` is empty; null if it isn't. `deleted`: they were deleted before. `older`: only older
   * versions were selected, but there is only one version. `never`: none was ever uploaded.
   */
  readonly none: 'deleted' | 'older' | 'never' | null
}

/**
 * Whether the upload's outcome is unknown, so that its file may be on the service. False for a partly sent
 * file, which isn't stored.
 */
export function mayHaveArrived(
  row: Pick<TransferRow, 'state' | 'lost' | 'reason' | 'intentAt' | 'publicLink'>,
): boolean {
  // A file can also be held as ambiguous before it is sent; it then has no intent. If the row has a link, its
  // file has certainly arrived.
  if (row.state === 'held')
    return (
      (row.reason === 'unconfirmed' || row.reason === 'ambiguous') &&
      row.intentAt !== null &&
      row.publicLink === null
    )
  return row.state === 'uploading' || (row.state === 'unknown' && row.lost !== 'partly')
}

/**
 * Whether the search for the file of a cancelled upload has ended without a clear result. If so, the file may
 * still be on the service.
 */
export function endedUnproved(row: Pick<TransferRow, 'state' | 'reason'>): boolean {
  return row.state === 'cancelled' && row.reason === 'ambiguous'
}

/**
 * Selects the versions of one path to delete. `rows`: all transfers of the path, newest first. `byLink`:
 * returns the file that the list has shown with this link, or null. `isListed`: whether the service shows the
 * file; if so, its deletion is asked for again.
 */
function planDeletion(
  rows: readonly TransferRow[],
  which: WhichVersions,
  byLink: (link: string) => Pick<RemoteEntry, 'fileId' | 'goneAt'> | null,
  isListed: (fileId: number) => boolean,
): DeletionPlan {
  const all: Version[] = []
  const seen = new Set<number>()
  let isGone = false
  for (const row of rows) {
    // An upload that was already cancelled may still have arrived.
    if (PENDING.has(row.state) && (!row.cancel || mayHaveArrived(row))) all.push({ kind: 'pending', row })
    else if (
      isLeftPublic(row) ||
      isStored(row) ||
      (row.ended === 'deleted' && row.fileId !== null && isListed(row.fileId))
    ) {
      const listed = row.fileId === null && row.publicLink !== null ? byLink(row.publicLink) : null
      const fileId = row.fileId ?? listed?.fileId ?? null
      if (listed !== null && listed.goneAt !== null) isGone = true
      else if (fileId === null) all.push({ kind: 'nameless', row })
      else if (!seen.has(fileId)) {
        seen.add(fileId)
        all.push({ kind: 'uploaded', fileId, row })
      }
    }
  }
  const versions = which === 'all' ? all : which === 'latest' ? all.slice(0, 1) : all.slice(1)
  if (versions.length > 0) return { versions, none: null }
  if (all.length > 0) return { versions, none: 'older' }
  return {
    versions,
    none: isGone || rows.some((row) => row.ended === 'deleted' || row.ended === 'gone') ? 'deleted' : 'never',
  }
}

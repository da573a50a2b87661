// Carries out one transfer: open, read, check once more whether it may go out, write the intent, send, handle
// the result. The intent is durable before the request goes out, and the receipt before the link is shown.
// `Wire` limits how many uploads send at once. Composes the room. The scheduler decides what is due and when.

import { assertNever } from '../../../src-shared/assert.ts'
import type { HeldReason } from '../../../src-shared/model.ts'
import { orAborted } from '../../../src-shared/or-aborted.ts'
import type { ApiClient, RemoteFile } from '../../api/types.ts'
import { throttled } from '../budget/bandwidth.ts'
import type { BudgetRoom } from '../budget/compose.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import { ChangedError, sameVersion } from '../disk/content.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Journal } from '../journal/journal.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { DiskError, type OpenFile, type Ports } from '../ports.ts'
import type { Unread } from '../presence/bytes.ts'
import type { PresenceRoom } from '../presence/compose.ts'
import type { RemoteRoom } from '../remote/compose.ts'
import { ruledOutMessage } from '../rules/admission.ts'
import { type Guard, isLater } from '../rules/guard.ts'
import type { Admission, OpenedFile, RulesRoom } from '../rules/path-facts.ts'
import { inTime } from '../sleep.ts'
import type { Bus } from '../tell/bus.ts'
import { FileFailures, RowWriter } from './file-failures.ts'
import { DISK_PATIENCE_MS } from './file-opens.ts'
import { KnownContent, UnansweredElsewhereError } from './known-content.ts'
import { type Accounting, createAccounting } from './progress.ts'
import { FilesPutAway } from './put-away.ts'
import { type Confirmation, Receipts } from './receipts.ts'
import { UploadAnswers } from './upload-answers.ts'
import { StatTogether, UploadSource } from './upload-source.ts'

const DEFECT_RETRY_MS = 60_000
/**
 * If the last check of an upload's path, folder and rules began at least this long ago, they are checked
 * again right before it is sent.
 */
const RECHECK_MS = 100

/** What carries out uploads. */
export interface SendRoom {
  readonly accounting: Accounting
  readonly wire: Wire
  /** Moves files after their upload. */
  readonly putAway: FilesPutAway
  readonly propagator: Propagator
}

interface PropagatorOptions extends Journal, BudgetRoom, RemoteRoom, PresenceRoom, RulesRoom {
  readonly ports: Ports
  readonly folders: WatchedFolders
  readonly accounting: Accounting
  readonly wire: Wire
  readonly putAway: FilesPutAway
  readonly bus: Bus
  readonly stop: AbortSignal
}

export function createSendRoom(rooms: Omit<PropagatorOptions, 'accounting' | 'wire' | 'putAway'>): SendRoom {
  const { clock } = rooms.ports
  const accounting = createAccounting(clock)
  const wire = createWire(rooms.bus)
  const putAway = new FilesPutAway(rooms, new RowWriter({ ...rooms, clock }))
  return { accounting, wire, putAway, propagator: new Propagator({ ...rooms, accounting, wire, putAway }) }
}

/** An upload's claim on the request budget; cancelled if no request is made. */
interface UploadClaim {
  readonly id: number
  isUsed: boolean
}

/** A file that passed the checks and may be sent. */
interface Prepared {
  readonly source: UploadSource
  /** When the last check of the transfer's path, folder and rules began, in monotonic milliseconds. */
  readonly checkedAt: number
}

export class Propagator {
  readonly #options: PropagatorOptions
  readonly #rows: RowWriter
  readonly #failures: FileFailures
  readonly #check: LastCheck
  readonly #receipts: Receipts
  readonly #known: KnownContent
  readonly #answers: UploadAnswers
  readonly #stats: StatTogether

  constructor(options: PropagatorOptions) {
    const { clock } = options.ports
    this.#options = options
    this.#stats = new StatTogether(options.ports.disk, clock)
    this.#rows = new RowWriter({ ...options, clock })
    this.#failures = new FileFailures(options, this.#rows)
    this.#check = new LastCheck(options, this.#rows, this.#failures)
    this.#receipts = new Receipts(options, this.#rows, this.#failures)
    this.#known = new KnownContent(options, this.#rows, this.#receipts)
    this.#answers = new UploadAnswers(options, this.#rows, this.#failures, this.#receipts)
  }

  /**
   * Carries out `row` with this claim on the request budget; never rejects. `signal` aborts it, for example
   * when the transfer is cancelled or the engine closes.
   */
  async carry(row: TransferRow, claimId: number, signal: AbortSignal): Promise<void> {
    const { budget, accounting, opens } = this.#options
    const claim: UploadClaim = { id: claimId, isUsed: false }
    let file: OpenFile | null = null
    try {
      const api = this.#options.identity.api()
      const opened = await opens.open(row, signal)
      if (typeof opened === 'string') return await this.#notOpened(row, opened)
      file = opened
      const prepared = await this.#prepare(row, file, signal)
      if (prepared !== null) await this.#send(row, prepared, { api, claim, signal })
    } catch (error) {
      accounting.stop(row.id)
      await this.#settleError(row, error, claim, signal)
    } finally {
      if (!claim.isUsed) budget.cancel(claim.id)
      await file?.close().catch(() => undefined)
    }
  }

  /**
   * Gives `row` the link of its bytes if they have one, without sending anything; never rejects. Otherwise,
   * the row stays queued.
   */
  async reuse(row: TransferRow, signal: AbortSignal): Promise<void> {
    let file: OpenFile | null = null
    try {
      const opened = await this.#options.opens.open(row, signal)
      if (typeof opened === 'string') return await this.#notOpened(row, opened)
      file = opened
      await this.#prepare(row, file, signal)
    } catch (error) {
      await this.#settleError(row, error, { id: 0, isUsed: false }, signal)
    } finally {
      await file?.close().catch(() => undefined)
    }
  }

  /** Confirms a transfer with a remote file that was found on the service. */
  async finish(row: TransferRow, file: RemoteFile, confirmation: Confirmation): Promise<void> {
    await this.#receipts.finish(row, file, confirmation)
  }

  /**
   * Fails or defers a queued transfer whose file couldn't be compared before it was sent. Changes nothing if
   * the row now has another version, or is no longer queued.
   */
  async unread(row: TransferRow, why: Unread): Promise<void> {
    if (!this.#rows.isQueuedFor(row)) return
    if ('failure' in why) await this.#failures.unreadable(row, why.failure)
    else await this.#failures.changed(row, why.changed)
  }

  /** Whether this queued transfer waits until its file has been searched, which takes long. */
  isSearching(id: number): boolean {
    return this.#check.searching.has(id)
  }

  async #notOpened(row: TransferRow, why: 'later' | 'unanswered'): Promise<void> {
    // The journal may already be closed.
    if (this.#options.stop.aborted) return
    // A cancelled transfer ends with this event (transitions.ts); any other waits in the queue until its
    // drive answers.
    if (why === 'later') await this.#rows.applyIfActive(row, { kind: 'requeued' })
    else await this.#failures.unanswered(row)
  }

  /** Checks the file. If it must not be sent now, changes the row accordingly and returns null. */
  async #prepare(row: TransferRow, file: OpenFile, signal: AbortSignal): Promise<Prepared | null> {
    const { ports, opens } = this.#options
    const changed = async (): Promise<null> => {
      await this.#failures.changed(row, await file.stat())
      return null
    }
    if (!sameVersion(file.first, row)) {
      await this.#failures.changed(row, file.first)
      return null
    }
    const checkedAt = ports.clock.mono()
    if (await this.#check.isStopped(row, file, signal)) return null
    if (await this.#check.isTooBig(row, file.first.size)) return null
    if (await this.#check.isEmptied(row, file.first.size)) return null
    const source = await UploadSource.read(
      { disk: opens.diskOf(row, signal), hashing: ports.hashing, stats: this.#stats },
      row.path,
      file,
    )
    if (source === null) return changed()
    if (await this.#check.isSecret(row, source, signal)) return null
    if (this.#known.isLikely(row)) {
      const sha256 = await source.hash(signal)
      if (sha256 === null) return changed()
      const known = await this.#known.settle(row, sha256, () => source.hasChanged(sha256, signal), signal)
      if (known === 'changed') await this.#failures.changed(row, await source.stat())
      if (known !== 'none') return null
    }
    if (await this.#known.waitsForOther(row, source.sha256(), signal)) return null
    return (await this.#check.isAsked(row)) ? null : { source, checkedAt }
  }

  async #send(
    row: TransferRow,
    { source, checkedAt }: Prepared,
    {
      api,
      claim,
      signal,
    }: { readonly api: ApiClient | null; readonly claim: UploadClaim; readonly signal: AbortSignal },
  ): Promise<void> {
    const { account, accounting, identity, transfers, wire, ports } = this.#options
    // The row is requeued even if it was cancelled in the meantime: the transition then ends it.
    if (api === null || signal.aborted) return this.#rows.apply(row, { kind: 'requeued' })
    // Hashing the file or confirming its earlier link may have taken a long time. Repeating the check here
    // doesn't take up a sending slot (propagator.ts).
    const now = ports.clock.mono()
    const isDue = now - checkedAt >= RECHECK_MS
    if (isDue && (await this.#check.isStopped(row, source, signal))) return
    const intent = await this.#writeIntent(row, { source, checkedAt: isDue ? now : checkedAt }, signal)
    if (intent === 'over') return
    if (intent === 'stopped') return this.#rows.apply(row, { kind: 'requeued' })
    // The key was replaced while the file was checked, so the file is checked again for the new key's
    // account.
    if (identity.api() !== api) {
      wire.leave()
      await this.#rows.commit(() => transfers.attempts(row.id, row.attempts))
      return this.#rows.apply(row, { kind: 'requeued' })
    }
    claim.isUsed = true
    accounting.start(row.id, row.path, row.size)
    source.start()
    const blocks = account.blocks()
    let movedAt = ports.clock.mono()
    const result = await api
      .upload({
        filename: this.#options.habits.sendName(row),
        size: source.first.size,
        body: () => this.#body(row, source, signal),
        signal,
        onProgress: (sent) => {
          movedAt = ports.clock.mono()
          accounting.progress(row.id, sent)
        },
      })
      .finally(() => wire.leave())
    accounting.stop(row.id)
    const isFormer = identity.api() !== api
    const observed = result.ok
      ? { ok: true as const, meta: result.meta }
      : { ok: false as const, failure: result.failure }
    account.observe(claim.id, 'upload', observed, isFormer, blocks)
    if (!isFormer) this.#options.calls.noteUpload(result, movedAt)
    await this.#answers.settle(row, source, result, signal)
  }

  /**
   * Writes the intent, and waits for a sending slot (propagator.ts). Returns `sending` if the caller now has
   * a slot. Returns `stopped` if the upload was aborted or paused, the account is blocked, or the disk
   * failed. Returns `over` if the row has received another version, is no longer queued, or must no longer be
   * sent.
   */
  async #writeIntent(
    row: TransferRow,
    { source, checkedAt }: Prepared,
    signal: AbortSignal,
  ): Promise<'sending' | 'stopped' | 'over'> {
    const { account, ports, db, transfers, remote, budget, folders, wire } = this.#options
    let isQueued = false
    await this.#rows.commit(() => {
      isQueued = this.#rows.isQueuedFor(row)
      if (isQueued) transfers.intent(row.id, ports.clock.now(), budget.serverNow(), source.sha256(), row.name)
    })
    this.#rows.changed(row.id)
    if (!isQueued) return 'over'
    // If the intent were lost in a power cut, the file could be sent a second time.
    if (!(await wire.enter(db.durable(), signal))) return 'stopped'
    let isSending = false
    try {
      // The rules, the policy or the folder may have changed while the upload waited for the disk or for a
      // free connection. A full check costs as much as preparing a small file, so if the last one is less
      // than `RECHECK_MS` old, only check whether the folder is still open.
      const isDue = ports.clock.mono() - checkedAt >= RECHECK_MS || !folders.isOpen(row.folderId)
      if (isDue && (await this.#check.isStopped(row, source, signal))) return 'over'
      // Once "paused" has been shown or the key has been refused, a request that was still waiting for the
      // disk must not begin.
      isSending =
        !signal.aborted &&
        remote.facts.get('paused') !== true &&
        !folders.isPaused(row.folderId) &&
        !account.isBlocked()
    } finally {
      if (!isSending) wire.leave()
    }
    return isSending ? 'sending' : 'stopped'
  }

  #body(
    row: TransferRow,
    source: UploadSource,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
    const { accounting, throttle } = this.#options
    const chunks = source.body()
    // A large body is always throttled, because a cap may be set while it is being sent.
    if (source.isStreamed()) return throttled(throttle, chunks, signal)
    if (!throttle.limited()) return chunks
    // A small body is sent in one piece once the cap allows all of it. While it waits, its progress is shown.
    return throttled(throttle, chunks, signal, (sent) => accounting.progress(row.id, sent))
  }

  async #settleError(
    row: TransferRow,
    error: unknown,
    claim: UploadClaim,
    signal: AbortSignal,
  ): Promise<void> {
    if (!claim.isUsed) {
      if (error instanceof DiskError) return this.#failures.unreadable(row, error.failure)
      if (error instanceof UnansweredElsewhereError) return this.#failures.unanswered(row, error.message)
      if (error instanceof ChangedError) return this.#failures.changed(row, null)
      if (signal.aborted) return this.#rows.apply(row, { kind: 'requeued' })
    }
    const { clock, log } = this.#options.ports
    log.error('propagator.defect', {
      id: row.id,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    const later = {
      message: 'Internal error. See the log for details.',
      until: clock.now() + DEFECT_RETRY_MS,
    }
    // Once the request has begun, the service may have stored the file, so it is looked up before it is sent
    // again.
    return this.#rows.apply(
      row,
      claim.isUsed ? { kind: 'answer-lost', ...later } : { kind: 'deferred', reason: 'backoff', ...later },
    )
  }
}

// The last check before a file is sent. Names, rules, plan and content may have changed since it was queued.
// If the file must not be sent, its row is changed accordingly.

interface LastCheckOptions extends Pick<Journal, 'transfers' | 'files'> {
  readonly ports: Pick<Ports, 'clock'>
  readonly admission: Pick<Admission, 'judge'>
  readonly guard: Pick<Guard, 'byContent'>
  readonly bus: Pick<Bus, 'wake'>
  readonly stop: AbortSignal
  readonly limits: Pick<UploadLimits, 'tooBig'>
}

class LastCheck {
  readonly #options: LastCheckOptions
  readonly #rows: RowWriter
  readonly #failures: FileFailures
  /** IDs of transfers that are back in the queue while their files are searched. */
  readonly searching = new Set<number>()

  constructor(options: LastCheckOptions, rows: RowWriter, failures: FileFailures) {
    this.#options = options
    this.#rows = rows
    this.#failures = failures
  }

  /**
   * Checks the transfer, and the file that was opened for it, against its current path, folder and rules.
   * Returns true if it must not be sent now, or if that can't be checked because `signal` has aborted or the
   * disk hasn't answered in time. If so, also updates the row, provided that it still exists.
   */
  async isStopped(row: TransferRow, file: OpenedFile, signal: AbortSignal): Promise<boolean> {
    const { ports, transfers, admission } = this.#options
    const now = transfers.get(row.id)
    if (now === null) return true
    // `requeued` fits both cases: a moved file waits under its new path, and a cancelled transfer becomes
    // cancelled (transitions.ts).
    if (now.path !== row.path || now.cancel) {
      await this.#rows.apply(row, { kind: 'requeued' })
      return true
    }
    const verdict = await inTime(ports.clock, admission.judge(now, file), DISK_PATIENCE_MS, signal)
    if (verdict === 'late') {
      if (signal.aborted) await this.#rows.applyIfActive(row, { kind: 'requeued' })
      else await this.#failures.unanswered(row)
      return true
    }
    switch (verdict.kind) {
      case 'go':
        return false
      case 'held':
        await this.#rows.apply(row, { kind: 'held', reason: verdict.reason, message: verdict.rule })
        return true
      case 'ignored':
        await this.#ignore(row, verdict.rule)
        return true
      case 'changed':
        await this.#failures.changed(row, null)
        return true
      case 'withdrawn':
        await this.#rows.apply(row, { kind: 'requeued' })
        return true
      default:
        return assertNever(verdict, 'verdict')
    }
  }

  /** Whether the file exceeds the plan's size limit and the user has not approved it. If so, holds it. */
  async isTooBig(row: TransferRow, size: number): Promise<boolean> {
    const message = this.#options.limits.tooBig(size)
    if (message === null || this.#isReleased(row, 'too-big')) return false
    await this.#rows.applyIfQueued(row, { kind: 'held', reason: 'too-big', message })
    return true
  }

  /**
   * Whether the file has become empty, as while a program saves it or after that failed, and would replace a
   * version that isn't. If so, holds it until the user approves it or it has content again.
   */
  async isEmptied(row: TransferRow, size: number): Promise<boolean> {
    if (size > 0 || row.replaces === null || this.#isReleased(row, 'emptied')) return false
    await this.#rows.applyIfQueued(row, { kind: 'held', reason: 'emptied', message: null })
    return true
  }

  /**
   * Whether the file has changed since its upload, and its folder asks what to do then. If so, holds it until
   * the user answers.
   */
  async isAsked(row: TransferRow): Promise<boolean> {
    if (row.folderId === null || row.replaces === null || this.#isReleased(row, 'changed')) return false
    if (this.#options.files.folder(row.folderId)?.onChange !== 'ask') return false
    await this.#rows.applyIfQueued(row, { kind: 'held', reason: 'changed', message: null })
    return true
  }

  /**
   * Whether the content looks like a secret that the user has not approved, or changed while it was searched.
   * If so, holds or defers the transfer. Also true, with the transfer back in the queue, if `signal` aborts or
   * the search takes long.
   */
  async isSecret(row: TransferRow, source: UploadSource, signal: AbortSignal): Promise<boolean> {
    if (this.#isReleased(row, 'secret', 'unsearched')) return false
    const searching = this.#options.guard.byContent(row.path, source.first, source.whole())
    const secret = await orAborted(searching, signal, () => 'aborted' as const)
    if (secret === null) return false
    if (secret === 'aborted' || isLater(secret)) {
      if (secret !== 'aborted') this.#waitFor(row, secret.later)
      await this.#rows.applyIfActive(row, { kind: 'requeued' })
      return true
    }
    if (secret === 'changed') await this.#failures.changed(row, await source.stat())
    else if (secret === 'unsearched')
      await this.#rows.applyIfQueued(row, { kind: 'held', reason: 'unsearched', message: null })
    else await this.#rows.applyIfQueued(row, { kind: 'held', reason: 'secret', message: secret.rule })
    return true
  }

  #waitFor({ id }: TransferRow, search: Promise<unknown>): void {
    const { bus, stop } = this.#options
    const ended = (): void => {
      this.searching.delete(id)
      if (!stop.aborted) bus.wake('queue')
    }
    this.searching.add(id)
    search.then(ended, ended)
  }

  /**
   * Whether the user has approved the file despite one of these reasons. An approval may have ended since the
   * upload began, because the content changed, but none of these is given during an upload.
   */
  #isReleased({ id, released }: TransferRow, ...reasons: readonly HeldReason[]): boolean {
    if (released === null) return false
    const now = (this.#options.transfers.get(id)?.released ?? '').split(',')
    return reasons.some((reason) => now.includes(reason))
  }

  async #ignore(row: TransferRow, rule: string): Promise<void> {
    const { transfers, files } = this.#options
    await this.#rows.commit(() => {
      transfers.transition(row.id, { kind: 'cancelled', message: ruledOutMessage(rule) })
      const file = files.byTransfer(row.id)
      if (file !== null) files.put({ ...file, class: 'ignored', rule, transferId: null })
    })
    this.#rows.changed(row.id)
  }
}

// Limits how many uploads send at once, separately from how many are being prepared. While one intent is
// synced to disk, the next files are read and recorded, so that the connection doesn't idle.
export interface Wire {
  /**
   * Waits for `durable` (null: nothing to wait for) and then for a free slot. Resolves to true once the
   * caller has a slot, which it must release with `leave`. Resolves to false, without a slot, if the signal
   * aborts or the disk fails.
   */
  enter(durable: Promise<boolean> | null, signal: AbortSignal): Promise<boolean>
  leave(): void
  /** Sets how many uploads may send at once: 1 at first, and never less. */
  resize(places: number): void
  /** Number of prepared uploads that wait for the disk or for a slot. */
  waiting(): number
}

export function createWire(bus: Pick<Bus, 'wake'>): Wire {
  let places = 1
  let taken = 0
  let parked = 0
  let queue: (() => void)[] = []

  const next = (): void => {
    while (taken < places && queue.length > 0) {
      taken++
      queue.shift()?.()
    }
  }

  const place = (signal: AbortSignal): Promise<boolean> | true => {
    if (taken < places && queue.length === 0) {
      taken++
      return true
    }
    return new Promise((resolve) => {
      const got = (): void => {
        signal.removeEventListener('abort', left)
        resolve(true)
      }
      const left = (): void => {
        queue = queue.filter((item) => item !== got)
        resolve(false)
      }
      queue.push(got)
      signal.addEventListener('abort', left, { once: true })
    })
  }

  return {
    enter: async (durable, signal) => {
      parked++
      if (durable !== null) bus.wake()
      try {
        // A disk that doesn't answer must not delay cancelling.
        if (durable !== null && !(await orAborted(durable, signal, () => false))) return false
        if (signal.aborted) return false
        return await place(signal)
      } finally {
        parked--
      }
    },
    leave: () => {
      taken--
      next()
    },
    resize: (to) => {
      places = Math.max(1, to)
      next()
    },
    waiting: () => parked,
  }
}

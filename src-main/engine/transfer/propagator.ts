// Carries one transfer out: open, read, intent, send, outcome, proof. Laws 1 to 3 meet here: the intent is durable before the request,
// the receipt after it, and bytes that are not of one moment are never left published. What is due and when is the scheduler's business.
import { assertNever } from '../../../src-shared/assert.ts'
import type { ApiClient, RemoteFile } from '../../api/types.ts'
import type { AccountState } from '../account/state.ts'
import { ruledOutMessage, type Verdict } from '../admission/admission.ts'
import type { Guard } from '../admission/guard.ts'
import type { Claims } from '../journal/claims.ts'
import { localDay } from '../journal/days.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { type Throttle, throttled } from '../limits/bandwidth.ts'
import type { Budget } from '../limits/budget.ts'
import { DiskError, type DiskFailure, type Entry, type OpenFile, type Ports } from '../ports.ts'
import { type Origin, type Owners, originOf } from '../remote/owners.ts'
import { isTellable } from '../views.ts'
import { firstLookMs } from './absence.ts'
import { ChangedError, hashFile, readWhole, SMALL_FILE, sameVersion, stoodStill, streamBody } from './content.ts'
import { backoffMs, lossOf, uploadVerdict } from './outcome.ts'
import type { Accounting } from './progress.ts'
import type { TransferEvent } from './transitions.ts'
import type { Wire } from './wire.ts'

/** Looks again at a file that moves under our hands: this long at first, doubling. */
const RESETTLE_MS = 300
const RESETTLE_MOST_MS = 10_000
/** After so many tries in a row that met a changing file, a person hears of it. */
const CHANGING_TRIES = 12

export interface PropagatorOptions {
  readonly ports: Ports
  readonly db: Database
  readonly transfers: Transfers
  readonly remote: Remote
  readonly budget: Budget
  readonly account: AccountState
  readonly accounting: Accounting
  readonly throttle: Throttle
  readonly owners: Owners
  readonly claims: Claims
  /** When the service says that it stored this file, with the zone to take off; null: not known. */
  readonly uploadedAt: (fileId: number) => Promise<{ readonly at: number; readonly zone: number | null } | null>
  readonly wire: Wire
  readonly api: () => ApiClient | null
  /** Name under which the service shall show it. */
  readonly sendName: (row: TransferRow) => string
  /** Law 8: what is taken for a secret by its content. */
  readonly guard: Pick<Guard, 'byContent'>
  /** Whether it may still go out, from its path and the rules as they are now. */
  readonly judge: (row: TransferRow) => Promise<Verdict>
  /** A rule leaves out the row's file now. Called inside a transaction. */
  readonly ruledOut: (row: TransferRow, rule: string) => void
  /** Why the plan would refuse this size, null where it would not or where that is not known. */
  readonly tooBig: (size: number) => string | null
  /** The folder of this row can't be reached right now: nothing in it is taken for deleted. */
  readonly folderAway: (row: TransferRow) => Promise<boolean>
  /** The row's version on disk changed to this one. Called inside a transaction. */
  readonly versionChanged: (row: TransferRow, entry: Entry) => void
  /** The row's file is not there any more. Called inside a transaction. */
  readonly vanished: (row: TransferRow) => void
  /** Handles a 403; resolves once the verdict has been applied to the row. */
  readonly forbidden: (row: TransferRow, why: string) => Promise<void>
  /** 413: refused for its size. */
  readonly refusedSize: (row: TransferRow, why: string) => void
  /** A receipt that lacks link or id is made whole where the service can tell. */
  readonly complete: (file: RemoteFile) => Promise<RemoteFile>
  /** Asks whether a link that an earlier run made still works; where it does not, its row has ended afterwards. */
  readonly confirmLink: (row: TransferRow) => Promise<void>
  /** An upload proved itself: sizes and names teach (unit, zone). */
  readonly learned: (row: TransferRow, file: RemoteFile, serverDate: number | null) => void
  /** The whole of a file was sent, and what became of it is not known. */
  readonly answerLost: () => void
  readonly changed: (id: number) => void
  /** A commit failed, and is tried again. */
  readonly journalFailed: (error: unknown) => void
  readonly isPaused: () => boolean
  /** The engine closes. */
  readonly stop: AbortSignal
}

export interface Propagator {
  /** Carries `row` out under the claim; never rejects. `signal` aborts (cancel, shutdown). */
  carry(row: TransferRow, claim: number, signal: AbortSignal): Promise<void>
  /** Turns a row into done with this remote file, durably; used by the reconciler too. */
  finish(
    row: TransferRow,
    file: RemoteFile,
    fields: { readonly sha256: string | null; readonly adopted: boolean; readonly sent: boolean; readonly server: number | null },
  ): Promise<void>
}

export function createPropagator(options: PropagatorOptions): Propagator {
  const { ports, db, transfers, remote, budget, account, accounting, owners, claims } = options
  const { clock, disk, hashing, log, random } = ports
  const changing = new Map<number, number>()

  /**
   * A commit that fails (disk full) is tried again until it goes through: an answer that was received must not be forgotten. At the end of
   * the engine it is given up: the row still holds its intent, and the next start asks the service what became of it.
   */
  const commit = async (work: () => void): Promise<void> => {
    for (let tries = 0; ; tries++) {
      try {
        await db.soon(work)
        return
      } catch (error) {
        options.journalFailed(error)
        if (options.stop.aborted) return
        await new Promise<void>((resolve) => {
          const cancel = clock.after(Math.min(5000, 200 * 2 ** tries), resolve)
          options.stop.addEventListener(
            'abort',
            () => {
              cancel()
              resolve()
            },
            { once: true },
          )
        })
      }
    }
  }

  const set = async (row: TransferRow, event: TransferEvent): Promise<void> => {
    await commit(() => transfers.transition(row.id, event))
    options.changed(row.id)
  }

  /** Not this version any more: takes the version as it is now, and looks again after a while in which it must stand still. */
  const resettle = async (row: TransferRow, entry: Entry | null): Promise<void> => {
    const tries = (changing.get(row.id) ?? 0) + 1
    changing.set(row.id, tries)
    if (tries > CHANGING_TRIES && tries % CHANGING_TRIES === 1) log.warn('transfer.changing', { id: row.id, tries })
    const wait = Math.min(RESETTLE_MOST_MS, RESETTLE_MS * 2 ** Math.min(10, tries - 1))
    await commit(() => {
      if (entry !== null) {
        transfers.setVersion(row.id, entry.size, entry.mtime)
        options.versionChanged(row, entry)
      }
      transfers.transition(row.id, { kind: 'deferred', reason: 'settling', message: 'Still being written.', until: clock.now() + wait })
    })
    options.changed(row.id)
  }

  const diskFailed = async (row: TransferRow, failure: DiskFailure): Promise<void> => {
    switch (failure.code) {
      case 'gone':
      case 'not-a-directory':
        if (await options.folderAway(row))
          return set(row, { kind: 'deferred', reason: 'folder-away', message: 'The folder is not there.', until: clock.now() + 60_000 })
        await commit(() => {
          const now = transfers.get(row.id)
          // It was moved, not deleted, and the scanner has seen that in the meantime.
          if (now !== null && now.path !== row.path) transfers.transition(row.id, { kind: 'requeued' })
          else {
            transfers.transition(row.id, { kind: 'vanished' })
            options.vanished(row)
          }
        })
        options.changed(row.id)
        return
      case 'denied':
        return set(row, { kind: 'failed', reason: 'unreadable', message: 'No permission to read the file.' })
      case 'loop':
      case 'name-too-long':
        return set(row, { kind: 'failed', reason: 'not-a-file', message: failure.message })
      case 'busy':
      case 'interrupted':
      case 'io': {
        await commit(() => {
          transfers.attempts(row.id, row.attempts + 1)
          transfers.transition(row.id, {
            kind: 'deferred',
            reason: 'backoff',
            message: `The file can't be read: ${failure.message}`,
            until: clock.now() + backoffMs(row.attempts + 1, random),
          })
        })
        options.changed(row.id)
        return
      }
      default:
        return assertNever(failure.code, 'disk failure')
    }
  }

  /** Its link works, and nothing is about to delete its file. */
  const isThere = (done: TransferRow): boolean =>
    isTellable(done) && (done.fileId === null || (!remote.isRemoval(done.fileId) && remote.get(done.fileId)?.goneAt == null))

  /** When an upload began by the service's clock, where that was learned from its answer alone. */
  const began = (row: TransferRow): number | null => {
    const server = budget.serverNow()
    const tookMs = row.intentAt === null ? -1 : clock.now() - row.intentAt
    return server === null || tookMs < 0 ? null : server - tookMs
  }

  /** Whether a receipt names a file that was there before this upload. */
  const origin = (row: TransferRow, fileId: number, uploaded: { readonly at: number; readonly zone: number | null } | null): Origin =>
    originOf({
      isKnownReceipt: transfers.isReceipt(fileId, row.id),
      intentMark: row.intentMark,
      firstMark: remote.get(fileId)?.firstMark ?? null,
      uploadedAt: uploaded?.at ?? null,
      zone: uploaded?.zone ?? null,
      intentServer: row.intentServer ?? began(row),
      nowServer: budget.serverNow(),
    })

  /** Content that is up already answers with its link. Null where nothing fits. */
  const existing = (row: TransferRow, sha256: string): TransferRow | null => {
    for (const done of transfers.doneContent(sha256, row)) {
      if (done.id === row.id) continue
      if (!isThere(done)) continue
      if (row.source === 'upload') return done
      // A watched folder gives every file a link of its own, unless this is the same file: touched, or moved by copying.
      if (done.path === row.path || (done.folderId !== null && done.away)) return done
    }
    return null
  }

  /** Records the receipt and settles the files that this upload replaces, or that have superseded it. Runs inside a transaction. */
  const record = (row: TransferRow, file: RemoteFile, f: Parameters<Propagator['finish']>[2], at: number): readonly number[] => {
    const now = transfers.get(row.id) ?? row
    const { fileId } = file
    const from = fileId === null || !f.sent || f.adopted ? 'new' : origin(now, fileId, null)
    if (fileId !== null) owners.note(row.id, fileId, from)
    transfers.done(row.id, file, { sha256: f.sha256, adopted: f.adopted, sent: f.sent, at, server: f.server })
    if (fileId !== null) remote.put({ ...file, fileId }, at, false)
    if (f.sent) remote.addUsage(localDay(at), { uploads: 1, bytes: row.size })
    if (now.cancel) {
      transfers.transition(row.id, { kind: 'cancelled' })
      // Deleted by a person while it was on its way.
      if (now.ended === 'deleted') claims.endCancelled(row.id, f.sha256, at)
      if (fileId !== null && f.sent) owners.discard(fileId, 'cancelled', from, at)
      return []
    }
    // Queued for deletion, it has an owner now.
    if (fileId !== null) remote.dropRemoval(fileId)
    return now.replaces === null || now.replaces === fileId ? [] : owners.release(now.replaces, now.path, 'replaced', at).ended
  }

  const recorded = (row: TransferRow, f: { readonly adopted: boolean; readonly sent: boolean }, ended: readonly number[]): void => {
    changing.delete(row.id)
    log.info('transfer.done', { id: row.id, size: row.size, adopted: f.adopted, sent: f.sent })
    for (const id of [...ended, row.id]) options.changed(id)
  }

  const finish: Propagator['finish'] = async (row, file, f) => {
    const at = clock.now()
    let ended: readonly number[] = []
    await commit(() => {
      ended = record(row, file, f, at)
    })
    recorded(row, f, ended)
  }

  /** False: it was deleted or replaced meanwhile. */
  const reuse = async (row: TransferRow, found: TransferRow, sha256: string): Promise<boolean> => {
    const f = { sha256, adopted: false, sent: false, server: null }
    let ended: readonly number[] | null = null
    await commit(() => {
      const now = transfers.get(found.id)
      if (now === null || !isThere(now)) return
      // Moved by copying: this is the same file at its new place, and the claim on the remote one is its own.
      if (now.away && row.source === 'watch') {
        transfers.setPath(now.id, row.path, row.name)
        if (now.folderId !== row.folderId) transfers.setFolder(now.id, row.folderId)
      }
      const { fileId, publicLink, filename } = now
      ended = record(row, { fileId, publicLink, filename, size: null, uploadDate: null, downloadCount: null }, f, clock.now())
    })
    if (ended === null) return false
    recorded(row, f, ended)
    return true
  }

  /** True: it does not go out now. Names and rules may have changed since it was queued, or its folder is not watched any more. */
  const isStopped = async (row: TransferRow): Promise<boolean> => {
    const now = transfers.get(row.id)
    if (now === null) return true
    if (now.path !== row.path) {
      await set(row, { kind: 'requeued' })
      return true
    }
    const verdict = await options.judge(now)
    switch (verdict.kind) {
      case 'go':
        return false
      case 'held':
        await set(row, { kind: 'held', reason: verdict.reason, message: verdict.rule })
        return true
      case 'ignored':
        await commit(() => {
          transfers.transition(row.id, { kind: 'cancelled', message: ruledOutMessage(verdict.rule) })
          options.ruledOut(row, verdict.rule)
        })
        options.changed(row.id)
        return true
      case 'withdrawn':
        await set(row, { kind: 'requeued' })
        return true
      default:
        return assertNever(verdict, 'verdict')
    }
  }

  /** What was just stored must not stay published. */
  const takeBack = async (row: TransferRow, file: RemoteFile, why: 'torn' | 'cancelled'): Promise<void> => {
    const { fileId } = file
    if (fileId === null) return
    const uploadedAt = await options.uploadedAt(fileId)
    await commit(() => {
      const from = origin(transfers.get(row.id) ?? row, fileId, uploadedAt)
      const removed = owners.discard(fileId, why, from, clock.now())
      log.warn(`transfer.${why === 'torn' ? 'torn' : 'withheld'}`, { id: row.id, removed })
      if (removed) remote.put({ ...file, fileId }, clock.now(), false)
    })
  }

  const carryOpen = async (row: TransferRow, file: OpenFile, claim: number, signal: AbortSignal, claimUsed: () => void): Promise<void> => {
    const api = options.api()
    const before = file.first
    if (!sameVersion(before, row)) return resettle(row, before)
    if (await isStopped(row)) return
    // As it is now: a release is taken back where the file changed under its old size and time.
    const released = (transfers.get(row.id) ?? row).released?.split(',') ?? []
    const big = options.tooBig(before.size)
    if (big !== null && !released.includes('too-big')) return set(row, { kind: 'held', reason: 'too-big', message: big })

    const whole = before.size <= SMALL_FILE ? await readWhole(file, before, hashing) : null
    if (before.size <= SMALL_FILE && whole === null) return resettle(row, await file.stat())
    const secret = released.includes('secret') ? null : await options.guard.byContent(row.path, before, whole?.data ?? null)
    if (secret === 'changed') return resettle(row, await file.stat())
    if (secret !== null) return set(row, { kind: 'held', reason: 'secret', message: secret.rule })

    let sha256 = whole?.sha256 ?? null
    const mayBeUp = row.hashFirst || (row.source === 'upload' && transfers.hasDoneSize(row.size))
    if (!row.again && mayBeUp) {
      if (sha256 === null) {
        const hashed = await hashFile(disk, hashing, row.path, signal)
        if (hashed === null || stoodStill(before, hashed.entry) === 'no') return resettle(row, await file.stat())
        sha256 = hashed.sha256
      }
      // Whoever names a file is given a link that works; a watched one is sent again when the list shows that it is gone.
      const told = row.source === 'upload' ? existing(row, sha256) : null
      if (told !== null) await options.confirmLink(told)
      const found = existing(row, sha256)
      if (found !== null && (await reuse(row, found, sha256))) return
      // A person deleted these very bytes at this path: touching the file does not publish it again.
      if (row.source === 'watch' && claims.isWithdrawn(row.path, sha256)) {
        const bytes = sha256
        await commit(() => claims.withdraw(row.id, bytes, clock.now()))
        options.changed(row.id)
        return
      }
    }
    // Written even so: what a person called off meanwhile ends here.
    if (api === null || signal.aborted) return set(row, { kind: 'requeued' })
    // A large file was read for a while: what was asked before that may be out of date.
    if (whole === null && (await isStopped(row))) return
    const intentSha = sha256
    await commit(() => transfers.intent(row.id, clock.now(), budget.serverNow(), intentSha, row.name))
    options.changed(row.id)
    // A request whose intent a power cut forgets would be sent a second time.
    if (!(await options.wire.enter(db.durable(), signal))) return set(row, { kind: 'requeued' })
    // Whoever was told "paused" while this waited for the disk is not to see a request begin after it.
    if (signal.aborted || options.isPaused()) {
      options.wire.leave()
      return set(row, { kind: 'requeued' })
    }
    claimUsed()
    accounting.start(row.id, row.path, row.size)
    const stream = whole === null ? streamBody(file, before, hashing) : null
    const sending = api.upload({
      filename: options.sendName(row),
      size: before.size,
      body: () => {
        const chunks = stream?.body() ?? (whole === null || whole.data.length === 0 ? [] : [whole.data])
        // A large body may meet a cap on its way.
        if (stream !== null) return throttled(options.throttle, chunks, signal)
        if (!options.throttle.limited()) return chunks
        // A small one leaves as a whole once it has all its room; until then a person sees it come nearer.
        return throttled(options.throttle, chunks, signal, (sent) => accounting.progress(row.id, sent))
      },
      signal,
      onProgress: (sent) => accounting.progress(row.id, sent),
    })
    const result = await sending.finally(() => options.wire.leave())
    accounting.stop(row.id)
    account.observe(claim, result.ok ? { ok: true, meta: result.meta } : { ok: false, failure: result.failure })
    const verdict = uploadVerdict(result)
    const serverDate = result.ok ? result.meta.serverDate : null
    // The hash of a streamed body counts once its last byte was read and the file had stood still.
    const proven = sha256 ?? (stream?.finished() === true && stoodStill(before, await file.stat()) === 'yes' ? await stream.sha256() : null)
    if (verdict.kind !== 'done') stream?.drop()
    switch (verdict.kind) {
      case 'done': {
        const sent = proven ?? (stream === null ? null : await stream.sha256())
        if (stream !== null && (await isTorn(file, before, row, sent, signal))) {
          // A mixture is never left published: taken back, and sent again once it stands still.
          await takeBack(row, verdict.file, 'torn')
          return resettle(row, await file.stat())
        }
        const receipt = await options.complete(verdict.file)
        const fresh = transfers.get(row.id) ?? row
        const renamed = fresh.path === row.path || fresh.cancel ? null : await options.judge(fresh)
        if (renamed?.kind === 'held' && verdict.file.fileId !== null) {
          // A secret's name by now, as where a program writes under another one first: a person is asked before it is public.
          await takeBack(row, verdict.file, 'cancelled')
          return set(row, { kind: 'held', reason: renamed.reason, message: renamed.rule })
        }
        await finish(fresh, receipt, { sha256: sent, adopted: false, sent: true, server: serverDate })
        options.learned(fresh, verdict.file, serverDate)
        return
      }
      case 'unknown': {
        const loss = lossOf(result)
        log.warn('transfer.unknown', { id: row.id, why: verdict.why, loss })
        if (loss !== 'partly') options.answerLost()
        await commit(() => {
          if (proven !== null) transfers.intentHash(row.id, proven)
          transfers.transition(row.id, {
            kind: 'answer-lost',
            message: verdict.why,
            until: clock.now() + firstLookMs(),
          })
          transfers.setLost(row.id, loss, clock.now())
        })
        options.changed(row.id)
        return
      }
      case 'retry':
        return set(row, {
          kind: 'deferred',
          reason: 'backoff',
          message: verdict.why,
          until: clock.now() + backoffMs(row.attempts + 1, random),
        })
      case 'offline':
      case 'wrong-address':
      case 'key-refused':
      case 'rate-limited':
        // The whole account waits, and no attempt is charged.
        await commit(() => {
          transfers.attempts(row.id, row.attempts)
          transfers.transition(row.id, { kind: 'requeued' })
        })
        options.changed(row.id)
        return
      case 'forbidden':
        await set(row, { kind: 'requeued' })
        return options.forbidden(row, verdict.why)
      case 'too-big':
        options.refusedSize(row, verdict.why)
        return set(row, { kind: 'held', reason: 'too-big', message: verdict.why })
      case 'failed':
        log.error('transfer.refused', { id: row.id, why: verdict.why })
        return set(row, { kind: 'failed', reason: verdict.reason, message: verdict.why })
      case 'source':
        if (verdict.cause instanceof DiskError) return diskFailed(row, verdict.cause.failure)
        return resettle(row, await file.stat())
      case 'aborted':
        return set(row, { kind: row.cancel ? 'cancelled' : 'requeued' })
      default:
        return assertNever(verdict, 'verdict')
    }
  }

  /** After the answer: is what was sent one version? A ctime that moved alone is settled by hashing the file once more. */
  const isTorn = async (file: OpenFile, before: Entry, row: TransferRow, sent: string | null, signal: AbortSignal): Promise<boolean> => {
    const look = stoodStill(before, await file.stat())
    if (look !== 'look') return look === 'no'
    try {
      const again = await hashFile(disk, hashing, row.path, signal)
      return again === null || again.sha256 !== sent
    } catch {
      // Renamed or deleted meanwhile: the open file itself did not change in size or time.
      return false
    }
  }

  return {
    finish,
    carry: async (row, claim, signal) => {
      let used = false
      let file: OpenFile | null = null
      try {
        file = await disk.open(row.path)
        await carryOpen(row, file, claim, signal, () => {
          used = true
        })
      } catch (error) {
        accounting.stop(row.id)
        if (error instanceof DiskError) await diskFailed(row, error.failure)
        else if (error instanceof ChangedError) await resettle(row, null)
        else if (signal.aborted) await set(row, { kind: 'requeued' })
        else {
          log.error('propagator.defect', { id: row.id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
          // Whether anything went out is not known after a defect of ours: look before sending again.
          const later = { message: 'A defect of Slipway; details are in the log.', until: clock.now() + 60_000 }
          await commit(() =>
            transfers.transition(row.id, used ? { kind: 'answer-lost', ...later } : { kind: 'deferred', reason: 'backoff', ...later }),
          )
          options.changed(row.id)
        }
      } finally {
        if (!used) budget.cancel(claim)
        await file?.close().catch(() => undefined)
      }
    },
  }
}

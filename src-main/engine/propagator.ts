// Carries one transfer out: open, read, intent, send, outcome, proof. Laws 1 to 3 meet here: the intent is durable before the request,
// the receipt after it, and bytes that are not of one moment are never left published. What is due and when is the scheduler's business.
import { assertNever } from '../../src-shared/assert.ts'
import type { ApiClient, RemoteFile } from '../api/types.ts'
import type { AccountRoom } from './account.ts'
import type { Accounting } from './accounting.ts'
import type { Budget } from './budget.ts'
import { ChangedError, HEAD, hashFile, readHead, readWhole, SMALL_FILE, sameVersion, stoodStill, streamBody } from './content.ts'
import { localDay } from './days.ts'
import type { Database } from './journal/open.ts'
import type { Remote } from './journal/remote.ts'
import type { RowReason, TransferRow, Transfers } from './journal/transfers.ts'
import { backoffMs, nextCheckMs, uploadVerdict } from './outcome.ts'
import { DiskError, type DiskFailure, type Entry, type OpenFile, type Ports } from './ports.ts'
import { type Throttle, throttled } from './throttle.ts'

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
  readonly account: AccountRoom
  readonly accounting: Accounting
  readonly throttle: Throttle
  readonly api: () => ApiClient | null
  /** Name under which the service shall show it. */
  readonly sendName: (row: TransferRow) => string
  /** Law 8: a rule that catches the first bytes. */
  readonly secretByContent: (head: Uint8Array, name: string) => { readonly rule: string } | null
  /** Why the plan would refuse this size, null where it would not or where that is not known. */
  readonly tooBig: (size: number) => string | null
  /** The folder of this row can't be reached right now: nothing in it is taken for deleted. */
  readonly folderAway: (row: TransferRow) => Promise<boolean>
  /** The row's version on disk changed to this one. Called inside a transaction. */
  readonly versionChanged: (row: TransferRow, entry: Entry) => void
  /** The row's file is not there any more. Called inside a transaction. */
  readonly vanished: (row: TransferRow) => void
  /** What to do with a 403; resolves once the verdict is carried out on the row. */
  readonly forbidden: (row: TransferRow, why: string) => Promise<void>
  /** 413: refused for its size. */
  readonly refusedSize: (row: TransferRow, why: string) => void
  /** A receipt that lacks link or id is made whole where the service can tell. */
  readonly complete: (file: RemoteFile) => Promise<RemoteFile>
  /** An upload proved itself: sizes and names teach (unit, zone). */
  readonly learned: (row: TransferRow, file: RemoteFile, serverDate: number | null) => void
  readonly changed: (id: number) => void
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
  const { ports, db, transfers, remote, budget, account, accounting } = options
  const { clock, disk, hashing, log, random } = ports
  const changing = new Map<number, number>()

  /** A commit that fails (disk full) is tried again until it goes through: an answer that was received must not be forgotten. */
  const commit = async (work: () => void): Promise<void> => {
    for (let tries = 0; ; tries++) {
      try {
        await db.soon(work)
        return
      } catch (error) {
        log.error('journal.commit', { tries, message: error instanceof Error ? error.message : String(error) })
        await new Promise<void>((resolve) => clock.after(Math.min(5000, 200 * 2 ** tries), resolve))
      }
    }
  }

  const set = (
    row: TransferRow,
    state: TransferRow['state'],
    fields: { reason?: RowReason | null; message?: string | null; until?: number | null },
  ): Promise<void> => commit(() => transfers.setState(row.id, state, fields)).then(() => options.changed(row.id))

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
      transfers.setState(row.id, 'waiting', { reason: 'settling', message: 'Still being written.', until: clock.now() + wait })
    })
    options.changed(row.id)
  }

  const diskFailed = async (row: TransferRow, failure: DiskFailure): Promise<void> => {
    switch (failure.code) {
      case 'gone':
      case 'not-a-directory':
        if (await options.folderAway(row))
          return set(row, 'waiting', { reason: 'folder-away', message: 'The folder is not there.', until: clock.now() + 60_000 })
        await commit(() => {
          const now = transfers.get(row.id)
          // It was moved, not deleted, and the scanner has seen that in the meantime.
          if (now !== null && now.path !== row.path) transfers.setState(row.id, 'queued')
          else {
            transfers.setState(row.id, 'gone', { reason: 'missing', message: 'The file was deleted before it was uploaded.' })
            options.vanished(row)
          }
        })
        options.changed(row.id)
        return
      case 'denied':
        return set(row, 'failed', { reason: 'unreadable', message: 'No permission to read the file.' })
      case 'loop':
      case 'name-too-long':
        return set(row, 'failed', { reason: 'not-a-file', message: failure.message })
      case 'busy':
      case 'io': {
        await commit(() => {
          transfers.attempts(row.id, row.attempts + 1)
          transfers.setState(row.id, 'waiting', {
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

  /** Content that is up already answers with its link. Null where nothing fits. */
  const existing = (row: TransferRow, sha256: string): TransferRow | null => {
    for (const done of transfers.doneContent(sha256)) {
      if (done.publicLink === null || done.id === row.id) continue
      if (done.fileId !== null && (remote.isRemoval(done.fileId) || remote.get(done.fileId)?.goneAt != null)) continue
      if (row.source === 'upload') return done
      // A watched folder gives every file a link of its own, unless this is the same file: touched, or moved by copying.
      if (done.folderId === row.folderId && (done.path === row.path || done.away)) return done
    }
    return null
  }

  const finish: Propagator['finish'] = async (row, file, f) => {
    const at = clock.now()
    await commit(() => {
      transfers.done(row.id, file, { sha256: f.sha256, adopted: f.adopted, sent: f.sent, at, server: f.server })
      if (file.fileId !== null) remote.put({ ...file, fileId: file.fileId }, at, false)
      if (row.cancel && file.fileId !== null) remote.addRemoval(file.fileId, 'cancelled', at)
      if (row.cancel) transfers.setState(row.id, 'cancelled')
      else if (row.replaces !== null && row.replaces !== file.fileId) remote.addRemoval(row.replaces, 'replaced', at)
      if (f.sent) remote.addUsage(localDay(at), { uploads: 1, bytes: row.size })
    })
    changing.delete(row.id)
    log.info('transfer.done', { id: row.id, size: row.size, adopted: f.adopted, sent: f.sent })
    options.changed(row.id)
  }

  const reuse = async (row: TransferRow, found: TransferRow, sha256: string): Promise<void> => {
    await commit(() => {
      if (found.away) transfers.setAway(found.id, false)
    })
    await finish(
      row,
      { fileId: found.fileId, publicLink: found.publicLink, filename: found.filename, size: null, uploadDate: null, downloadCount: null },
      { sha256, adopted: false, sent: false, server: null },
    )
  }

  const carryOpen = async (row: TransferRow, file: OpenFile, claim: number, signal: AbortSignal, claimUsed: () => void): Promise<void> => {
    const api = options.api()
    const before = file.first
    if (!sameVersion(before, row)) return resettle(row, before)
    const released = row.released?.split(',') ?? []
    const big = options.tooBig(before.size)
    if (big !== null && !released.includes('too-big')) return set(row, 'held', { reason: 'too-big', message: big })

    const whole = before.size <= SMALL_FILE ? await readWhole(file, before, hashing) : null
    if (before.size <= SMALL_FILE && whole === null) return resettle(row, await file.stat())
    const secret = released.includes('secret')
      ? null
      : options.secretByContent(whole === null ? await readHead(file) : whole.data.subarray(0, HEAD), row.name)
    if (secret !== null) return set(row, 'held', { reason: 'secret', message: secret.rule })

    let sha256 = whole?.sha256 ?? null
    const mayBeUp = row.hashFirst || (row.source === 'upload' && transfers.hasDoneSize(row.size))
    if (!row.again && mayBeUp) {
      if (sha256 === null) {
        const hashed = await hashFile(disk, hashing, row.path, signal)
        if (hashed === null || stoodStill(before, hashed.entry) === 'no') return resettle(row, await file.stat())
        sha256 = hashed.sha256
      }
      const found = existing(row, sha256)
      if (found !== null) return reuse(row, found, sha256)
    }
    if (api === null || signal.aborted) return
    const intentSha = sha256
    await commit(() => transfers.intent(row.id, clock.now(), budget.serverNow(), intentSha))
    options.changed(row.id)
    if (signal.aborted) return set(row, 'queued', {})
    claimUsed()
    accounting.start(row.id, row.path, row.size)
    const stream = whole === null ? streamBody(file, before, hashing) : null
    const result = await api.upload({
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
          log.warn('transfer.torn', { id: row.id })
          await commit(() => {
            if (verdict.file.fileId !== null) {
              remote.put({ ...verdict.file, fileId: verdict.file.fileId }, clock.now(), false)
              remote.addRemoval(verdict.file.fileId, 'torn', clock.now())
            }
          })
          return resettle(row, await file.stat())
        }
        const receipt = await options.complete(verdict.file)
        const fresh = transfers.get(row.id) ?? row
        await finish(fresh, receipt, { sha256: sent, adopted: false, sent: true, server: serverDate })
        options.learned(fresh, verdict.file, serverDate)
        return
      }
      case 'unknown': {
        const complete = !result.ok && result.failure.phase !== 'partly'
        log.warn('transfer.unknown', { id: row.id, why: verdict.why })
        await commit(() => {
          if (proven !== null) transfers.intentHash(row.id, proven)
          transfers.setState(row.id, 'unknown', {
            reason: 'checking',
            message: verdict.why,
            until: clock.now() + (nextCheckMs(0, complete) ?? 1000),
          })
          transfers.setPartly(row.id, !complete)
        })
        options.changed(row.id)
        return
      }
      case 'retry':
        return set(row, 'waiting', { reason: 'backoff', message: verdict.why, until: clock.now() + backoffMs(row.attempts + 1, random) })
      case 'offline':
      case 'wrong-address':
      case 'key-refused':
      case 'rate-limited':
        // The whole account waits, and no attempt is charged.
        await commit(() => {
          transfers.attempts(row.id, row.attempts)
          transfers.setState(row.id, 'queued')
        })
        options.changed(row.id)
        return
      case 'forbidden':
        await set(row, 'queued', {})
        return options.forbidden(row, verdict.why)
      case 'too-big':
        options.refusedSize(row, verdict.why)
        return set(row, 'held', { reason: 'too-big', message: verdict.why })
      case 'failed':
        log.error('transfer.refused', { id: row.id, why: verdict.why })
        return set(row, 'failed', { reason: verdict.reason, message: verdict.why })
      case 'source':
        if (verdict.cause instanceof DiskError) return diskFailed(row, verdict.cause.failure)
        return resettle(row, await file.stat())
      case 'aborted':
        return set(row, row.cancel ? 'cancelled' : 'queued', {})
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
        else if (signal.aborted) await set(row, 'queued', {})
        else {
          log.error('propagator.defect', { id: row.id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
          // Whether anything went out is not known after a defect of ours: look before sending again.
          await commit(() =>
            transfers.setState(row.id, used ? 'unknown' : 'waiting', {
              reason: used ? 'checking' : 'backoff',
              message: 'A defect of Slipway; details are in the log.',
              until: clock.now() + 60_000,
            }),
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

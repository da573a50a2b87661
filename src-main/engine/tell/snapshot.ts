// Reads the state of the whole engine, and of single transfers, in the contract's form. Combines what the
// parts report about themselves and changes nothing. `healthOf` lists problems that persist, such as a
// failing disk or a refused key.

import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { Account, Ended, Folder, Gate, Health, Snapshot, Transfer } from '../../../src-shared/model.ts'
import { rescansText } from '../../../src-shared/watch-limits.ts'
import type { BudgetRoom } from '../budget/compose.ts'
import { type LimitFigures, nearOf, usesOf } from '../budget/near-limits.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { SetAside } from '../journal/database.ts'
import type { Journal } from '../journal/journal.ts'
import type { TransferRow } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import type { PresenceRoom } from '../presence/compose.ts'
import type { QueueRoom } from '../queue/compose.ts'
import type { BackgroundRunner } from '../remote/background-runner.ts'
import type { RemoteRoom } from '../remote/compose.ts'
import type { RulesRoom } from '../rules/path-facts.ts'
import type { SendRoom } from '../send/propagator.ts'
import type { Bus } from './bus.ts'
import { transferView } from './views.ts'

/**
 * The first upload of a version that was sent again turns up within this time, if it was only late: it is
 * looked for at once and after 15 s (`LOOKS_MS` in presence/reconciler.ts).
 */
const TURNS_UP_MS = 20_000
/**
 * A replaced version is deleted within this time, if the service doesn't answer late (`RETRY_MS` in
 * remote/deletion-runner.ts).
 */
const DELETED_MS = 75_000
/** Maximum number of pending deletions whose IDs are listed; `count` covers all of them. */
const MAX_DELETING = 1000
/** Maximum number of pending deletions whose names are listed. */
const MAX_DELETING_NAMES = 5

/** The rooms of the engine. */
export interface Rooms extends Journal, BudgetRoom, RulesRoom, RemoteRoom, PresenceRoom, SendRoom, QueueRoom {
  readonly ports: Ports
  readonly folders: WatchedFolders
  readonly bus: Bus
  /** Aborted when the engine closes. */
  readonly stop: AbortSignal
}

/** The rooms, as the handlers see them. */
export interface Services extends Rooms {
  readonly snapshots: SnapshotReader
  readonly backgroundJobs: BackgroundRunner
}

/** What holds back the transfers of a folder that the user has paused. */
export const FOLDER_PAUSED: Gate = { reason: 'folder-paused', until: null, message: null }

const LOOKS_FOR_LINK: Gate = {
  reason: 'comparing',
  until: null,
  message: 'Checking whether this content already has a link.',
}

export class SnapshotReader {
  readonly #rooms: Rooms
  readonly #version: string

  constructor(rooms: Rooms, version: string) {
    this.#rooms = rooms
    this.#version = version
  }

  /** `held`: what holds back all uploads that haven't started yet. */
  #view(row: TransferRow, held: Gate | null): Transfer {
    const { accounting, folders, ids, known, scheduler } = this.#rooms
    const ended = this.#endedOf(row)
    // A pause also applies to uploads that have started but not begun to send (propagator.ts), for example
    // because they are being hashed.
    const isActive = scheduler.isActive(row.id) && held?.reason !== 'paused'
    const gate = known.isPending(row, held) ? LOOKS_FOR_LINK : this.#gateOf(row, isActive ? null : held)
    const frame = {
      gate,
      isActive,
      sent: accounting.sent(row.id),
      due: folders.isOpen(row.folderId),
      ended,
      putAway: row.away ? this.#rooms.putAways.where(row.id) : null,
    }
    return transferView(row, frame, ids.shown)
  }

  #gateOf(row: TransferRow, held: Gate | null): Gate | null {
    const { compare, folders, opens, queue } = this.#rooms
    if (folders.isPaused(row.folderId)) return FOLDER_PAUSED
    if (compare.isPending(row.id)) return { reason: 'comparing', until: null, message: compare.message() }
    if (held !== null) return held
    if (opens.isUnanswered(row)) return { reason: 'drive-silent', until: null, message: null }
    return queue.isBehindUnconfirmed(row) ? { reason: 'earlier-upload', until: null, message: null } : null
  }

  /**
   * How this version lost its remote file. Null if it hasn't lost one, if its cancelled upload never arrived,
   * or while it is unknown whether the cancelled upload arrived.
   */
  #endedOf(row: TransferRow): Ended | null {
    const { state, ended, fileId } = row
    if (ended === null || (state !== 'done' && state !== 'cancelled')) return null
    if (state === 'cancelled' && fileId === null && !this.#isRepeated(row)) return null
    if (fileId === null || (ended !== 'deleted' && ended !== 'replaced')) return ended
    if (this.#rooms.remote.isRemoval(fileId)) return 'deleting'
    if (ended === 'replaced') return ended
    return this.#rooms.owners.isFree(fileId) ? 'deleted' : 'kept'
  }

  /**
   * Whether this row was cancelled because an earlier version of its path had the same content and was on the
   * service. The file was touched, but its content didn't change.
   */
  #isRepeated({ id, path, sha256, cancel }: TransferRow): boolean {
    return !cancel && sha256 !== null && this.#rooms.transfers.hasEarlier(path, id, sha256)
  }

  /** Returns a transfer in the contract's form, with what currently delays it. */
  transfer(row: TransferRow): Transfer {
    return this.viewer()(row)
  }

  /** Like `transfer`, for several rows at once: what holds back all uploads is determined only once. */
  viewer(): (row: TransferRow) => Transfer {
    const held = this.#rooms.gate.view()
    return (row) => this.#view(row, held)
  }

  /** Skips IDs that have no row in the journal. */
  transfers(ids: readonly number[]): Transfer[] {
    return ids
      .map((id) => this.#rooms.transfers.get(id))
      .filter((row) => row !== null)
      .map(this.viewer())
  }

  snapshot(): Snapshot {
    const {
      transfers,
      files,
      account,
      budget,
      limits,
      folders,
      stored,
      catalog,
      calls,
      accounting,
      gate,
      putAway,
      bus,
    } = this.#rooms
    const { minute, day } = budget.view()
    const listing = catalog.progress()
    const trouble = calls.trouble()
    const unanswered = calls.unanswered()
    let settling = 0
    for (const id of folders.ids()) settling += files.settlingCount(id)
    return {
      seq: bus.seq(),
      version: this.#version,
      account: account.view(),
      paused: gate.isPaused(),
      gate: gate.view(),
      minute,
      day,
      dailyUploads: limits.daily(),
      ...this.#near(),
      counts: { ...this.#counts(), settling },
      ...this.#grace(),
      ...(putAway.stuck().length === 0 ? {} : { notMoved: [...putAway.stuck()] }),
      folders: folders.views(),
      progress: accounting.view(transfers.workIn(folders.sendingIds()).bytes),
      health: this.#health(),
      stored: stored.view(),
      ...(listing === null ? {} : { listing }),
      ...(trouble === null ? {} : { trouble }),
      ...(unanswered === null ? {} : { unanswered }),
      ...this.#resent(),
      ...this.#replacing(),
      ...this.#deletions(),
    }
  }

  #counts(): Omit<Snapshot['counts'], 'settling'> {
    const { folders, transfers } = this.#rooms
    const counts = transfers.counts(null)
    const { queued, waiting, total: paused } = transfers.pausedIn(folders.pausedIds())
    return { ...counts, queued: counts.queued - queued, waiting: counts.waiting - waiting, paused }
  }

  #health(): Snapshot['health'] {
    const { disk, folders, account, setAside, identity } = this.#rooms
    return healthOf({
      disk: disk.health(),
      folders: folders.views(),
      account: account.view(),
      setAside,
      keyFailure: identity.failure(),
    })
  }

  #resent(): Pick<Snapshot, 'resent'> {
    const found = this.#rooms.doubts.resent(this.#rooms.ports.clock.now() - TURNS_UP_MS)
    return found === null ? {} : { resent: { count: found.count, until: found.openedAt + TURNS_UP_MS } }
  }

  #replacing(): Pick<Snapshot, 'replacing'> {
    const { remote, ports } = this.#rooms
    const found = remote.replaced()
    if (found === null) return {}
    const next = found.nextAt > ports.clock.now() ? found.nextAt : null
    return { replacing: { count: found.count, until: found.newestAt + DELETED_MS, next } }
  }

  /** What is known about the plan's limits and their use. */
  figures(): LimitFigures {
    const { budget, limits, stored } = this.#rooms
    const { day } = budget.view()
    const [dailyUploads, quota, unit] = [limits.daily(), limits.quota(), limits.unit()]
    return { dailyUploads, day, quota, stored: stored.view(), unit }
  }

  #grace(): Pick<Snapshot, 'grace'> {
    const { folders, transfers } = this.#rooms
    // Counting them reads all waiting rows, so it is left out where there can't be any.
    const isPossible = folders.views().some((one) => one.graceSeconds !== undefined)
    const grace = isPossible ? transfers.inGrace(folders.sendingIds()) : null
    return grace === null ? {} : { grace }
  }

  #near(): Pick<Snapshot, 'near'> {
    const near = nearOf(usesOf(this.figures()))
    return near.length === 0 ? {} : { near }
  }

  #deletions(): Pick<Snapshot, 'deleting'> {
    const { ids, remote, ports } = this.#rooms
    const { files, total } = remote.asked(MAX_DELETING)
    if (total === 0) return {}
    const next = remote.nextRemoval()
    return {
      deleting: {
        count: total,
        fileIds: files.map((one) => ids.shown(one.fileId)),
        names: files.slice(0, MAX_DELETING_NAMES).map((one) => one.name ?? String(ids.shown(one.fileId))),
        until: next === null || next <= ports.clock.now() ? null : next,
      },
    }
  }
}

// Lists problems that persist, such as a failing disk or a refused key, for the window and `slipway status`.
// Pure.
export interface HealthReport {
  readonly disk: readonly Health[]
  readonly folders: readonly Pick<Folder, 'path' | 'message' | 'watching' | 'watchLimit'>[]
  readonly account: Pick<Account, 'message'>
  /** Set if the journal was unusable and has been moved aside. */
  readonly setAside: SetAside | null
  /** Why there is no usable key (see `IdentityKeeper.failure`), or null. */
  readonly keyFailure: Pick<Failure, 'code' | 'title'> | null
}

/** Returns the problems in the order of display: disk, folders, account, journal, key. */
export function healthOf(report: HealthReport): Health[] {
  const list: Health[] = [...report.disk]
  for (const folder of report.folders) {
    if (folder.message !== null) list.push({ what: folder.path, message: folder.message })
    if (folder.watching === 'rescans') {
      const { title, hint } = rescansText(folder.watchLimit)
      list.push({ what: folder.path, message: hint === null ? title : `${title} ${hint}` })
    }
  }
  if (report.account.message !== null) list.push({ what: 'account', message: report.account.message })
  if (report.setAside !== null)
    list.push({
      what: 'journal',
      message: `The journal couldn't be used (${report.setAside.why}) and was set aside as ${report.setAside.file}. Slipway rebuilds it from the folder and the service.`,
    })
  if (report.keyFailure !== null)
    list.push({
      what: report.keyFailure.code === 'keychain' ? 'keychain' : 'key',
      message: report.keyFailure.title,
    })
  return list
}

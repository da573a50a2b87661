// Runs the scans of one folder one after another: checks the root first, shows the outcome, and schedules the
// next rescan. The pure `scanOutcome` decides state, message and time of the next scan. The callers decide
// what is scanned and what the findings mean.

import type { Folder } from '../../../src-shared/model.ts'
import { below } from '../disk/rel-path.ts'
import { writeTrouble } from '../journal/disk-trouble.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock, Disk, DiskFailure, Log, Random } from '../ports.ts'
import { RULES_FILE, RULES_HINT } from '../rules/ignore-rules.ts'
import type { Bus } from '../tell/bus.ts'
import type { FolderRules } from './folder-rules.ts'
import type { FolderState } from './folder-state.ts'
import { type FolderRoot, MISSING } from './folder-watch.ts'
import type { ScanReport, Unreadable } from './scan-run.ts'

/**
 * Interval between rescans while a watcher reports changes. Jittered, so that many folders don't rescan at
 * once.
 */
const RESCAN_MS = 10 * 60_000
/**
 * Interval between checks of whether the drive answers. A folder counts as away only after two failed checks
 * in a row, because a sleeping disk is slow to answer.
 */
const SILENCE_LOOK_MS = 15_000
/** Interval between rescans without a watcher. Short, because nothing else finds changes then. */
export const RESCAN_BLIND_MS = 20_000

/** Delay before a folder that is missing or unreadable is checked again. */
const AWAY_RETRY_MS = 3000

/** Delay before the next scan after an incomplete one. */
const UNFINISHED_RETRY_MS = 5000
const UNFINISHED = "The folder couldn't be read completely. Slipway reads it again in a few seconds."

/** Shown if the journal could not be written. */
const UNWRITTEN =
  "Couldn't write to the disk of Slipway's data folder, so what is new here waits. Slipway tries again in a few seconds."

export interface ScanQueueOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly state: FolderState
  readonly root: Pick<FolderRoot, 'whyAway'>
  readonly rules: Pick<FolderRules, 'locked' | 'isElsewhere'>
  readonly disk: Pick<Disk, 'unanswered'>
  readonly journal: Pick<Journal, 'failed'>
  readonly bus: Pick<Bus, 'wake'>
  /** Called before each scan, once the root has been found. `wasAway`: the folder was away until now. */
  readonly prepare: (wasAway: boolean) => Promise<void>
  readonly scanAll: (signal: AbortSignal) => Promise<ScanReport>
  /** Called when the whole folder was scanned. */
  readonly onScannedAll: () => void
}

export class ScanQueue {
  readonly #options: ScanQueueOptions
  readonly #stop = new AbortController()
  #last: Promise<void> = Promise.resolve()
  #open = 0
  #hasScannedAll = false
  /** When the last complete scan of the whole folder began, in monotonic milliseconds. */
  #beganAt = Number.NEGATIVE_INFINITY
  #cancelRescan: (() => void) | null = null
  /** What couldn't be read when it was last looked at. */
  #unreadable: readonly Unreadable[] = []

  constructor(options: ScanQueueOptions) {
    this.#options = options
  }

  /** Whether the whole folder has been scanned since the session began. */
  get hasScannedAll(): boolean {
    return this.#hasScannedAll
  }

  /** Whether no scan is running or waiting. */
  get isEmpty(): boolean {
    return this.#open === 0
  }

  /** Whether a scan of the whole folder that began after `mono` (monotonic milliseconds) has completed. */
  hasScannedAfter(mono: number): boolean {
    return this.#hasScannedAll && this.#beganAt > mono
  }

  /**
   * Runs a scan after those added before it. Resolves when it has ended, successfully or not; never rejects.
   */
  add(scan: (signal: AbortSignal) => Promise<ScanReport>): Promise<void> {
    this.#open++
    this.#last = this.#last
      .then(() => this.#run(scan))
      .finally(() => {
        this.#open--
        this.#options.bus.wake('lookups')
      })
      .catch((error: unknown) => this.#broke(error))
    return this.#last
  }

  /** Logs an error that a callback threw, and schedules a rescan. Later scans still run. */
  #broke(error: unknown): void {
    const { state, log } = this.#options
    log.error('scan.broke', {
      folder: state.id,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    this.schedule(UNFINISHED_RETRY_MS)
  }

  /** Scans the whole folder, and schedules the next rescan. */
  rescan(): Promise<void> {
    const done = this.add((signal) => this.#scanAll(signal))
    const ms = this.#options.state.watching === 'events' ? RESCAN_MS : RESCAN_BLIND_MS
    this.schedule(ms * (0.75 + this.#options.random() * 0.5))
    return done
  }

  /** Schedules the next rescan in `ms` milliseconds, replacing any rescan scheduled before. */
  schedule(ms: number): void {
    if (this.#stop.signal.aborted) return
    this.#cancelRescan?.()
    this.#cancelRescan = this.#options.clock.after(ms, () => {
      // Adding a rescan while another scan is slow or waits for its drive would let rescans pile up.
      if (this.isEmpty) void this.rescan()
      else this.schedule(RESCAN_BLIND_MS)
    })
  }

  /** Aborts the running scan and drops those that wait, including the next rescan. */
  stop(): void {
    this.#stop.abort()
    this.#cancelRescan?.()
  }

  /** Resolves when all scans have ended. */
  ended(): Promise<void> {
    return this.#last
  }

  async #run(scan: (signal: AbortSignal) => Promise<ScanReport>): Promise<void> {
    const { signal } = this.#stop
    const { state, log } = this.#options
    if (signal.aborted) return
    const endLooking = this.#lookForSilence()
    try {
      const away = await this.#options.root.whyAway()
      if (away !== null) {
        state.show('away', away)
        this.schedule(AWAY_RETRY_MS)
        return
      }
      await this.#options.prepare(state.state === 'away')
      this.#show(await scan(signal))
    } catch (error) {
      if (signal.aborted) return
      this.#options.journal.failed(error)
      log.error('scan.failed', {
        folder: state.id,
        message: error instanceof Error ? error.message : String(error),
      })
      state.show('watching', brokenScanMessage(error))
      this.schedule(UNFINISHED_RETRY_MS)
    } finally {
      // While the drive didn't answer, the watcher may have failed and missed changes. The next scan restarts
      // it if necessary.
      if (endLooking()) this.schedule(AWAY_RETRY_MS)
    }
  }

  /**
   * Shows the folder as away while its drive doesn't answer. The returned function stops this and returns
   * whether the folder was ever shown as away.
   */
  #lookForSilence(): () => boolean {
    const { clock, state } = this.#options
    let looks = 0
    let hasShown = false
    const look = (): void => {
      if (this.#stop.signal.aborted) return
      const wasAway = looks >= 2
      looks = this.#isSilent() ? looks + 1 : 0
      hasShown ||= looks >= 2
      if (looks >= 2) state.showSilent()
      else if (wasAway) state.show('scanning', null)
      cancel = clock.after(SILENCE_LOOK_MS, look)
    }
    let cancel = clock.after(SILENCE_LOOK_MS, look)
    return () => {
      cancel()
      return hasShown
    }
  }

  /**
   * Whether a drive hasn't answered for several seconds that holds the folder, a directory above it, or a
   * path in it that this folder handles.
   */
  #isSilent(): boolean {
    const { disk, rules, state } = this.#options
    return (disk.unanswered?.() ?? []).some((place) => {
      const rel = below(state.path, place)
      return below(place, state.path) !== null || (rel !== null && !rules.isElsewhere(rel))
    })
  }

  #show(report: ScanReport): void {
    const outcome = scanOutcome(this.#withEarlier(report), this.#options.rules.locked())
    if (outcome === null) return
    const { state, log } = this.#options
    if (report.kind === 'incomplete' && report.reason === 'failed')
      log.warn('scan.incomplete', { folder: state.id, message: report.failure?.message ?? null })
    state.show(outcome.state, outcome.message)
    if (outcome.retryMs !== null) this.schedule(outcome.retryMs)
  }

  /**
   * The report with the unreadable places that the scan didn't look at, so that a scan of a few paths doesn't
   * seem to have solved them.
   */
  #withEarlier(report: ScanReport): ScanReport {
    if (report.kind !== 'complete') return report
    this.#unreadable = [...this.#unreadable.filter(({ dir }) => !report.covers(dir)), ...report.unreadable]
    return { ...report, unreadable: this.#unreadable }
  }

  async #scanAll(signal: AbortSignal): Promise<ScanReport> {
    const { state, clock } = this.#options
    state.show('scanning', null)
    const beganAt = clock.mono()
    state.reload()
    const report = await this.#options.scanAll(signal)
    if (report.kind === 'complete') {
      this.#hasScannedAll = true
      this.#beganAt = beganAt
      this.#options.onScannedAll()
    }
    return report
  }
}

// Decides which state and message a watched folder has after a scan, and when it is scanned again. Pure. The
// command line and the English window show these messages unchanged; the German window has its own.

interface ScanOutcome {
  readonly state: Folder['state']
  readonly message: string | null
  /** Delay before the next scan; null leaves it to the regular rescan. */
  readonly retryMs: number | null
}

/**
 * What the folder shows after a scan, and when it is scanned again. Null for an aborted scan, because the
 * session is ending. `lockedRules`: absolute paths of the directories whose rules file can't be read.
 */
export function scanOutcome(report: ScanReport, lockedRules: readonly string[]): ScanOutcome | null {
  if (report.kind === 'complete')
    return {
      state: 'watching',
      message: rulesMessage(lockedRules) ?? unreadableMessage(report.unreadable),
      retryMs: null,
    }
  if (report.reason === 'aborted') return null
  if (report.reason === 'root')
    return { state: 'away', message: awayMessage(report.failure), retryMs: AWAY_RETRY_MS }
  return { state: 'watching', message: UNFINISHED, retryMs: UNFINISHED_RETRY_MS }
}

/** The message that a folder shows after a scan that threw. */
export function brokenScanMessage(error: unknown): string {
  return writeTrouble(error) === null ? UNFINISHED : UNWRITTEN
}

/**
 * The message about unreadable rules files, or null. Such a file might exclude anything, so nothing in its
 * directory is uploaded.
 */
function rulesMessage([first, ...more]: readonly string[]): string | null {
  if (first === undefined) return null
  const others =
    more.length === 0
      ? ''
      : ` The same goes for ${more.length} more ${more.length === 1 ? 'folder' : 'folders'}.`
  return `${RULES_FILE} in ${first} can't be read, so nothing in that folder is uploaded. ${RULES_HINT}${others}`
}

function unreadableMessage(unreadable: readonly Unreadable[]): string | null {
  if (unreadable.length === 0) return null
  return `${unreadable.length} ${unreadable.length === 1 ? 'place' : 'places'} can't be read.`
}

function awayMessage(failure: DiskFailure | null): string {
  return failure === null || failure.code === 'gone' || failure.code === 'not-a-directory'
    ? MISSING
    : `The folder can't be read (${failure.message}). Its uploads wait, and nothing counts as deleted.`
}

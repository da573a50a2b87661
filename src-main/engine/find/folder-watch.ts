// Watches one folder: passes the watcher's hints to the aggregator, reports when watching fails, and requests
// a rescan whenever a hint may have been lost. `FolderRoot` checks whether the folder itself is available: if
// it isn't, its uploads wait, and nothing in it counts as deleted.
import { rescansText, WATCH_LIMITS, type WatchLimit } from '../../../src-shared/watch-limits.ts'
import { below, split } from '../disk/rel-path.ts'
import type { Files } from '../journal/files.ts'
import type { Clock, Disk, Hint, Log, Watch, Watcher } from '../ports.ts'
import { DATA_MARKS } from '../rules/data-folder.ts'
import { isRulesFile } from '../rules/ignore-rules.ts'
import type { OwnPlaces } from '../rules/own-places.ts'
import type { Admission } from '../rules/path-facts.ts'
import type { Bus } from '../tell/bus.ts'
import type { Aggregator, AggregatorHint } from './aggregator.ts'
import { leadsThroughLink } from './entries.ts'
import type { FolderRules } from './folder-rules.ts'
import type { FolderState } from './folder-state.ts'

// Checks whether the watched folder itself is available. If the folder is missing, or if an empty mount point
// or a link has replaced it, its uploads wait, and nothing in it counts as deleted.
export const MISSING = 'The folder is unavailable. Its uploads wait, and nothing counts as deleted.'
const UNPLUGGED =
  "An empty folder has taken the watched one's place, as if its disk weren't connected. Nothing counts as deleted."

/** Files below a link aren't sent, because the link could later point to other files. */
const LINKED =
  "A link has taken the folder's place, or that of a folder above it. Its uploads wait, and nothing counts as deleted. Watch the folder to which it leads instead."

/** A watcher that failed is restarted after this time, in case its limit has been raised or is used less. */
const RETRY_BLIND_MS = 300_000

export interface FolderWatchOptions {
  readonly clock: Pick<Clock, 'mono'>
  readonly watch: Watch
  readonly log: Log
  readonly state: FolderState
  readonly own: Pick<OwnPlaces, 'dirs'>
  readonly aggregator: Pick<Aggregator, 'add'>
  readonly rules: Pick<FolderRules, 'isElsewhere'>
  readonly bus: Pick<Bus, 'emit'>
  /**
   * Called when the watcher has failed or the folder is gone, so that only rescans find changes from then on.
   */
  readonly onBlind: () => void
}

export class FolderWatch {
  readonly #options: FolderWatchOptions
  #watcher: Watcher | null = null
  #isGone = false
  /**
   * Whether the watcher has failed since it was started. It may still report that it is ready, although it
   * watches only a part.
   */
  #isBlind = false
  #startedAt = 0
  /** Whether the user knows that only rescans find changes. */
  #isNoticed = false
  /**
   * Whether a full scan is requested at once when the watcher reports the folder as missing. This happens
   * only once until the watcher is ready again, because watcher and disk may disagree for a while, and each
   * scan would restart the watcher.
   */
  #looksAtOnce = true

  constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  /**
   * Starts or restarts watching. Call it again when the path may refer to another directory, or when
   * different directories have to be left out.
   */
  start(): void {
    this.#isGone = false
    this.#isBlind = false
    this.#startedAt = this.#options.clock.mono()
    void this.#watcher?.close()
    const { path, ignore } = this.#options.state.row
    this.#watcher = this.#options.watch.start({
      root: path,
      patterns: ignore,
      own: this.#options.own.dirs(),
      onHint: (hint) => this.#onHint(hint),
    })
  }

  /** Whether `start` must be called again, because the folder was missing or the watcher failed a while ago. */
  get needsStart(): boolean {
    const ranMs = this.#options.clock.mono() - this.#startedAt
    return this.#isGone || (this.#isBlind && ranMs >= RETRY_BLIND_MS)
  }

  async close(): Promise<void> {
    await this.#watcher?.close()
  }

  #onHint(hint: Hint): void {
    const { state, log, aggregator } = this.#options
    switch (hint.kind) {
      case 'path':
      case 'tree': {
        const asked = hintFor(hint.kind, below(state.path, hint.path), this.#options.rules)
        if (asked !== null) aggregator.add(asked)
        return
      }
      case 'lost':
        log.warn('watch.lost', { folder: state.id, reason: hint.reason })
        aggregator.add({ kind: 'all' })
        return
      case 'ready':
        this.#looksAtOnce = true
        if (!this.#isBlind) {
          this.#isNoticed = false
          state.setWatching('events')
        }
        // Finds what changed between the first scan and the start of the watches.
        aggregator.add({ kind: 'all' })
        return
      case 'failed':
        if (hint.reason === 'gone') {
          this.#isGone = true
          // A folder that is away is checked again within a few seconds anyway, or as soon as its drive
          // answers.
          if (state.state === 'away') return
          this.#options.onBlind()
          if (this.#looksAtOnce) aggregator.add({ kind: 'all' })
          this.#looksAtOnce = false
          return
        }
        // Each directory that can't be watched is reported. Scheduling a rescan for each would put off the
        // rescans.
        if (this.#isBlind) return
        this.#isBlind = true
        log.warn('watch.failed', { folder: state.id, reason: hint.reason, message: hint.message })
        this.#fallBack(hint.reason === 'other' ? undefined : hint.reason)
        this.#options.onBlind()
        return
    }
  }

  #fallBack(limit: WatchLimit | undefined): void {
    const { state, bus } = this.#options
    state.setWatching('rescans', limit)
    if (this.#isNoticed) return
    this.#isNoticed = true
    const about =
      limit === undefined
        ? ({ what: 'watch-blind', name: '', count: 1 } as const)
        : ({ what: 'watch-limit', name: WATCH_LIMITS[limit].name, count: 1 } as const)
    bus.emit({ kind: 'notice', level: 'warning', ...rescansText(limit), about })
  }
}

/**
 * Converts a hint about one path into one for the aggregator; null if no work is needed. `rel`: the path
 * relative to the folder. A hint about the folder itself ('') or a path outside it (null) requires a full
 * scan.
 */
export function hintFor(
  kind: 'path' | 'tree',
  rel: string | null,
  rules: Pick<FolderRules, 'isElsewhere'>,
): AggregatorHint | null {
  if (rel === null || rel === '') return { kind: 'all' }
  const { dir, name } = split(rel)
  // This folder doesn't handle what is there.
  if (rules.isElsewhere(dir)) return null
  // A changed rules file may affect everything in and below its directory, and so do the files that mark a
  // data folder of Slipway.
  return isRulesFile(name, true) || DATA_MARKS.has(name) ? { kind: 'tree', rel: dir } : { kind, rel }
}

/**
 * Without this message, files left over from a data folder in, say, the home folder would silently stop all
 * uploads below it.
 */
function inDataFolder(dir: string): string {
  return `${dir} contains data of Slipway, such as journal.db or accounts.json, so nothing in it is uploaded. If Slipway doesn't use this data any more, move it to another folder.`
}

export class FolderRoot {
  readonly #disk: Disk
  readonly #files: Files
  readonly #state: FolderState
  readonly #admission: Pick<Admission, 'dataFolder'>

  constructor(disk: Disk, files: Files, state: FolderState, admission: Pick<Admission, 'dataFolder'>) {
    this.#disk = disk
    this.#files = files
    this.#state = state
    this.#admission = admission
  }

  /**
   * Checks the root before a scan. Returns null if the scan may begin, otherwise the message to show. Records
   * a new or replaced root.
   */
  async whyAway(): Promise<string | null> {
    const { row } = this.#state
    const found = await this.#disk.resolve(row.path)
    if ('code' in found || found.entry.kind !== 'dir') return MISSING
    if (await leadsThroughLink(this.#disk, row.path, found.real)) return LINKED
    const dataFolder = await this.#admission.dataFolder(row.path)
    if (dataFolder !== null) return inDataFolder(dataFolder)
    const { dev, ino } = found.entry
    if (row.rootDev === dev && row.rootIno === ino) return null
    // Emptying the folder wouldn't change its inode. So this is another directory, most likely the mount
    // point of a missing disk.
    if (row.rootDev !== null && !this.#files.isEmpty(this.#state.id) && (await this.#isEmptyOnDisk(row.path)))
      return UNPLUGGED
    this.#state.setRoot(dev, ino)
    return null
  }

  /** Whether the root is still the directory that `whyAway` accepted. False if it can't be resolved. */
  async isSame(): Promise<boolean> {
    const { row } = this.#state
    const found = await this.#disk.resolve(row.path)
    if (
      'code' in found ||
      found.entry.kind !== 'dir' ||
      (await leadsThroughLink(this.#disk, row.path, found.real))
    )
      return false
    return found.entry.dev === row.rootDev && found.entry.ino === row.rootIno
  }

  async #isEmptyOnDisk(path: string): Promise<boolean> {
    const [list] = await this.#disk.list([path])
    return list === undefined || list.failure !== null || list.names === ''
  }
}

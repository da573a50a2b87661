// Opens the files that are to be sent. A dead network drive never answers, and each open of its files blocks
// one of the few threads that can open files. So only one file of a drive is opened at a time until the drive
// answers, and none while an open goes unanswered. Several directories may be on one drive, so directories
// are tried one after the other. Once `SUSPECTS_MAX` of them don't answer, other directories that may be on
// the same drives aren't tried.
import { dirname } from 'node:path'
import { orAborted } from '../../../src-shared/or-aborted.ts'
import { SMALL_FILE } from '../disk/content.ts'
import { below } from '../disk/rel-path.ts'
import type { LeftOut } from '../journal/transfer-queue.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Clock, Disk, OpenFile } from '../ports.ts'
import { inTime, silentDrive } from '../sleep.ts'
import type { Bus } from '../tell/bus.ts'

/** After this time without an answer, no other file of the drive is opened. */
const UNANSWERED_MS = 2000
/** After this time without an answer, an upload stops waiting, so that another upload can use its slot. */
export const DISK_PATIENCE_MS = 30_000
/** For this long after an answer, several files of the drive may be opened concurrently. */
const RECENT_MS = 10_000
/** If this many directories don't answer, others that may be on the same drives aren't tried. */
const SUSPECTS_MAX = 2
/**
 * Once this many drives are remembered, those without an open in progress are forgotten before another is
 * added.
 */
const DRIVES_MAX = 200
const NEVER = new AbortController().signal

/**
 * The state of what is treated as one drive: a watched folder or, for transfers that belong to no folder, the
 * directory of the file. It may be unknown which directories really share a drive.
 */
interface Drive {
  /** Number of opens that haven't been answered yet. */
  open: number
  /** Number of these opens that have taken longer than `UNANSWERED_MS`. */
  unanswered: number
  /** When the last open was answered, in monotonic milliseconds. */
  answeredAt: number
  /**
   * Set while only one file may be opened at a time. Resolves once its open is answered, or counts as
   * unanswered.
   */
  first: Promise<void> | null
}

/**
 * `later`: not opened, because an earlier open is still unanswered or the upload was aborted. `unanswered`:
 * not answered in time.
 */
export type Opened = OpenFile | 'later' | 'unanswered'

export interface FileOpensOptions {
  readonly clock: Pick<Clock, 'mono' | 'after'>
  readonly disk: Pick<Disk, 'open' | 'openWhole' | 'mountOf'>
  readonly transfers: Pick<Transfers, 'queuedIds'>
  readonly bus: Pick<Bus, 'changed' | 'wake'>
  readonly stop: AbortSignal
}

export class FileOpens {
  readonly #options: FileOpensOptions
  readonly #drives = new Map<number | string, Drive>()
  /**
   * Unresponsive directories, each with its mount point (null if unknown). Only for files that belong to no
   * folder.
   */
  readonly #silent = new Map<string, string | null>()
  /** Directory trees that are assumed to be on a drive that doesn't answer. */
  #suspects: readonly string[] = []
  /** When a directory stopped answering while all others still did, in monotonic milliseconds. */
  #silentSince = 0
  /** The directory that answered last. Only for files that belong to no folder. */
  #lastAnswered: string | null = null
  /**
   * Set while a directory that hasn't answered recently is tried. Other such directories wait, unless they
   * are near `#lastAnswered`.
   */
  #probe: Promise<void> | null = null

  constructor(options: FileOpensOptions) {
    this.#options = options
  }

  /** Whether the drive of this transfer's file doesn't answer, so that the transfer has to wait. */
  isUnanswered({ folderId, path }: Pick<TransferRow, 'folderId' | 'path'>): boolean {
    if (folderId !== null) return this.isFolderUnanswered(folderId)
    if (this.#silent.size === 0) return false
    const dir = dirname(path)
    return this.#silent.has(dir) || this.#isSuspect(dir)
  }

  /** For files that belong to no folder, the directories for which `isUnanswered` is true. */
  unanswered(): LeftOut {
    const trees = this.#suspects
    const named = trees.length === 0 ? [] : [...this.#drives.keys()].filter((key) => typeof key === 'string')
    // Directories outside the trees aren't left out anyway, and each exception makes the query slower.
    const inTrees = named.filter((dir) => trees.some((tree) => below(tree, dir) !== null))
    return {
      dirs: [...this.#silent.keys()],
      trees,
      except: inTrees.filter((dir) => this.#hasAnsweredSince(dir)),
    }
  }

  /** Like `isUnanswered`, for all transfers of a folder. */
  isFolderUnanswered(folderId: number): boolean {
    return (this.#drives.get(folderId)?.unanswered ?? 0) > 0
  }

  /** Those of these folders (IDs) whose drives answer. */
  answering(folderIds: Iterable<number>): number[] {
    return [...folderIds].filter((id) => !this.isFolderUnanswered(id))
  }

  /** Opens the transfer's file, which the caller must close. Rejects with a DiskError if opening it fails. */
  async open(row: TransferRow, signal: AbortSignal): Promise<Opened> {
    const { clock, disk } = this.#options
    const dir = row.folderId === null ? dirname(row.path) : null
    const drive = this.#driveOf(row.folderId ?? dirname(row.path))
    if (row.size <= SMALL_FILE && disk.openWhole !== undefined && !this.isUnanswered(row)) {
      const whole = await orAborted(disk.openWhole(row.path, SMALL_FILE), signal, () => null)
      if (whole !== null) {
        this.#noteAnswer(drive, dir)
        return whole
      }
    }
    const isRecent = (): boolean => clock.mono() - drive.answeredAt <= RECENT_MS
    for (;;) {
      const wait =
        drive.first ?? (dir !== null && !isRecent() && !this.#isNearAnswered(dir) ? this.#probe : null)
      if (wait === null || signal.aborted) break
      await orAborted(wait, signal, () => undefined)
    }
    if (signal.aborted || this.isUnanswered(row)) return 'later'
    const opening = disk.open(row.path)
    const answered = this.#follow(drive, row, opening)
    if (!isRecent()) this.#holdBack(drive, dir, answered)
    const file = await inTime(clock, opening, DISK_PATIENCE_MS, signal)
    if (file !== 'late') return patient(file, clock)
    // If the open is answered later, nothing else closes the file.
    void opening.then((late) => late.close()).catch(() => undefined)
    return signal.aborted ? 'later' : 'unanswered'
  }

  /**
   * A disk that opens files like `open`. Rejects with a DiskError if the drive doesn't answer, or with its
   * reason if `signal` aborts.
   */
  diskOf(row: TransferRow, signal: AbortSignal): Pick<Disk, 'open'> {
    return {
      open: async (path) => {
        const opened = await this.open({ ...row, path }, signal)
        if (typeof opened !== 'string') return opened
        // If `signal` aborted, throw its reason instead: it isn't known whether the drive would have
        // answered.
        signal.throwIfAborted()
        throw silentDrive()
      },
    }
  }

  /** Makes other opens of the drive wait until this one is answered, or counts as unanswered. */
  #holdBack(drive: Drive, dir: string | null, answered: Promise<void>): void {
    drive.first = answered.then(() => {
      drive.first = null
    })
    if (dir === null) return
    const probe = answered.then(() => {
      if (this.#probe === probe) this.#probe = null
    })
    this.#probe = probe
  }

  #isNearAnswered(dir: string): boolean {
    return (
      this.#lastAnswered !== null &&
      this.#silent.size === 0 &&
      below(dirname(this.#lastAnswered), dir) !== null
    )
  }

  #isSuspect(dir: string): boolean {
    return this.#suspects.some((suspect) => below(suspect, dir) !== null) && !this.#hasAnsweredSince(dir)
  }

  /** Whether a directory has answered since `#silentSince`, which shows that it is on another drive. */
  #hasAnsweredSince(dir: string): boolean {
    return (this.#drives.get(dir)?.answeredAt ?? Number.NEGATIVE_INFINITY) > this.#silentSince
  }

  #noteSilent(dir: string, isSilent: boolean): void {
    const { clock, disk } = this.#options
    if (isSilent && this.#silent.size === 0) this.#silentSince = clock.mono()
    if (isSilent) this.#silent.set(dir, disk.mountOf?.(dir) ?? null)
    else this.#silent.delete(dir)
    this.#suspects = this.#silent.size < SUSPECTS_MAX ? [] : [...new Set(this.#suspected())]
  }

  #suspected(): readonly string[] {
    const mounts = [...this.#silent.values()].filter((mount) => mount !== null)
    const elsewhere = [...this.#silent].flatMap(([dir, mount]) => (mount === null ? [dir] : []))
    const common = elsewhere.flatMap((one, i) => elsewhere.slice(i + 1).map((other) => commonDir(one, other)))
    // Unrelated drives have the root in common as well, so a common root doesn't suggest a shared drive.
    return [...mounts, ...common.filter((one) => dirname(one) !== one)]
  }

  /** Resolves once the open is answered, or counts as unanswered. */
  #follow(
    drive: Drive,
    { folderId, path }: Pick<TransferRow, 'folderId' | 'path'>,
    opening: Promise<unknown>,
  ): Promise<void> {
    const { clock } = this.#options
    const dir = folderId === null ? dirname(path) : null
    return new Promise((resolve) => {
      let isLate = false
      drive.open++
      const cancel = clock.after(UNANSWERED_MS, () => {
        isLate = true
        drive.unanswered++
        if (dir !== null) this.#noteSilent(dir, true)
        resolve()
        this.#answersChanged(folderId)
      })
      const settled = (): void => {
        cancel()
        drive.open--
        if (isLate) drive.unanswered--
        this.#noteAnswer(drive, dir)
        if (isLate && dir !== null && drive.unanswered === 0) this.#noteSilent(dir, false)
        resolve()
        if (isLate && drive.unanswered === 0) this.#answersChanged(folderId)
      }
      opening.then(settled, settled)
    })
  }

  /** Call when a drive stops answering, or answers again. `folderId`: null for files that belong to none. */
  #answersChanged(folderId: number | null): void {
    const { transfers, bus, stop } = this.#options
    // A slow drive may answer after shutdown, when the journal is closed and can't be read.
    if (stop.aborted) return
    for (const id of transfers.queuedIds(folderId)) bus.changed(id)
    bus.wake('queue')
  }

  #noteAnswer(drive: Drive, dir: string | null): void {
    drive.answeredAt = this.#options.clock.mono()
    if (drive.unanswered === 0) this.#lastAnswered = dir ?? this.#lastAnswered
  }

  #driveOf(key: number | string): Drive {
    const known = this.#drives.get(key)
    if (known !== undefined) return known
    if (this.#drives.size >= DRIVES_MAX)
      for (const [other, { open }] of this.#drives) if (open === 0) this.#drives.delete(other)
    const drive: Drive = { open: 0, unanswered: 0, answeredAt: Number.NEGATIVE_INFINITY, first: null }
    this.#drives.set(key, drive)
    return drive
  }
}

/** The deepest directory that contains both. */
function commonDir(a: string, b: string): string {
  let at = a
  while (below(at, b) === null && dirname(at) !== at) at = dirname(at)
  return at
}

/**
 * Wraps a file so that a call that isn't answered in time rejects with a DiskError. The file is then closed
 * once that call has ended.
 */
function patient(file: OpenFile, clock: Pick<Clock, 'after'>): OpenFile {
  let last: Promise<unknown> | null = null
  const inPatience = async <T extends object | number>(work: Promise<T>): Promise<T> => {
    const answer = await inTime(clock, work, DISK_PATIENCE_MS, NEVER)
    if (answer !== 'late') return answer
    last = work
    throw silentDrive()
  }
  return {
    first: file.first,
    above: file.above,
    stat: () => inPatience(file.stat()),
    read: (into, position) => inPatience(file.read(into, position)),
    close: () => {
      if (last === null) return file.close()
      void last.catch(() => undefined).then(() => file.close().catch(() => undefined))
      return Promise.resolve()
    },
  }
}

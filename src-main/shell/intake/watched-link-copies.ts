// Copies the links of files that the user saves in a watched folder as they become ready, if the settings
// allow this. Links of files that existed before, or were saved while Slipway wasn't running, aren't copied.
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { Folder, Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { ClipboardMark, CopyOutcome } from '../clipboard/unasked-copies.ts'
import type { AppSettingsFile } from '../engine/app-settings.ts'
import { type DropLink, linkOf } from './upload-batches.ts'

/** A link that becomes ready within this interval after the previous one is copied together with it. */
const GROUP_MS = 3000
/** A new file is seen within this interval at the latest, and its upload may end before. */
const SEEN_MS = 1000
/**
 * More files than this can hardly have been saved by hand, so once a group has grown larger, its links are no
 * longer copied.
 */
const GROUP_MOST = 100
/**
 * A link that became ready longer ago isn't new. The engine has reported it again, for example after a
 * restart or a move.
 */
const NEW_MS = 10 * 60_000

interface Group {
  readonly links: Map<number, DropLink>
  lastAt: number
}

interface WatchedOptions {
  readonly settings: () => Pick<AppSettings, 'copyWatched' | 'copyFolders'>
  readonly mark: () => Promise<ClipboardMark>
  readonly copy: (links: readonly DropLink[], mark: ClipboardMark) => Promise<CopyOutcome>
  /** Called when the links of these transfers have been copied to the clipboard. */
  readonly onCopied: (transferIds: readonly number[]) => void
  readonly now: () => number
}

/** Whether links of files saved in this folder are copied. */
function copiesFolder(
  { copyWatched, copyFolders }: Pick<AppSettings, 'copyWatched' | 'copyFolders'>,
  path: string,
): boolean {
  return copyWatched === 'always' || (copyWatched === 'chosen' && copyFolders.includes(path))
}

export class WatchedCopies {
  readonly #options: WatchedOptions
  readonly #folders = new Map<number, Folder>()
  /**
   * By folder ID, the time (epoch ms) after which new files count as saved by the user. Earlier ones were
   * found by the initial scan.
   */
  readonly #since = new Map<number, number>()
  /**
   * By transfer ID, the clipboard's state before the file was uploaded: when Slipway became busy or, if that
   * was long before, when the transfer was first seen.
   */
  readonly #marks = new Map<number, Promise<ClipboardMark>>()
  /**
   * The clipboard's state when Slipway became busy, or later. A small file may be uploaded before its transfer
   * is first seen.
   */
  #busy: { readonly mark: Promise<ClipboardMark>; readonly at: number } | null = null
  readonly #copied = new Map<number, number>()
  #group: Group | null = null

  constructor(options: WatchedOptions) {
    this.#options = options
  }

  take(event: EngineEvent): void {
    if (event.kind === 'state') this.snapshot(event.snapshot)
    else if (event.kind === 'folder') this.#takeFolder(event.folder, event.settling ?? null)
    else if (event.kind === 'transfers') this.#takeTransfers(event.items)
  }

  snapshot({ folders, counts }: Snapshot): void {
    const watched = new Set(folders.map((folder) => folder.id))
    for (const id of this.#folders.keys()) if (!watched.has(id)) this.#forget(id)
    for (const folder of folders) this.#takeFolder(folder, counts.settling)
    const isBusy = counts.settling + counts.queued + counts.uploading + counts.unknown > 0
    if (!isBusy) this.#busy = null
    else if (this.#busy === null && folders.some((folder) => this.#copies(folder))) void this.#markNow()
  }

  #markNow(): Promise<ClipboardMark> {
    this.#busy = { mark: this.#options.mark(), at: this.#options.now() }
    return this.#busy.mark
  }

  /**
   * With many uploads, Slipway is busy for hours. What the user copied in that time, before saving this file,
   * must not keep its link from being copied.
   */
  #markBefore({ createdAt }: Transfer): Promise<ClipboardMark> {
    return this.#busy !== null && createdAt - this.#busy.at < SEEN_MS ? this.#busy.mark : this.#markNow()
  }

  /**
   * Treats all folders as not scanned yet. Call when the engine stops or is replaced, because the next one
   * starts with an initial scan.
   */
  engineChanged(): void {
    this.#since.clear()
    this.#marks.clear()
    this.#busy = null
  }

  #copies(folder: Folder): boolean {
    return copiesFolder(this.#options.settings(), folder.path)
  }

  #forget(id: number): void {
    this.#folders.delete(id)
    this.#since.delete(id)
  }

  /** `settling`: the number of files that are settling, in this folder or in all; null if it isn't known. */
  #takeFolder(folder: Folder, settling: number | null): void {
    this.#folders.set(folder.id, folder)
    if (folder.state === 'away' || folder.state === 'idle') this.#since.delete(folder.id)
    // Wait until no file is settling, because files found by the initial scan may still be settling when the
    // scan ends.
    else if (
      folder.state === 'watching' &&
      folder.lastScanAt !== null &&
      settling === 0 &&
      !this.#since.has(folder.id)
    )
      this.#since.set(folder.id, this.#options.now())
  }

  #takeTransfers(items: readonly Transfer[]): void {
    const ready = items.filter((item) => this.#isReady(item))
    if (ready.length > 0) void this.#copy(ready)
    for (const item of items) {
      if (item.state === 'done' || !this.#isSaved(item)) this.#marks.delete(item.id)
      else if (!this.#marks.has(item.id)) this.#marks.set(item.id, this.#markBefore(item))
    }
  }

  /** Whether the user saved this file while its folder was being watched, and wants its link copied. */
  #isSaved(item: Transfer): boolean {
    const folder = item.folderId === null ? undefined : this.#folders.get(item.folderId)
    const since = folder === undefined ? undefined : this.#since.get(folder.id)
    return (
      item.source === 'watch' &&
      folder !== undefined &&
      since !== undefined &&
      item.createdAt > since &&
      this.#copies(folder)
    )
  }

  #isReady(item: Transfer): boolean {
    const now = this.#options.now()
    for (const [id, at] of this.#copied) {
      if (now - at < NEW_MS) break
      this.#copied.delete(id)
    }
    if (
      item.state !== 'done' ||
      item.publicLink === null ||
      item.ended !== undefined ||
      this.#copied.has(item.id)
    )
      return false
    return this.#isSaved(item) && (item.doneAt === null || now - item.doneAt < NEW_MS)
  }

  async #copy(ready: readonly Transfer[]): Promise<void> {
    const { now, copy, onCopied } = this.#options
    const at = now()
    const marks = ready.map((item) => this.#marks.get(item.id) ?? this.#markBefore(item))
    if (this.#group === null || at - this.#group.lastAt > GROUP_MS)
      this.#group = { links: new Map(), lastAt: at }
    const group = this.#group
    group.lastAt = at
    for (const item of ready) {
      this.#copied.set(item.id, at)
      const link = linkOf(item)
      if (link !== null) group.links.set(item.id, link)
    }
    if (group.links.size > GROUP_MOST) return
    const links = [...group.links.values()]
    const outcome = await copy(links, (await marks.at(-1)) ?? null)
    if (outcome === 'copied') onCopied(links.map((link) => link.transferId))
  }
}

// Finds folders that were watched before Slipway could copy the links of saved files. The user was never
// asked whether to copy links from these folders, so the window asks once.

export class CopyOffer {
  readonly #settings: Pick<AppSettingsFile, 'read' | 'change'>
  /**
   * Whether this is the first start of a version that has the setting `copyAsk`. On later starts, no folders
   * are checked.
   */
  readonly #isFirstStart: boolean
  /** Accounts whose folders have been checked. */
  readonly #seen = new WeakSet<object>()

  constructor(settings: Pick<AppSettingsFile, 'read' | 'change'>) {
    this.#settings = settings
    this.#isFirstStart = settings.read().copyAsk === null
  }

  /**
   * On the first start of a version with `copyAsk`, adds an account's folders to those that the window asks
   * about. Call with all of the account's folders when its engine starts. Returns the changed settings; null
   * if nothing changed. Throws if the settings can't be written.
   */
  take(account: object, folders: readonly Pick<Folder, 'path'>[]): AppSettings | null {
    if (!this.#isFirstStart || this.#seen.has(account)) return null
    this.#seen.add(account)
    const { copyAsk, copyFolders } = this.#settings.read()
    const unasked = folders.map((folder) => folder.path).filter((path) => !copyFolders.includes(path))
    return copyAsk !== null && unasked.length === 0
      ? null
      : this.#settings.change({ copyAsk: [...(copyAsk ?? []), ...unasked] })
  }
}

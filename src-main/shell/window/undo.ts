// The only list of what the user can undo: deletions within their undo period, files that the user gave to
// Slipway or that were moved after their upload, cancelled uploads, and folders that are no longer watched.
// The window, the menu and notifications all use it, so they name and undo the same thing.
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { type Input, MOST_PATHS, type Result } from '../../../src-shared/engine-contract.ts'
import { idSelector } from '../../../src-shared/file-id.ts'
import type { FileId, Transfer } from '../../../src-shared/model.ts'
import type {
  AppInput,
  AppOutput,
  PendingDelete,
  Undoable,
  Undone,
} from '../../../src-shared/window-contract.ts'
import { type Deletes, startDeletion } from './deletes.ts'
import { openPaths, sameWatch, uploadPaths } from './folder-move.ts'
import type { HandlerParts } from './handler-parts.ts'
import { ok } from './handler-results.ts'
import { transfersByIds } from './rows.ts'

/** How long uploads and stopping to watch a folder can be undone. A link that is older may be in use. */
const UNDO_MS = 10 * 60_000
/** Files that are moved after their uploads within this time of each other are brought back together. */
const TOGETHER_MS = 5000
/** Maximum number of things that can be undone. */
const ENTRIES_MAX = 50
/** Maximum number of IDs per call. */
const IDS_MAX = 1000

type Counts = Pick<Undone, 'cancelled' | 'checking' | 'deleting' | 'deleted' | 'kept'>
/**
 * `isDeclined`: the user doesn't want to delete the files, so that the entry stays. `count`: the number of files
 * if it isn't the entry's. `redo`: see `Undone`. Null: nothing was to do.
 */
type Outcome =
  | (Counts & Pick<Undone, 'redo'> & { readonly isDeclined?: boolean; readonly count?: number })
  | null

interface Entry extends Undoable {
  readonly isLive: () => boolean
  /**
   * Whether it is certain that it can't be undone any more. Until `isLive` is false, it still keeps older entries
   * from being undone in its place: to undo the upload before a deletion would delete what the user kept.
   */
  readonly isOver?: () => boolean
  readonly run: () => Promise<Result<Outcome>>
  /** The uploaded transfers (`idsOf`). */
  readonly ids?: ReadonlyMap<number, number>
  /** The transfers whose files were moved after their upload, and when the last was. */
  readonly moved?: { readonly ids: readonly number[]; readonly folderId: number | null; readonly at: number }
}

type UndoParts = Pick<HandlerParts, 'link' | 'store' | 'desk' | 'language' | 'now' | 'wait' | 'tell'>

const WHOLE: Counts = { cancelled: 0, checking: 0, deleting: 0, deleted: 0, kept: 0 }

const ENDED: ReadonlySet<Transfer['state']> = new Set(['done', 'cancelled', 'gone'])

/** The transfers by ID, with the time at which each was queued: a rebuilt or another journal counts from 1 again. */
function idsOf(rows: readonly Transfer[]): ReadonlyMap<number, number> {
  return new Map(rows.map(({ id, createdAt }) => [id, createdAt]))
}

/** What became of transfers that were cancelled. */
function countsOf(rows: readonly Transfer[]): Counts {
  const counts = { ...WHOLE }
  for (const { state, reason, ended, leftPublic } of rows)
    if (!ENDED.has(state)) counts.checking++
    else if (leftPublic === true || reason === 'ambiguous' || ended === 'kept') counts.kept++
    else if (ended !== undefined) counts.deleted++
    else if (state === 'done') counts.kept++
    else counts.cancelled++
  return counts
}

export class UndoList {
  readonly #parts: UndoParts
  readonly #deletes: Deletes
  readonly #onChange: (last: Undoable | null) => void
  /** The token of the last change; null if there was none. */
  #lastToken: string | null = null
  /** Newest last. */
  #entries: Entry[] = []
  /** The files that were moved after their uploads, by transfer and time, so that each is noted once. */
  readonly #moved = new Set<string>()

  /** `onChange` is called when something else is undone next. */
  constructor(parts: UndoParts, deletes: Deletes, onChange: (last: Undoable | null) => void) {
    this.#parts = parts
    this.#deletes = deletes
    this.#onChange = onChange
  }

  /** What is undone next. Null if there is nothing. */
  last(): Undoable | null {
    const entry = this.#live().at(-1)
    if (entry === undefined || entry.isOver?.() === true) return null
    const { token, what, name, count } = entry
    return { token, what, name, count }
  }

  /**
   * The token of the upload that contains some of these transfers, the others being older ones; null if there
   * is none that can be undone.
   */
  tokenOf(transferIds: readonly number[]): string | null {
    const found = this.#live().findLast(({ ids }) => transferIds.some((id) => ids?.has(id) === true))
    return found?.token ?? null
  }

  /** Call when deletions have begun or ended. */
  deletesChanged(): void {
    const known = new Set(this.#entries.map(({ token }) => token))
    for (const { token, name, count, at } of this.#deletes.pending())
      if (!known.has(token)) {
        const isWaiting = (): boolean =>
          at > this.#parts.now() && this.#deletes.pending().some((one) => one.token === token)
        const fileIds = this.#deletes.filesOf(token)
        const isInTime = this.#forAWhile()
        this.#add({
          token,
          what: 'delete',
          name,
          count,
          isLive: () => isInTime() || isWaiting(),
          isOver: () => !isWaiting() && !this.#isQueued(fileIds),
          run: async () => {
            if (!isWaiting()) return this.#keep(fileIds)
            this.#deletes.undo(token)
            return ok(WHOLE)
          },
        })
      }
    this.#changed()
  }

  /** Whether the engine has a deletion of one of these files that the service hasn't confirmed. */
  #isQueued(fileIds: readonly FileId[]): boolean {
    const queued = this.#parts.store.snapshot()?.deleting?.fileIds ?? []
    return fileIds.some((id) => queued.includes(id))
  }

  /** Takes back the deletions of these files that haven't been sent. */
  async #keep(fileIds: readonly FileId[]): Promise<Result<Outcome>> {
    const got = await this.#parts.link.call('keepFiles', { fileIds: [...fileIds] })
    if (!got.ok) return got
    const { count } = got.value
    return ok(count === 0 ? null : { ...WHOLE, count })
  }

  /** Call when files that the user gave to Slipway have been queued. */
  uploaded(rows: readonly Transfer[]): void {
    const [first] = rows
    if (first === undefined) return
    const ids = idsOf(rows)
    this.#add({
      token: randomUUID(),
      what: 'upload',
      name: first.name,
      count: rows.length,
      isLive: this.#forAWhile(),
      run: () => this.#withdraw(ids),
      ids,
    })
    this.#changed()
  }

  /** Call with transfers that have changed: those whose file has just been moved after its upload can be undone. */
  putAway(rows: readonly Transfer[]): void {
    const { link, now } = this.#parts
    for (const { id, name, folderId, putAway } of rows) {
      if (putAway?.path == null || now() - putAway.at >= UNDO_MS || this.#moved.has(`${id} ${putAway.at}`))
        continue
      this.#moved.add(`${id} ${putAway.at}`)
      const last = this.#live().at(-1)
      const isOne = last?.moved?.folderId === folderId && last.count < IDS_MAX
      const joins = isOne && now() - last.moved.at < TOGETHER_MS ? last : null
      if (joins !== null) this.#entries = this.#entries.filter((one) => one !== joins)
      const ids = [...(joins?.moved?.ids ?? []), id]
      this.#add({
        token: randomUUID(),
        what: 'put-away',
        name: joins?.name ?? name,
        count: ids.length,
        isLive: this.#forAWhile(),
        run: async () => {
          const got = await link.call('bringBack', { ids })
          return got.ok ? ok(got.value.count === 0 ? null : WHOLE) : got
        },
        moved: { ids, folderId, at: now() },
      })
    }
    this.#changed()
  }

  /** Call when another account takes over the data folder: its transfers and folders are others. */
  forget(): void {
    this.#entries = []
    this.#moved.clear()
    this.deletesChanged()
  }

  /** Cancels uploads, which can be undone. `undone`: what became of them; null if all had ended. */
  async cancel({ ids }: AppInput<'cancel'>): Promise<Result<AppOutput<'cancel'>>> {
    const rows = await transfersByIds(this.#parts.link, ids)
    if (!rows.ok) return rows
    const got = await this.#cancel(idsOf(rows.value), rows.value)
    if (!got.ok) return got
    const { asked, after, uploaded } = got.value
    const [first] = after.filter(({ id }) => asked.has(id))
    if (first === undefined) return ok({ uploaded, undone: null })
    const redo = this.#addRestore(asked, first.name, null)
    this.#changed()
    const counts = countsOf(after.filter(({ id, state }) => asked.has(id) && state !== 'done'))
    return ok({ uploaded, undone: { what: 'upload', name: first.name, count: asked.size, ...counts, redo } })
  }

  async unwatch({ folderId, watcher }: Input<'unwatch'>): Promise<Result<{ undo: string | null }>> {
    const { link, store } = this.#parts
    const snapshot = store.snapshot()
    const folder = snapshot?.folders.find((one) => one.id === folderId)
    if (folder === undefined || watcher !== undefined) {
      const ended = await link.call('unwatch', { folderId, watcher })
      return ended.ok ? ok({ undo: null }) : ended
    }
    const open = await openPaths(folderId, link, snapshot?.paused === true)
    const got = await link.call('unwatch', { folderId })
    if (!got.ok) return got
    const { path } = folder
    const token = randomUUID()
    const isInTime = this.#forAWhile()
    /** The snapshot with the folder may still be the last one. */
    let wasGone = false
    this.#add({
      token,
      what: 'unwatch',
      name: basename(path),
      count: 1,
      isLive: () => {
        const isWatched = store.snapshot()?.folders.some((one) => one.path === path) === true
        wasGone ||= !isWatched
        return isInTime() && !(wasGone && isWatched)
      },
      run: async () => {
        const watched = await link.call('watch', sameWatch(folder))
        if (!watched.ok) return watched
        // Files that waited count as existing now, which this folder may exclude.
        for (const [paths, isPaused] of [
          [open?.due ?? [], false],
          [open?.paused ?? [], true],
        ] as const)
          for (let at = 0; at < paths.length; at += MOST_PATHS)
            await uploadPaths(paths.slice(at, at + MOST_PATHS), isPaused, link)
        return ok(WHOLE)
      },
    })
    this.#changed()
    return ok({ undo: token })
  }

  /**
   * Undoes what the token refers to, or the newest if it is null. Resolves to null if that can't be undone any
   * more.
   */
  async undo(token: string | null): Promise<Result<Undone | null>> {
    const live = this.#live()
    const entry = token === null ? live.at(-1) : live.find((one) => one.token === token)
    if (entry === undefined || entry.isOver?.() === true) return ok(null)
    // Removed at once, so that a second key press undoes something else.
    this.#entries = this.#entries.filter((one) => one !== entry)
    const got = await entry.run()
    const stays =
      !got.ok || got.value?.isDeclined === true || (got.value === null && entry.isOver !== undefined)
    if (stays) this.#entries.push(entry)
    this.#changed()
    if (!got.ok || got.value === null) return got.ok ? ok(null) : got
    const { isDeclined: _, ...counts } = got.value
    const { what, name, count } = entry
    return ok({ what, name, count, ...counts })
  }

  #add(entry: Entry): void {
    this.#entries = [...this.#live(), entry].slice(-ENTRIES_MAX)
  }

  #changed(): void {
    const last = this.last()
    if ((last?.token ?? null) === this.#lastToken) return
    this.#lastToken = last?.token ?? null
    this.#onChange(last)
  }

  #live(): readonly Entry[] {
    return this.#entries.filter((one) => one.isLive())
  }

  #forAWhile(): () => boolean {
    const until = this.#parts.now() + UNDO_MS
    void this.#parts.wait(UNDO_MS).then(() => this.#changed())
    return () => this.#parts.now() < until
  }

  /** Cancels what hasn't been sent, and deletes the rest from the service, which can be undone in turn. */
  async #withdraw(ids: ReadonlyMap<number, number>): Promise<Result<Outcome>> {
    const before = await this.#read(ids)
    if (!before.ok) return before
    const got = await this.#cancel(ids, before.value)
    if (!got.ok) return got
    const { asked, after } = got.value
    const counts = countsOf(after.filter(({ id, state }) => asked.has(id) && state !== 'done'))
    let { kept } = counts
    const files = []
    for (const { fileId, state, ended, publicLink, name } of after) {
      if (state !== 'done' || ended !== undefined) continue
      if (fileId === null || (await this.#isShared(fileId, ids))) kept++
      else files.push({ fileId, link: publicLink, name })
    }
    const deletion = await startDeletion(this.#parts, this.#deletes, files, files[0]?.name ?? '')
    const left = this.#deletes.notPending(files.map(({ fileId }) => fileId)).length
    const deleting = deletion?.count ?? 0
    const isNothing = counts.cancelled + counts.checking + counts.deleted + deleting + left === 0
    if (isNothing) return ok(null)
    const name = after.find(({ id }) => asked.has(id))?.name ?? ''
    const redo = asked.size === 0 ? null : this.#addRestore(asked, name, deletion)
    return ok({ ...counts, deleting, kept: kept + left, isDeclined: left > 0, redo })
  }

  /**
   * Cancels those of these transfers that haven't ended. `asked`: which these are; `after`: all transfers after that.
   * `uploaded`: how many had been uploaded by then. Whether the others had been sent is found out, and said.
   */
  async #cancel(
    ids: ReadonlyMap<number, number>,
    before: readonly Transfer[],
  ): Promise<
    Result<{
      readonly asked: ReadonlyMap<number, number>
      readonly after: readonly Transfer[]
      readonly uploaded: number
    }>
  > {
    const asked = idsOf(before.filter(({ state }) => !ENDED.has(state)))
    let uploaded = before.filter(({ state }) => state === 'done').length
    for (let at = 0; at < asked.size; at += IDS_MAX) {
      const got = await this.#parts.link.call('cancel', { ids: [...asked.keys()].slice(at, at + IDS_MAX) })
      if (!got.ok) return got
      uploaded += got.value.uploaded ?? 0
    }
    const after = await this.#read(ids)
    if (!after.ok) return after
    const checking = after.value.filter(({ id, state }) => asked.has(id) && !ENDED.has(state))
    if (checking.length > 0) void this.#confirm(idsOf(checking))
    return ok({ asked, after: after.value, uploaded })
  }

  /**
   * Adds that these cancelled uploads can be queued again. If the undo that cancelled them has also begun a deletion,
   * both are undone together, and the uploads alone once it is too late for the deletion. Returns the token.
   */
  #addRestore(ids: ReadonlyMap<number, number>, name: string, deletion: PendingDelete | null): string {
    const deleting = this.#entries.find(({ token }) => token === deletion?.token)
    this.#entries = this.#entries.filter((one) => one !== deleting)
    const token = deletion?.token ?? randomUUID()
    this.#add({
      token,
      what: 'cancel',
      name,
      count: ids.size + (deletion?.count ?? 0),
      isLive: this.#forAWhile(),
      run: async () => {
        const kept = (await deleting?.run()) ?? ok(null)
        return kept.ok
          ? this.#restore(ids, kept.value === null ? 0 : (kept.value.count ?? deleting?.count ?? 0))
          : kept
      },
    })
    return token
  }

  /** `kept`: how many files of the same undo aren't deleted any more. */
  async #restore(ids: ReadonlyMap<number, number>, kept: number): Promise<Result<Outcome>> {
    const rows = await this.#read(ids)
    if (!rows.ok) return rows
    let count = kept
    for (let at = 0; at < rows.value.length; at += IDS_MAX) {
      const some = rows.value.slice(at, at + IDS_MAX).map(({ id }) => id)
      const got = await this.#parts.link.call('restore', { ids: some })
      if (!got.ok) return got
      count += got.value.count
    }
    return ok(count === 0 ? null : { ...WHOLE, count })
  }

  /** Finds out whether these cancelled files had been sent, and says so. Those that had are deleted. */
  async #confirm(ids: ReadonlyMap<number, number>): Promise<void> {
    const { link, tell } = this.#parts
    const got = await link.call('cancel', { ids: [...ids.keys()].slice(0, IDS_MAX), confirm: true })
    const rows = await this.#read(ids)
    if (!got.ok || !rows.ok || rows.value[0] === undefined) return
    const { name } = rows.value[0]
    const undone = { what: 'upload', name, count: rows.value.length, ...countsOf(rows.value) } as const
    tell({ kind: 'undone', undone })
  }

  async #read(ids: ReadonlyMap<number, number>): Promise<Result<readonly Transfer[]>> {
    const got = await transfersByIds(this.#parts.link, [...ids.keys()])
    return got.ok ? ok(got.value.filter(({ id, createdAt }) => ids.get(id) === createdAt)) : got
  }

  /** Whether the file on the service may also be that of another upload, whose link must keep working. */
  async #isShared(fileId: Transfer['fileId'] & {}, ids: ReadonlyMap<number, number>): Promise<boolean> {
    const got = await this.#parts.link.call('info', { selector: idSelector(fileId), cached: true })
    return !got.ok || got.value.transfers.some(({ id, state }) => state === 'done' && !ids.has(id))
  }
}

// Handles drops, pastes and files from other programs. Passes their paths to the engine and follows each
// batch to its end, even across restarts. Links are copied in the order of the drop as they become ready.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MANY } from '../../../src-shared/choices.ts'
import type { Failure, Result, UploadItem } from '../../../src-shared/engine-contract.ts'
import type { FileId, Transfer } from '../../../src-shared/model.ts'
import type { Batch } from '../../../src-shared/window-contract.ts'
import type { ClipboardMark, CopyOutcome } from '../clipboard/unasked-copies.ts'
import type { EngineLink } from '../engine/protocol.ts'
import { transfersByIds } from '../window/rows.ts'
import { type AskForMany, type ManyAnswer, PATHS_MOST, sendParts } from './many-files.ts'

/** Links that become ready within this interval are copied together. */
const QUIET_MS = 1000
/** How many drops wait for an open question. Further ones are added to the queue and wait there. */
const AWAITING_MOST = 3
/** Maximum time that a ready link waits for others. */
const COPY_MOST_MS = 3000
const NOTHING = { queued: 0, already: 0, held: 0, failed: 0, ignored: 0, links: 0 } as const
const ENDED: ReadonlySet<Transfer['state']> = new Set(['done', 'held', 'failed', 'cancelled', 'gone'])

export interface DropLink {
  readonly transferId: number
  readonly fileId: FileId | null
  readonly name: string
  readonly url: string
  readonly bytes: number
  readonly at: number | null
}

interface Drop {
  readonly batch: number
  /** Transfer IDs in the order of the drop, with the time at which each was queued. */
  readonly ids: ReadonlyMap<number, number>
  readonly open: Set<number>
  readonly ended: Map<number, Transfer>
  /** The clipboard's state when the drop was made. */
  readonly mark: ClipboardMark
  /** Whether the links are copied even if the settings disable copying. */
  readonly copyLink: boolean
  /**
   * Whether the user may have copied something else since the drop. If so, the clipboard isn't changed for
   * this drop.
   */
  isLeftAlone: boolean
  /** When the first link that hasn't been copied yet became ready (epoch ms); null if there is none. */
  readyAt: number | null
  timer: (() => void) | null
}

interface UploadOptions {
  /** Whether files that were uploaded before are uploaded again. */
  readonly again: boolean
  /** Whether Slipway wrote the files itself, for a paste. */
  readonly pasted?: boolean
  /** The clipboard's state, if it has just been read. */
  readonly mark?: ClipboardMark
  /** Whether to copy the links even if the settings disable copying. */
  readonly copyLink?: boolean
}

interface Registered {
  readonly items: readonly UploadItem[]
  /** Why the remaining paths weren't passed on; null if all were. */
  readonly failure: Failure | null
  /** Set if the engine registered nothing more, because there are too many files to upload unasked. */
  readonly many?: { readonly files: number; readonly bytes: number }
}

interface DropOptions {
  readonly link: EngineLink
  readonly ask: AskForMany
  /** Whether a question is open, about a drop or anything else. */
  readonly hasQuestion: () => boolean
  /** Those of these files that the user isn't about to delete. */
  readonly notPending: (fileIds: readonly FileId[]) => readonly FileId[]
  /** Called when a drop waits for an open question, and when files of one that were queued are held. */
  readonly onNews: (batch: Batch) => void
  readonly mark: () => Promise<ClipboardMark>
  /**
   * Copies links unless something else was copied since `mark`. Resolves to `off` if copying is disabled and
   * `always` is false.
   */
  readonly copy: (
    links: readonly DropLink[],
    mark: ClipboardMark,
    always: boolean,
  ) => Promise<CopyOutcome | 'off'>
  /** Called once per drop, before `onEnd`, with the IDs of its transfers and of those that haven't ended. */
  readonly onStart: (batch: number, ids: readonly number[], open: readonly number[]) => void
  /**
   * Called when all files of a drop have finished, with their transfers in the order of the drop. `copied`
   * says whether all of its links are on the clipboard.
   */
  readonly onEnd: (batch: number, items: readonly Transfer[], copied: boolean) => void
  /** Called with the files that a drop has added to the queue. */
  readonly onQueued: (rows: readonly Transfer[]) => void
  readonly saved: { read(): unknown; write(value: unknown): void }
  readonly now: () => number
  readonly after: (ms: number, run: () => void) => () => void
}

/** Null without a link, or if the file is deleted, or will be. */
export function linkOf(transfer: Transfer): DropLink | null {
  if (transfer.publicLink === null || transfer.ended !== undefined) return null
  const { id, fileId, filename, name, publicLink, size, doneAt } = transfer
  return { transferId: id, fileId, name: filename ?? name, url: publicLink, bytes: size, at: doneAt }
}

/** The transfers that have ended, in the order of the drop. */
function endedOf(drop: Drop): Transfer[] {
  return [...drop.ids.keys()].flatMap((id) => drop.ended.get(id) ?? [])
}

/** The held files of a drop, as a part of what is said about it. */
function heldOf(drop: Drop): Pick<Batch, 'held' | 'firstHeld'> {
  const held = endedOf(drop).filter(({ state }) => state === 'held')
  const [first] = held
  return { held: held.length, ...(first === undefined ? {} : { firstHeld: first }) }
}

function linksOf(drop: Drop): DropLink[] {
  return endedOf(drop).flatMap((transfer) => linkOf(transfer) ?? [])
}

/**
 * Compares the queueing time as well as the ID, because rebuilt journals and other accounts' journals also
 * count from 1.
 */
function isOf(drop: Drop, item: Transfer): boolean {
  return drop.ids.get(item.id) === item.createdAt
}

/** Takes in that held or failed files were released or are retried: the drop ends only after them. */
function reopen(drop: Drop, items: readonly Transfer[]): void {
  for (const item of items)
    if (!ENDED.has(item.state) && isOf(drop, item) && drop.ended.delete(item.id)) drop.open.add(item.id)
}

export class Drops {
  readonly #options: DropOptions
  readonly #drops = new Set<Drop>()
  #newest: Drop | null = null
  #nextBatch = 1
  /**
   * Drops of an earlier run, to be restored once an engine answers. Null until they have been read from the
   * account's folder.
   */
  #toRestore: readonly SavedDrop[] | null = null
  /**
   * Transfers that finished while a drop was still being listed. A file's last event may arrive before the
   * response that lists it.
   */
  readonly #early = new Map<number, Transfer>()
  #reading = 0
  #isRestoring = false
  /** Settles once the user has been asked about a drop and its files are queued; null if no question is open. */
  #question: Promise<unknown> | null = null
  #awaiting = 0

  constructor(options: DropOptions) {
    this.#options = options
    options.link.onEvent((event) => {
      if (event.kind !== 'transfers') return
      for (const drop of this.#drops) reopen(drop, event.items)
      this.#takeItems(event.items)
    })
    // Events may have been missed while the engine was being replaced, so query the open transfers again.
    options.link.onState(({ up }) => {
      if (!up) return
      for (const drop of this.#drops) void this.#recheck(drop)
      void this.#restore()
    })
  }

  /**
   * Every way in leads through here. Asks first if there are many files. Fails only if nothing was queued. If
   * the engine fails midway, the drop has the files queued before that; `rest` counts the others.
   */
  async upload(paths: readonly string[], options: UploadOptions): Promise<Result<Batch>> {
    return (await this.#upload(paths, options, null)) ?? { ok: true, value: { ...NOTHING, isDeclined: true } }
  }

  /** `answer`: the user's, null if they haven't been asked. Resolves to null if they decline. */
  async #upload(
    paths: readonly string[],
    options: UploadOptions,
    answer: ManyAnswer | null,
  ): Promise<Result<Batch> | null> {
    // Read the clipboard before sending anything, because an upload may finish before the call returns.
    const isRead = answer === null && options.mark !== undefined
    const mark = isRead ? (options.mark ?? null) : await this.#options.mark()
    this.#reading++
    const { items, failure, many } = await this.#register(paths, options, answer)
    this.#reading--
    if (many !== undefined) return this.#ask(paths, options, many)
    const of = (outcome: UploadItem['outcome']): number =>
      items.filter((item) => item.outcome === outcome).length
    const rows = items.map((item) => item.transfer).filter((row) => row !== null)
    const drop = this.#add(rows, mark, options.copyLink === true)
    // Forget these rows, because a later drop of the same files would mistake them for the files' current
    // state.
    if (this.#reading === 0) this.#early.clear()
    if (failure !== null && rows.length === 0) return { ok: false, failure }
    const links = linksOf(drop).length
    this.#options.onQueued(items.flatMap((one) => (one.outcome === 'queued' ? (one.transfer ?? []) : [])))
    if (drop.ids.size > 0) {
      this.#newest = drop
      this.#follow(drop)
      this.#save()
    }
    const held = heldOf(drop)
    const left = unconfirmed(paths, items)
    const value: Batch = {
      queued: of('queued') - held.held,
      already: of('already'),
      ...held,
      failed: of('failed'),
      ignored: of('ignored'),
      links,
      ...(failure === null || left === 0 ? {} : { rest: { count: left, code: failure.code } }),
      ...(answer?.paused === true ? { isPaused: true } : {}),
    }
    if (drop.ids.size === 0 && value.failed > 0 && value.failed === items.length)
      return { ok: false, failure: allFailed(items) }
    return { ok: true, value }
  }

  /** One question at a time: that about another drop comes after this one's files are queued, with its forecast. */
  async #ask(
    paths: readonly string[],
    options: UploadOptions,
    many: NonNullable<Registered['many']>,
  ): Promise<Result<Batch> | null> {
    const { ask, hasQuestion, onNews } = this.#options
    const open = this.#question
    if (open !== null && this.#awaiting === AWAITING_MOST)
      return this.#upload(paths, options, { paused: true })
    if (open !== null || hasQuestion()) onNews({ ...NOTHING, awaits: many.files })
    if (open !== null) {
      this.#awaiting++
      await open
      this.#awaiting--
      return this.#upload(paths, options, null)
    }
    const answered = ask(paths, many).then((given) => given && this.#upload(paths, options, given))
    this.#question = answered.then(
      () => undefined,
      () => undefined,
    )
    try {
      return await answered
    } finally {
      this.#question = null
    }
  }

  /**
   * Returns the newest drop without its deleted files: the IDs of its transfers in the order of the drop, the
   * links, and the number of files without a link. Null if there is no drop.
   */
  last(): {
    readonly ids: readonly number[]
    readonly links: readonly DropLink[]
    readonly missing: number
  } | null {
    if (this.#newest === null) return null
    const { ids, ended } = this.#newest
    const left = new Set(
      this.#options.notPending(
        [...ended.values()].flatMap(({ fileId }) => (fileId === null ? [] : [fileId])),
      ),
    )
    const isLeft = (id: number): boolean => {
      const row = ended.get(id)
      return row === undefined || (row.ended === undefined && (row.fileId === null || left.has(row.fileId)))
    }
    const own = [...ids.keys()].filter(isLeft)
    const links = linksOf(this.#newest).filter(({ transferId }) => isLeft(transferId))
    return { ids: own, links, missing: own.length - links.length }
  }

  /**
   * Forgets all drops. Call when another account takes over the data folder, because the new account's
   * transfer IDs start at 1 again.
   */
  forget(): void {
    for (const drop of this.#drops) drop.timer?.()
    this.#drops.clear()
    this.#newest = null
    this.#toRestore = []
    this.#early.clear()
    this.#save()
  }

  #add(rows: readonly Transfer[], mark: ClipboardMark, copyLink: boolean): Drop {
    const drop: Drop = {
      batch: this.#nextBatch++,
      ids: new Map(rows.map((row) => [row.id, row.createdAt])),
      open: new Set(),
      ended: new Map(),
      mark,
      copyLink,
      isLeftAlone: false,
      readyAt: null,
      timer: null,
    }
    for (const row of rows) {
      const now = this.#early.get(row.id) ?? row
      if (ENDED.has(now.state)) drop.ended.set(now.id, now)
      else drop.open.add(now.id)
    }
    return drop
  }

  #follow(drop: Drop): void {
    this.#drops.add(drop)
    this.#options.onStart(drop.batch, [...drop.ids.keys()], [...drop.open])
    this.#settle(drop)
  }

  #takeItems(items: readonly Transfer[]): void {
    const ended = items.filter((item) => ENDED.has(item.state))
    if (this.#reading > 0) for (const item of ended) this.#early.set(item.id, item)
    // The newest drop is kept up to date even after its end: a deleted link no longer belongs to it.
    const drops = new Set(this.#drops)
    if (this.#newest !== null) drops.add(this.#newest)
    for (const drop of drops) {
      const touched: Transfer[] = []
      for (const item of ended) {
        if (!isOf(drop, item)) continue
        if (drop.open.delete(item.id)) touched.push(item)
        else if (!drop.ended.has(item.id)) continue
        drop.ended.set(item.id, item)
      }
      if (touched.length > 0) this.#settle(drop)
      if (touched.some(({ state }) => state === 'held')) this.#options.onNews({ ...NOTHING, ...heldOf(drop) })
    }
  }

  /**
   * Handles finished files of a drop. Their links are copied when the drop ends, when no further file
   * finishes for QUIET_MS, or when a link has waited for COPY_MOST_MS.
   */
  #settle(drop: Drop): void {
    const { now, after } = this.#options
    drop.timer?.()
    drop.timer = null
    if (drop.open.size === 0) {
      this.#drops.delete(drop)
      this.#save()
      void this.#copy(drop).then((copied) => this.#options.onEnd(drop.batch, endedOf(drop), copied))
      return
    }
    if (drop.isLeftAlone || linksOf(drop).length === 0) return
    drop.readyAt ??= now()
    drop.timer = after(Math.max(0, Math.min(QUIET_MS, drop.readyAt + COPY_MOST_MS - now())), () => {
      drop.timer = null
      void this.#copy(drop)
    })
  }

  async #copy(drop: Drop): Promise<boolean> {
    drop.readyAt = null
    const links = linksOf(drop)
    if (drop.isLeftAlone || links.length === 0) return false
    const outcome = await this.#options.copy(links, drop.mark, drop.copyLink)
    if (outcome === 'changed') drop.isLeftAlone = true
    return outcome === 'copied'
  }

  async #recheck(drop: Drop): Promise<void> {
    const got = await transfersByIds(this.#options.link, [...drop.open])
    if (got.ok) this.#takeItems(got.value)
  }

  async #restore(): Promise<void> {
    if (this.#isRestoring) return
    this.#isRestoring = true
    for (let [one] = this.#saved(); one !== undefined; [one] = this.#saved()) {
      const queuedAt = new Map(one.ids)
      this.#reading++
      const got = await transfersByIds(this.#options.link, [...queuedAt.keys()])
      this.#reading--
      // The engine has most likely stopped again. Restoring continues when the next engine answers.
      if (!got.ok) break
      this.#toRestore = this.#saved().slice(1)
      const rows = got.value.filter((row) => row.createdAt === queuedAt.get(row.id))
      if (rows.length === 0) continue
      // The clipboard's content at the time of the drop is unknown, so pass no mark: nothing that the user
      // copied is replaced.
      const drop = this.#add(rows, null, one.copyLink === true)
      if (this.#saved().length === 0) this.#newest ??= drop
      if (one.open) this.#follow(drop)
    }
    this.#isRestoring = false
    if (this.#reading === 0) this.#early.clear()
  }

  #saved(): readonly SavedDrop[] {
    this.#toRestore ??= readDrops(this.#options.saved.read())
    return this.#toRestore
  }

  #save(): void {
    const open = [...this.#drops].filter((drop) => drop !== this.#newest)
    const newest = this.#newest === null ? [] : [this.#newest]
    const drops = [...open, ...newest].map((drop) => ({
      ids: [...drop.ids],
      open: this.#drops.has(drop),
      ...(drop.copyLink ? { copyLink: true } : {}),
    }))
    this.#options.saved.write(dropsToSave([...this.#saved(), ...drops]))
  }

  /**
   * Queues the files. If a call fails, for example because the engine restarts, returns the items so far and
   * the failure. An order applies to all files together, so they go in a single call.
   */
  async #register(
    paths: readonly string[],
    { again, pasted = false }: UploadOptions,
    answer: ManyAnswer | null,
  ): Promise<Registered> {
    const { link } = this.#options
    const items: UploadItem[] = []
    const token = randomUUID()
    const whole = answer === null ? null : await sendParts(link, paths)
    for (let i = 0; i < paths.length; i += whole === null ? PATHS_MOST : paths.length) {
      const got = await link.call('upload', {
        ...(whole ?? { paths: paths.slice(i, i + PATHS_MOST) }),
        again,
        token,
        ...(pasted ? { pasted } : {}),
        ...(answer ?? { most: MANY }),
      })
      if (!got.ok) return { items, failure: got.failure }
      if (got.value.many !== undefined) return { items, failure: null, many: got.value.many }
      items.push(...got.value.items)
      for (let { next } = got.value; next !== null; ) {
        const page = await link.call('batchPage', { batch: got.value.batch, after: next })
        if (!page.ok) return { items, failure: page.failure }
        items.push(...page.value.items)
        next = page.value.next
      }
    }
    return { items, failure: null }
  }
}

/**
 * Returns the number of paths without an item. A folder counts as one path without an item, even if some of
 * its files have items.
 */
function unconfirmed(paths: readonly string[], items: readonly UploadItem[]): number {
  const known = new Set(items.flatMap(({ path, typed }) => [path, typed ?? path]))
  return paths.filter((path) => !known.has(path)).length
}

function allFailed(items: readonly UploadItem[]): Failure {
  return { code: 'unreadable', title: items[0]?.reason ?? 'The file is not there.', hint: null }
}

// Converts drops to and from the format in which they are stored across restarts. Only transfer IDs, two
// flags, and the time at which each file was queued are stored, not names or links. The time is needed
// because a rebuilt journal starts numbering its transfers from 1 again.

/**
 * Maximum number of IDs stored per drop. Further files are still uploaded, and their links appear in the list
 * of files.
 */
const IDS_MOST = 100_000
const DROPS_MOST = 50

const SavedDrop = z.object({
  ids: z.array(z.tuple([z.number(), z.number()])),
  open: z.boolean(),
  copyLink: z.boolean().optional(),
})
type SavedDrop = z.infer<typeof SavedDrop>
const Saved = z.object({ drops: z.array(SavedDrop) })

/** Returns the stored drops, oldest first; none if the data is invalid. */
export function readDrops(read: unknown): readonly SavedDrop[] {
  const saved = Saved.safeParse(read)
  return saved.success ? saved.data.drops : []
}

export function dropsToSave(drops: readonly SavedDrop[]): z.infer<typeof Saved> {
  return {
    drops: drops.slice(-DROPS_MOST).map(({ ids, ...rest }) => ({ ids: ids.slice(0, IDS_MOST), ...rest })),
  }
}

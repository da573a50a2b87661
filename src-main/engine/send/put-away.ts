// Moves the files of a watched folder to the bin or to another folder once they are uploaded, as the folder says,
// and back if the user wants that. Only a file whose bytes are those of the link leaves. Each move is an intent
// in the journal before its first step, so that after a kill the file is at one of its places or at both, never
// at none, and the next start completes the move.
import { basename, dirname, extname, join } from 'node:path'
import type { AfterUpload } from '../../../src-shared/model.ts'
import { hashFile, sameVersion } from '../disk/content.ts'
import { absolute } from '../disk/rel-path.ts'
import { findTarget } from '../find/folder-registry.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Journal } from '../journal/journal.ts'
import type { Moving, PutAwayRow } from '../journal/put-away.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { DiskError, type DiskFailure, type Entry, type Ports } from '../ports.ts'
import type { Catalog } from '../remote/remote-files.ts'
import type { Admission } from '../rules/path-facts.ts'
import type { Bus } from '../tell/bus.ts'
import type { RowWriter } from './file-failures.ts'

/** How soon a file is tried again that is in use, or changes. */
const BUSY_MS = 2000
/**
 * How soon it is tried again if the place for files can't be used, or if this is the first that couldn't be moved
 * there; and how soon the others are.
 */
const PLACE_MS = 5000
const TROUBLE_MS = 60_000
/** The same if a copy failed, which may have read and written gigabytes. */
const COPY_MS = 600_000
/** The service is asked whether it still has a file that was uploaded longer ago than this. */
const PROOF_MS = 600_000
const ANSWER_MS = 10_000
/** Numbers are added to a name up to this one. */
const NAMES_MOST = 999

export interface FilesPutAwayOptions extends Pick<Journal, 'db' | 'files' | 'transfers' | 'putAways'> {
  readonly ports: Pick<Ports, 'clock' | 'disk' | 'hashing' | 'mover' | 'random' | 'log'>
  readonly folders: Pick<WatchedFolders, 'isOpen' | 'isAway'>
  readonly admission: Admission
  readonly catalog: Pick<Catalog, 'file'>
  readonly bus: Pick<Bus, 'changed' | 'emit' | 'touched'>
  readonly stop: AbortSignal
}

/** `wait`: the milliseconds until it makes sense to try again. */
type Failed = DiskFailure & { readonly wait?: number }
/** `taken`: another file has the name. `changed`: the file at the source isn't the one that was to be moved. */
type Carried = 'moved' | 'taken' | 'changed' | Failed

export class FilesPutAway {
  readonly #options: FilesPutAwayOptions
  readonly #rows: Pick<RowWriter, 'commit'>
  #last: Promise<unknown> = Promise.resolve()
  #isDue = false
  #cancelRetry: () => void = () => undefined
  /** When the files of these transfers are tried again, in monotonic milliseconds, and whether that will be long. */
  readonly #waits = new Map<number, { readonly until: number; readonly isStuck: boolean }>()
  /** The places (see `placeOf`) that can't be used in this round, and those to which files couldn't be moved last. */
  readonly #blocked = new Set<string>()
  readonly #stuck = new Map<number, string>()
  /** The places of which the user knows that. */
  #told: readonly string[] = []

  constructor(options: FilesPutAwayOptions, rows: Pick<RowWriter, 'commit'>) {
    this.#options = options
    this.#rows = rows
  }

  /** Tries all files again, because a folder was opened or its rules have changed. */
  retry(): void {
    this.#waits.clear()
    this.#stuck.clear()
    this.wake()
  }

  /** The folders to which files can't be moved now; empty for the bin. */
  stuck(): readonly string[] {
    return this.#told
  }

  /** Moves what is due. Call when a transfer is done, and at the start. */
  wake(): void {
    if (this.#isDue) return
    this.#isDue = true
    void this.#inTurn(async () => {
      this.#isDue = false
      await this.#round()
    }).catch((error: unknown) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      if (!this.#options.stop.aborted) this.#options.ports.log.error('put-away.defect', { message })
    })
  }

  /** Whether a file of the folder is about to be moved. */
  isBusy(folderId: number): boolean {
    const { putAways, transfers } = this.#options
    if (!putAways.hasOpen(folderId)) return false
    return putAways
      .open()
      .some((id) => this.#waits.get(id)?.isStuck !== true && transfers.get(id)?.folderId === folderId)
  }

  /** Brings these files back to where they were, and leaves them there. Resolves to the number of those that are. */
  async bringBack(ids: readonly number[]): Promise<number> {
    let count = 0
    for (const id of ids) if (await this.#inTurn(() => this.#bringBack(id))) count++
    return count
  }

  /** Resolves once nothing is being moved. */
  async ended(): Promise<void> {
    this.#cancelRetry()
    await this.#last.catch(() => undefined)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.catch(() => undefined).then(work)
    this.#last = done
    return done
  }

  async #round(): Promise<void> {
    const { putAways, ports, bus, stop } = this.#options
    const { clock } = ports
    this.#cancelRetry()
    this.#blocked.clear()
    let again = Number.POSITIVE_INFINITY
    const open = new Set(putAways.open())
    for (const id of open) {
      if (stop.aborted) return
      const left = (this.#waits.get(id)?.until ?? 0) - clock.mono()
      const wait = left > 0 ? left : await this.#moveOne(id)
      if (wait === null) {
        this.#waits.delete(id)
        this.#stuck.delete(id)
      } else {
        again = Math.min(again, wait)
        if (left <= 0) this.#waits.set(id, { until: clock.mono() + wait, isStuck: wait > BUSY_MS })
      }
    }
    for (const id of this.#stuck.keys()) if (!open.has(id)) this.#stuck.delete(id)
    const told = [...new Set(this.#stuck.values())]
    if (told.length !== this.#told.length) bus.touched()
    this.#told = told
    if (again < Number.POSITIVE_INFINITY) this.#cancelRetry = clock.after(again, () => this.wake())
  }

  /** Resolves to the milliseconds after which to try again; null if there is nothing left to do for the file. */
  async #moveOne(id: number): Promise<number | null> {
    const { db, files, folders, transfers, putAways } = this.#options
    const [row, put] = [transfers.get(id), putAways.get(id)]
    if (row === null || put === null) return null
    if (put.state !== 'due') return this.#resume(row, put)
    if (!folders.isOpen(row.folderId)) return null
    const folder = row.folderId === null ? null : files.folder(row.folderId)
    const after = folder?.after ?? 'keep'
    if (after !== 'keep' && this.#blocked.has(placeOf(after)))
      return this.#report(id, placeOf(after), PLACE_MS)
    // The receipt is on the disk before the file leaves its place.
    if (!(await (db.durable() ?? true))) return null
    const isProved = row.state === 'done' && row.ended === null && row.sha256 !== null
    const entry = isProved && after !== 'keep' ? await this.#unchanged(row) : null
    if (entry === 'busy') return (await folders.isAway(row)) ? TROUBLE_MS : BUSY_MS
    if (entry === null || folder === null || after === 'keep') {
      await this.#rows.commit(() => putAways.drop(id))
      return null
    }
    const target = await this.#targetOf(after, folder.path)
    if (target === null) {
      this.#blocked.add(placeOf(after))
      return this.#report(id, placeOf(after), PLACE_MS)
    }
    if (!(await this.#isStored(row))) return TROUBLE_MS
    return this.#settle(row, await this.#moveTo(row, entry, target.dir), placeOf(after))
  }

  /** The directory to which files move, null for the bin. Resolves to null if that can't be used. */
  async #targetOf(after: AfterUpload, root: string): Promise<{ readonly dir: string | null } | null> {
    const { ports, admission } = this.#options
    if (typeof after !== 'object') return ports.mover.bin === null ? null : { dir: null }
    const target = await findTarget(after.folder, root, { disk: ports.disk, admission })
    return typeof target === 'string' ? null : { dir: target.real }
  }

  /** Whether the service still has the file, as far as can be known. It is asked if the upload was long ago. */
  async #isStored({ id, fileId, doneAt }: TransferRow): Promise<boolean> {
    const { ports, transfers, catalog, stop } = this.#options
    if (fileId === null || ports.clock.now() - (doneAt ?? 0) < PROOF_MS) return true
    const got = await catalog.file(fileId, 'watched', stop, ANSWER_MS)
    return got.ok && transfers.get(id)?.ended === null
  }

  /**
   * The file's entry if its bytes are those that were uploaded, as far as the file system shows, and else its
   * hash. Null if they aren't; `busy` if that can't be said now.
   */
  async #unchanged(row: TransferRow): Promise<Entry | 'busy' | null> {
    const { files, ports } = this.#options
    const { disk } = ports
    const entry = await this.#entryAt(row.path)
    // A file that was renamed is found under its new name by the next scan.
    if (entry === null) return row.away ? null : 'busy'
    if ('code' in entry) return 'busy'
    if (entry.kind !== 'file' || entry.size !== row.size) return null
    for (const writers of [await disk.openForWriting([row.path]), await disk.mappedForWriting([row.path])])
      if (writers === null || writers.has(row.path)) return 'busy'
    const known = files.byTransfer(row.id)
    if (known !== null && sameVersion(known, entry) && sameVersion(row, entry) && isSameFile(known, entry))
      if (known.ctime === entry.ctime) return entry
    const sha256 = await this.#hashOf(row.path)
    return sha256 === null ? 'busy' : sha256 === row.sha256 ? entry : null
  }

  async #moveTo(row: TransferRow, entry: Entry, dir: string | null): Promise<Carried> {
    const { bin } = this.#options.ports.mover
    const [from, key] = [row.path, this.#newKey()]
    if (dir !== null) {
      for await (const to of this.#freeNames(join(dir, basename(from)))) {
        const got = await this.#carry(row, 'moving', { from, to, key, isBin: false }, entry)
        if (got !== 'taken') return got
      }
      return { code: 'io', message: 'no name is free' }
    }
    if (bin === null) return { code: 'io', message: 'there is no bin' }
    if ('trash' in bin)
      return (await this.#intend(row.id, 'moving', { from, to: null, key, isBin: true }))
        ? ((await bin.trash(from)) ?? 'moved')
        : 'changed'
    const slot = await bin.reserve(from)
    if ('code' in slot) return slot
    const got = await this.#carry(row, 'moving', { from, to: slot.to, key, isBin: true }, entry)
    if (got !== 'moved') await bin.forget(slot.to)
    return got
  }

  async #settle(row: TransferRow, got: Carried, place: string): Promise<number | null> {
    if (got === 'moved') {
      const others = [...this.#stuck].filter(([id, its]) => id !== row.id && its === place)
      for (const [id] of others) if (this.#waits.delete(id)) this.wake()
      await this.#recordAway(row)
      return null
    }
    await this.#setState(row.id, 'due')
    // What has taken the file's place, or is gone, is looked at again.
    if (typeof got === 'string' || got.code === 'gone' || got.code === 'busy') return BUSY_MS
    const [first = row.id] = [...this.#stuck].find(([, its]) => its === place) ?? []
    return this.#report(row.id, place, got.wait ?? (first === row.id ? PLACE_MS : TROUBLE_MS))
  }

  async #recordAway(row: TransferRow): Promise<void> {
    const { files, transfers, putAways, ports, bus } = this.#options
    await this.#rows.commit(() => {
      putAways.setState(row.id, 'away', ports.clock.now())
      transfers.setAway(row.id, true)
      // The folder's scan would find out as well, but the user sees the counts before.
      const file = files.byTransfer(row.id)
      const root = file === null ? undefined : files.folder(file.folderId)?.path
      if (file !== null && root !== undefined && absolute(root, file.dir, file.name) === row.path)
        files.drop(file.folderId, file.dir, file.name)
    })
    bus.changed(row.id)
  }

  /** Says once for each place, until none of its files waits for it, that files stay. Returns `wait`. */
  #report(id: number, place: string, wait: number): number {
    const { bus, ports } = this.#options
    this.#stuck.set(id, place)
    if (this.#told.includes(place)) return wait
    this.#told = [...this.#told, place]
    bus.touched()
    bus.emit({
      kind: 'notice',
      level: 'warning',
      title: `Uploaded files couldn't be moved to ${place === '' ? 'the bin' : place}. They stay in their folder.`,
      hint:
        place === '' && ports.mover.bin === null
          ? 'Only the app can do that on this system.'
          : 'Check that it exists, has space and can be written to. Slipway tries again.',
      about: { what: 'not-moved', name: place, count: 1 },
    })
    return wait
  }

  async #bringBack(id: number): Promise<boolean> {
    const { transfers, putAways, ports } = this.#options
    const [row, put] = [transfers.get(id), putAways.get(id)]
    if (row === null || put?.state !== 'away' || put.to === null) return false
    const entry = await this.#entryAt(put.to)
    if (entry === null || 'code' in entry || entry.kind !== 'file') return false
    for await (const to of this.#freeNames(put.from)) {
      const moving = { from: put.to, to, key: this.#newKey(), isBin: put.isBin }
      const got = await this.#carry(row, 'back', moving, entry)
      if (got === 'taken') continue
      if (got !== 'moved') {
        await this.#rows.commit(() => {
          putAways.intend(id, 'back', put)
          putAways.setState(id, 'away', ports.clock.now())
        })
        return false
      }
      await this.#recordBack(id, moving)
      return true
    }
    return false
  }

  async #recordBack(id: number, { from, isBin }: Moving): Promise<void> {
    const { bin } = this.#options.ports.mover
    await this.#setState(id, 'kept')
    if (isBin && bin !== null && 'forget' in bin) await bin.forget(from)
    this.#options.bus.changed(id)
  }

  /**
   * Completes a move that was interrupted, or takes it back if the file hasn't reached its new place. What was
   * begun under a name of Slipway's own is removed or gets its name back.
   */
  async #resume(row: TransferRow, put: PutAwayRow): Promise<number | null> {
    const { mover, disk } = this.#options.ports
    const { from, to, key } = put
    const isBack = put.state === 'back'
    if (to === null) {
      const here = await this.#entryAt(from)
      if (here !== null && 'code' in here) return BUSY_MS
      if (here === null) await this.#recordAway(row)
      else await this.#setState(row.id, 'due')
      return here === null ? null : 1
    }
    const [claim, part] = [claimed(from, key), claimed(to, key)]
    const stats = await disk.stat([from, to, claim, part])
    if (stats.some((one) => one !== null && 'code' in one)) return BUSY_MS
    const [here, there, held, copy] = stats as readonly (Entry | null)[]
    if (copy != null) await mover.remove(part)
    const isThere = there?.kind === 'file'
    const source = held == null ? from : claim
    if (held == null && here == null) {
      if (!isThere) await this.#rows.commit(() => this.#options.putAways.drop(row.id))
      else if (isBack) await this.#recordBack(row.id, put)
      else await this.#recordAway({ ...row, path: from })
      return null
    }
    const isSame = isThere && (await this.#haveSameBytes(source, to))
    if (isSame && held != null) {
      await mover.remove(claim)
      if (isBack) await this.#recordBack(row.id, put)
      else await this.#recordAway({ ...row, path: from })
      return null
    }
    // The file is still at its old place, so its second name or copy isn't needed.
    if (isSame) await mover.remove(to)
    if (held != null) await this.#release(claim, from)
    if (!isBack) {
      const { bin } = mover
      if (put.isBin && bin !== null && 'forget' in bin) await bin.forget(to)
      await this.#setState(row.id, 'due')
      return 1
    }
    await this.#rows.commit(() => {
      this.#options.putAways.intend(row.id, 'back', { ...put, from: to, to: from })
      this.#options.putAways.setState(row.id, 'away', this.#options.ports.clock.now())
    })
    return null
  }

  /**
   * Moves the file: it gets its new name or a copy there, then leaves its old name for one of Slipway's own, where
   * nothing can replace it, and is removed there if it still is the one that was moved.
   */
  async #carry(row: TransferRow, state: 'moving' | 'back', moving: Moving, entry: Entry): Promise<Carried> {
    const { mover } = this.#options.ports
    const { from, to, key } = moving
    if (to === null || !(await this.#intend(row.id, state, moving))) return 'changed'
    const placed = await this.#place(from, to, key, state === 'moving' ? row.sha256 : null)
    if (placed !== 'made') return placed
    await mover.sync(dirname(to))
    const own = await this.#entryAt(to)
    const claim = claimed(from, key)
    const failure = await mover.rename(from, claim)
    const held = failure === null ? await this.#entryAt(claim) : null
    if (held !== null && !('code' in held) && isSameFile(held, entry) && sameVersion(held, entry)) {
      const removed = await mover.remove(claim)
      if (removed !== null) return removed
      await mover.sync(dirname(from))
      return 'moved'
    }
    if (held !== null) await this.#release(claim, from)
    const now = await this.#entryAt(to)
    if (own !== null && now !== null && !('code' in own) && !('code' in now) && isSameFile(own, now))
      await mover.remove(to)
    return failure ?? 'changed'
  }

  /** Gives the file its name at `to`, on another drive as a copy with the same bytes. */
  async #place(from: string, to: string, key: string, sha256: string | null): Promise<'made' | Carried> {
    const { ports, stop } = this.#options
    const { mover } = ports
    const linked = await mover.link(from, to)
    if (linked !== 'other-drive') return linked
    const part = claimed(to, key)
    const copied = await mover.copy(from, part, stop)
    if (copied === 'other-drive') return { code: 'io', message: 'the copy failed' }
    if (copied !== 'made') return typeof copied === 'string' ? copied : { ...copied, wait: COPY_MS }
    const wanted = sha256 ?? (await this.#hashOf(from))
    if (wanted === null || (await this.#hashOf(part)) !== wanted) {
      await mover.remove(part)
      return 'changed'
    }
    const named = await mover.link(part, to)
    if (named !== 'other-drive') {
      await mover.remove(part)
      return named
    }
    // The drive knows no second names.
    const failure = (await this.#entryAt(to)) === null ? await mover.rename(part, to) : 'taken'
    if (failure !== null) await mover.remove(part)
    return failure ?? 'made'
  }

  /** Gives a file its name back, or a similar one if another file has that now. */
  async #release(claim: string, from: string): Promise<void> {
    const { mover } = this.#options.ports
    for (const name of namesFor(from)) {
      const linked = await mover.link(claim, name)
      if (linked === 'made') await mover.remove(claim)
      else if (linked === 'taken' || (linked === 'other-drive' && (await this.#entryAt(name)) !== null))
        continue
      else if (linked === 'other-drive') await mover.rename(claim, name)
      return
    }
  }

  async #haveSameBytes(one: string, other: string): Promise<boolean> {
    const [a, b] = await Promise.all([one, other].map((path) => this.#entryAt(path)))
    if (a == null || b == null || 'code' in a || 'code' in b) return false
    if (isSameFile(a, b)) return true
    const [first, second] = await Promise.all([one, other].map((path) => this.#hashOf(path)))
    return first != null && first === second
  }

  /** Null if the file changes meanwhile, or can't be read. Rejects if the engine closes. */
  async #hashOf(path: string): Promise<string | null> {
    const { ports, stop } = this.#options
    try {
      return (await hashFile(ports.disk, ports.hashing, path, stop))?.sha256 ?? null
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      return null
    }
  }

  /** Resolves to false if the engine closes before the intent is durable. */
  async #intend(id: number, state: 'moving' | 'back', moving: Moving): Promise<boolean> {
    const { db, putAways, stop } = this.#options
    await this.#rows.commit(() => putAways.intend(id, state, moving))
    return (await (db.durable() ?? true)) && !stop.aborted
  }

  async #setState(id: number, state: PutAwayRow['state']): Promise<void> {
    const { putAways, ports } = this.#options
    await this.#rows.commit(() => putAways.setState(id, state, ports.clock.now()))
  }

  /** The names for the file that nothing has, as long as the disk answers. */
  async *#freeNames(path: string): AsyncGenerator<string> {
    for (const name of namesFor(path)) {
      const there = await this.#entryAt(name)
      if (there !== null && 'code' in there) return
      if (there === null) yield name
    }
  }

  async #entryAt(path: string): Promise<Entry | DiskFailure | null> {
    return (await this.#options.ports.disk.stat([path]))[0] ?? null
  }

  #newKey(): string {
    const { random, clock } = this.#options.ports
    return `${clock.now().toString(36)}${Math.floor(random() * 36 ** 6).toString(36)}`
  }
}

/** The folder to which files move; empty for the bin. */
function placeOf(after: AfterUpload): string {
  return typeof after === 'object' ? after.folder : ''
}

/** Slipway's own name in the file's directory, which the default rules ignore. */
function claimed(path: string, key: string): string {
  return join(dirname(path), `.slipway-${key}.part`)
}

/** The path, then those with a number added to the name. */
function* namesFor(path: string): Generator<string> {
  const end = extname(path)
  const stem = path.slice(0, path.length - end.length)
  yield path
  for (let n = 2; n <= NAMES_MOST; n++) yield `${stem} ${n}${end}`
}

function isSameFile(a: Pick<Entry, 'ino' | 'dev'>, b: Pick<Entry, 'ino' | 'dev'>): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

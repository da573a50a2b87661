// A walk of the whole list whose progress is persisted in the journal: its number, its position, and what it has learned about the list.
// Each row of the cached list contains the number of the last walk that found its file, so a walk keeps no files in memory and can continue
// after a restart.
import type { ListProgress } from '../../../src-shared/model.ts'
import type { ListPage } from '../../api/types.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { LongWalk, WalkPosition } from './list-walk.ts'

/** Number of the first walk. In a stored row, 0 means that no listing has contained the file, and 1 that only partial reads have. */
const FIRST_WALK = 2

interface Saved {
  readonly no: number
  readonly startedAt: number
  readonly perPage: number
  /** Whether the list shows download counts. */
  readonly counts: boolean
  /** Null if the walk has ended, or hasn't read its first page. */
  readonly position: WalkPosition | null
}

export class LongWalkKeeper {
  readonly #db: Database
  readonly #remote: Remote
  #walk: Saved
  /** The links, or else the other data, of the files without a usable ID that this process has read in the walk. */
  readonly #unnumbered = new Set<string>()

  constructor(db: Database, remote: Remote) {
    this.#db = db
    this.#remote = remote
    this.#walk = remote.facts.get('catalog-walk') ?? ended(FIRST_WALK - 1)
  }

  /** Continues the unfinished walk if it began between `since` and `now`; otherwise begins a new one. */
  begin(now: number, since: number): void {
    const { no, startedAt, position } = this.#walk
    this.#unnumbered.clear()
    if (position === null || startedAt < since || startedAt > now) this.#walk = { ...ended(no + 1), startedAt: now }
  }

  /** The walk in progress, or the last one. */
  get(): Saved {
    return this.#walk
  }

  long(): LongWalk {
    return { from: this.#walk.position, onPage: (position) => this.#set({ ...this.#walk, position }) }
  }

  /**
   * Records that the walk has found these files, and returns how many of them are new to it; files without an ID always count. Call inside
   * a transaction.
   */
  shown(files: ListPage['files']): number {
    return files.filter((file) => file.fileId === null || this.#remote.setWalked(file.fileId, this.#walk.no)).length
  }

  /** The number of files without a usable ID that this process has read in the walk; absent if there are none. */
  unnumbered(): { readonly unnumbered?: number } {
    return this.#unnumbered.size === 0 ? {} : { unnumbered: this.#unnumbered.size }
  }

  learn({ files }: ListPage): void {
    for (const file of files) if (file.fileId === null) this.#unnumbered.add(file.publicLink ?? JSON.stringify(file))
    const counts = this.#walk.counts || files.some((file) => file.downloadCount !== null)
    this.#walk = { ...this.#walk, perPage: Math.max(this.#walk.perPage, files.length), counts }
  }

  /** Ends the walk. Call when the list has been read to its end, or when the walk must not be resumed. */
  end(): void {
    this.#set(ended(this.#walk.no))
  }

  /** Progress of an unfinished walk, even if it was interrupted; null if there is none, or if it hasn't read a page yet. */
  progress(): ListProgress | null {
    const { position } = this.#walk
    return position === null ? null : { read: position.count, total: position.total }
  }

  #set(walk: Saved): void {
    this.#walk = walk
    this.#db.tx(() => this.#remote.facts.set('catalog-walk', walk))
  }
}

function ended(no: number): Saved {
  return { no, startedAt: 0, perPage: 0, counts: false, position: null }
}

// A walk of the whole list, kept in the journal: its number, how far it is, and what it has learned of the list on its way. Rows carry the
// number of the last walk that has shown them, so that a walk of any length needs no memory and continues after a restart.
import type { ListProgress } from '../../../src-shared/model.ts'
import type { ListPage } from '../../api/types.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { LongWalk, WalkPosition } from './list-walk.ts'

/** Numbers of walks begin here: 0 is a row that no list has shown, 1 one that another reading of the list has. */
const FIRST_WALK = 2

interface Saved {
  readonly no: number
  readonly startedAt: number
  readonly perPage: number
  /** The list shows download counts. */
  readonly counts: boolean
  /** Null: it has ended, or has not read its first page. */
  readonly position: WalkPosition | null
}

export class LongWalkKeeper {
  readonly #db: Database
  readonly #remote: Remote
  #walk: Saved

  constructor(db: Database, remote: Remote) {
    this.#db = db
    this.#remote = remote
    this.#walk = remote.facts.get('catalog-walk') ?? ended(FIRST_WALK - 1)
  }

  /** Continues the one that has not ended, if it began at `since` or later; else begins another. */
  begin(now: number, since: number): void {
    const { no, startedAt, position } = this.#walk
    if (position === null || startedAt < since || startedAt > now) this.#walk = { ...ended(no + 1), startedAt: now }
  }

  /** The one under way, or begun last. */
  get(): Saved {
    return this.#walk
  }

  long(): LongWalk {
    return { from: this.#walk.position, onPage: (position) => this.#set({ ...this.#walk, position }) }
  }

  /** Inside a transaction; gives how many of the files this walk had not shown yet. */
  shown(files: ListPage['files']): number {
    return files.filter((file) => file.fileId === null || this.#remote.setWalked(file.fileId, this.#walk.no)).length
  }

  learn({ files }: ListPage): void {
    const counts = this.#walk.counts || files.some((file) => file.downloadCount !== null)
    this.#walk = { ...this.#walk, perPage: Math.max(this.#walk.perPage, files.length), counts }
  }

  /** It was read to its end, or nothing that was known holds. */
  end(): void {
    this.#set(ended(this.#walk.no))
  }

  /** Null: none is under way. */
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

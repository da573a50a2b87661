// Which commands of other processes take part in watching which folder, and over which connection. A command that is killed can't say that it
// stops, so its connection's end says it: a folder that is no longer watched sends nothing (law 8).
interface Watching {
  /** Aborted when its connection ends. */
  readonly connection: AbortSignal
  /** null: the engine hasn't answered yet. */
  folderId: number | null
}

export class RemoteWatchers {
  readonly #leave: (folderId: number, watcher: string) => void
  /** By watcher. One that has connected again belongs to its newest connection. */
  readonly #watching = new Map<string, Watching>()

  constructor(leave: (folderId: number, watcher: string) => void) {
    this.#leave = leave
  }

  /** A command asks to watch. Call the result with the folder once the engine has answered; null: it refused. */
  join(watcher: string, connection: AbortSignal): (folderId: number | null) => void {
    const mine: Watching = { connection, folderId: null }
    this.#watching.set(watcher, mine)
    connection.addEventListener('abort', () => this.#end(watcher, mine), { once: true })
    return (folderId) => {
      mine.folderId = folderId
      if (connection.aborted) this.#end(watcher, mine)
    }
  }

  /** It has said so itself. */
  left(watcher: string): void {
    this.#watching.delete(watcher)
  }

  #end(watcher: string, mine: Watching): void {
    if (mine.folderId === null || this.#watching.get(watcher) !== mine) return
    this.#watching.delete(watcher)
    this.#leave(mine.folderId, watcher)
  }
}

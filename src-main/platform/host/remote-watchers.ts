// Tracks which folder each `watch` command in another process watches, and over which connection. A killed command can't unregister itself,
// so it is unregistered when its connection ends. Otherwise, the engine would keep uploading from the folder.
interface Watching {
  /** Aborted when the command's connection ends. */
  readonly connection: AbortSignal
  /** Null until the engine has answered. */
  folderId: number | null
}

export class RemoteWatchers {
  readonly #leave: (folderId: number, watcher: string) => void
  /** Keyed by the watcher's ID. A watcher that has reconnected belongs to its newest connection. */
  readonly #watching = new Map<string, Watching>()

  constructor(leave: (folderId: number, watcher: string) => void) {
    this.#leave = leave
  }

  /**
   * Registers a command that asks to watch a folder. Call the returned function with the folder's ID once the engine has answered, or with
   * null if the engine refused.
   */
  join(watcher: string, connection: AbortSignal): (folderId: number | null) => void {
    const mine: Watching = { connection, folderId: null }
    this.#watching.set(watcher, mine)
    connection.addEventListener('abort', () => this.#end(watcher, mine), { once: true })
    return (folderId) => {
      mine.folderId = folderId
      if (connection.aborted) this.#end(watcher, mine)
    }
  }

  /** Stops tracking a command that has unregistered itself. */
  left(watcher: string): void {
    this.#watching.delete(watcher)
  }

  #end(watcher: string, mine: Watching): void {
    if (mine.folderId === null || this.#watching.get(watcher) !== mine) return
    this.#watching.delete(watcher)
    this.#leave(mine.folderId, watcher)
  }
}

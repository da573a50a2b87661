// Stores the state of updates across starts, such as the time of the last check, the version being installed,
// and the version that the user went back from. An invalid field counts as unknown. At start-up, also
// determines whether the last update succeeded.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'

const version = z.string().max(40)

const Pending = z.object({
  version,
  /** The version that is being replaced. */
  from: version,
  /** Number of starts of the new version, including the current run, since the last clean shutdown. */
  starts: z.number().int().nonnegative(),
})

const Remembered = z.object({
  /** A random ID that decides whether this computer gets a version early. Never sent. */
  id: z.string().min(16).max(64).catch(''),
  checkedAt: z.number().nullable().catch(null),
  /** The version that the last notice was about. */
  told: version.nullable().catch(null),
  skipped: version.nullable().catch(null),
  pending: Pending.nullable().catch(null),
})
export type Remembered = z.infer<typeof Remembered>

const NOTHING: Remembered = { id: '', checkedAt: null, told: null, skipped: null, pending: null }

export interface MemoryFile {
  read(): unknown
  write(state: unknown): void
}

export class UpdateMemory {
  readonly #file: MemoryFile
  #now: Remembered

  constructor(file: MemoryFile) {
    this.#file = file
    const read = Remembered.safeParse(file.read())
    this.#now = read.success ? read.data : NOTHING
    if (this.#now.id === '') this.change({ id: randomUUID() })
  }

  get(): Remembered {
    return this.#now
  }

  change(patch: Partial<Remembered>): void {
    this.#now = { ...this.#now, ...patch }
    this.#file.write(this.#now)
  }
}

/**
 * Determines what a start of version `running` means for the update `pending`. `first`: the new version's
 * first start, or its next one after a clean shutdown. `again`: the new version's previous run didn't end
 * cleanly. `not-installed`: the old version is still running. `plain`: none of these.
 */
export function readStart(
  pending: Remembered['pending'],
  running: string,
): 'plain' | 'first' | 'again' | 'not-installed' {
  if (pending === null) return 'plain'
  if (pending.version !== running) return pending.from === running ? 'not-installed' : 'plain'
  return pending.starts === 0 ? 'first' : 'again'
}

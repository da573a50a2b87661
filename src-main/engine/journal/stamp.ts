// Detects that the journal isn't the one that this machine used last, or is an older state of that journal:
// restored from a backup, copied from elsewhere, or missing its WAL. A counter is advanced in the journal
// and, once that is durable, in a small file beside it. If the file is ahead, the journal lacks commits. If
// the file has another ID, or is missing although the counter was advanced, the journal comes from elsewhere.
import type { Clock, Random } from '../ports.ts'
import type { Database } from './database.ts'
import type { Facts } from './single-values.ts'

/**
 * The small file beside the journal. `read` returns null if the file is missing or unreadable. `write` never
 * throws, because the next write makes up for a failed one.
 */
export interface StampFile {
  read(): string | null
  write(text: string): void
}

interface Stamp {
  readonly id: string
  readonly n: number
}

/** `none`: there is no file, and the journal's counter is missing or still 0, as in a new journal. */
export type StampVerdict = 'current' | 'none' | 'older'

function parse(text: string | null): Stamp | null {
  const found = /^([0-9a-z]{8,40}) (\d{1,15})\s*$/.exec(text ?? '')
  return found?.[1] === undefined ? null : { id: found[1], n: Number(found[2]) }
}

/**
 * Compares the stamps in the journal and in the file beside it. Pure. The journal may be ahead of the file,
 * which is written later and isn't synced; if the journal is behind, commits are missing. If the journal's
 * counter is 0, the process may have ended before the file was first written.
 */
export function judgeStamp(journal: string | null, file: string | null): StampVerdict {
  const [inside, beside] = [parse(journal), parse(file)]
  if (inside === null || (inside.n === 0 && file === null)) return file === null ? 'none' : 'older'
  return beside !== null && beside.id === inside.id && beside.n <= inside.n ? 'current' : 'older'
}

export interface StampKeeper {
  readonly verdict: StampVerdict
  /**
   * Advances the counter, at most once every EVERY_MS, and returns without waiting for the write. Call before
   * work that would be missing from an older copy of the journal, such as an upload.
   */
  touch(): void
}

const EVERY_MS = 5000

export function createStamp(options: {
  readonly facts: Facts
  readonly file: StampFile
  readonly db: Pick<Database, 'durable' | 'soon'>
  readonly clock: Pick<Clock, 'mono'>
  readonly random: Random
}): StampKeeper {
  const { facts, file, db, clock } = options
  const verdict = judgeStamp(facts.get('stamp'), file.read())
  const before = verdict === 'current' ? parse(facts.get('stamp')) : null
  const id =
    before?.id ?? Array.from({ length: 16 }, () => Math.floor(options.random() * 36).toString(36)).join('')
  let n = before?.n ?? 0
  /** Whether the file beside the journal is known to contain this ID. */
  let isBeside = before !== null
  let lastAt = Number.NEGATIVE_INFINITY
  let busy = false

  const put = async (at: number): Promise<void> => {
    const next = `${id} ${at}`
    const isCommitted = await db
      .soon(() => facts.set('stamp', next))
      .then(
        () => true,
        () => false,
      )
    if (isCommitted && (await db.durable()) !== false) file.write(`${next}\n`)
  }

  const move = async (): Promise<void> => {
    if (!isBeside) {
      await put(0)
      isBeside = parse(file.read())?.id === id
    }
    if (isBeside) await put(++n)
  }

  return {
    verdict,
    touch: () => {
      if (busy || clock.mono() - lastAt < EVERY_MS) return
      busy = true
      lastAt = clock.mono()
      void move().finally(() => {
        busy = false
      })
    },
  }
}

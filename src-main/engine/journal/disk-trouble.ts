// Handles failures to write the journal: uploads pause, because a response that can't be recorded could be
// lost. Reports the problem once, keeps retrying, and resumes when writing works. Also the journal's error
// types, and `writeTrouble`, which distinguishes a full or locked disk from a bug.
import { dirname } from 'node:path'
import type { DiskFault, Gate, Health } from '../../../src-shared/model.ts'
import type { Clock } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'

const PROBE_MS = 1000
/**
 * Once the trouble has lasted this long, the gate's `until` is null, so that callers with a time limit can
 * give up.
 */
const LASTING_MS = 10_000

const TEXTS: Readonly<Record<DiskFault, string>> = {
  full: 'no space left in',
  'read-only': 'no permission to write to',
  failing: 'the disk reports errors in',
  locked: 'another program has locked the journal in',
}

/**
 * SQLite's result codes PERM, BUSY, READONLY, IOERR (failed reads, writes and syncs), FULL, CANTOPEN and
 * PROTOCOL.
 */
const SQLITE: Readonly<Record<number, DiskFault>> = {
  3: 'read-only',
  5: 'locked',
  8: 'read-only',
  10: 'failing',
  13: 'full',
  14: 'failing',
  15: 'locked',
}
const SYSTEM: Readonly<Record<string, DiskFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EIO: 'failing',
}

/** SQLITE_IOERR_SHMSIZE: the shared-memory file couldn't grow, because the disk is full. */
const SHM_SIZE = 10 | (19 << 8)

export interface DiskTrouble {
  /**
   * Pauses uploads if the disk caused this error, and starts to retry. Returns false if the disk isn't the
   * cause.
   */
  note(error: unknown): boolean
  /**
   * Like `note`, for a failed sync of what was written; null if one has succeeded. Uploads stay paused until
   * then, even if the disk accepts writes again, because what it accepts may still be lost.
   */
  noteSync(error: unknown): void
  gate(): Gate | null
  /** Retries now. Returns whether the disk can be written to. */
  retry(): boolean
  health(): readonly Health[]
  close(): void
}

export function createDiskTrouble(options: {
  readonly clock: Clock
  readonly journal: string
  readonly bus: Pick<Bus, 'touched' | 'wake' | 'emit'>
  /** Writes a little data; throws while the disk can't be written to. */
  readonly probe: () => void
  /** Starts a sync, whose result is passed to `noteSync`. */
  readonly sync: () => void
}): DiskTrouble {
  const { clock, bus } = options
  let trouble: { readonly kind: DiskFault; readonly since: number } | null = null
  /** Whether the last sync failed because of the disk. */
  let isUnsynced = false
  let cancel: (() => void) | null = null

  const message = (kind: DiskFault): string =>
    `Couldn't write to disk: ${TEXTS[kind]} ${dirname(options.journal)}. Uploads wait.`

  const changed = (): void => {
    bus.touched()
    bus.wake()
  }

  const look = (): void => {
    cancel = clock.after(PROBE_MS, retry)
  }

  const retry = (): void => {
    if (isUnsynced) {
      look()
      options.sync()
      changed()
      return
    }
    try {
      options.probe()
      trouble = null
      cancel = null
    } catch {
      // The probe may also fail for another reason, such as a lock. Even then, it isn't known whether the disk
      // accepts writes again.
      look()
    }
    changed()
  }

  const note = (error: unknown): boolean => {
    const kind = writeTrouble(error)
    if (kind === null) return false
    if (trouble !== null) return true
    trouble = { kind, since: clock.mono() }
    const hint = 'Slipway resumes as soon as it can write again. Nothing is lost.'
    const about = { what: 'disk', name: '', count: 1 } as const
    bus.emit({ kind: 'notice', level: 'problem', title: message(kind), hint, about })
    look()
    changed()
    return true
  }

  return {
    note,
    noteSync: (error) => {
      // An error with another cause says nothing about the disk.
      if (error === null) isUnsynced = false
      else if (note(error)) isUnsynced = true
    },
    gate: () => {
      if (trouble === null) return null
      const isLasting = clock.mono() - trouble.since >= LASTING_MS
      return {
        reason: 'disk',
        until: isLasting ? null : clock.now() + PROBE_MS,
        message: message(trouble.kind),
        disk: { fault: trouble.kind, folder: dirname(options.journal) },
      }
    },
    retry: () => {
      if (trouble === null) return true
      cancel?.()
      retry()
      return trouble === null
    },
    health: () => (trouble === null ? [] : [{ what: 'disk', message: message(trouble.kind) }]),
    close: () => cancel?.(),
  }
}

// Journal errors other than corruption (see database.ts) and write failures (see disk-trouble.ts).

/**
 * The journal isn't damaged, but this program can't use it. The file stays in place, because another version
 * may be able to use it.
 */
export class JournalError extends Error {
  /** What the user can do. */
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause })
    this.hint = hint
  }
}

/** The journal is closed, so the work passed to it wasn't done. */
export class JournalClosedError extends Error {
  constructor() {
    super('The journal is closed.')
  }
}

// Distinguishes a disk that can't be written to, or a journal that another program has locked, from a bug, by
// the error codes of SQLite and the system. Pure. Callers wait and retry, because space on a full disk may be
// freed, and a lock ends.
/** Classifies an error. Returns null if the disk isn't its cause. */
export function writeTrouble(error: unknown): DiskFault | null {
  if (typeof error !== 'object' || error === null) return null
  const code: unknown = Reflect.get(error, 'errcode')
  if (typeof code === 'number') return code === SHM_SIZE ? 'full' : (SQLITE[code & 0xff] ?? null)
  const name: unknown = Reflect.get(error, 'code')
  return typeof name === 'string' ? (SYSTEM[name] ?? null) : null
}

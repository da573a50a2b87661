// Adapts the keychain for the app's engine thread. A read may open a system dialog, which the user may take
// minutes to answer. A slow read is therefore reported as failed but continues, and its late answer is still
// used. While it continues, a second read starts only at the user's request. After a failure, the keychain is
// read again only on an occasion that justifies another dialog.
import type { Keychain, KeychainFailure } from '../../engine/ports.ts'
import { NO_RESPONSE } from '../../platform/account/keychain.ts'
import { within } from '../../platform/time.ts'

/** Maximum time that a caller waits for an answer. */
const ANSWER_MS = 10_000
/** Maximum duration of a read. It gives the user time to notice a dialog and type a password. */
export const READ_MS = 300_000
/**
 * Maximum duration of a write. Shorter than that of a read, because the user has just requested the write and
 * is waiting.
 */
export const WRITE_MS = 60_000
/** Minimum time after a failure before an event may open another dialog. */
const EVENT_MS = 120_000
/**
 * Minimum times after a failure before a timer may open another dialog: for the first attempt, the second,
 * and so on. The last one repeats.
 */
const TIMER_MS = [120_000, 300_000, 600_000, 1_800_000, 3_600_000] as const
/**
 * How long a key that was read after a failure is kept. During this time, the engine and the list of accounts
 * get it without another dialog.
 */
const KEPT_MS = 30_000

/**
 * Why the keychain is read again: the user requested it, an event such as showing the window occurred, or a
 * timer fired.
 */
export type Occasion = 'person' | 'event' | 'timer'

type Read = Awaited<ReturnType<Keychain['get']>>

interface OpenRead {
  readonly account: string
  /** When callers stop waiting for the answer, on the clock of `performance.now()`. */
  readonly until: number
  readonly answer: Promise<Read>
}

export interface KeychainOutage {
  readonly failure: KeychainFailure
  /** Time since the failure, in milliseconds. */
  readonly agoMs: number
  /** The number of reads that a timer has triggered since the keychain was last readable. */
  readonly timed: number
}

/**
 * Whether the keychain may be read again. Reading a missing keychain opens no dialog. A timer may reopen a
 * dialog that was never answered. It may not reopen one that the user dismissed, which is reported as
 * `locked` or, on some systems, as `other`.
 */
export function mayReadAgain(
  occasion: Occasion,
  { failure: { code }, agoMs, timed }: KeychainOutage,
): boolean {
  switch (occasion) {
    case 'person':
      return true
    case 'event':
      return code === 'missing' || agoMs >= EVENT_MS
    case 'timer':
      return (
        (code === 'missing' || code === 'timeout') &&
        agoMs >= (TIMER_MS[Math.min(timed, TIMER_MS.length - 1)] ?? 0)
      )
    default:
      return occasion satisfies never
  }
}

export interface PatientKeychainParts {
  /** Reads the keychain. The time limit of a read should be `READ_MS`. */
  readonly reads: Pick<Keychain, 'get'>
  /** Changes the keychain. The time limit of a change should be `WRITE_MS`. */
  readonly writes: Pick<Keychain, 'set' | 'remove'>
  /**
   * Called when an entry has been read after a caller got a failure for it. The key is then kept for
   * `KEPT_MS`, or until the entry is written or the user requests another read.
   */
  readonly onReadable: () => void
}

export class PatientKeychain implements Keychain {
  readonly #parts: PatientKeychainParts
  /** The read that callers currently wait for. */
  #open: OpenRead | null = null
  /**
   * The failure of the last read. Null if it succeeded, or if an entry has been written or another read
   * allowed since.
   */
  #failed: { readonly failure: KeychainFailure; readonly at: number } | null = null
  /** The entries for which a caller has got a failure and that haven't been read or written since. */
  readonly #unread = new Set<string>()
  readonly #kept = new Map<string, string | null>()
  /** See `KeychainOutage`. */
  #timed = 0
  /**
   * A counter per entry that changes with every write. If it changes during a read, the result of that read
   * is out of date.
   */
  readonly #writes = new Map<string, number>()

  constructor(parts: PatientKeychainParts) {
    this.#parts = parts
  }

  async get(account: string): Promise<Read> {
    const kept = this.#kept.get(account)
    if (kept !== undefined) return { ok: true, secret: kept }
    const open = this.#open
    if (open !== null && open.account !== account) {
      const got = await answered(open)
      return got.ok ? this.get(account) : this.#report(account, got)
    }
    const failed = this.#failed
    if (open === null && failed !== null && failed.failure.code !== 'missing')
      return this.#report(account, { ok: false, failure: failed.failure })
    return this.#report(account, await answered(open ?? this.#read(account)))
  }

  set(account: string, secret: string): ReturnType<Keychain['set']> {
    return this.#write(account, () => this.#parts.writes.set(account, secret))
  }

  remove(account: string): ReturnType<Keychain['remove']> {
    return this.#write(account, () => this.#parts.writes.remove(account))
  }

  /**
   * Call before reading the keychain again after a failure. Returns false if a read is still in progress or
   * the occasion doesn't justify another dialog. For `person`, always returns true, drops keys kept from
   * earlier reads, and abandons an overdue read, because its dialog may be gone.
   */
  allow(occasion: Occasion): boolean {
    const open = this.#open
    if (occasion === 'person') this.#kept.clear()
    else if (open !== null) return false
    if (open !== null && isOverdue(open)) this.#open = null
    const failed = this.#failed
    if (failed === null) return true
    if (
      !mayReadAgain(occasion, {
        failure: failed.failure,
        agoMs: performance.now() - failed.at,
        timed: this.#timed,
      })
    )
      return false
    if (occasion === 'timer') this.#timed++
    this.#failed = null
    return true
  }

  #read(account: string): OpenRead {
    const open = { account, until: performance.now() + ANSWER_MS, answer: this.#parts.reads.get(account) }
    const writes = this.#writes.get(account)
    this.#open = open
    void open.answer.then((got) => {
      const isCurrent = this.#open === open
      if (isCurrent) this.#open = null
      if (got.ok) {
        this.#failed = null
        this.#timed = 0
        if (writes === this.#writes.get(account)) this.#readable(account, got.secret)
      } else if (isCurrent) this.#failed = { failure: got.failure, at: performance.now() }
    })
    return open
  }

  #readable(account: string, secret: string | null): void {
    if (!this.#unread.delete(account)) return
    this.#kept.set(account, secret)
    setTimeout(() => this.#kept.delete(account), KEPT_MS).unref()
    this.#parts.onReadable()
  }

  #report(account: string, got: Read): Read {
    if (!got.ok) this.#unread.add(account)
    return got
  }

  async #write<T extends { readonly ok: boolean }>(account: string, write: () => Promise<T>): Promise<T> {
    const forget = (): void => {
      this.#writes.set(account, (this.#writes.get(account) ?? 0) + 1)
      this.#kept.delete(account)
      if (this.#open?.account === account) this.#open = null
    }
    forget()
    const done = await write()
    // A read that started during the write may return the old value, so its answer isn't used either.
    forget()
    if (done.ok) {
      this.#failed = null
      this.#unread.delete(account)
    }
    return done
  }
}

function isOverdue({ until }: OpenRead): boolean {
  return performance.now() >= until
}

/** Resolves to the read's answer, or to a failure once the read is overdue. */
async function answered(open: OpenRead): Promise<Read> {
  const late = { ok: false, failure: NO_RESPONSE } as const
  if (isOverdue(open)) return late
  return (await within(open.until - performance.now(), open.answer)) ?? late
}

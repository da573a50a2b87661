// Pauses all uploads when several in a row were refused or never answered, because further ones would
// probably fare the same. After a wait that grows each time, one file at a time is tried. The pause ends once
// an upload is accepted, or the outcome of a lost one is known. It survives a restart.
import type { Gate } from '../../../src-shared/model.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'

/**
 * Uploads pause after this many lost answers in a row. A single one says little, and each may still turn out
 * to have arrived.
 */
const MOST_LOST = 8
/**
 * A single refusal may be due to the file. Refusals of this many different files in a row mean that the
 * account is affected.
 */
const REFUSED_FILES = 2
const PAUSES_MS = [20_000, 60_000, 120_000, 300_000, 900_000, 1_800_000, 3_600_000] as const
/**
 * Longest pause if the answer may concern the files after all: a service that refuses two programs may accept
 * the next picture.
 */
const ABOUT_FILES_MOST_MS = 300_000
/** Lost answers start with a longer pause, because it takes longer to find out what became of them. */
const FIRST_PAUSE_AFTER_LOSS = 1
/** Minimum time between two attempts if the user asks for more of them. */
const ASKED_MS = 10_000

export interface UploadStreak {
  /** Number of answers lost in a row. */
  readonly lost: number
  /** The files refused in a row, as transfer IDs; at most `REFUSED_FILES` are kept. */
  readonly refused: readonly number[]
  readonly pauses: number
  /**
   * When the pause ends (epoch milliseconds); null if there is none. In the past while an upload is being
   * tried.
   */
  readonly until: number | null
  /** What the service said to the last refused upload, as a sentence; null if the last answer was lost. */
  readonly said: string | null
}

const NONE: UploadStreak = { lost: 0, refused: [], pauses: 0, until: null, said: null }

export class UploadPause {
  readonly #clock: Pick<Clock, 'now'>
  readonly #journal: Pick<Journal, 'remote' | 'soon'>
  readonly #bus: Pick<Bus, 'touched' | 'wake'>
  #streak: UploadStreak
  /** When the user last ended a wait (epoch milliseconds). */
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(
    clock: Pick<Clock, 'now'>,
    journal: Pick<Journal, 'remote' | 'soon'>,
    bus: Pick<Bus, 'touched' | 'wake'>,
  ) {
    this.#clock = clock
    this.#journal = journal
    this.#bus = bus
    this.#streak = journal.remote.facts.get('upload-pause') ?? NONE
  }

  /**
   * Counts a lost answer. Call only if the upload's whole body had been sent, and the request wasn't ended on
   * this side.
   */
  lost(): void {
    const lost = this.#streak.lost + 1
    this.#count({ ...this.#streak, lost, said: null }, lost >= MOST_LOST, FIRST_PAUSE_AFTER_LOSS)
  }

  /**
   * Counts an upload that the service, or something in front of it, refused. `said`: its answer, as a
   * sentence. `mayBeFile`: whether the answer may concern the file. Returns `isOn()`.
   */
  refused(id: number, said: string, mayBeFile: boolean): boolean {
    const refused = [...new Set([...this.#streak.refused, id])].slice(-REFUSED_FILES)
    this.#count(
      { ...this.#streak, refused, said },
      refused.length >= REFUSED_FILES,
      0,
      mayBeFile ? ABOUT_FILES_MOST_MS : undefined,
    )
    return this.isOn()
  }

  /** Ends the streak, and with it the pause. Call when an upload was accepted. */
  accepted(): void {
    const wasPaused = this.isOn()
    if (this.#streak !== NONE) this.#set(NONE)
    if (wasPaused) this.#bus.wake()
  }

  /**
   * Like `accepted`, when the outcome of an upload whose answer was lost is known. That says nothing about
   * refusals.
   */
  proved(): void {
    if (this.#streak.refused.length === 0) this.accepted()
  }

  /**
   * Whether at most one upload may run at a time. True from the start of a pause until an upload is accepted.
   */
  isOn(): boolean {
    return this.#streak.until !== null
  }

  gate(): Gate | null {
    const { until, said } = this.#streak
    if (until === null || until <= this.#clock.now()) return null
    return said === null
      ? { reason: 'answers-lost', until, message: null }
      : { reason: 'uploads-refused', until, message: said }
  }

  /** Ends the wait, so that one upload is tried now. */
  retry(): void {
    const now = this.#clock.now()
    this.#askedAt = now
    if (this.#streak.until !== null) this.#set({ ...this.#streak, until: Math.min(this.#streak.until, now) })
  }

  /**
   * Like `retry`, when the user names a file: only for refusals, and not more often than every ten seconds.
   */
  named(): void {
    if (this.#streak.said !== null && this.#clock.now() - this.#askedAt >= ASKED_MS) this.retry()
  }

  /**
   * Starts the next pause if the streak is long enough, and no pause is in progress. `first`: the index of
   * the first pause.
   */
  #count(
    streak: UploadStreak,
    isLong: boolean,
    first: number,
    mostMs: number = Number.POSITIVE_INFINITY,
  ): void {
    const now = this.#clock.now()
    const { pauses, until } = streak
    if (!isLong || (until !== null && until > now)) return this.#set(streak)
    const ms = PAUSES_MS[Math.min(first + pauses, PAUSES_MS.length - 1)] ?? 3_600_000
    this.#set({ ...streak, pauses: pauses + 1, until: now + Math.min(ms, mostMs) })
  }

  #set(streak: UploadStreak): void {
    this.#streak = streak
    this.#bus.touched()
    this.#journal.soon(() => this.#journal.remote.facts.set('upload-pause', streak === NONE ? null : streak))
  }
}

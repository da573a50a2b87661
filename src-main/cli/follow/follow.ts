// The main loop that `upload` and `watch` share. It follows the engine's events, continues with the next
// engine if the engine changes, checks regularly whether to end, and updates the progress line. The commands
// decide which files belong to them and when these are done.

import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import { plural } from '../../../src-shared/format.ts'
import type { Folder, Gate, Snapshot, Transfer } from '../../../src-shared/model.ts'
import { within } from '../../platform/time.ts'
import { type Ctx, note, whenAborted } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Line } from '../output/lines.ts'
import { reasonText, withoutStop } from '../output/reason-text.ts'
import { accountEnding, type Ending, keyFaultOf, unansweredSince } from './ending.ts'
import { failLines } from './reporter.ts'
import { SLOW_MS, STILL_WAITING } from './request-wait.ts'
import { isUnanswered } from './stuck.ts'
import { PACE_MS, type Tracker } from './tracker.ts'

/**
 * Delay between a change of the gate (what blocks the whole account) and the report of the waits. Which files
 * wait for the gate isn't known at once, because their events arrive up to a quarter of a second later.
 */
const GATE_MS = 400
/** Maximum duration of each call that a command makes while it is ending. */
const LAST_CALL_MS = 3000
/** Delay between an event and the check of whether to end, so that one check covers a group of events. */
const SOON_MS = 60

export type Ended =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'interrupted' }

export interface Look {
  readonly snapshot: Snapshot
  /** See `unansweredSince` in ending.ts. */
  readonly unansweredSince: number | null
  /**
   * When uploads were first seen paused; null while they aren't; -Infinity if they were paused when the
   * command started.
   */
  readonly pausedSince: number | null
}

export interface FollowOptions {
  readonly ctx: Ctx
  readonly tracker: Tracker
  /** Reads rows again before the command ends, because the last events may not have arrived yet. */
  readonly catchUp: () => Promise<void>
  /**
   * Requests what this command needs from the engine and reads the complete result. Repeated when the engine
   * changes or events were missed.
   */
  readonly begin: (reason: 'start' | 'reopened' | 'gap') => Promise<Result<void>>
  /** Receives the rows of each event, including events that arrive before `begin` has finished. */
  readonly onTransfers: (items: readonly Transfer[]) => void
  readonly tell: (lines: readonly Line[]) => void
  readonly onFolder?: (folder: Folder) => void
  /** Whether a change in the engine's state is a reason to check soon. */
  readonly isNews?: (snapshot: Snapshot) => boolean
  /** Interval between checks if no event arrives. */
  readonly lookMs: number
  /**
   * Whether to print notices of problems as they occur. A command that doesn't end on its own has no other
   * opportunity.
   */
  readonly notices: boolean
  /**
   * Called before an interrupted command closes the engine that it runs. Uploads in progress may finish while it
   * closes, and their links are then reported.
   */
  readonly beforeClose?: () => Promise<void>
  /** Decides whether the command ends. Resolves to null to continue. */
  readonly look: (look: Look) => Promise<Result<Ending | null>>
}

/** Resolves when `look` ends the command, when a call fails, or when `ctx.signal` is aborted. */
export async function follow(options: FollowOptions): Promise<Ended> {
  return new Follower(options).follow()
}

class Follower {
  readonly #options: FollowOptions
  /** Whether something has happened since the last check. */
  #isStirred = false
  #endSleep: () => void = () => undefined
  /** Why `begin` must be called again; null if it doesn't have to be. */
  #again: 'reopened' | 'gap' | null = null
  #lastSeq: number | null = null
  #startedAt: number
  #unansweredSince: number | null = null
  #isOffline = false
  /** Since when the service hasn't answered; null while it does. */
  #silentSince: number | null = null
  #isSilenceNoted = false
  #pausedSince: number | null = null
  #hasLooked = false
  #isResentNoted = false
  #gate: Gate | null = null
  #notedReason: Gate['reason'] | null = null
  #cancelGate: (() => void) | null = null
  #cancelSoon: (() => void) | null = null
  /** The pending call of `begin`; null if there is none. */
  #beginning: Promise<Result<void>> | null = null

  constructor(options: FollowOptions) {
    this.#options = options
    this.#startedAt = options.ctx.time.now()
  }

  async follow(): Promise<Ended> {
    const { ctx, tracker, tell } = this.#options
    const interrupted = whenAborted(ctx.signal).then((): Ended => ({ kind: 'interrupted' }))
    const stopEvents = ctx.client.onEvent((event) => this.#seeEvent(event))
    const stopReopen = ctx.client.onReopen(() => {
      this.#again = 'reopened'
      this.#lastSeq = null
      this.#wake()
    })
    const ended = await Promise.race([this.#run(), interrupted])
    // The engine may still carry out the request. Wait for its result, to know what to report or undo.
    if (ended.kind === 'interrupted' && this.#beginning !== null) await inTime(ctx, this.#beginning)
    stopReopen()
    if (ended.kind !== 'failed') await this.#options.catchUp()
    if (ended.kind === 'interrupted' && ctx.client.isOwner()) {
      await this.#options.beforeClose?.()
      await ctx.client.close()
    }
    stopEvents()
    this.#cancelGate?.()
    this.#cancelSoon?.()
    // Report the wait of every file that hasn't started, however short it is, so that each has a reason.
    const reason = this.#isOffline ? 'offline' : 'answers-lost'
    const silence: Gate | null =
      this.#unansweredSince === null ? null : { reason, until: null, message: null }
    if (ended.kind !== 'failed') tell(tracker.gate(this.#gate ?? silence, true))
    if (ended.kind === 'interrupted') tell(tracker.interrupted())
    ctx.term.progress(null)
    return ended
  }

  async #run(): Promise<Ended> {
    const { ctx, look } = this.#options
    const begun = await this.#begin('start')
    if (!begun.ok) return { kind: 'failed', failure: begun.failure }
    for (;;) {
      if (this.#again !== null) {
        const reason = this.#again
        this.#again = null
        const rebegun = await this.#begin(reason)
        if (!rebegun.ok) return { kind: 'failed', failure: rebegun.failure }
      }
      this.#isStirred = false
      const snapshot = await ctx.client.call('snapshot', {})
      if (!snapshot.ok) return { kind: 'failed', failure: snapshot.failure }
      this.#seeSnapshot(snapshot.value)
      const ending = await look({
        snapshot: snapshot.value,
        unansweredSince: this.#unansweredSince,
        pausedSince: this.#pausedSince,
      })
      if (!ending.ok) return { kind: 'failed', failure: ending.failure }
      if (ending.value !== null && !this.#waitsForCopies(ending.value, snapshot.value))
        return { kind: 'ended', ending: ending.value }
      await this.#sleep()
      if (ctx.signal.aborted) return { kind: 'interrupted' }
    }
  }

  /**
   * Whether the command would end as done although a copy may soon have to be deleted, which happens only
   * while an engine runs: the first upload of a version that was sent again may still turn up, or a replaced
   * version is still there.
   */
  #waitsForCopies({ code }: Ending, { resent, replacing }: Snapshot): boolean {
    const { ctx } = this.#options
    if (code !== EXIT.ok) return false
    const now = ctx.time.now()
    const isResent = resent !== undefined && resent.until > now
    // While the links of replaced versions are in use, their deletion is an hour away.
    const isReplacing =
      replacing !== undefined && replacing.until > now && (replacing.next ?? now) < replacing.until
    if (isResent && !this.#isResentNoted) {
      this.#isResentNoted = true
      note(
        ctx,
        `${plural(resent.count, 'file')} had to be sent again. Checking for a moment that no copy turns up late.`,
      )
    }
    if (replacing !== undefined && !isReplacing && !isResent) {
      const are = `${plural(replacing.count, 'replaced version')} ${replacing.count === 1 ? 'is' : 'are'}`
      note(ctx, `${are} still public. The deletion is queued.`)
    }
    return isResent || isReplacing
  }

  async #begin(reason: 'start' | 'reopened' | 'gap'): Promise<Result<void>> {
    this.#beginning = this.#options.begin(reason)
    const begun = await this.#beginning
    this.#beginning = null
    return begun
  }

  /** Waits until the next check is due or something happens. */
  async #sleep(): Promise<void> {
    const { ctx, lookMs } = this.#options
    // An event may have arrived during the check.
    if (this.#isStirred) return
    await new Promise<void>((resolve) => {
      const cancel = ctx.time.after(lookMs, resolve)
      this.#endSleep = () => {
        cancel()
        resolve()
      }
    })
  }

  #wake(): void {
    this.#isStirred = true
    this.#endSleep()
  }

  #lookSoon(): void {
    this.#cancelSoon ??= this.#options.ctx.time.after(SOON_MS, () => {
      this.#cancelSoon = null
      this.#wake()
    })
  }

  #seeEvent(event: EngineEvent): void {
    const { ctx, onTransfers, onFolder, notices, isNews } = this.#options
    if (this.#lastSeq !== null && event.seq !== this.#lastSeq + 1 && this.#again === null) this.#again = 'gap'
    this.#lastSeq = event.seq
    switch (event.kind) {
      case 'transfers':
        onTransfers(event.items)
        this.#lookSoon()
        break
      case 'progress':
        this.#draw(event.progress)
        break
      case 'gate':
        this.#seeGate(event.gate)
        this.#lookSoon()
        break
      case 'folder':
        onFolder?.(event.folder)
        this.#lookSoon()
        break
      case 'notice':
        if (notices && event.level === 'problem')
          note(ctx, event.hint === null ? event.title : `${event.title} ${event.hint}`)
        break
      case 'state':
        this.#seeSnapshot(event.snapshot)
        if (isNews?.(event.snapshot) === true) this.#lookSoon()
        break
      case 'catalog':
        break
      default:
        event satisfies never
    }
  }

  #seeSnapshot(snapshot: Snapshot): void {
    const now = this.#options.ctx.time.now()
    this.#isOffline = snapshot.account.state === 'offline'
    this.#startedAt = Math.min(this.#startedAt, now)
    const [before, startedAt] = [this.#unansweredSince, this.#startedAt]
    this.#unansweredSince = unansweredSince(snapshot, { before, startedAt, now })
    if (!snapshot.paused) this.#pausedSince = null
    else
      this.#pausedSince = Math.min(
        this.#pausedSince ?? (this.#hasLooked ? now : Number.NEGATIVE_INFINITY),
        now,
      )
    this.#hasLooked = true
    this.#seeGate(gateOf(snapshot))
    this.#noteSilence(snapshot, now)
    this.#draw(snapshot.progress)
  }

  /** Says once that the service doesn't answer, unless what the files wait for has been said. */
  #noteSilence({ progress, trouble, unanswered }: Snapshot, now: number): void {
    const { ctx, tracker } = this.#options
    const isSilent = unanswered !== undefined || isUnanswered(progress.active)
    if (!isSilent || tracker.pendingCount() === 0) {
      this.#silentSince = null
      this.#isSilenceNoted = false
      return
    }
    this.#silentSince = Math.min(this.#silentSince ?? now, now)
    if (this.#isSilenceNoted || now - this.#silentSince < SLOW_MS) return
    this.#isSilenceNoted = true
    note(ctx, trouble === undefined ? STILL_WAITING : `${withoutStop(trouble)}.`)
  }

  #seeGate(gate: Gate | null): void {
    if (this.#gate?.reason === 'comparing' && gate?.reason !== 'comparing') this.#options.tracker.listEnded()
    this.#gate = gate
    this.#cancelGate ??= this.#options.ctx.time.after(GATE_MS, () => this.#tellGate())
  }

  #tellGate(): void {
    const { ctx, tracker, tell } = this.#options
    this.#cancelGate = null
    const gate = this.#gate
    const now = ctx.time.now()
    tell(tracker.gate(gate))
    const reason = gate === null || (gate.until !== null && gate.until - now < PACE_MS) ? null : gate.reason
    if (reason === this.#notedReason) return
    this.#notedReason = reason
    // Don't print a wait for the limit per minute, because that limit is reached often, or a wait that the
    // progress line shows anyway.
    if (
      gate === null ||
      reason === null ||
      reason === 'rate-minute' ||
      ctx.json ||
      ctx.term.errIsTerminal ||
      tracker.pendingCount() === 0
    )
      return
    note(ctx, `${reasonText(gate.reason, gate.until, now)}.`)
    this.#isSilenceNoted = true
  }

  #draw(progress: Snapshot['progress']): void {
    const { ctx, tracker } = this.#options
    if (!ctx.term.errIsTerminal || ctx.quiet) return
    const sent = new Map(progress.active.map((one) => [one.id, one.sent]))
    const isActive = progress.active.some((one) => tracker.has(one.id))
    ctx.term.progress({
      ...tracker.progress(sent),
      speed: progress.speed,
      etaMs: progress.etaMs,
      wait: isActive || tracker.pendingCount() === 0 ? null : this.#gate,
      now: ctx.time.now(),
    })
  }
}

/**
 * Waits for a call at the end of a command, for at most LAST_CALL_MS because the engine may hang. Resolves to
 * null after that.
 */
export function inTime<T>(ctx: Ctx, call: Promise<T>): Promise<T | null> {
  return within(LAST_CALL_MS, call, ctx.time.after)
}

/** What blocks the account, including a pause by the user; null if nothing does. */
export function gateOf(snapshot: Snapshot): Gate | null {
  return snapshot.paused ? { reason: 'paused', until: null, message: null } : snapshot.gate
}

/**
 * Reports a missing key before anything is requested, and resolves to the exit code. Resolves to null if
 * there is a key.
 */
export async function refuseWithoutKey(ctx: Ctx): Promise<ExitCode | null> {
  const snapshot = await ctx.client.call('snapshot', {})
  // Leave other problems with the engine to the next call, which reports them better.
  if (!snapshot.ok || snapshot.value.account.state !== 'none') return null
  const ending = accountEnding(snapshot.value.account, keyFaultOf(snapshot.value), ctx.keySource())
  return ending === null ? null : failLines(ctx, { code: 'no-key', title: ending.title, hint: ending.hint })
}
